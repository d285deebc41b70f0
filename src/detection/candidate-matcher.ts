// Which of the opportunities of a line, or of a market, an evaluation found again, which changed and which are new: what
// was not found again has expired.

import { Pool } from '../base/memory/pool.js';
import { LIMITS } from '../base/model/limits.js';
import type { BetKind } from '../base/model/opportunity.js';
import {
  type Candidate,
  type CandidateKey,
  type CandidateSink,
  copyFingerprint,
  copyKey,
  type Fingerprint,
  isBeyondUsual,
  sameFingerprint,
  sameKey,
} from './candidate.js';
import type { Active, LifeCycle } from './life-cycle.js';
import type { WatchedUniverse } from './watched-universe.js';

/** With its numbers as last published to lists. Once it has expired the object is reused. */
export interface ActiveBet extends Active, CandidateKey, Fingerprint {
  kind: BetKind;
  rowTag: number;
  /** The evaluation that last found it. */
  foundIn: number;
  /** Its index in the order of finding. */
  index: number;
}

/** In a longer list only the next few are compared with a candidate; then it is looked up by id. */
const SCANNED = 32;
const SCANNED_NEXT = 3;

export interface CandidateRecords {
  idOf(candidate: Candidate): string;
  /** Returns the record's place. */
  write(candidate: Candidate, universe: WatchedUniverse, id: string): number;
}

export class CandidateMatcher implements CandidateSink {
  readonly #records: CandidateRecords;
  readonly #life: LifeCycle;
  #list: ActiveBet[] = [];
  readonly #spare = new Pool<ActiveBet>(LIMITS.spareOpportunities.max);
  /** Length of the list before this evaluation; candidates come roughly in its order, starting at the next index. */
  #countBefore = 0;
  #next = 0;
  /** Of a long list, by universe and id, its indices: once one was not among the next few. */
  readonly #listed = new Map<WatchedUniverse, Map<string, number>>();
  /** Number found in this evaluation. */
  #count = 0;
  #anyNew = false;
  #eventNo = 0;
  #restated = false;
  #evaluation = 0;
  /** Something found had no room: the next evaluation may add it. */
  waitsForRoom = false;

  constructor(records: CandidateRecords, life: LifeCycle) {
    this.#records = records;
    this.#life = life;
  }

  /** A universe is no longer watched: idle objects would retain it. */
  clear(): void {
    this.#spare.clear();
  }

  /**
   * Candidates until `end` belong to this list, and to the event of this number.
   * @param restated their items changed in something other than their numbers
   */
  begin(list: ActiveBet[], restated: boolean, eventNo: number): void {
    this.#list = list;
    this.#countBefore = list.length;
    this.#next = 0;
    this.#count = 0;
    this.#anyNew = false;
    this.#eventNo = eventNo;
    this.#restated = restated;
    this.#evaluation++;
    this.waitsForRoom = false;
  }

  found(universe: WatchedUniverse, candidate: Candidate): void {
    const active = this.#find(universe, candidate);
    if (active !== undefined) this.#foundAgain(active, candidate);
    // If the universe is full, an opportunity beyond the default limits waits for its next evaluation.
    else if (universe.active < universe.beyondMax || !isBeyondUsual(candidate)) this.#detected(universe, candidate);
    else this.waitsForRoom = true;
  }

  /** Expires what was not found again, and removes it from the list. */
  end(): void {
    const list = this.#list;
    const evaluation = this.#evaluation;
    let remaining = 0;
    for (const active of list)
      if (active.foundIn === evaluation) list[remaining++] = active;
      else {
        this.#life.expired(active);
        this.#spare.give(active);
      }
    if (remaining < list.length) list.length = remaining;
    // In the order of finding, the next evaluation finds most without a search.
    if (this.#anyNew && remaining > SCANNED) list.sort((a, b) => a.index - b.index);
    // V8 allocates even if there is nothing to clear.
    if (this.#listed.size > 0) this.#listed.clear();
  }

  #find(universe: WatchedUniverse, f: Candidate): ActiveBet | undefined {
    const list = this.#list;
    const before = this.#countBefore;
    const steps = before > SCANNED ? SCANNED_NEXT : before;
    for (let i = 0; i < steps; i++) {
      if (this.#next >= before) this.#next = 0;
      const active = list[this.#next++]!;
      if (active.universe === universe && sameKey(active, f)) return active;
    }
    if (before <= SCANNED) return undefined;
    const index = this.#indices(universe).get(this.#records.idOf(f));
    if (index === undefined || !sameKey(list[index]!, f)) {
      this.#next = Math.max(0, this.#next - SCANNED_NEXT);
      return undefined;
    }
    this.#next = index + 1;
    return list[index];
  }

  #indices(universe: WatchedUniverse): ReadonlyMap<string, number> {
    let indices = this.#listed.get(universe);
    if (indices === undefined) {
      indices = new Map();
      for (let index = 0; index < this.#countBefore; index++) {
        const active = this.#list[index]!;
        if (active.universe === universe) indices.set(active.id, index);
      }
      this.#listed.set(universe, indices);
    }
    return indices;
  }

  /** Every field is set: nothing is left of the object's previous use. */
  #detected(universe: WatchedUniverse, f: Candidate): void {
    const id = this.#records.idOf(f);
    const active = this.#spare.take() ?? blank(universe);
    copyKey(f, active);
    copyFingerprint(f, active);
    active.universe = universe;
    active.eventNo = this.#eventNo;
    active.id = id;
    active.rowTag = f.rowTag;
    active.foundIn = this.#evaluation;
    active.index = this.#count++;
    this.#anyNew = true;
    this.#list.push(active);
    this.#life.detected(active, this.#records.write(f, universe, id), this.#restated);
  }

  #foundAgain(active: ActiveBet, f: Candidate): void {
    active.foundIn = this.#evaluation;
    active.index = this.#count++;
    const changed = this.#restated || active.rowTag !== f.rowTag || !sameFingerprint(active, f);
    if (changed) {
      active.rowTag = f.rowTag;
      copyFingerprint(f, active);
    } else if (!this.#life.pace.isOverdue(active.updatedPosition)) return;
    this.#life.updated(active, this.#records.write(f, active.universe, active.id));
  }
}

function blank(universe: WatchedUniverse): ActiveBet {
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
    foundIn: 0,
    index: 0,
  };
}
