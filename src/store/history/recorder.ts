// Reads the change log, delta by delta, and records price history: each change of a row goes to a page of its event.
// Nothing is lost if the process dies, as long as the log still has what was not written yet.

import { withPlace } from '../../base/memory/grown.js';
import { monotonicMs } from '../../base/model/clock.js';
import { sameCommission } from '../../base/model/commission.js';
import { LIMITS } from '../../base/model/limits.js';
import type { ResultRecord } from '../../base/model/result.js';
import type { RowDetails } from '../../base/model/row-details.js';
import { decode } from '../../base/wire/codec.js';
import { type BookDelta, type Delta, type EventDelta, RowDeltaReader, type Touch } from '../../log/delta/delta.js';
import { playerKey } from '../../rules/catalogue/player-name.js';
import { isNearStart, noteDepth, noteReopened, noteRow, noteSeen } from './at-close.js';
import { keepLastPoints, NewestChanges, visitChanges } from './event-changes.js';
import { type EventFields, flagsOf, type HistoryEvent, type HistoryRow, type Point } from './event-record.js';
import { LoadedEvents } from './loaded-events.js';
import { type ChangeVisitor, encodePage, FLAG, Page } from './page.js';
import { ANY_SHARD, type Gap, type HistoryChanges, type HistoryStore } from './port.js';
import {
  addedRow,
  blankEvent,
  fieldsOfDelta,
  isSameEvent,
  type PackedEvent,
  packEvent,
  pointOf,
  startChanges,
} from './recorded-event.js';
import { WriteBuffer } from './write-buffer.js';

export class Recorder {
  readonly #store: HistoryStore;
  readonly #loaded: LoadedEvents;
  /** By shard. */
  readonly #numbers: ShardNumbers[] = [];
  readonly #changed = new Set<HistoryEvent>();
  /** The parts of changed events to be written: valid until they change again. */
  readonly #packed = new Map<HistoryEvent, PackedEvent>();
  readonly #buffer = new WriteBuffer();
  readonly #newest: NewestChanges;
  #nextHno = 1;
  readonly gaps = new Gaps();
  #epoch = '';
  /** For each shard: everything up to there has been recorded. */
  cursors: number[] = [];
  #written: number[] = [];
  /** Changes recorded since the last flush. */
  pending = 0;

  constructor(store: HistoryStore) {
    this.#store = store;
    this.#loaded = new LoadedEvents(store);
    this.#newest = new NewestChanges(store);
  }

  get epoch(): string {
    return this.#epoch;
  }

  /** Reads the store; false if nothing was ever stored. */
  load(): boolean {
    const state = this.#store.state();
    if (state === undefined) return false;
    this.cursors = [...state.cursors];
    this.#epoch = state.epoch;
    this.gaps.list = [...state.gaps];
    for (const { hno, fields } of this.#store.events()) {
      this.#nextHno = Math.max(this.#nextHno, hno + 1);
      if (fields.no < 0) continue;
      const numbers = this.#of(fields.shard);
      numbers.events.set(fields.no, hno);
      numbers.starts.set(fields.no, fields.startMs);
      numbers.unread.add(hno);
    }
    return true;
  }

  /** Discards what was recorded and not written. Predictions stay, except those of events that are not stored. */
  reload(): void {
    const { length } = this.cursors;
    this.#loaded.clear();
    this.#changed.clear();
    this.#packed.clear();
    this.#buffer.clearRead();
    this.#numbers.length = 0;
    this.#nextHno = 1;
    this.pending = 0;
    if (!this.load()) this.begin(this.#epoch, length);
    for (const hno of this.predictions.keys()) if (this.#store.event(hno) === undefined) this.predictions.delete(hno);
  }

  /** Starts with an empty or another data directory: stored history stays, the shards' numbers are read again. */
  begin(epoch: string, shards: number): void {
    this.#epoch = epoch;
    this.cursors = new Array<number>(shards).fill(0);
    for (let shard = 0; shard < shards; shard++) this.forgetNumbers(shard);
  }

  /** Records one batch's changes; to be called in the order of positions, and again if a write is uncertain. */
  take(delta: Delta): void {
    const { shard, position } = delta;
    for (const event of delta.events) this.stated(shard, event, position);
    const reader = new RowDeltaReader(position);
    for (const book of delta.books) this.#takeBook(delta, book, reader);
    for (const no of delta.dropped) this.#drop(shard, no);
    for (const record of delta.results ?? []) {
      const hno = record.revision === 0 ? undefined : this.#hnoOf(record.eventId);
      if (hno !== undefined) this.#buffer.results.set(hno, record);
    }
    this.cursors[shard] = position;
  }

  /** The current fields of the event. */
  stated(shard: number, delta: EventDelta, position: number): void {
    const { no, id } = delta;
    const fields = fieldsOfDelta(shard, delta);
    const { events: numbers, starts } = this.#of(shard);
    starts.set(no, fields.startMs);
    const known = this.#hnoOf(id);
    if (known === undefined) {
      const event = blankEvent(this.#nextHno++, { ...fields, startSinceUs: position }, position);
      this.#loaded.add(event);
      this.#buffer.events.set(id, event.hno);
      numbers.set(no, event.hno);
      this.#mark(event);
      return;
    }
    numbers.set(no, known);
    const event = this.event(known)!;
    // When the log is read again, earlier states come first; it ends with the current one.
    if (isSameEvent(event, fields)) return;
    startChanges(event, fields.startMs, position);
    Object.assign(event, { calledOffMs: undefined }, fields);
    noteReopened(event, position);
    event.fieldsChanged = true;
    this.#mark(event);
  }

  /** Records an event's rows as of `atUs` if the log does not show their changes; one changed after `sinceUs` gets one then. */
  standing(shard: number, eventNo: number, rows: readonly StandingRow[], sinceUs: number, atUs: number): void {
    const event = this.#eventOf(shard, eventNo);
    if (event === undefined) return;
    const changed: { row: HistoryRow; price: Point }[] = [];
    // Changes are in order of time. After a loss of power a row may be as it was before its last one.
    const lastUs = event.page?.lastUs ?? 0;
    for (const { row, price, details } of rows) {
      const isNew =
        event.byId.get(row.id) !== undefined ? price.atUs > Math.max(sinceUs, lastUs) : price.atUs >= lastUs;
      const own = this.#addRow(event, row);
      noteDepth(event, own, details, atUs);
      if (isNew) changed.push({ row: own, price });
    }
    changed.sort((a, b) => a.price.atUs - b.price.atUs);
    for (const { row, price } of changed) this.#add(event, row, price);
  }

  /** Forgets what a shard's numbers mean, before all of it is read again. Rows that do not follow are gone. */
  forgetNumbers(shard: number): void {
    this.#numbers[shard] = new ShardNumbers();
  }

  /** Ends reading a shard again: rows that were in the table and did not follow are removed as of `atUs`. */
  retire(shard: number, atUs: number): void {
    const standing = new Set(this.#of(shard).events.values());
    for (const { hno, fields } of [...this.#store.events()]) {
      if (fields.shard !== shard || fields.no < 0) continue;
      const event = this.event(hno)!;
      for (const row of event.rows) {
        if (row.removedUs !== 0 || (row.no >= 0 && this.#of(shard).placeOf(hno, row.no) === row.place)) continue;
        this.#gone(event, row, atUs);
      }
      if (!standing.has(hno)) {
        event.no = -1;
        event.fieldsChanged = true;
      }
      this.#mark(event);
    }
  }

  /** Prepares what flush() writes, for about `forMs`; true if everything is prepared. */
  pack(forMs: number): boolean {
    const untilMs = monotonicMs() + forMs;
    for (const event of this.#changed) {
      if (this.#packed.has(event)) continue;
      if (monotonicMs() >= untilMs) return false;
      this.#packed.set(event, packEvent(event, this.#store));
    }
    return true;
  }

  /** Writes everything recorded; `behind` as the store's write(). */
  flush(behind = false): void {
    const moved = this.cursors.some((cursor, shard) => cursor !== this.#written[shard]);
    if (!moved && this.#changed.size === 0 && this.#buffer.isEmpty) return;
    const changes: HistoryChanges = {
      cursors: this.cursors,
      epoch: this.#epoch,
      gaps: this.gaps.list,
      events: [],
      rows: [],
      ...this.#buffer.changes(),
    };
    for (const event of this.#changed) {
      const { fields, rows, page } = this.#packed.get(event) ?? packEvent(event, this.#store);
      if (fields !== undefined) changes.events.push(fields);
      changes.rows.push(...rows);
      if (page !== undefined) changes.pages.push(page);
    }
    this.#store.write(changes, behind);
    this.#written = [...this.cursors];
    for (const event of this.#changed) {
      event.fieldsChanged = false;
      event.booksChanged.clear();
      event.pageChanged = false;
    }
    this.#changed.clear();
    this.#packed.clear();
    this.#buffer.clear();
    this.pending = 0;
    this.#loaded.letGo(Math.max(0, ...this.cursors));
  }

  /** What was told of a game's end: kept as long as the game, and what was predicted of it. */
  resultOf(eventId: string): ResultRecord | undefined {
    const hno = this.#hnoOf(eventId);
    if (hno === undefined) return undefined;
    const bytes = this.#buffer.results.has(hno) ? undefined : this.#store.result(hno);
    return bytes === undefined ? this.#buffer.results.get(hno) : (decode(bytes) as ResultRecord);
  }

  /** Events whose predictions must be written with the next flush, which packs them. */
  get predictions(): Map<number, () => Uint8Array> {
    return this.#buffer.predictions;
  }

  /** Releases events from memory that were only read. */
  forget(hno: number): void {
    if (!this.isChanging(hno)) this.#loaded.delete(hno);
  }

  /** Removes pages of an event; the last price before the close stays for each row. */
  dropPages(hno: number, pages: readonly number[]): void {
    const event = this.event(hno);
    for (const firstUs of pages) {
      if (event !== undefined) this.#keepLast(event, firstUs);
      this.#buffer.droppedPages.push({ hno, firstUs });
      if (event?.page?.firstUs === firstUs) event.page = null;
    }
  }

  /** Removes an event without pages. */
  dropEvent(hno: number): void {
    const event = this.event(hno);
    if (event === undefined) return;
    this.#changed.delete(event);
    this.#packed.delete(event);
    this.#loaded.delete(hno);
    this.#newest.forget(hno);
    this.#buffer.droppedEvents.push({ hno, id: event.id, rowIds: event.rows.map(({ id }) => id) });
  }

  /** Whether it is in memory and not written yet. */
  isChanging(hno: number): boolean {
    const event = this.#loaded.inMemory(hno);
    return event !== undefined && this.#changed.has(event);
  }

  #keepLast(event: HistoryEvent, firstUs: number): void {
    const bytes = this.#store.page(event.hno, firstUs);
    if (bytes !== undefined && keepLastPoints(event, bytes)) this.#mark(event);
  }

  /** Number of the event that has this id. */
  find(id: string): HistoryEvent | undefined {
    const hno = this.#hnoOf(id);
    return hno === undefined ? undefined : this.event(hno);
  }

  findByRow(oddsId: string): HistoryEvent | undefined {
    const hno = this.#buffer.rowIds.get(oddsId) ?? this.#store.eventOfRow(oddsId);
    return hno === undefined ? undefined : this.event(hno);
  }

  /**
   * Visits the event's changes from one instant to another (Unix µs, both inclusive); those of each row in order of
   * time. With `wanted` (by index, 0 is no) only those of the wanted rows.
   */
  changes(event: HistoryEvent, fromUs: number, toUs: number, visitor: ChangeVisitor, wanted?: Uint8Array): void {
    this.#visit(event, { fromUs, toUs, withRemovals: false }, visitor, wanted);
  }

  /** As changes(), and the removals of rows among them. */
  changesAndRemovals(
    event: HistoryEvent,
    fromUs: number,
    toUs: number,
    visitor: ChangeVisitor,
    wanted?: Uint8Array,
  ): void {
    this.#visit(event, { fromUs, toUs, withRemovals: true }, visitor, wanted);
  }

  #visit(event: HistoryEvent, which: Parameters<typeof visitChanges>[3], visitor: ChangeVisitor, wanted?: Uint8Array) {
    const pages = this.#store.pages(event.hno, which.fromUs, which.toUs);
    visitChanges(event, pages, this.#buffer.pages, which, visitor, wanted);
  }

  event(hno: number): HistoryEvent | undefined {
    const event = this.#loaded.get(hno);
    if (event !== undefined && this.#of(event.shard).unread.delete(hno))
      for (const row of event.rows) if (row.no >= 0 && row.removedUs === 0) this.#of(event.shard).place(hno, row);
    return event;
  }

  /** Without its rows, where they are not in memory. */
  fieldsOf(hno: number): EventFields | undefined {
    return this.#loaded.inMemory(hno) ?? this.#store.event(hno);
  }

  /** Numbers of the events, or of `only` these, that have changed at an instant (Unix µs) or after it, ascending. */
  changedSince(fromUs: number, only?: readonly number[]): number[] {
    return this.#newest.since(fromUs, only);
  }

  #takeBook(delta: Delta, [eventNo, book, , touches, removed, rows]: BookDelta, reader: RowDeltaReader): void {
    if (removed.length === 0 && rows.length === 0) {
      this.#seenAgain(delta, eventNo, book, touches);
      return;
    }
    const { shard, position } = delta;
    const event = this.#eventOf(shard, eventNo);
    if (event === undefined)
      throw new Error(`delta ${position} has rows of event ${eventNo}, of which history knows nothing`);
    event.usedUs = position;
    for (const no of removed) this.#remove(event, no, position);
    for (const changed of rows) {
      const read = reader.read(changed);
      const { no, identity } = read;
      const point = pointOf(read, event.live);
      const row =
        identity === null
          ? this.#rowOf(event, no)
          : this.#addRow(event, addedRow(identity, no, book, point, this.#loaded.intern));
      if (row === undefined) throw new Error(`delta ${position} changes row ${no}, of which history knows nothing`);
      if (!sameCommission(row.commission ?? null, read.commission ?? null)) {
        row.commission = read.commission;
        event.booksChanged.add(book);
      }
      noteRow(event, row, read.seenMs);
      if (read.rest !== null) noteDepth(event, row, read.rest.details, position);
      // Otherwise it was restated for another reason.
      if (read.changedUs === position) this.#add(event, row, point);
    }
    this.#noteSeen(event, book, touches);
  }

  /** Events that do not start soon need not be read for it. */
  #seenAgain({ shard, position }: Delta, eventNo: number, book: string, touches: readonly Touch[]): void {
    const startMs = this.#of(shard).starts.get(eventNo);
    if (startMs === undefined || !touches.some(([seenMs]) => isNearStart(startMs, seenMs))) return;
    const event = this.#eventOf(shard, eventNo);
    if (event === undefined) return;
    // Else it would be released with each write, and read again with the next poll.
    event.usedUs = position;
    this.#noteSeen(event, book, touches);
  }

  #noteSeen(event: HistoryEvent, book: string, touches: readonly Touch[]): void {
    noteSeen(event, book, touches, (no) => this.#rowOf(event, no));
    if (event.fieldsChanged || event.booksChanged.size > 0) this.#mark(event);
  }

  #add(event: HistoryEvent, row: HistoryRow, point: Point): void {
    const { atUs, american, decimal, line } = point;
    this.#keep(event, row, { atUs, american, decimal, line: line ?? Number.NaN, flags: flagsOf(point) });
    this.#newest.changed(event.hno, atUs);
  }

  #keep(event: HistoryEvent, row: HistoryRow, { atUs, american, decimal, line, flags }: Kept): void {
    let page = event.page;
    if (page !== null && !page.takes(atUs)) {
      this.#buffer.pages.push({
        hno: event.hno,
        firstUs: page.firstUs,
        bytes: this.#store.pageBytes(encodePage(page), true),
        page,
      });
      page = null;
    }
    if (page === null) {
      page = new Page();
      event.page = page;
    }
    page.add(row.place, atUs, american, decimal, line, flags);
    event.pageChanged = true;
    this.pending++;
    this.#mark(event);
  }

  /** A row that is present: new, back again, or read again. */
  #addRow(event: HistoryEvent, added: HistoryRow): HistoryRow {
    let row = event.byId.get(added.id);
    // An id may be another man's since two of one name are known: what it was before is the other's history.
    if (row === undefined || !isOfSamePlayer(row, added, event)) {
      row = event.byId.add(added);
      this.#buffer.rowIds.set(added.id, event.hno);
    } else {
      row.no = added.no;
      row.removedUs = 0;
      row.commission = added.commission;
      noteRow(event, row, added.seenMs);
    }
    this.#of(event.shard).place(event.hno, row);
    event.booksChanged.add(row.book);
    this.#mark(event);
    return row;
  }

  #remove(event: HistoryEvent, no: number, position: number): void {
    const row = this.#rowOf(event, no);
    if (row !== undefined) this.#gone(event, row, position);
  }

  #gone(event: HistoryEvent, row: HistoryRow, position: number): void {
    // After a loss of power the shard may be before what is recorded.
    const atUs = Math.max(position, event.page?.lastUs ?? 0);
    row.removedUs = atUs;
    row.no = -1;
    event.booksChanged.add(row.book);
    const flags = FLAG.removed + FLAG.inactive + (event.live ? FLAG.live : 0);
    this.#keep(event, row, { atUs, american: Number.NaN, decimal: Number.NaN, line: Number.NaN, flags });
  }

  #drop(shard: number, no: number): void {
    const event = this.#eventOf(shard, no);
    if (event === undefined) return;
    this.#of(shard).events.delete(no);
    this.#of(shard).starts.delete(no);
    event.no = -1;
    event.fieldsChanged = true;
    this.#mark(event);
  }

  #rowOf(event: HistoryEvent, no: number): HistoryRow | undefined {
    const place = this.#of(event.shard).placeOf(event.hno, no);
    return place === undefined ? undefined : event.rows[place];
  }

  #of(shard: number): ShardNumbers {
    this.#numbers[shard] ??= new ShardNumbers();
    return this.#numbers[shard];
  }

  #eventOf(shard: number, no: number): HistoryEvent | undefined {
    const hno = this.#of(shard).events.get(no);
    return hno === undefined ? undefined : this.event(hno);
  }

  #hnoOf(id: string): number | undefined {
    return this.#buffer.events.get(id) ?? this.#store.eventOf(id);
  }

  #mark(event: HistoryEvent): void {
    this.#changed.add(event);
    this.#packed.delete(event);
  }
}

/** A row as its table has it. */
export interface StandingRow {
  row: HistoryRow;
  price: Point;
  details: RowDetails;
}

/** A change as a page has it. */
interface Kept {
  atUs: number;
  american: number;
  decimal: number;
  /** NaN if there is none. */
  line: number;
  flags: number;
}

const START_NUMBERS = 1_024;

/** The meaning of the numbers in a shard's log: event and row numbers are reused once they are free. */
class ShardNumbers {
  /** By number: when the event starts (Unix ms). */
  readonly starts = new Map<number, number>();
  /** By number: the event's number in history. */
  readonly events = new Map<number, number>();
  /** Events of which these are as stored: read with their rows, as most are of none that changes soon. */
  readonly unread = new Set<number>();
  /** By row number: its event's number in history, and its index in the event. */
  #rowEvents = new Uint32Array(START_NUMBERS);
  #rowPlaces = new Uint32Array(START_NUMBERS);

  place(hno: number, { no, place }: HistoryRow): void {
    this.#rowEvents = withPlace(this.#rowEvents, no);
    this.#rowPlaces = withPlace(this.#rowPlaces, no);
    this.#rowEvents[no] = hno;
    this.#rowPlaces[no] = place;
  }

  /** Index of the event's row of that number; undefined if it is not one of its rows. */
  placeOf(hno: number, no: number): number | undefined {
    return this.#rowEvents[no] === hno ? this.#rowPlaces[no] : undefined;
  }
}

// Intervals of the shards' logs that were cut before history had read them.

/** Maximum number of gaps; beyond it a further one is merged with the oldest. */
const GAPS_MAX = LIMITS.historyGaps.max;

class Gaps {
  list: Gap[] = [];

  add(gap: Gap): void {
    this.list.push(gap);
    if (this.list.length <= GAPS_MAX) return;
    const [first, second] = this.list.splice(0, 2) as [Gap, Gap];
    this.list.unshift({
      shard: first.shard === second.shard ? first.shard : ANY_SHARD,
      fromUs: Math.min(first.fromUs, second.fromUs),
      toUs: Math.max(first.toUs, second.toUs),
    });
  }

  /** Gaps that may concern an event of the shard in that time (Unix µs). */
  within(shard: number, fromUs: number, toUs: number): Gap[] {
    return this.list.filter(
      (gap) => (gap.shard === shard || gap.shard === ANY_SHARD) && gap.toUs > fromUs && gap.fromUs < toUs,
    );
  }
}

function isOfSamePlayer(a: HistoryRow, b: HistoryRow, { namesakes }: HistoryEvent): boolean {
  if (namesakes === undefined || a.player === null || b.player === null) return true;
  return playerKey(a.player, namesakes) === playerKey(b.player, namesakes);
}
