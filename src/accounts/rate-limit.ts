// Requests per minute, per key and per anonymous client address, in fixed windows that begin with the minute. Not a
// library: the known ones (rate-limiter-flexible) answer by promise and keep a timer for each key, and this is on the
// path of every request. It costs one map look-up.
import type { Clock } from '../base/model/clock.js';
import { LIMITS } from '../base/model/limits.js';
import type { CountedKind, SharedCounts } from './shared-counts.js';

const WINDOW_MS = 60_000;

export interface RateState {
  /** Requests per window. */
  limit: number;
  /** Requests left in this window, after this one. */
  remaining: number;
  /** Unix seconds when the window ends. */
  resetUnixS: number;
  /** Seconds until then, at least 1. */
  retryAfterS: number;
  allowed: boolean;
}

export interface RateLimiterOptions {
  clock: Clock;
  /** Maximum number of callers counted individually in a window; further ones share one count. */
  callersMax?: number;
  /** The counts of other processes for the same callers. */
  shared?: SharedCounts | undefined;
  kind?: CountedKind;
}

export class RateLimiter {
  readonly #clock: Clock;
  readonly #callersMax: number;
  readonly #shared: SharedCounts | undefined;
  readonly #kind: CountedKind;
  readonly #counts = new Map<string, number>();
  #window = -1;

  constructor(options: RateLimiterOptions) {
    this.#clock = options.clock;
    this.#callersMax = options.callersMax ?? LIMITS.countedCallers.max;
    this.#shared = options.shared;
    this.#kind = options.kind ?? 'requests';
  }

  /**
   * Null if take() can be called at once; else settles when it can, in the order of the calls: the limit is one of
   * several processes, and this one has to ask. Never rejects.
   */
  ready(caller: string, limit: number): Promise<void> | null {
    const grants = this.#shared?.grants;
    if (grants === undefined) return null;
    this.#begin(this.#clock.now());
    const slot = this.#slot(caller);
    return grants.prepare(this.#kind, slot, this.#window, this.#counts.get(slot) ?? 0, limit);
  }

  /** Counts one request; one over the limit is refused and not counted. */
  take(caller: string, limit: number): RateState {
    const state = this.peek(caller, limit);
    const slot = this.#slot(caller);
    const granted = this.#shared?.grants?.upTo(this.#kind, slot, this.#window);
    const isOver = granted === undefined ? state.remaining === 0 : (this.#counts.get(slot) ?? 0) >= granted;
    if (isOver) {
      state.remaining = 0;
      return state;
    }
    this.#add(caller, limit, 1);
    state.allowed = true;
    state.remaining = Math.max(0, state.remaining - 1);
    return state;
  }

  /** Counts several for one that was allowed; what is not left is not owed. */
  spend(caller: string, limit: number, count: number): RateState {
    this.#add(caller, limit, Math.min(count, this.peek(caller, limit).remaining));
    return { ...this.peek(caller, limit), allowed: true };
  }

  #add(caller: string, limit: number, more: number): void {
    const slot = this.#slot(caller);
    const count = (this.#counts.get(slot) ?? 0) + more;
    this.#counts.set(slot, count);
    this.#shared?.counted(this.#kind, slot, this.#window, count, limit);
  }

  /** The same without counting; `allowed` is false. */
  peek(caller: string, limit: number): RateState {
    const nowMs = this.#clock.now();
    const window = this.#begin(nowMs);
    const slot = this.#slot(caller);
    const used = (this.#counts.get(slot) ?? 0) + (this.#shared?.others(this.#kind, slot, window) ?? 0);
    const endMs = (window + 1) * WINDOW_MS;
    return {
      limit,
      remaining: Math.max(0, limit - used),
      resetUnixS: endMs / 1000,
      retryAfterS: Math.max(1, Math.ceil((endMs - nowMs) / 1000)),
      allowed: false,
    };
  }

  /** All windows end together, so nothing older is needed: this bounds the map without a timer. */
  #begin(nowMs: number): number {
    const window = Math.floor(nowMs / WINDOW_MS);
    if (window !== this.#window) {
      this.#window = window;
      this.#counts.clear();
    }
    return window;
  }

  /** A flood of new addresses must not grow the map: callers beyond the bound share one count. */
  #slot(caller: string): string {
    return this.#counts.size < this.#callersMax || this.#counts.has(caller) ? caller : '';
  }
}
