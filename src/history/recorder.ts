// Takes the change log in, delta by delta, and keeps of it what prices did: each change of a row goes to the page of its
// event. Nothing of it is lost where the program dies, as long as the log still has what was not written yet.

import type { BookDelta, Delta, EventDelta } from '../delta/delta.js';
import { Interner } from '../memory/interner.js';
import { RowDeltaReader } from '../model/row-delta.js';
import { ownText } from '../wire/own-text.js';
import { addedRow, pointOf } from './delta-rows.js';
import { type EventFields, type HistoryEvent, type HistoryRow, type Point, unpackRows } from './event-record.js';
import { blankEvent, fieldsOf, packBooks, sameFields } from './held-event.js';
import { type ChangeVisitor, decodePage, encodePage, FLAG, Page, readPage } from './page.js';
import type { Gap, HistoryChanges, HistoryStore } from './port.js';
import { ShardNumbers } from './shard-numbers.js';

const DAY_US = 86_400e6;
/** A page of so many changes is full. */
const PAGE_CHANGES = 2_048;
/** Events in memory hold at most about so many rows; those untouched for longest go first. */
const LOADED_ROWS_MAX = 600_000;
const IDLE_US = 600e6;
/** Of what the log told of last; further ones are told as one with the oldest. */
const GAPS_MAX = 100;

export class Recorder {
  readonly #store: HistoryStore;
  readonly #texts = new Interner();
  /** Texts of a delta are parts of one that is as long as all of them: what is kept is a copy. */
  readonly #intern = (text: string): string => this.#texts.intern(ownText(text));
  readonly #loaded = new Map<number, HistoryEvent>();
  /** By shard. */
  readonly #numbers: ShardNumbers[] = [];
  readonly #changed = new Set<HistoryEvent>();
  /** Not written yet: events by id, rows by odds id. */
  readonly #newEvents = new Map<string, number>();
  readonly #newIds = new Map<string, number>();
  /** Not written yet. */
  #fullPages: { hno: number; firstUs: number; bytes: Uint8Array }[] = [];
  #nextHno = 1;
  #gaps: Gap[] = [];
  #epoch = '';
  /** Of each shard: everything up to there has been taken in. */
  cursors: number[] = [];
  /** Changes taken in since the last flush. */
  pending = 0;
  /** Changes taken in since the start. */
  taken = 0;

  constructor(store: HistoryStore) {
    this.#store = store;
  }

  get epoch(): string {
    return this.#epoch;
  }

  get gaps(): readonly Gap[] {
    return this.#gaps;
  }

  /** Reads what is stored; false where nothing ever was. */
  load(): boolean {
    const state = this.#store.state();
    if (state === undefined) return false;
    this.cursors = [...state.cursors];
    this.#epoch = state.epoch;
    this.#gaps = [...state.gaps];
    for (const { hno, fields } of this.#store.events()) {
      this.#nextHno = Math.max(this.#nextHno, hno + 1);
      if (fields.no < 0) continue;
      this.#of(fields.shard).events.set(fields.no, hno);
      for (const { book, bytes } of this.#store.rows(hno))
        for (const row of unpackRows(bytes, book, (text) => text))
          if (row.no >= 0 && row.removedUs === 0) this.#of(fields.shard).place(hno, row);
    }
    return true;
  }

  /** Begins with an empty or another data directory: what is kept stays, what the shards' numbers mean is told anew. */
  begin(epoch: string, shards: number): void {
    this.#epoch = epoch;
    this.cursors = new Array<number>(shards).fill(0);
    for (let shard = 0; shard < shards; shard++) this.forgetNumbers(shard);
  }

  /** Takes in what one batch changed; to be told in the order of positions, again where that is not certain. */
  take(delta: Delta): void {
    const { shard, position } = delta;
    for (const event of delta.events) this.stated(shard, event, position);
    const reader = new RowDeltaReader(position, delta.blob);
    for (const book of delta.books) this.#takeBook(delta, book, reader);
    for (const no of delta.dropped) this.#drop(shard, no);
    this.cursors[shard] = position;
  }

  /** What is known of the event now. */
  stated(shard: number, told: EventDelta, position: number): void {
    const { no, id, sport, league, home, away, startMs, status, live, liveSince = {} } = told;
    const fields: EventFields = { id, sport, league, home, away, startMs, status, live, liveSince, shard, no };
    const { events: numbers } = this.#of(shard);
    const known = this.#hnoOf(id);
    if (known === undefined) {
      const event = blankEvent(this.#nextHno++, fields, position);
      this.#loaded.set(event.hno, event);
      this.#newEvents.set(id, event.hno);
      numbers.set(no, event.hno);
      this.#mark(event);
      return;
    }
    numbers.set(no, known);
    const event = this.event(known)!;
    // Read again, the log tells of an earlier state first; it ends with the one that stands.
    if (sameFields(event, fields)) return;
    Object.assign(event, fields);
    event.fieldsChanged = true;
    this.#mark(event);
  }

  /**
   * All rows of an event as they stand, where the log does not tell how they came to be so. One that changed after
   * `sinceUs` has a change then.
   */
  standing(shard: number, eventNo: number, rows: readonly { row: HistoryRow; price: Point }[], sinceUs: number): void {
    const event = this.#eventOf(shard, eventNo);
    if (event === undefined) return;
    const changed: { row: HistoryRow; price: Point }[] = [];
    for (const { row, price } of rows) {
      const known = event.byId.has(row.id);
      const held = this.#addRow(event, row);
      if (known ? price.atUs > sinceUs : price.atUs >= (event.page?.lastUs ?? 0)) changed.push({ row: held, price });
    }
    changed.sort((a, b) => a.price.atUs - b.price.atUs);
    for (const { row, price } of changed) this.#add(event, row, price);
  }

  /** Of a shard: what its numbers mean is no longer known, before all of it is told anew. Rows not told then are gone. */
  forgetNumbers(shard: number): void {
    this.#numbers[shard] = new ShardNumbers();
  }

  /** Ends telling a shard anew: rows that stood and were not told are taken down as of `atUs`. */
  retire(shard: number, atUs: number): void {
    const standing = new Set(this.#of(shard).events.values());
    for (const { hno, fields } of [...this.#store.events()]) {
      if (fields.shard !== shard || fields.no < 0) continue;
      const event = this.event(hno)!;
      for (const row of event.rows) {
        if (row.removedUs !== 0 || (row.no >= 0 && this.#of(shard).placeOf(hno, row.no) === row.place)) continue;
        row.removedUs = atUs;
        row.no = -1;
        event.booksChanged.add(row.book);
      }
      if (!standing.has(hno)) {
        event.no = -1;
        event.fieldsChanged = true;
      }
      this.#mark(event);
    }
  }

  /** Tells of a stretch of a shard's log that could not be read. */
  addGap(gap: Gap): void {
    this.#gaps.push(gap);
    if (this.#gaps.length <= GAPS_MAX) return;
    const [first, second] = this.#gaps.splice(0, 2) as [Gap, Gap];
    for (const shard of new Set([first.shard, second.shard]))
      this.#gaps.unshift({
        shard,
        fromUs: Math.min(first.fromUs, second.fromUs),
        toUs: Math.max(first.toUs, second.toUs),
      });
  }

  /** Writes everything taken in. */
  flush(): void {
    const changes: HistoryChanges = {
      cursors: this.cursors,
      epoch: this.#epoch,
      gaps: this.#gaps,
      events: [],
      rows: [],
      pages: this.#fullPages,
      ids: [...this.#newIds].map(([id, hno]) => ({ id, hno })),
    };
    for (const event of this.#changed) {
      const { hno, page } = event;
      if (event.fieldsChanged) changes.events.push({ hno, fields: fieldsOf(event) });
      if (event.booksChanged.size > 0) changes.rows.push(...packBooks(event));
      if (event.pageChanged && page !== null)
        changes.pages.push({ hno, firstUs: page.firstUs, bytes: Buffer.from(encodePage(page)) });
    }
    this.#store.write(changes);
    for (const event of this.#changed) {
      event.fieldsChanged = false;
      event.booksChanged.clear();
      event.pageChanged = false;
    }
    this.#changed.clear();
    this.#newEvents.clear();
    this.#newIds.clear();
    this.#fullPages = [];
    this.pending = 0;
    this.#letGo();
  }

  /** Number of the event that has this id. */
  find(id: string): HistoryEvent | undefined {
    const hno = this.#hnoOf(id);
    return hno === undefined ? undefined : this.event(hno);
  }

  findByRow(oddsId: string): HistoryEvent | undefined {
    const hno = this.#newIds.get(oddsId) ?? this.#store.eventOfRow(oddsId);
    return hno === undefined ? undefined : this.event(hno);
  }

  /** Tells the event's changes from one instant to another (Unix µs, both included); of each row in the order of time. */
  changes(event: HistoryEvent, fromUs: number, toUs: number, visitor: ChangeVisitor): void {
    const within: ChangeVisitor = (row, atUs, american, decimal, line, flags) => {
      if (atUs >= fromUs && atUs <= toUs) visitor(row, atUs, american, decimal, line, flags);
    };
    const open = event.page;
    for (const { firstUs, bytes } of this.#store.pages(event.hno, fromUs, toUs))
      if (
        firstUs !== open?.firstUs &&
        !this.#fullPages.some((page) => page.hno === event.hno && page.firstUs === firstUs)
      )
        decodePage(bytes, within);
    for (const { hno, bytes } of this.#fullPages) if (hno === event.hno) decodePage(bytes, within);
    open?.visit(within);
  }

  /** The event, read from the store where it is not in memory. */
  event(hno: number): HistoryEvent | undefined {
    const loaded = this.#loaded.get(hno);
    if (loaded !== undefined) return loaded;
    const fields = this.#store.event(hno);
    if (fields === undefined) return undefined;
    const event = blankEvent(hno, fields, 0);
    event.fieldsChanged = false;
    for (const { book, bytes } of this.#store.rows(hno))
      for (const row of unpackRows(bytes, this.#intern(book), this.#intern)) {
        event.rows[row.place] = row;
        event.byId.set(row.id, row);
      }
    const last = this.#store.lastPage(hno);
    if (last !== undefined) event.page = readPage(last.bytes);
    this.#loaded.set(hno, event);
    return event;
  }

  #takeBook(delta: Delta, [eventNo, book, , , removed, rows]: BookDelta, reader: RowDeltaReader): void {
    if (removed.length === 0 && rows.length === 0) return;
    const { shard, position } = delta;
    const event = this.#eventOf(shard, eventNo);
    if (event === undefined)
      throw new Error(`delta ${position} has rows of event ${eventNo}, of which history knows nothing`);
    event.usedUs = position;
    for (const no of removed) this.#remove(event, no, position);
    for (const changed of rows) {
      const told = reader.read(changed);
      const { no, identity } = told;
      const point = pointOf(told, event.live);
      const row =
        identity === null
          ? this.#rowOf(event, no)
          : this.#addRow(event, addedRow(identity, no, book, point, this.#intern));
      if (row === undefined) throw new Error(`delta ${position} changes row ${no}, of which history knows nothing`);
      // Else it is said anew for another reason.
      if (told.changedUs === position) this.#add(event, row, point);
    }
  }

  #add(event: HistoryEvent, row: HistoryRow, { atUs, american, decimal, line, live, active }: Point): void {
    let page = event.page;
    if (page !== null && (page.count >= PAGE_CHANGES || dayOf(page.firstUs) !== dayOf(atUs)) && page.lastUs !== atUs) {
      if (event.pageChanged)
        this.#fullPages.push({ hno: event.hno, firstUs: page.firstUs, bytes: Buffer.from(encodePage(page)) });
      page = null;
    }
    if (page === null) {
      page = new Page();
      event.page = page;
    }
    page.add(
      row.place,
      atUs,
      american,
      decimal,
      line ?? Number.NaN,
      (live ? FLAG.live : 0) + (active ? 0 : FLAG.inactive),
    );
    event.pageChanged = true;
    this.pending++;
    this.taken++;
    this.#mark(event);
  }

  /** A row that is there: new, back again, or told anew. */
  #addRow(event: HistoryEvent, told: HistoryRow): HistoryRow {
    let row = event.byId.get(told.id);
    if (row === undefined) {
      row = { ...told, place: event.rows.length };
      event.rows.push(row);
      event.byId.set(row.id, row);
      this.#newIds.set(row.id, event.hno);
    } else {
      row.no = told.no;
      row.removedUs = 0;
    }
    this.#of(event.shard).place(event.hno, row);
    event.booksChanged.add(row.book);
    this.#mark(event);
    return row;
  }

  #remove(event: HistoryEvent, no: number, position: number): void {
    const row = this.#rowOf(event, no);
    if (row === undefined) return;
    row.removedUs = position;
    row.no = -1;
    event.booksChanged.add(row.book);
    this.#mark(event);
  }

  #drop(shard: number, no: number): void {
    const event = this.#eventOf(shard, no);
    if (event === undefined) return;
    this.#of(shard).events.delete(no);
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
    return this.#newEvents.get(id) ?? this.#store.eventOf(id);
  }

  #mark(event: HistoryEvent): void {
    this.#changed.add(event);
  }

  /** Has memory hold what is in use, not all there ever was. */
  #letGo(): void {
    let rows = 0;
    for (const event of this.#loaded.values()) rows += event.rows.length;
    const nowUs = Math.max(0, ...this.cursors);
    const longest = [...this.#loaded.values()].sort((a, b) => a.usedUs - b.usedUs);
    for (const event of longest) {
      if (rows <= LOADED_ROWS_MAX && event.usedUs > nowUs - IDLE_US) return;
      this.#loaded.delete(event.hno);
      rows -= event.rows.length;
    }
  }
}

function dayOf(us: number): number {
  return Math.floor(us / DAY_US);
}
