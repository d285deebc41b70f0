// The book universes that opportunities are computed in: those of the tiers for ever, a caller's `sportsbook` filter
// from its first use until some time after its last. Each costs the shards work, so their number is limited.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Caller } from '../accounts/caller.js';
import type { Catalogue } from '../catalogue/catalogue.js';
import { FEATURE_TIERS, tierAtLeast } from '../catalogue/tiers.js';
import type { Tier } from '../catalogue/types.js';
import type { Delta } from '../delta/delta.js';
import type { Opportunity } from '../delta/opportunity.js';
import type { Universe } from '../filter/universe.js';
import type { Clock } from '../model/clock.js';
import { ApiError } from '../model/errors.js';
import { LIMITS } from '../model/limits.js';
import type { DetectionLimits, UniverseSpec } from '../model/opportunity.js';
import type { PastEnd } from './endings.js';
import { UniverseOpportunities } from './universe-opportunities.js';
import { UNUSED_UNIVERSE_MS, UNUSED_UNIVERSE_WAIT, UniverseShares } from './universe-shares.js';
import type { UniverseSource } from './universe-source.js';
import { widenedSpec } from './widened-spec.js';

/** Tiers with a list of books; the tiers above see every book. */
const LISTED_TIERS = ['hobby', 'pro'] as const satisfies readonly Tier[];
const ALL_BOOKS: UniverseSpec = { key: 'sharp', books: null };
/** No book at all: used if every name of the filter is unknown. */
const NO_BOOKS: UniverseSpec = { key: 'none', books: [] };

/** Maximum number of universes of `sportsbook` filters. */
export const FILTERED_MAX = LIMITS.filteredUniverses.max;

/** Maximum number of widened universes: each may take a hundred megabytes. */
export const WIDENED_MAX = LIMITS.widenedUniverses.max;

interface Registered {
  spec: UniverseSpec;
  opportunities: UniverseOpportunities;
  /** Never released. */
  fixed: boolean;
  /** Who used it first, where known. */
  caller: Caller | undefined;
  /** Number of streams that use it. */
  streams: number;
  usedMs: number;
  ready: boolean;
  /** Settles when it is ready; undefined after a failure. */
  registration: Promise<void> | undefined;
  /** The log is being read for what ended before the shards sent their states. */
  readingLog: boolean;
  /** The log could not be read from before this position. */
  unreadTo: number;
}

/** A stream's reference to a universe. */
export interface UniverseLease {
  readonly opportunities: UniverseOpportunities;
  readonly ready: boolean;
  /** Whether net changes since a position are known; to be called once it is ready and waitsForLog() returns false. */
  reaches(position: number): boolean;
  /** True while the log is read for what ended after a position; reading starts if necessary; onReady() follows. */
  waitsForLog(position: number): boolean;
  release(): void;
}

/** What the log still has of earlier runs. */
export interface Past {
  /** Position of the oldest change in it. */
  readonly oldest: number;
  /** What ended in a shard and universe after one position and before another, as far as read in a few milliseconds. */
  ends(universe: string, shard: number, after: number, before: number): { ends: PastEnd[]; readTo: number };
}

export interface UniversesOptions {
  source: UniverseSource;
  catalogue: Catalogue;
  clock: Clock;
  /** Null if there is no log of earlier runs. */
  past: Past | null;
  /** A universe that streams wait for is complete, or the log has been read for one. */
  onReady(): void;
  onFailed(error: unknown, key: string): void;
}

export class Universes {
  /** Called before changes are applied. */
  onNews: () => void = () => undefined;
  readonly #options: UniversesOptions;
  readonly #registered = new Map<string, Registered>();
  readonly #shares: UniverseShares;
  /** Settles when the log has been read for all waiting streams. */
  #logReads: Promise<void> = Promise.resolve();
  #closed = false;
  readonly #empty = new UniverseOpportunities(NO_BOOKS.key);

  constructor(options: UniversesOptions) {
    this.#options = options;
    this.#shares = new UniverseShares(options.clock);
    for (const spec of [...LISTED_TIERS.map((tier) => this.#tierSpec(tier)), ALL_BOOKS])
      this.#add(spec, true, undefined);
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
  specOf(universe: Pick<Universe, 'tier' | 'requested'>): UniverseSpec {
    const { tier, requested } = universe;
    if (requested === null) {
      const listed = LISTED_TIERS.find((name) => name === tier);
      return listed === undefined ? ALL_BOOKS : this.#tierSpec(listed);
    }
    if (requested.length === 0) return NO_BOOKS;
    const key = [...requested].sort().join(',');
    // A caller who may see moves must not get a universe without moves.
    for (const name of hasMoves(tier) ? [] : LISTED_TIERS) {
      const spec = this.#tierSpec(name);
      if ([...spec.books!].sort().join(',') === key) return spec;
    }
    return { key, books: [...requested].sort() };
  }

  /**
   * For one request: the universe's opportunities, once all shards have sent theirs. Throws `unavailable` or, if the
   * caller's account has too many, `rate_limited`.
   */
  async use(universe: Pick<Universe, 'tier' | 'requested'>, caller: Caller): Promise<UniverseOpportunities> {
    const spec = this.specOf(universe);
    if (spec === NO_BOOKS) return this.#empty;
    if (this.#isOwn(spec)) this.#shares.use(caller, spec);
    const registered = this.#of(spec, caller);
    registered.usedMs = this.#options.clock.now();
    if (!registered.ready) await this.#ensure(registered);
    return registered.opportunities;
  }

  /**
   * Counts the universe of a stream or alert for its caller until the returned function is called. Throws
   * `rate_limited` if the account has too many.
   */
  claim(universe: Pick<Universe, 'tier' | 'requested'>, limits: Partial<DetectionLimits>, caller: Caller): () => void {
    const spec = this.#specOf(universe, limits);
    return this.#isOwn(spec) ? this.#shares.hold(caller, spec) : () => undefined;
  }

  /**
   * For streams that share it: until it is released. If `limits` are wider than the default ones the universe is
   * separate, shared with others of similar limits. `caller`: of the first of them, whose claim is made. Throws
   * `unavailable`.
   */
  hold(
    universe: Pick<Universe, 'tier' | 'requested'>,
    limits: Partial<DetectionLimits> = {},
    caller?: Caller,
  ): UniverseLease {
    const spec = this.#specOf(universe, limits);
    if (spec === NO_BOOKS)
      return {
        opportunities: this.#empty,
        ready: true,
        reaches: () => true,
        waitsForLog: () => false,
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
      if (!registered.ready) await this.#ensure(registered);
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

  #specOf(universe: Pick<Universe, 'tier' | 'requested'>, limits: Partial<DetectionLimits>): UniverseSpec {
    const spec = this.specOf(universe);
    return spec === NO_BOOKS ? spec : widenedSpec(spec, limits);
  }

  #hold(registered: Registered): UniverseLease {
    registered.streams++;
    if (!registered.ready)
      this.#ensure(registered).then(
        () => this.#options.onReady(),
        () => undefined,
      );
    let open = true;
    return {
      opportunities: registered.opportunities,
      get ready() {
        return registered.ready;
      },
      reaches: (position) => position >= registered.opportunities.completeFrom,
      waitsForLog: (position) => this.#waitsForLog(registered, position),
      release: () => {
        if (!open) return;
        open = false;
        registered.streams--;
        registered.usedMs = this.#options.clock.now();
      },
    };
  }

  apply(delta: Pick<Delta, 'position' | 'shard' | 'opportunities'>): void {
    if (delta.opportunities.length > 0) this.onNews();
    for (const news of delta.opportunities)
      this.#registered.get(news.universe)?.opportunities.apply(delta.position, delta.shard, news);
  }

  /** The log is not read any more when it settles. */
  close(): Promise<void> {
    this.#closed = true;
    return this.#logReads;
  }

  /** The opportunity with an id in whichever universe has it. */
  find(id: string): Opportunity | undefined {
    for (const { opportunities } of this.#registered.values()) {
      const opportunity = opportunities.get(id);
      if (opportunity !== undefined) return opportunity;
    }
    return undefined;
  }

  /** Drops ends that nobody can need any more, releases unused filters, retries failed ones that streams wait for. */
  sweep(oldestPosition: number): void {
    const nowMs = this.#options.clock.now();
    this.#shares.sweep();
    for (const [key, registered] of this.#registered) {
      registered.opportunities.forget(oldestPosition);
      if (registered.fixed || registered.streams > 0) {
        if (!registered.ready && registered.registration === undefined)
          this.#ensure(registered).then(
            () => this.#options.onReady(),
            () => undefined,
          );
      } else if (
        nowMs - registered.usedMs >= UNUSED_UNIVERSE_MS &&
        (registered.ready || registered.registration === undefined)
      ) {
        this.#registered.delete(key);
        this.#options.source.dropUniverse(key);
      }
    }
  }

  /** Whether memory and log reach back to the position: before that the universe was not watched. */
  #isRemembered({ opportunities }: Registered, position: number): boolean {
    const { past } = this.#options;
    return past !== null && position >= past.oldest && position >= opportunities.sinceUs;
  }

  #waitsForLog(registered: Registered, position: number): boolean {
    const { opportunities, unreadTo } = registered;
    if (position >= opportunities.completeFrom || position < unreadTo || !this.#isRemembered(registered, position))
      return false;
    if (!registered.readingLog) {
      registered.readingLog = true;
      // One after the other: each takes a few milliseconds of every turn of the loop.
      this.#logReads = this.#logReads.then(() => this.#readLog(registered, position));
    }
    return true;
  }

  async #readLog(registered: Registered, position: number): Promise<void> {
    try {
      await this.#readEnds(registered, position);
    } catch (error) {
      registered.unreadTo = position + 1;
      this.#options.onFailed(error, registered.spec.key);
    }
    registered.readingLog = false;
    if (!this.#closed) this.#options.onReady();
  }

  /** Reads in the log what ended when the universe was watched before: by an earlier run, or before its release. */
  async #readEnds(registered: Registered, position: number): Promise<void> {
    const { past } = this.#options;
    const { opportunities } = registered;
    const ends: PastEnd[] = [];
    const readTo = new Map<number, number>();
    for (let whole = false; !whole; ) {
      whole = true;
      for (const [shard, shownTo] of opportunities.positions) {
        const before = opportunities.endsFrom(shownTo);
        const from = readTo.get(shard) ?? position;
        if (from >= before - 1) continue;
        const part = past!.ends(opportunities.key, shard, from, before);
        ends.push(...part.ends);
        readTo.set(shard, part.readTo);
        whole = false;
        await nextTurn();
        // Meanwhile more may have been dropped than memory or log still have.
        if (this.#closed || !this.#isRemembered(registered, position)) return;
      }
    }
    opportunities.recover(position, ends);
  }

  #tierSpec(tier: Tier): UniverseSpec {
    return { key: tier, books: this.#options.catalogue.tierBooks(tier) };
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
      opportunities: new UniverseOpportunities(spec.key),
      fixed,
      caller,
      streams: 0,
      usedMs: this.#options.clock.now(),
      ready: false,
      registration: undefined,
      readingLog: false,
      unreadTo: 0,
    };
    this.#registered.set(spec.key, registered);
    return registered;
  }

  /** One registration at a time; a failure is reported to all waiting for it and may be retried. */
  #ensure(registered: Registered): Promise<void> {
    registered.registration ??= this.#options.source.ensureUniverse(registered.spec, registered.caller).then(
      () => {
        registered.ready = true;
      },
      (error: unknown) => {
        registered.registration = undefined;
        if (error instanceof ApiError && error.code === 'rate_limited') throw error;
        this.#options.onFailed(error, registered.spec.key);
        throw new ApiError('unavailable', 'the opportunities of these sportsbooks could not be computed', {
          retryAfter: 1,
        });
      },
    );
    return registered.registration;
  }
}

const hasMoves = (tier: Tier): boolean => tierAtLeast(tier, FEATURE_TIERS.moves);
