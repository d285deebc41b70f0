// The life of opportunities in each universe: detected once, told again when their numbers move, expired when they are
// found no more. Lists show every move; for streams a move waits until a second after the last one they were told of,
// and is released then. First detection is remembered over restarts.

import type { Opportunity } from '../delta/opportunity.js';
import { Pool } from '../memory/pool.js';
import { LIMITS } from '../model/limits.js';
import { type Candidate, type CandidateKey, type CandidateSink, copyKey, isBeyondUsual, sameKey } from './candidate.js';
import { copyFingerprint, type Fingerprint, sameFingerprint } from './fingerprint.js';
import type { KnownUniverses, Remembered, RememberedChanges } from './remembered.js';
import { RememberedUniverses } from './remembered-universes.js';
import type { Universe } from './universe.js';

/**
 * One opportunity that is alive in one universe, with its numbers as lists were last told them. Once it has ended and left its list the
 * object is another's.
 */
export interface Live extends CandidateKey, Fingerprint {
  universe: Universe;
  eventNo: number;
  id: string;
  detectedUs: number;
  /** Position at which streams were last told its numbers. */
  movedUs: number;
  seenSum: number;
  /** Unix ms at which streams were last told its numbers, and anybody its ages. */
  sentMs: number;
  refreshedMs: number;
  /** It has moved, and streams are not told of it yet. */
  held: boolean;
  /** Something of its item beyond its numbers is different from what was told. */
  restated: boolean;
  /** The evaluation that last found it. */
  mark: number;
  /** The evaluation that it was before, of a list too long to be looked at one by one. */
  listed: number;
  /** Its place in its list as that evaluation began; once found, in the order of what is found. */
  place: number;
}

/** Ended ones kept to be used again. */
const SPARE_MAX = LIMITS.spareOpportunities.max;

/** Least time between two tellings of one opportunity to streams (ms), and between two of its ages. */
export const RESEND_MS = 1_000;

/** Of a longer list only the next few are looked at for a candidate; then it is looked up by its id. */
const SCANNED_MAX = 32;
const SCANNED_NEXT = 3;

/** How long a universe is remembered that nobody has watched (ms), where nobody says. */
export const REMEMBER_MS = 900_000;

export interface ItemSource {
  idOf(candidate: Candidate): string;
  build(candidate: Candidate, universe: Universe, id: string, detectedUs: number, movedUs: number): Opportunity;
  seenOf(candidate: Candidate, universe: Universe): number[];
}

export class LifeCycle implements CandidateSink {
  readonly #items: ItemSource;
  readonly #remembered = new RememberedUniverses();
  #changes: Omit<RememberedChanges, 'universes'> = { put: [], remove: [] };
  /** By universe key: alive now. */
  readonly #alive = new Map<string, Map<string, Live>>();
  #list: Live[] = [];
  readonly #spare = new Pool<Live>(SPARE_MAX);
  /** So many of the list were alive before this evaluation; what is found comes in about their order, from the next on. */
  #before = 0;
  #next = 0;
  /** So many were found in this evaluation. */
  #count = 0;
  #begunInIt = false;
  #eventNo = 0;
  #restated = false;
  #mark = 0;
  #position = 0;
  #nowMs = 0;
  /** When something found now is to be told that was held back (Unix ms). */
  heldUntilMs = Number.POSITIVE_INFINITY;

  constructor(items: ItemSource) {
    this.#items = items;
  }

  /** Starts from what the store remembers; everything alive is forgotten. */
  reset(remembered: Iterable<Remembered>, known: KnownUniverses, rememberMs: number): void {
    this.#remembered.reset(remembered, known, rememberMs);
    this.#alive.clear();
    this.#spare.clear();
    this.#changes = { put: [], remove: [] };
  }

  /** A universe is watched from now on. */
  begun(universe: Universe): void {
    this.#remembered.woken(universe);
  }

  at(position: number): void {
    this.#position = position;
    this.#nowMs = position / 1000;
  }

  /** What is found until `end` belongs to this list, and to the event of that number. */
  begin(list: Live[], restated: boolean, eventNo: number): void {
    this.#list = list;
    this.#before = list.length;
    this.#next = 0;
    this.#count = 0;
    this.#begunInIt = false;
    this.#eventNo = eventNo;
    this.#restated = restated;
    this.#mark++;
    if (list.length > SCANNED_MAX)
      for (const [place, live] of list.entries()) {
        live.listed = this.#mark;
        live.place = place;
      }
    this.heldUntilMs = Number.POSITIVE_INFINITY;
    if (restated) for (const live of list) live.restated = true;
  }

  found(universe: Universe, candidate: Candidate): void {
    const live = this.#find(universe, candidate);
    if (live === undefined) {
      if (this.#hasRoom(universe, candidate)) this.#detected(universe, candidate);
    } else {
      live.mark = this.#mark;
      live.place = this.#count++;
      this.#stays(live, candidate);
    }
  }

  /** Expires what was not found again, and takes it from the list. */
  end(): void {
    const list = this.#list;
    const mark = this.#mark;
    let kept = 0;
    for (const live of list)
      if (live.mark === mark) list[kept++] = live;
      else this.#expired(live);
    if (kept < list.length) list.length = kept;
    // In the order of what is found the next evaluation finds most without looking for it.
    if (this.#begunInIt && kept > SCANNED_MAX) list.sort((a, b) => a.place - b.place);
  }

  /** After a universe's first whole evaluation: what it had before and has no more ended in the meantime. */
  settleRemembered(universe: Universe): void {
    for (const one of this.#remembered.takeRest(universe.key)) {
      universe.expired(one.kind, one.id);
      this.#changes.remove.push(one);
    }
  }

  /** Forgets universes that nobody has had watched again for as long as they are remembered. */
  forgetUnclaimed(): void {
    this.#changes.remove.push(...this.#remembered.takeOverdue(this.#nowMs));
  }

  /** Watches a universe no more, but remembers what was alive in it; its entries in the lists are the caller's. */
  drop(universe: Universe): void {
    const alive = [...(this.#alive.get(universe.key)?.values() ?? [])].map(rememberedOf);
    this.#changes.remove.push(...this.#remembered.asleep(universe.key, alive, this.#nowMs));
    this.#alive.delete(universe.key);
    // They would keep the universe alive.
    this.#spare.clear();
  }

  alive(universeKey: string): ReadonlyMap<string, Live> {
    return this.#alive.get(universeKey) ?? new Map();
  }

  /** Detected in the given universe at this position, or undefined where it is not alive there. */
  detectedUs(universeKey: string, id: string): number | undefined {
    return this.#alive.get(universeKey)?.get(id)?.detectedUs;
  }

  /** What the store has to write since the last call. */
  takeChanges(): RememberedChanges {
    const changes = this.#changes;
    this.#changes = { put: [], remove: [] };
    return { ...changes, universes: this.#remembered.takeKnown() };
  }

  /** What is beyond the usual limits waits for its next evaluation where the universe is full. */
  #hasRoom(universe: Universe, candidate: Candidate): boolean {
    const { beyondMax } = universe;
    return this.alive(universe.key).size < beyondMax || !isBeyondUsual(candidate);
  }

  #find(universe: Universe, f: Candidate): Live | undefined {
    const list = this.#list;
    const before = this.#before;
    const steps = before > SCANNED_MAX ? SCANNED_NEXT : before;
    for (let i = 0; i < steps; i++) {
      if (this.#next >= before) this.#next = 0;
      const live = list[this.#next++]!;
      if (isOf(live, universe, f)) return live;
    }
    if (before <= SCANNED_MAX) return undefined;
    const live = this.#alive.get(universe.key)?.get(this.#items.idOf(f));
    if (live === undefined || live.listed !== this.#mark || !isOf(live, universe, f)) {
      this.#next = Math.max(0, this.#next - SCANNED_NEXT);
      return undefined;
    }
    this.#next = live.place + 1;
    return live;
  }

  #detected(universe: Universe, f: Candidate): void {
    const id = this.#items.idOf(f);
    const before = this.#remembered.take(universe.key, id);
    const live = this.#begun(universe, f, id);
    if (before !== undefined) live.detectedUs = before.detectedUs;
    if (before !== undefined && !universe.late && !this.#restated && sameFingerprint(before, f))
      live.movedUs = before.movedUs;
    else this.#remember(live);
    live.place = this.#count++;
    this.#begunInIt = true;
    this.#list.push(live);
    let alive = this.#alive.get(universe.key);
    if (alive === undefined) {
      alive = new Map();
      this.#alive.set(universe.key, alive);
    }
    alive.set(id, live);
    universe.detected(this.#items.build(f, universe, id, live.detectedUs, live.movedUs));
  }

  /** Every field is set: nothing is left of what the object was before. */
  #begun(universe: Universe, f: Candidate, id: string): Live {
    const live = this.#spare.take() ?? blank(universe);
    copyKey(f, live);
    copyFingerprint(f, live);
    live.universe = universe;
    live.eventNo = this.#eventNo;
    live.id = id;
    live.detectedUs = this.#position;
    live.movedUs = this.#position;
    live.seenSum = f.seenSum;
    live.sentMs = this.#nowMs;
    live.refreshedMs = this.#nowMs;
    live.held = false;
    live.restated = false;
    live.mark = this.#mark;
    live.listed = 0;
    return live;
  }

  #stays(live: Live, f: Candidate): void {
    const due = this.#nowMs - live.sentMs >= RESEND_MS;
    const moved = live.restated || !sameFingerprint(live, f);
    if (moved) {
      copyFingerprint(f, live);
      live.seenSum = f.seenSum;
      live.refreshedMs = this.#nowMs;
      live.restated = false;
    }
    const held = moved || live.held;
    if (held && due) {
      live.sentMs = this.#nowMs;
      live.movedUs = this.#position;
      this.#remember(live);
    }
    live.held = held && !due;
    if (live.held) this.heldUntilMs = Math.min(this.heldUntilMs, live.sentMs + RESEND_MS);
    if (moved) {
      const opportunity = this.#items.build(f, live.universe, live.id, live.detectedUs, live.movedUs);
      if (due) live.universe.detected(opportunity);
      else live.universe.moved(opportunity);
      return;
    }
    if (held && due) live.universe.released(live.kind, live.id);
    if (live.seenSum === f.seenSum) return;
    if (this.#nowMs - live.refreshedMs < RESEND_MS) {
      this.heldUntilMs = Math.min(this.heldUntilMs, live.refreshedMs + RESEND_MS);
      return;
    }
    live.seenSum = f.seenSum;
    live.refreshedMs = this.#nowMs;
    live.universe.refreshed({
      kind: live.kind,
      id: live.id,
      oldestSeenMs: f.oldestSeenMs,
      seenMs: this.#items.seenOf(f, live.universe),
    });
  }

  #expired(live: Live): void {
    live.universe.expired(live.kind, live.id);
    this.#alive.get(live.universe.key)?.delete(live.id);
    this.#changes.remove.push({ eventNo: live.eventNo, universe: live.universe.key, id: live.id });
    this.#spare.give(live);
  }

  #remember(live: Live): void {
    this.#changes.put.push(rememberedOf(live));
  }
}

function isOf(live: Live, universe: Universe, f: Candidate): boolean {
  return live.universe === universe && sameKey(live, f);
}

function rememberedOf(live: Live): Remembered {
  return {
    eventNo: live.eventNo,
    universe: live.universe.key,
    id: live.id,
    kind: live.kind,
    detectedUs: live.detectedUs,
    movedUs: live.movedUs,
    first: live.first,
    second: live.second,
    third: live.third,
    fourth: live.fourth,
    folded: live.folded,
  };
}

function blank(universe: Universe): Live {
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
    movedUs: 0,
    first: 0,
    second: 0,
    third: 0,
    fourth: 0,
    folded: 0,
    seenSum: 0,
    sentMs: 0,
    refreshedMs: 0,
    held: false,
    restated: false,
    mark: 0,
    listed: 0,
    place: 0,
  };
}
