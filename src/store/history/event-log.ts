// The change log cut by event, for as long as history: what the table showed of an event at any instant is its last state
// before it and the parts of deltas since.

import { getOrInsert } from '../../base/memory/get-or-insert.js';
import { monotonicMs } from '../../base/model/clock.js';
import { compareText } from '../../base/model/compare.js';
import { LIMITS } from '../../base/model/limits.js';
import type { Delta, EventDelta } from '../../log/delta/delta.js';
import { decodePart, type EventPart, EventState, encodePart, eventParts } from '../../log/delta/event-part.js';

/** An event as the log has it. */
export interface LoggedEvent {
  id: string;
  sport: string;
  league: string;
  startMs: number;
  shard: number;
  /** Its number in the shard; -1 once it left the table. */
  no: number;
  /** Position from which on everything of it is here. */
  firstUs: number;
  /** Position of its last part. */
  lastUs: number;
  /** Rows changed since its last state. */
  changes: number;
}

/** A part, or a state, and the position it is of. */
export interface LoggedPart {
  position: number;
  bytes: Uint8Array;
}

/** Parts of an event up to the position, or its state there. */
export interface PackedParts extends LoggedPart {
  key: number;
}

/** What is written together. */
export interface EventLogChanges {
  epoch: string;
  /** What was before it may be removed (Unix µs). */
  keptFromUs: number;
  /** By shard: up to there everything is written. */
  cursors: readonly number[];
  /** As the store packs them, here and below. */
  events: { key: number; bytes: Uint8Array }[];
  chunks: PackedParts[];
  states: PackedParts[];
  /** Everything of these up to a position: they have a state there. */
  cut: { key: number; toUs: number }[];
  dropped: { key: number; id: string }[];
}

export interface EventLogStore {
  state(): Pick<EventLogChanges, 'epoch' | 'cursors' | 'keptFromUs'> | undefined;
  events(): Iterable<{ key: number; event: LoggedEvent }>;
  /** The last state up to the position. */
  stateBefore(key: number, toUs: number): LoggedPart | undefined;
  /** After one position, up to another, in order. */
  parts(key: number, fromUs: number, toUs: number): Iterable<LoggedPart>;
  usedBytes(): number;
  /** The bytes that write() takes for parts of an event in order, and for a state. */
  packed(parts: readonly LoggedPart[]): Uint8Array;
  packedState(bytes: Uint8Array): Uint8Array;
  packedEvent(event: LoggedEvent): Uint8Array;
  /** With `behind` it may end later; what is read is as if it had ended. Throws where it cannot begin. */
  write(changes: EventLogChanges, behind?: boolean): void;
}

/** So many changed rows after a state there is another: what has to be read for an instant. */
const STATE_EVERY = 1_500;
/** States made with one write: each takes some milliseconds. */
const STATES_AT_ONCE = 8;
const DAY_US = 86_400e6;

export interface PastQuestion {
  /** Unix µs. */
  atUs: number;
  /** Null means any. */
  events: readonly string[] | null;
  sports: readonly string[] | null;
  leagues: readonly string[] | null;
}

export interface PastAnswer {
  /** Nothing before it is known (Unix µs). */
  sinceUs: number;
  /** Of each event its state, if it has one, and its parts in order. */
  events: LoggedPart[][];
  /** More events match than are answered together. */
  tooMany: boolean;
}

export interface DayQuestion {
  sport: string;
  league: string;
  /** Of starts, Unix ms; the end is left out. */
  fromMs: number;
  toMs: number;
  limit: number;
}

export class EventLog {
  readonly #store: EventLogStore;
  readonly #stateEvery: number;
  readonly #events = new Map<number, LoggedEvent>();
  readonly #byId = new Map<string, number>();
  /** By shard, then the event's number there: its key here. */
  readonly #byNo: Map<number, number>[] = [];
  #pending = new Map<number, LoggedPart[]>();
  /** What was taken and is ready to be written, with the parts it was made of; of an event several if it changed since. */
  readonly #packed = new Map<number, { parts: LoggedPart[]; chunk: PackedParts }[]>();
  #states: PackedParts[] = [];
  readonly #changed = new Set<number>();
  /** Those of the changed ones that did not change since. */
  readonly #packedEvents = new Map<number, Uint8Array>();
  #epoch: string;
  #cursors: number[];
  /** As they were last written. */
  #written: readonly number[];
  #keptFromUs: number;
  #nextKey = 1;

  /** @param shards their number */
  constructor(store: EventLogStore, epoch: string, shards: number, stateEvery = STATE_EVERY) {
    this.#store = store;
    this.#stateEvery = stateEvery;
    this.#epoch = epoch;
    const state = store.state();
    this.#keptFromUs = state?.keptFromUs ?? 0;
    const known = state?.epoch === epoch && state.cursors.length === shards;
    this.#cursors = known ? [...state.cursors] : new Array<number>(shards).fill(-1);
    this.#written = [...this.#cursors];
    for (let shard = 0; shard < shards; shard++) this.#byNo.push(new Map());
    for (const { key, event } of store.events()) {
      this.#nextKey = Math.max(this.#nextKey, key + 1);
      // Numbers of another epoch mean nothing.
      if (!known) event.no = -1;
      this.#enter(key, event);
    }
  }

  /** Ids of the games that start then, by start. */
  starting({ sport, league, fromMs, toMs, limit }: DayQuestion): string[] {
    const found: LoggedEvent[] = [];
    for (const event of this.#events.values())
      if (event.league === league && event.sport === sport && event.startMs >= fromMs && event.startMs < toMs)
        found.push(event);
    found.sort((a, b) => a.startMs - b.startMs || compareText(a.id, b.id));
    return [...new Set(found.map(({ id }) => id))].slice(0, limit);
  }

  /** Position up to which a shard is known; -1 if it must be restated. */
  cursor(shard: number): number {
    return this.#cursors[shard]!;
  }

  /** One committed delta, in order; those known are passed over. */
  take(delta: Delta): void {
    const { shard, position } = delta;
    if (position <= this.#cursors[shard]!) return;
    for (const [no, part] of eventParts(delta)) {
      const key = part.event === null ? this.#byNo[shard]!.get(no) : this.#stated(shard, part.event, position);
      if (key === undefined) continue;
      const event = this.#events.get(key)!;
      for (const [, removed, rows] of part.books) event.changes += removed.length + rows.length;
      event.lastUs = position;
      this.#add(key, { position, bytes: encodePart(part) });
      if (!part.dropped) continue;
      event.no = -1;
      this.#byNo[shard]!.delete(no);
    }
    this.#cursors[shard] = position;
  }

  /** Where its log does not reach back: what the shard's whole table is, event by event, as of a position. */
  restate(shard: number, position: number, each: (add: (event: EventDelta, state: EventPart) => void) => void): void {
    const standing = new Set<number>();
    let made: PackedParts[] = [];
    each((fields, state) => {
      // What the number meant may be over.
      this.#byNo[shard]!.delete(fields.no);
      const key = this.#stated(shard, fields, position);
      const event = this.#events.get(key)!;
      Object.assign(event, { firstUs: Math.min(event.firstUs, position), lastUs: position, changes: 0 });
      standing.add(key);
      made.push({ key, position, bytes: this.#store.packedState(encodePart(state)) });
      if (made.length < STATES_AT_ONCE) return;
      this.#write(made);
      made = [];
    });
    for (const [key, event] of this.#events)
      if (event.shard === shard && event.no >= 0 && !standing.has(key)) this.#gone(key, event, position);
    this.#cursors[shard] = position;
    this.#write(made);
  }

  /** Prepares what flush() writes, for about `forMs`; true if everything is prepared. */
  pack(forMs: number): boolean {
    const untilMs = monotonicMs() + forMs;
    for (const [key, parts] of this.#pending) {
      if (monotonicMs() >= untilMs) return false;
      if (this.#events.get(key)!.changes >= this.#stateEvery && this.#states.length < STATES_AT_ONCE)
        this.#states.push(this.#stateOf(key));
      getOrInsert(this.#packed, key, () => []).push({ parts, chunk: this.#chunkOf(key, parts) });
      this.#packedEvents.set(key, this.#store.packedEvent(this.#events.get(key)!));
      this.#pending.delete(key);
    }
    return true;
  }

  /** Writes what was taken, if only that nothing of an event changed: what is not written is restated at the next start. */
  flush(behind = false): void {
    const moved = this.#cursors.some((cursor, shard) => cursor !== this.#written[shard]);
    if (!moved && this.#changed.size === 0) return;
    this.pack(Number.POSITIVE_INFINITY);
    this.#write(this.#states, { behind });
    this.#states = [];
  }

  /** What the table showed at an instant, up to `pastEvents` events. */
  at({ atUs, events, sports, leagues }: PastQuestion): PastAnswer {
    const answer: PastAnswer = { sinceUs: this.#sinceUs(), events: [], tooMany: false };
    let bytes = 0;
    const wanted = events === null ? this.#events.keys() : events.flatMap((id) => this.#byId.get(id) ?? []);
    for (const key of wanted) {
      const event = this.#events.get(key)!;
      if (event.firstUs > atUs || (event.no < 0 && event.lastUs <= atUs)) continue;
      if (sports !== null && !sports.includes(event.sport)) continue;
      if (leagues !== null && !leagues.includes(event.league)) continue;
      const parts = this.#partsOf(key, atUs);
      for (const { bytes: part } of parts) bytes += part.length;
      if (answer.events.length === LIMITS.pastEvents.max || bytes > LIMITS.pastBytes.max)
        return { ...answer, tooMany: true };
      answer.events.push(parts);
    }
    return answer;
  }

  /** Removes what is older than the days, and the oldest day if there are too many bytes. */
  retain(days: number, bytesMax: number, nowUs: number): void {
    let pastUs = nowUs - days * DAY_US;
    if (this.#store.usedBytes() > bytesMax) {
      const oldestUs = this.#oldestUs();
      pastUs = Math.max(pastUs, oldestUs + (nowUs - oldestUs) / 10);
    }
    const cut: EventLogChanges['cut'] = [];
    const dropped: EventLogChanges['dropped'] = [];
    for (const [key, event] of this.#events) {
      if (this.#pending.has(key) || this.#packed.has(key)) continue;
      if (event.no < 0 && event.lastUs < pastUs) {
        dropped.push({ key, id: event.id });
        this.#events.delete(key);
        if (this.#byId.get(event.id) === key) this.#byId.delete(event.id);
        continue;
      }
      const state = event.firstUs < pastUs ? this.#store.stateBefore(key, pastUs) : undefined;
      if (state === undefined || state.position <= event.firstUs) continue;
      cut.push({ key, toUs: state.position });
      event.firstUs = state.position;
      this.#mark(key);
    }
    if (cut.length + dropped.length === 0) return;
    this.#keptFromUs = Math.max(this.#keptFromUs, pastUs);
    this.#write([], { cut, dropped });
  }

  /** From there on everything is known; 0 if there is nothing to know. */
  #sinceUs(): number {
    const oldestUs = this.#oldestUs();
    return Math.max(this.#keptFromUs, Number.isFinite(oldestUs) ? oldestUs : 0);
  }

  #oldestUs(): number {
    let oldestUs = Number.POSITIVE_INFINITY;
    for (const { firstUs } of this.#events.values()) oldestUs = Math.min(oldestUs, firstUs);
    return oldestUs;
  }

  #write(
    states: readonly PackedParts[],
    {
      behind = false,
      cut = [],
      dropped = [],
    }: Partial<Pick<EventLogChanges, 'cut' | 'dropped'>> & { behind?: boolean } = {},
  ): void {
    for (const { key } of states) this.#changed.add(key);
    const changes = {
      epoch: this.#epoch,
      keptFromUs: this.#keptFromUs,
      cursors: this.#cursors,
      events: [...this.#changed].flatMap((key) => {
        const event = this.#events.get(key);
        return event === undefined
          ? []
          : [{ key, bytes: this.#packedEvents.get(key) ?? this.#store.packedEvent(event) }];
      }),
      chunks: [
        ...[...this.#packed.values()].flat().map(({ chunk }) => chunk),
        ...[...this.#pending].map(([key, parts]) => this.#chunkOf(key, parts)),
      ],
      states: [...states],
      cut,
      dropped,
    };
    this.#store.write(changes, behind);
    this.#written = [...this.#cursors];
    this.#pending = new Map();
    this.#packed.clear();
    this.#packedEvents.clear();
    this.#changed.clear();
  }

  #chunkOf(key: number, parts: readonly LoggedPart[]): PackedParts {
    return { key, position: parts.at(-1)!.position, bytes: this.#store.packed(parts) };
  }

  #stateOf(key: number): PackedParts {
    const event = this.#events.get(key)!;
    const state = new EventState();
    for (const { bytes } of this.#partsOf(key, event.lastUs)) state.apply(decodePart(bytes));
    event.changes = 0;
    return { key, position: event.lastUs, bytes: this.#store.packedState(encodePart(state.part())) };
  }

  #partsOf(key: number, atUs: number): LoggedPart[] {
    const state = this.#store.stateBefore(key, atUs);
    const parts = state === undefined ? [] : [own(state)];
    for (const part of this.#store.parts(key, state?.position ?? 0, atUs)) parts.push(own(part));
    for (const unwritten of [...(this.#packed.get(key) ?? []).map(({ parts: of }) => of), this.#pending.get(key)])
      for (const part of unwritten ?? []) if (part.position <= atUs) parts.push(own(part));
    return parts;
  }

  #stated(shard: number, { no, id, sport, league, startMs }: EventDelta, position: number): number {
    const known = this.#byNo[shard]!.get(no) ?? this.#byId.get(id);
    const before = known === undefined ? undefined : this.#events.get(known);
    const fields = { id, sport, league, startMs, shard, no };
    if (known !== undefined && before?.id === id) {
      this.#enter(known, Object.assign(before, fields));
      this.#mark(known);
      return known;
    }
    const key = this.#nextKey++;
    this.#enter(key, { ...fields, firstUs: position, lastUs: position, changes: 0 });
    this.#mark(key);
    return key;
  }

  #gone(key: number, event: LoggedEvent, position: number): void {
    this.#byNo[event.shard]!.delete(event.no);
    Object.assign(event, { no: -1, lastUs: position });
    const dropped = { event: null, dropped: true, books: [] };
    this.#add(key, { position, bytes: encodePart(dropped) });
  }

  #enter(key: number, event: LoggedEvent): void {
    this.#events.set(key, event);
    this.#byId.set(event.id, key);
    if (event.no >= 0) this.#byNo[event.shard]?.set(event.no, key);
  }

  #add(key: number, part: LoggedPart): void {
    this.#mark(key);
    getOrInsert(this.#pending, key, () => []).push(part);
  }

  #mark(key: number): void {
    this.#changed.add(key);
    this.#packedEvents.delete(key);
  }
}

/** The store's bytes are valid until the next are read. */
function own({ position, bytes }: LoggedPart): LoggedPart {
  return { position, bytes: new Uint8Array(bytes) };
}
