// The life of opportunities in each universe: published when detected, published again when their numbers change,
// expired when they are no longer found. What was published is stored: after a restart an opportunity is the one it was.

import { Pool } from '../memory/pool.js';
import { LIMITS } from '../model/limits.js';
import type { OpportunityKind } from '../model/opportunity.js';
import { type RecordWriter, readRecord, sameRecord } from '../model/opportunity-record.js';
import { type Candidate, type CandidateKey, type CandidateSink, copyKey, isBeyondUsual, sameKey } from './candidate.js';
import { copyFingerprint, type Fingerprint, sameFingerprint } from './fingerprint.js';
import type { Pace } from './pace.js';
import type { Remembered, StoredOpportunities } from './remembered.js';
import { RememberedUniverses } from './remembered-universes.js';
import type { Times, Universe } from './universe.js';

/**
 * One active opportunity of one universe, with its numbers as last published to lists. Once it has ended and left its
 * list the object is reused.
 */
export interface ActiveOpportunity extends CandidateKey, Fingerprint, Times {
  universe: Universe;
  eventNo: number;
  id: string;
  rowTag: number;
  /** Its item changed in something other than its numbers. */
  restated: boolean;
  /** The evaluation that last found it. */
  foundIn: number;
  /** The evaluation before which it existed, in a list too long for a linear search. */
  listedIn: number;
  /** Its index in the list when the evaluation began; once found, its index in the order of finding. */
  index: number;
}

/** Ended ones, kept for reuse. */
const SPARE_MAX = LIMITS.spareOpportunities.max;

/** In a longer list only the next few are compared with a candidate; then it is looked up by id. */
const SCANNED = 32;
const SCANNED_NEXT = 3;

/** How long a universe that nobody watches is remembered (ms), by default. */
export const REMEMBER_MS = 900_000;

export interface CandidateRecords {
  readonly writer: RecordWriter;
  idOf(candidate: Candidate): string;
  /** Returns the record's place. */
  write(candidate: Candidate, universe: Universe, id: string): number;
}

export class LifeCycle implements CandidateSink {
  readonly #records: CandidateRecords;
  readonly #pace: Pace;
  readonly #remembered = new RememberedUniverses();
  /** By universe key: the active opportunities. */
  readonly #active = new Map<string, Map<string, ActiveOpportunity>>();
  #list: ActiveOpportunity[] = [];
  readonly #spare = new Pool<ActiveOpportunity>(SPARE_MAX);
  /** Length of the list before this evaluation; candidates come roughly in its order, starting at the next index. */
  #countBefore = 0;
  #next = 0;
  /** Number found in this evaluation. */
  #count = 0;
  #anyNew = false;
  #eventNo = 0;
  #restated = false;
  #evaluation = 0;
  /** Something found had no room: the next evaluation may add it. */
  waitsForRoom = false;

  constructor(records: CandidateRecords, pace: Pace) {
    this.#records = records;
    this.#pace = pace;
  }

  /** Everything active is forgotten; what is stored is found again, or has ended. */
  reset(stored: StoredOpportunities, rememberMs: number): void {
    this.#remembered.reset(stored, rememberMs);
    this.#active.clear();
    this.#spare.clear();
  }

  /** Starts watching a universe. */
  watched(universe: Universe): void {
    this.#remembered.watched(universe.key);
  }

  /** Candidates until `end` belong to this list, and to the event of this number. */
  begin(list: ActiveOpportunity[], restated: boolean, eventNo: number): void {
    this.#list = list;
    this.#countBefore = list.length;
    this.#next = 0;
    this.#count = 0;
    this.#anyNew = false;
    this.#eventNo = eventNo;
    this.#restated = restated;
    this.#evaluation++;
    this.waitsForRoom = false;
    if (list.length > SCANNED)
      for (const [index, active] of list.entries()) {
        active.listedIn = this.#evaluation;
        active.index = index;
      }
    if (restated) for (const active of list) active.restated = true;
  }

  found(universe: Universe, candidate: Candidate): void {
    const active = this.#find(universe, candidate);
    if (active === undefined) {
      if (this.#hasRoom(universe, candidate)) this.#detected(universe, candidate);
      else this.waitsForRoom = true;
    } else {
      active.foundIn = this.#evaluation;
      active.index = this.#count++;
      this.#foundAgain(active, candidate);
    }
  }

  /** Expires what was not found again, and removes it from the list. */
  end(): void {
    const list = this.#list;
    const evaluation = this.#evaluation;
    let remaining = 0;
    for (const active of list)
      if (active.foundIn === evaluation) list[remaining++] = active;
      else this.#expired(active);
    if (remaining < list.length) list.length = remaining;
    // In the order of finding, the next evaluation finds most without a search.
    if (this.#anyNew && remaining > SCANNED) list.sort((a, b) => a.index - b.index);
  }

  /**
   * After a universe's first complete evaluation: what was stored of it and was not found again has ended in the
   * meantime.
   */
  settleRemembered(universe: Universe): void {
    for (const { kind, id, eventNo } of this.#remembered.takeRest(universe.key)) universe.expired(kind, id, eventNo);
  }

  /** What is stored of a universe and a kind that is found elsewhere. */
  takeRemembered(universe: Universe, kind: OpportunityKind): Remembered[] {
    return this.#remembered.takeRest(universe.key, kind);
  }

  /** Forgets universes that have not been watched for longer than they are remembered. Returns those forgotten by now. */
  takeForgotten(): Iterable<string> {
    this.#remembered.forgetOverdue(this.#pace.nowMs);
    return this.#remembered.takeForgotten();
  }

  /**
   * Stops watching a universe, whose active opportunities stay stored; its entries in the lists are removed by the
   * caller.
   */
  drop(universe: Universe): void {
    // What ended since it was watched before is not known.
    if (!universe.complete) this.#remembered.forget(universe.key);
    else this.#remembered.unwatched(universe.key, this.active(universe.key).size, this.#pace.nowMs);
    this.#active.delete(universe.key);
    // They would retain the universe.
    this.#spare.clear();
  }

  active(universeKey: string): ReadonlyMap<string, ActiveOpportunity> {
    return this.#active.get(universeKey) ?? new Map();
  }

  /** If the universe is full, an opportunity beyond the default limits waits for its next evaluation. */
  #hasRoom(universe: Universe, candidate: Candidate): boolean {
    const { beyondMax } = universe;
    return this.active(universe.key).size < beyondMax || !isBeyondUsual(candidate);
  }

  #find(universe: Universe, f: Candidate): ActiveOpportunity | undefined {
    const list = this.#list;
    const before = this.#countBefore;
    const steps = before > SCANNED ? SCANNED_NEXT : before;
    for (let i = 0; i < steps; i++) {
      if (this.#next >= before) this.#next = 0;
      const active = list[this.#next++]!;
      if (isOf(active, universe, f)) return active;
    }
    if (before <= SCANNED) return undefined;
    const active = this.#active.get(universe.key)?.get(this.#records.idOf(f));
    if (active === undefined || active.listedIn !== this.#evaluation || !isOf(active, universe, f)) {
      this.#next = Math.max(0, this.#next - SCANNED_NEXT);
      return undefined;
    }
    this.#next = active.index + 1;
    return active;
  }

  #detected(universe: Universe, f: Candidate): void {
    const id = this.#records.idOf(f);
    const before = this.#remembered.take(universe.key, id);
    const active = this.#newActive(universe, f, id);
    let isStored = false;
    if (before !== undefined) {
      active.detectedUs = before.detectedUs;
      isStored = !universe.late && !this.#restated && this.#isAsBefore(before, active, f);
      if (isStored) active.updatedPosition = this.#pace.hold(before.updatedPosition);
    }
    active.index = this.#count++;
    this.#anyNew = true;
    this.#list.push(active);
    let ofUniverse = this.#active.get(universe.key);
    if (ofUniverse === undefined) {
      ofUniverse = new Map();
      this.#active.set(universe.key, ofUniverse);
    }
    ofUniverse.set(id, active);
    if (!isStored) this.#publish(active, f);
  }

  /** Every field is set: nothing is left of the object's previous use. */
  #newActive(universe: Universe, f: Candidate, id: string): ActiveOpportunity {
    const active = this.#spare.take() ?? blank(universe);
    copyKey(f, active);
    copyFingerprint(f, active);
    active.universe = universe;
    active.eventNo = this.#eventNo;
    active.id = id;
    active.detectedUs = this.#pace.position;
    active.updatedPosition = this.#pace.position;
    active.rowTag = f.rowTag;
    active.restated = false;
    active.foundIn = this.#evaluation;
    active.listedIn = 0;
    return active;
  }

  #foundAgain(active: ActiveOpportunity, f: Candidate): void {
    const changed = active.restated || active.rowTag !== f.rowTag || !sameFingerprint(active, f);
    active.rowTag = f.rowTag;
    active.restated = false;
    if (changed) copyFingerprint(f, active);
    if (!changed && !this.#pace.isOverdue(active.updatedPosition)) return;
    active.updatedPosition = this.#pace.next(active.updatedPosition);
    this.#publish(active, f);
  }

  #publish(active: ActiveOpportunity, f: Candidate): void {
    const { universe, id } = active;
    universe.put(this.#records.write(f, universe, id), active);
  }

  #isAsBefore(before: Remembered, { universe, id }: ActiveOpportunity, f: Candidate): boolean {
    const place = this.#records.write(f, universe, id);
    return sameRecord(readRecord(before.record, 0), readRecord(this.#records.writer.bytes, place));
  }

  #expired(active: ActiveOpportunity): void {
    const { eventNo, universe, kind, id } = active;
    universe.expired(kind, id, eventNo);
    this.#active.get(universe.key)?.delete(id);
    this.#spare.give(active);
  }
}

function isOf(active: ActiveOpportunity, universe: Universe, f: Candidate): boolean {
  return active.universe === universe && sameKey(active, f);
}

function blank(universe: Universe): ActiveOpportunity {
  return {
    kind: 'ev',
    universe,
    eventNo: 0,
    id: '',
    book1: -1,
    book2: -1,
    book3: -1,
    side: 0,
    low: 0,
    high: 0,
    detectedUs: 0,
    updatedPosition: 0,
    first: 0,
    second: 0,
    third: 0,
    fourth: 0,
    folded: 0,
    rowTag: 0,
    restated: false,
    foundIn: 0,
    listedIn: 0,
    index: 0,
  };
}
