// The life of an opportunity of any kind in a universe: detected, updated, expired, and when streams are sent that. What
// was published is stored: after a restart, or once its universe is watched again, an opportunity is the one it was.

import { LIMITS } from '../base/model/limits.js';
import type { OpportunityKind } from '../base/model/opportunity.js';
import { type RecordWriter, readRecord, sameRecord } from '../base/model/opportunity-record.js';
import type { Pace } from './pace.js';
import {
  NOTHING_STORED,
  type StoredOpportunities,
  type StoredOpportunity,
  type Times,
  type WatchedUniverse,
} from './watched-universe.js';

/** An active opportunity of a universe. */
export interface Active extends Times {
  universe: WatchedUniverse;
  kind: OpportunityKind;
  id: string;
  /** Number of its event in the shard. */
  eventNo: number;
}

/** How long what is stored of a universe that nobody watches is kept (ms), by default. */
export const KEEP_UNWATCHED_MS = 900_000;

export class LifeCycle {
  readonly #records: RecordWriter;
  readonly pace: Pace;
  #stored: StoredOpportunities = NOTHING_STORED;
  #unwatched = new UnwatchedUniverses([], KEEP_UNWATCHED_MS);

  /** @param records that its callers write */
  constructor(records: RecordWriter, pace: Pace) {
    this.#records = records;
    this.pace = pace;
  }

  /** Nothing is active; what is stored is found again, or has ended. */
  reset(stored: StoredOpportunities, keepMs: number): void {
    this.#stored = stored;
    this.#unwatched = new UnwatchedUniverses(stored.universes(), keepMs);
  }

  watch(universe: WatchedUniverse): void {
    // What is about to be forgotten is still stored.
    if (!this.#unwatched.watched(universe.key)) return;
    for (const one of this.#stored.of(universe.key)) universe.stored.set(one.id, one);
  }

  /** Its active opportunities stay stored, and their readers' as they are, until it is watched again or forgotten. */
  unwatch({ key, complete, active }: WatchedUniverse): void {
    // What ended since it was watched before is not known.
    if (!complete) this.#unwatched.forget(key);
    else this.#unwatched.add(key, active, this.pace.nowMs);
  }

  /** Universes of which nothing is stored any longer, since the last call. */
  takeForgotten(): Iterable<string> {
    return this.#unwatched.takeForgotten(this.pace.nowMs);
  }

  /**
   * It is found; in a universe that is not watched any longer it never was. A stored one that says the same goes on.
   * @param place of its record
   * @param restated it changed in ways that no number shows
   */
  detected(one: Active, place: number, restated: boolean): void {
    const { universe, id } = one;
    const before = universe.stored.get(id);
    if (before !== undefined && !universe.late && !restated && this.#isSame(before, place)) this.resumed(one, before);
    else {
      one.detectedUs = this.pace.position;
      one.updatedPosition = this.pace.position;
      if (before !== undefined) this.#goesOn(one, before);
      universe.active++;
      universe.begun(place, one);
    }
    if (before !== undefined) universe.stored.delete(id);
  }

  /** A stored one goes on as it was. */
  resumed(one: Active, { detectedUs, updatedPosition }: Times): void {
    one.detectedUs = detectedUs;
    one.updatedPosition = this.pace.hold(updatedPosition);
    one.universe.active++;
  }

  updated(one: Active, place: number): void {
    one.updatedPosition = this.pace.next(one.updatedPosition);
    one.universe.put(place, one);
  }

  expired(one: Active): void {
    one.universe.active--;
    one.universe.ended(one);
  }

  /** To be called once all was found. */
  rejoin(universe: WatchedUniverse): void {
    for (const { one, before } of universe.takeRejoined()) this.#goesOn(one, before);
  }

  #goesOn(one: Times, { detectedUs, updatedPosition }: Times): void {
    one.detectedUs = detectedUs;
    one.updatedPosition = this.pace.next(updatedPosition);
  }

  #isSame({ record }: StoredOpportunity, place: number): boolean {
    return sameRecord(readRecord(record, 0), readRecord(this.#records.bytes, place));
  }
}

// For how long the opportunities of universes that nobody watches stay stored: across a restart, and from their release
// until the log no longer reaches back to it.

interface Unwatched {
  /** Unix ms; 0 if not known yet. */
  untilMs: number;
  size: number;
}

class UnwatchedUniverses {
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
