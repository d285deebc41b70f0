// What is remembered of universes while nobody watches them: across a restart, and from their release until the log no
// longer reaches back to it. A reader that held an opportunity before is sent its end when the universe is watched
// again.

import { LIMITS } from '../model/limits.js';
import type { Forgotten, KnownUniverses, Remembered } from './remembered.js';
import type { Universe } from './universe.js';

/**
 * Maximum number of universes that are not watched, and of their opportunities; the one released first is forgotten.
 */
const ASLEEP_MAX = LIMITS.dormantUniverses.max;
const ASLEEP_ENTRIES_MAX = LIMITS.dormantOpportunities.max;

export class RememberedUniverses {
  /** By universe key and id: known, and not found again yet. */
  readonly #entries = new Map<string, Map<string, Remembered>>();
  readonly #known = new Map<string, number>();
  #knownChanged = false;
  /** Those that are not watched, by when they expire (Unix ms; 0 if not known yet), in that order. */
  readonly #unwatched = new Map<string, number>();
  #rememberMs = 0;

  reset(remembered: Iterable<Remembered>, known: KnownUniverses, rememberMs: number): void {
    this.#entries.clear();
    this.#known.clear();
    this.#unwatched.clear();
    this.#knownChanged = false;
    this.#rememberMs = rememberMs;
    for (const [key, sinceUs] of known) this.#known.set(key, sinceUs);
    for (const one of remembered) this.#put(one);
    for (const key of [...this.#known.keys(), ...this.#entries.keys()]) this.#unwatched.set(key, 0);
  }

  /** Starts watching a universe; it is given the position from which on its ends are known. */
  watched(universe: Universe): void {
    const { key } = universe;
    this.#unwatched.delete(key);
    const sinceUs = this.#known.get(key);
    if (sinceUs !== undefined) universe.sinceUs = sinceUs;
    else {
      this.#known.set(key, universe.sinceUs);
      this.#knownChanged = true;
    }
  }

  /** The remembered state of an opportunity that is found again. */
  take(key: string, id: string): Remembered | undefined {
    const entries = this.#entries.get(key);
    const one = entries?.get(id);
    if (one !== undefined) entries!.delete(id);
    return one;
  }

  /** The universe's opportunities that were not found again. */
  takeRest(key: string): Iterable<Remembered> {
    const rest = this.#entries.get(key);
    this.#entries.delete(key);
    return rest?.values() ?? [];
  }

  /** Releases a universe; returns what is forgotten to make room. */
  unwatched(key: string, active: Iterable<Remembered>, nowMs: number): Forgotten[] {
    for (const one of active) this.#put(one);
    this.#unwatched.delete(key);
    this.#unwatched.set(key, nowMs + this.#rememberMs);
    let entries = 0;
    for (const one of this.#unwatched.keys()) entries += this.#entries.get(one)?.size ?? 0;
    const forgotten: Forgotten[] = [];
    for (const oldest of this.#unwatched.keys()) {
      if (this.#unwatched.size <= ASLEEP_MAX && entries <= ASLEEP_ENTRIES_MAX) break;
      entries -= this.#entries.get(oldest)?.size ?? 0;
      forgotten.push(...this.forget(oldest));
    }
    return forgotten;
  }

  /** The universes that expired. */
  takeOverdue(nowMs: number): Forgotten[] {
    const forgotten: Forgotten[] = [];
    for (const [key, untilMs] of this.#unwatched) {
      if (untilMs === 0) this.#unwatched.set(key, nowMs + this.#rememberMs);
      else if (untilMs <= nowMs) forgotten.push(...this.forget(key));
      // All after it were released later.
      else break;
    }
    return forgotten;
  }

  /** The universes of which anything is known, if that has changed since the last call. */
  takeKnown(): KnownUniverses | null {
    if (!this.#knownChanged) return null;
    this.#knownChanged = false;
    return new Map(this.#known);
  }

  #put(one: Remembered): void {
    const entries = this.#entries.get(one.universe);
    if (entries === undefined) this.#entries.set(one.universe, new Map([[one.id, one]]));
    else entries.set(one.id, one);
  }

  /** Nothing is known of the universe any more. */
  forget(key: string): Forgotten[] {
    this.#unwatched.delete(key);
    if (this.#known.delete(key)) this.#knownChanged = true;
    return [...this.takeRest(key)];
  }
}
