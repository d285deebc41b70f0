// The book universes that opportunities are computed in: those of the tiers for ever, a caller's `sportsbook` filter
// from its first use until some time after its last. Each costs the shards work, so their number is limited.

import { type Caller, countedAs } from '../../accounts/key-record.js';
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import type { Clock } from '../../base/model/clock.js';
import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import type { DetectionLimits, UniverseSpec } from '../../base/model/opportunity.js';
import { DETECTION_LIMITS, startUniverses } from '../../detection/detection-limits.js';
import type { Engine } from '../../engine/engine.js';
import type { Opportunity } from '../../log/delta/opportunity.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { FEATURE_TIERS, tierAtLeast } from '../../rules/catalogue/tiers.js';
import type { Tier } from '../../rules/catalogue/types.js';
import type { Universe } from '../../tables/filter/universe.js';
import { UniverseOpportunities } from '../../tables/universe-opportunities.js';

/** No book at all: used if every name of the filter is unknown. */
const NO_BOOKS: UniverseSpec = { key: 'none', books: [] };

/** Maximum number of universes of `sportsbook` filters. */
export const FILTERED_MAX = LIMITS.filteredUniverses.max;

/** Maximum number of widened universes: each may take a hundred megabytes. */
export const WIDENED_MAX = LIMITS.widenedUniverses.max;

type Asked = Pick<Universe, 'tier' | 'requested' | 'devigBook'>;

interface Registered {
  spec: UniverseSpec;
  /** Never released. */
  fixed: boolean;
  /** Who used it first, where known. */
  caller: Caller | undefined;
  /** Number of streams that use it. */
  streams: number;
  usedMs: number;
  /** While it waits to be ready. */
  registration: Promise<void> | undefined;
}

/** A stream's reference to a universe. */
export interface UniverseLease {
  readonly opportunities: UniverseOpportunities;
  readonly ready: boolean;
  /** Whether net changes since a position are known; to be called once it is ready. */
  reaches(position: number): boolean;
  release(): void;
}

export interface UniversesOptions {
  source: DetectionPort;
  catalogue: Catalogue;
  clock: Clock;
  /** A universe that streams wait for is complete. */
  onReady(): void;
  onFailed(error: unknown, key: string): void;
}

export class Universes {
  readonly #options: UniversesOptions;
  readonly #registered = new Map<string, Registered>();
  readonly #shares: UniverseShares;
  readonly #empty = new UniverseOpportunities(NO_BOOKS.key);
  /** Of the tiers, each named after the lowest one that reads it. */
  readonly #ofTiers: readonly UniverseSpec[];

  constructor(options: UniversesOptions) {
    this.#options = options;
    this.#shares = new UniverseShares(options.clock);
    this.#ofTiers = startUniverses(options.catalogue);
    for (const spec of this.#ofTiers) this.#add(spec, true, undefined);
  }

  /** Registers the tiers' universes; settles when they are complete. */
  async start(): Promise<void> {
    await Promise.all([...this.#registered.values()].map((registered) => this.#ensure(registered)));
  }

  /** Universes of `sportsbook` filters that are registered. */
  get filteredCount(): number {
    let count = 0;
    for (const { fixed } of this.#registered.values()) if (!fixed) count++;
    return count;
  }

  /** The books of a caller's universe; filters that mean the same books share one. */
  specOf({ devigBook, ...universe }: Asked): UniverseSpec {
    const spec = this.#booksOf(universe);
    if (devigBook === undefined || spec === NO_BOOKS) return spec;
    return { ...spec, key: `${spec.key}|devig=${devigBook}`, devigBook };
  }

  #booksOf({ tier, requested }: Asked): UniverseSpec {
    if (requested === null) return this.#ofTiers.find(({ key }) => key === tier) ?? this.#ofTiers.at(-1)!;
    if (requested.length === 0) return NO_BOOKS;
    const books = [...requested].sort();
    const key = books.join(',');
    const isSame = (spec: UniverseSpec): boolean => spec.books !== null && [...spec.books].sort().join(',') === key;
    // A caller who may see moves must not get a universe without moves.
    // Marked: a book may be called like a tier.
    return (hasMoves(tier) ? undefined : this.#ofTiers.find(isSame)) ?? { key: `=${key}`, books };
  }

  /**
   * For one request: the universe's opportunities, once all shards have sent theirs. Throws `unavailable` or, if the
   * caller's account has too many, `rate_limited`.
   */
  async use(universe: Asked, caller: Caller): Promise<UniverseOpportunities> {
    const spec = this.specOf(universe);
    if (spec === NO_BOOKS) return this.#empty;
    if (this.#isOwn(spec)) this.#shares.use(caller, spec);
    const registered = this.#of(spec, caller);
    registered.usedMs = this.#options.clock.now();
    if (!this.#isReady(registered)) await this.#ensure(registered);
    return this.#options.source.opportunities.of(spec.key);
  }

  /**
   * Counts the universe of a stream or alert for its caller until the returned function is called. Throws
   * `rate_limited` if the account has too many.
   */
  claim(universe: Asked, limits: Partial<DetectionLimits>, caller: Caller): () => void {
    const spec = this.#specOf(universe, limits);
    return this.#isOwn(spec) ? this.#shares.hold(caller, spec) : () => undefined;
  }

  /**
   * For streams that share it: until it is released. If `limits` are wider than the default ones the universe is
   * separate, shared with others of similar limits. `caller`: of the first of them, whose claim is made. Throws
   * `unavailable`.
   */
  hold(universe: Asked, limits: Partial<DetectionLimits> = {}, caller?: Caller): UniverseLease {
    const spec = this.#specOf(universe, limits);
    if (spec === NO_BOOKS)
      return {
        opportunities: this.#empty,
        ready: true,
        reaches: () => true,
        release: () => undefined,
      };
    return this.#hold(this.#of(spec, caller));
  }

  /**
   * For another process and its caller, until it is released: settles once its active opportunities are known. Throws
   * as use() does, and rejects with `unavailable` if it cannot be computed.
   */
  async watch(spec: UniverseSpec, caller: Caller | undefined): Promise<UniverseLease> {
    const unclaim = caller !== undefined && this.#isOwn(spec) ? this.#shares.hold(caller, spec) : () => undefined;
    let lease: UniverseLease | undefined;
    const release = (): void => {
      lease?.release();
      unclaim();
    };
    try {
      const registered = this.#of(spec, caller);
      lease = this.#hold(registered);
      if (!this.#isReady(registered)) await this.#ensure(registered);
      return { ...lease, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Whether it is watched for callers alone. */
  #isOwn(spec: UniverseSpec): boolean {
    return spec !== NO_BOOKS && this.#registered.get(spec.key)?.fixed !== true;
  }

  #specOf(universe: Asked, limits: Partial<DetectionLimits>): UniverseSpec {
    const spec = this.specOf(universe);
    return spec === NO_BOOKS ? spec : widenedSpec(spec, limits);
  }

  #isReady({ spec }: Registered): boolean {
    return this.#options.source.isWatched(spec.key);
  }

  #hold(registered: Registered): UniverseLease {
    registered.streams++;
    this.#ensureForStreams(registered);
    const { source } = this.#options;
    const { key } = registered.spec;
    const isReady = (): boolean => this.#isReady(registered);
    let open = true;
    return {
      get opportunities() {
        return source.opportunities.of(key);
      },
      get ready() {
        return isReady();
      },
      reaches: (position) => position >= source.opportunities.of(key).completeFrom,
      release: () => {
        if (!open) return;
        open = false;
        registered.streams--;
        registered.usedMs = this.#options.clock.now();
      },
    };
  }

  /** The opportunity with an id in whichever universe has it. */
  find(id: string): Opportunity | undefined {
    for (const registered of this.#registered.values()) {
      if (!this.#isReady(registered)) continue;
      const opportunity = this.#options.source.opportunities.of(registered.spec.key).get(id);
      if (opportunity !== undefined) return opportunity;
    }
    return undefined;
  }

  /** Drops ends that nobody can need any more, releases unused filters, retries failed ones that streams wait for. */
  sweep(oldestPosition: number): void {
    const nowMs = this.#options.clock.now();
    this.#shares.sweep();
    this.#options.source.opportunities.forget(oldestPosition);
    for (const [key, registered] of this.#registered) {
      if (registered.fixed || registered.streams > 0) this.#ensureForStreams(registered);
      else if (
        nowMs - registered.usedMs >= UNUSED_UNIVERSE_MS &&
        (this.#isReady(registered) || registered.registration === undefined)
      ) {
        this.#registered.delete(key);
        this.#options.source.dropUniverse(key);
      }
    }
  }

  #of(spec: UniverseSpec, caller: Caller | undefined): Registered {
    const known = this.#registered.get(spec.key);
    if (known !== undefined) return known;
    let filtered = 0;
    let widened = 0;
    for (const { fixed, spec } of this.#registered.values()) {
      if (fixed) continue;
      filtered++;
      if (spec.kept !== undefined) widened++;
    }
    const wait = UNUSED_UNIVERSE_WAIT;
    if (filtered >= FILTERED_MAX)
      throw new ApiError(
        'unavailable',
        `${filtered} different sets of books and limits are in use: ask without sportsbook, or wait ${wait.retryAfter} s`,
        wait,
      );
    if (spec.kept !== undefined && widened >= WIDENED_MAX)
      throw new ApiError(
        'unavailable',
        `streams with limits this wide are open for ${widened} different sets of books and limits: ask for narrower ones, or wait`,
        wait,
      );
    return this.#add(spec, false, caller);
  }

  #add(spec: UniverseSpec, fixed: boolean, caller: Caller | undefined): Registered {
    const registered: Registered = {
      spec,
      fixed,
      caller,
      streams: 0,
      usedMs: this.#options.clock.now(),
      registration: undefined,
    };
    this.#registered.set(spec.key, registered);
    return registered;
  }

  #ensureForStreams(registered: Registered): void {
    if (this.#isReady(registered) || registered.registration !== undefined) return;
    this.#ensure(registered).then(
      () => this.#options.onReady(),
      () => undefined,
    );
  }

  /** One registration at a time; a failure is reported to all waiting for it and may be retried. */
  #ensure(registered: Registered): Promise<void> {
    registered.registration ??= this.#register(registered).finally(() => {
      registered.registration = undefined;
    });
    return registered.registration;
  }

  async #register({ spec, caller }: Registered): Promise<void> {
    try {
      await this.#options.source.ensureUniverse(spec, caller);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'rate_limited') throw error;
      this.#options.onFailed(error, spec.key);
      throw new ApiError('unavailable', 'the opportunities of these sportsbooks could not be computed', {
        retryAfter: 1,
      });
    }
  }
}

const hasMoves = (tier: Tier): boolean => tierAtLeast(tier, FEATURE_TIERS.moves);

// Universes whose limits are wider than the default ones: separate from the others, as each retains much more.

/** Limits of widened universes are rounded to steps, so that streams with similar limits share one. */
const MIN_EV_STEPS = [-5, -10, -20, -100] as const;
const MAX_HOLD_STEPS = [10, 20, Number.MAX_VALUE] as const;
/** Maximum active opportunities per shard in a widened universe: most prices are within a few percent of fair. */
export const BEYOND_MAX = LIMITS.widenedOpportunities.max;

/** The universe that retains everything within the limits; the given one if it suffices. */
function widenedSpec(spec: UniverseSpec, { minEv, minMiddleSize, maxHold }: Partial<DetectionLimits>): UniverseSpec {
  const kept: Partial<DetectionLimits> = {};
  if (minEv !== undefined && minEv < DETECTION_LIMITS.minEv)
    kept.minEv = MIN_EV_STEPS.find((step) => step <= minEv) ?? MIN_EV_STEPS.at(-1)!;
  if (minMiddleSize !== undefined && minMiddleSize < DETECTION_LIMITS.minMiddleSize) kept.minMiddleSize = 0;
  if (maxHold !== undefined && maxHold > DETECTION_LIMITS.maxHold)
    kept.maxHold = MAX_HOLD_STEPS.find((step) => step >= maxHold) ?? MAX_HOLD_STEPS.at(-1)!;
  const beyond = Object.entries(kept).map(([name, limit]) => `|${name}=${limit}`);
  return beyond.length === 0 ? spec : { ...spec, key: spec.key + beyond.join(''), kept, beyondMax: BEYOND_MAX };
}

/** What is needed of detection: watched universes, and one-off questions with another method for the fair price. */
export type DetectionPort = Pick<
  Engine,
  'opportunities' | 'isWatched' | 'ensureUniverse' | 'dropUniverse' | 'evaluate'
>;

// How many universes of their own an account's callers use: its requests, streams and alerts together. No account has
// more than a part of all that may be watched, so that others find room.

/** A universe counts, and is watched, for this long after its last use. */
export const UNUSED_UNIVERSE_MS = 60_000;
/** After a refusal. */
const UNUSED_UNIVERSE_WAIT = { retryAfter: UNUSED_UNIVERSE_MS / 1000 };

interface Share {
  readonly widened: boolean;
  /** Streams and alerts. */
  holders: number;
  usedMs: number;
}

class UniverseShares {
  readonly #clock: Clock;
  /** By the name a caller is counted by, and universe key. */
  readonly #shares = new Map<string, Map<string, Share>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts one use. Throws ApiError `rate_limited`. */
  use(caller: Caller, spec: UniverseSpec): void {
    this.#enter(caller, spec);
  }

  /** Counts it until it is released. Throws as use() does. */
  hold(caller: Caller, spec: UniverseSpec): () => void {
    const shares = this.#enter(caller, spec);
    for (const share of shares) share.holders++;
    return () => {
      for (const share of shares.splice(0)) {
        share.holders--;
        share.usedMs = this.#clock.now();
      }
    };
  }

  /** Forgets those that were not used for long enough. */
  sweep(): void {
    const nowMs = this.#clock.now();
    for (const [name, shares] of this.#shares) {
      for (const [key, { holders, usedMs }] of shares)
        if (holders === 0 && nowMs - usedMs >= UNUSED_UNIVERSE_MS) shares.delete(key);
      if (shares.size === 0) this.#shares.delete(name);
    }
  }

  #enter(caller: Caller, spec: UniverseSpec): Share[] {
    const widened = spec.kept !== undefined;
    this.#check(caller, spec, LIMITS.filteredUniversesOfAccount.max, 'sets of books and limits', () => true);
    if (widened)
      this.#check(caller, spec, LIMITS.widenedUniversesOfAccount.max, 'sets of wide limits', (one) => one.widened);
    const usedMs = this.#clock.now();
    return countedAs(caller, 0).map(([name]) => {
      const shares = getOrInsert(this.#shares, name, () => new Map<string, Share>());
      const share = getOrInsert(shares, spec.key, () => ({ widened, holders: 0, usedMs }));
      share.usedMs = usedMs;
      return share;
    });
  }

  #check(
    caller: Caller,
    { key }: UniverseSpec,
    ofAccount: number,
    what: string,
    counts: (one: Share) => boolean,
  ): void {
    for (const [name, max] of countedAs(caller, ofAccount)) {
      const shares = this.#shares.get(name);
      if (shares === undefined || shares.has(key)) continue;
      let count = 0;
      for (const share of shares.values()) if (counts(share)) count++;
      if (count < max) continue;
      const whose = name === caller.account ? 'this account has' : "this account's viewer tokens have";
      throw new ApiError(
        'rate_limited',
        `${whose} ${count} different ${what} in use, in requests, streams and alerts: use one of them again, ` +
          `leave out sportsbook, or wait ${UNUSED_UNIVERSE_WAIT.retryAfter} s after their last use`,
        UNUSED_UNIVERSE_WAIT,
      );
    }
  }
}
