// The life of opportunities in each universe: published when detected, published again when their numbers change,
// expired when they are no longer found. Lists show every change; a stream is sent the last state within a second: a
// change that comes sooner is published again then, at the position from which streams show it. First detection is
// remembered across restarts.

import { getOrInsert } from '../memory/get-or-insert.js';
import { Pool } from '../memory/pool.js';
import { LIMITS } from '../model/limits.js';
import type { RecordWriter } from '../model/opportunity-record.js';
import { type Candidate, type CandidateKey, type CandidateSink, copyKey, isBeyondUsual, sameKey } from './candidate.js';
import { copyFingerprint, type Fingerprint, sameFingerprint } from './fingerprint.js';
import type { Forgotten, KnownUniverses, Remembered, RememberedChanges } from './remembered.js';
import { RememberedUniverses } from './remembered-universes.js';
import type { Universe } from './universe.js';

/**
 * One active opportunity of one universe, with its numbers as last published to lists. Once it has ended and left its
 * list the object is reused.
 */
export interface ActiveOpportunity extends CandidateKey, Fingerprint {
  universe: Universe;
  eventNo: number;
  id: string;
  detectedUs: number;
  /** Position at which its numbers were last published to streams. */
  updatedPosition: number;
  rowTag: number;
  /** Unix ms at which its numbers were last published to streams. */
  sentMs: number;
  /** It changed, and streams have not been sent the change yet. */
  pending: boolean;
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

/** Minimum time between two publications of one opportunity to streams (ms). */
export const RESEND_MS = 1_000;

/** Whether something sent then may be sent again; always true if the clock was set back further than that. */
export const isResendDue = (sentMs: number, nowMs: number): boolean => Math.abs(nowMs - sentMs) >= RESEND_MS;

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
  readonly #remembered = new RememberedUniverses();
  #changes: Omit<RememberedChanges, 'universes'> = { put: [], remove: [] };
  /** By universe key: the active opportunities. */
  readonly #active = new Map<string, Map<string, ActiveOpportunity>>();
  /** By universe whose first state is not published yet: what ended, and is still stored. */
  readonly #withheld = new Map<Universe, Map<string, Forgotten>>();
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
  #position = 0;
  #nowMs = 0;
  /** When the earliest delayed change is due for release (Unix ms). */
  pendingUntilMs = Number.POSITIVE_INFINITY;
  /** Something found had no room: the next evaluation may add it. */
  waitsForRoom = false;

  constructor(records: CandidateRecords) {
    this.#records = records;
  }

  /** Loads what the store remembers; everything active is forgotten. */
  reset(remembered: Iterable<Remembered>, known: KnownUniverses, rememberMs: number): void {
    this.#remembered.reset(remembered, known, rememberMs);
    this.#active.clear();
    this.#withheld.clear();
    this.#spare.clear();
    this.#changes = { put: [], remove: [] };
  }

  /** Starts watching a universe. */
  watched(universe: Universe): void {
    this.#remembered.watched(universe);
  }

  at(position: number, nowMs: number): void {
    this.#position = position;
    this.#nowMs = nowMs;
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
    this.pendingUntilMs = Number.POSITIVE_INFINITY;
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
   * After a universe's first complete evaluation: what it remembered and was not found again has ended in the meantime.
   */
  settleRemembered(universe: Universe): void {
    for (const one of this.#remembered.takeRest(universe.key)) {
      universe.expired(one.kind, one.id);
      this.#changes.remove.push(one);
    }
    this.#changes.remove.push(...(this.#withheld.get(universe)?.values() ?? []));
    this.#withheld.delete(universe);
  }

  /** Forgets universes that have not been watched for longer than they are remembered. */
  forgetUnclaimed(): void {
    this.#changes.remove.push(...this.#remembered.takeOverdue(this.#nowMs));
  }

  /**
   * Stops watching a universe, but remembers its active opportunities; its entries in the lists are removed by the
   * caller.
   */
  drop(universe: Universe): void {
    const stored = [...(this.#active.get(universe.key)?.values() ?? [])].map(rememberedOf);
    if (universe.whole)
      // Nobody was sent its state, nor what ended since it was watched before.
      this.#changes.remove.push(
        ...stored,
        ...(this.#withheld.get(universe)?.values() ?? []),
        ...this.#remembered.forget(universe.key),
      );
    else this.#changes.remove.push(...this.#remembered.unwatched(universe.key, stored, this.#nowMs));
    this.#withheld.delete(universe);
    this.#active.delete(universe.key);
    // They would retain the universe.
    this.#spare.clear();
  }

  active(universeKey: string): ReadonlyMap<string, ActiveOpportunity> {
    return this.#active.get(universeKey) ?? new Map();
  }

  /** Position of its detection in the universe, or undefined if it is not active there. */
  detectedUs(universeKey: string, id: string): number | undefined {
    return this.#active.get(universeKey)?.get(id)?.detectedUs;
  }

  /** What the store must write since the last call. */
  takeChanges(): RememberedChanges {
    const changes = this.#changes;
    this.#changes = { put: [], remove: [] };
    return { ...changes, universes: this.#remembered.takeKnown() };
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
    this.#withheld.get(universe)?.delete(id);
    if (before !== undefined) active.detectedUs = before.detectedUs;
    if (before !== undefined && !universe.late && !this.#restated && sameFingerprint(before, f))
      active.updatedPosition = before.updatedPosition;
    else this.#remember(active);
    active.index = this.#count++;
    this.#anyNew = true;
    this.#list.push(active);
    let ofUniverse = this.#active.get(universe.key);
    if (ofUniverse === undefined) {
      ofUniverse = new Map();
      this.#active.set(universe.key, ofUniverse);
    }
    ofUniverse.set(id, active);
    this.#publish(active, f);
  }

  /** Every field is set: nothing is left of the object's previous use. */
  #newActive(universe: Universe, f: Candidate, id: string): ActiveOpportunity {
    const active = this.#spare.take() ?? blank(universe);
    copyKey(f, active);
    copyFingerprint(f, active);
    active.universe = universe;
    active.eventNo = this.#eventNo;
    active.id = id;
    active.detectedUs = this.#position;
    active.updatedPosition = this.#position;
    active.rowTag = f.rowTag;
    active.sentMs = this.#nowMs;
    active.pending = false;
    active.restated = false;
    active.foundIn = this.#evaluation;
    active.listedIn = 0;
    return active;
  }

  #foundAgain(active: ActiveOpportunity, f: Candidate): void {
    const due = isResendDue(active.sentMs, this.#nowMs);
    const moved = active.restated || active.rowTag !== f.rowTag || !sameFingerprint(active, f);
    if (moved) copyFingerprint(f, active);
    active.rowTag = f.rowTag;
    const pending = moved || active.pending;
    if (pending && due) {
      active.sentMs = this.#nowMs;
      active.updatedPosition = this.#position;
    }
    active.pending = pending && !due;
    // A change of numbers that waits differs from what was remembered last; one of anything else does not show there.
    if (pending && (due || active.restated)) this.#remember(active);
    active.restated = false;
    if (active.pending) this.pendingUntilMs = Math.min(this.pendingUntilMs, active.sentMs + RESEND_MS);
    // What waited is published by being sent again.
    if (moved || (pending && due)) this.#publish(active, f);
  }

  #publish(active: ActiveOpportunity, f: Candidate): void {
    const { universe, id, detectedUs, updatedPosition } = active;
    const place = this.#records.write(f, universe, id);
    universe.put(this.#records.writer, place, detectedUs, updatedPosition);
  }

  #expired(active: ActiveOpportunity): void {
    active.universe.expired(active.kind, active.id);
    this.#active.get(active.universe.key)?.delete(active.id);
    const { eventNo, universe, id } = active;
    const ended = { eventNo, universe: universe.key, id };
    // If the thread died before it is published, its successor has to find that it has ended.
    if (universe.whole) getOrInsert(this.#withheld, universe, () => new Map<string, Forgotten>()).set(id, ended);
    else this.#changes.remove.push(ended);
    this.#spare.give(active);
  }

  #remember(active: ActiveOpportunity): void {
    this.#changes.put.push(rememberedOf(active));
  }
}

function isOf(active: ActiveOpportunity, universe: Universe, f: Candidate): boolean {
  return active.universe === universe && sameKey(active, f);
}

/** What streams have not been sent is remembered without its numbers: found again, it counts as changed. */
function rememberedOf(active: ActiveOpportunity): Remembered {
  const sent = !active.pending;
  return {
    eventNo: active.eventNo,
    universe: active.universe.key,
    id: active.id,
    kind: active.kind,
    detectedUs: active.detectedUs,
    updatedPosition: active.updatedPosition,
    first: sent ? active.first : Number.NaN,
    second: active.second,
    third: active.third,
    fourth: active.fourth,
    folded: active.folded,
  };
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
    sentMs: 0,
    pending: false,
    restated: false,
    foundIn: 0,
    listedIn: 0,
    index: 0,
  };
}
