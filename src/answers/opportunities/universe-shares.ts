// How many universes of their own an account's callers use: its requests, streams and alerts together. No account has
// more than a part of all that may be watched, so that others find room.
import { type Caller, countedAs } from '../../accounts/caller.js';
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import type { Clock } from '../../base/model/clock.js';
import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import type { UniverseSpec } from '../../base/model/opportunity.js';

/** A universe counts, and is watched, for this long after its last use. */
export const UNUSED_UNIVERSE_MS = 60_000;
/** After a refusal. */
export const UNUSED_UNIVERSE_WAIT = { retryAfter: UNUSED_UNIVERSE_MS / 1000 };

interface Share {
  readonly widened: boolean;
  /** Streams and alerts. */
  holders: number;
  usedMs: number;
}

export class UniverseShares {
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
