// What is known of universes that are not watched: across a restart, and from their release until the log no longer
// reaches back to it. Their opportunities stay in the store and at their readers as they were, until the universe is
// watched again or forgotten.

import { LIMITS } from '../model/limits.js';
import type { OpportunityKind } from '../model/opportunity.js';
import { NOTHING_STORED, type Remembered, type StoredOpportunities } from './remembered.js';

/**
 * Maximum number of universes that are not watched, and of their opportunities; the one released first is forgotten.
 */
const ASLEEP_MAX = LIMITS.dormantUniverses.max;
const ASLEEP_ENTRIES_MAX = LIMITS.dormantOpportunities.max;

interface Unwatched {
  /** Unix ms; 0 if not known yet. */
  untilMs: number;
  size: number;
}

export class RememberedUniverses {
  #stored: StoredOpportunities = NOTHING_STORED;
  /** Of watched universes, by key and id: stored, and not found again yet. */
  readonly #entries = new Map<string, Map<string, Remembered>>();
  /** In the order in which they are forgotten. */
  readonly #unwatched = new Map<string, Unwatched>();
  #forgotten = new Set<string>();
  #rememberMs = 0;

  reset(stored: StoredOpportunities, rememberMs: number): void {
    this.#stored = stored;
    this.#rememberMs = rememberMs;
    this.#entries.clear();
    this.#unwatched.clear();
    this.#forgotten.clear();
    for (const key of stored.universes()) this.#unwatched.set(key, { untilMs: 0, size: 0 });
  }

  /** Starts watching a universe. */
  watched(key: string): void {
    this.#unwatched.delete(key);
    const entries = new Map<string, Remembered>();
    // What is to be forgotten is still stored.
    if (!this.#forgotten.has(key)) for (const one of this.#stored.of(key)) entries.set(one.id, one);
    this.#entries.set(key, entries);
  }

  /** The stored state of an opportunity that is found again. */
  take(key: string, id: string): Remembered | undefined {
    const entries = this.#entries.get(key);
    const one = entries?.get(id);
    if (one !== undefined) entries!.delete(id);
    return one;
  }

  /** The universe's opportunities that were not found again; of one kind, or all of them. */
  takeRest(key: string, kind?: OpportunityKind): Remembered[] {
    const entries = this.#entries.get(key);
    const rest = [...(entries?.values() ?? [])].filter((one) => kind === undefined || one.kind === kind);
    for (const { id } of rest) entries!.delete(id);
    return rest;
  }

  /** Releases a universe with so many active opportunities, and forgets others if there are too many. */
  unwatched(key: string, size: number, nowMs: number): void {
    this.#entries.delete(key);
    this.#unwatched.set(key, { untilMs: nowMs + this.#rememberMs, size });
    let entries = 0;
    for (const one of this.#unwatched.values()) entries += one.size;
    for (const [oldest, one] of this.#unwatched) {
      if (this.#unwatched.size <= ASLEEP_MAX && entries <= ASLEEP_ENTRIES_MAX) break;
      entries -= one.size;
      this.forget(oldest);
    }
  }

  forgetOverdue(nowMs: number): void {
    for (const [key, one] of this.#unwatched) {
      if (one.untilMs === 0) one.untilMs = nowMs + this.#rememberMs;
      else if (one.untilMs <= nowMs) this.forget(key);
      // All after it were released later.
      else break;
    }
  }

  forget(key: string): void {
    this.#unwatched.delete(key);
    this.#entries.delete(key);
    this.#forgotten.add(key);
  }

  /** Universes forgotten since the last call. */
  takeForgotten(): Iterable<string> {
    const forgotten = this.#forgotten;
    this.#forgotten = new Set();
    return forgotten;
  }
}
