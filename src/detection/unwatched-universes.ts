// For how long the opportunities of universes that nobody watches stay stored: across a restart, and from their release
// until the log no longer reaches back to it.

import { LIMITS } from '../base/model/limits.js';

interface Unwatched {
  /** Unix ms; 0 if not known yet. */
  untilMs: number;
  size: number;
}

export class UnwatchedUniverses {
  readonly #keepMs: number;
  /** In the order in which they are forgotten. */
  readonly #unwatched = new Map<string, Unwatched>();
  #forgotten = new Set<string>();

  /** @param stored those of which anything is stored */
  constructor(stored: Iterable<string>, keepMs: number) {
    this.#keepMs = keepMs;
    for (const key of stored) this.#unwatched.set(key, { untilMs: 0, size: 0 });
  }

  /** One is watched: false if it is about to be forgotten. */
  watched(key: string): boolean {
    this.#unwatched.delete(key);
    return !this.#forgotten.has(key);
  }

  /** One is released with so many active opportunities. Others are forgotten if there are too many. */
  add(key: string, size: number, nowMs: number): void {
    this.#unwatched.set(key, { untilMs: nowMs + this.#keepMs, size });
    let opportunities = 0;
    for (const one of this.#unwatched.values()) opportunities += one.size;
    for (const [oldest, one] of this.#unwatched) {
      const few = this.#unwatched.size <= LIMITS.dormantUniverses.max;
      if (few && opportunities <= LIMITS.dormantOpportunities.max) break;
      opportunities -= one.size;
      this.forget(oldest);
    }
  }

  forget(key: string): void {
    this.#unwatched.delete(key);
    this.#forgotten.add(key);
  }

  /** Those forgotten since the last call. */
  takeForgotten(nowMs: number): Iterable<string> {
    for (const [key, one] of this.#unwatched) {
      if (one.untilMs === 0) one.untilMs = nowMs + this.#keepMs;
      else if (one.untilMs <= nowMs) this.forget(key);
      // All after it were released later.
      else break;
    }
    const forgotten = this.#forgotten;
    this.#forgotten = new Set();
    return forgotten;
  }
}
