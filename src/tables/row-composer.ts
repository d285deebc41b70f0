// The rows' JSON, composed from the table's columns where it is served: of a row only the numbers of two pieces are kept,
// which other rows share.
import { BytePool } from '../base/memory/byte-pool.js';
import { grown } from '../base/memory/grown.js';
import {
  type BookHead,
  encodeBookHead,
  encodeEventHead,
  encodeEventRest,
  encodeOutcomeHead,
  encodeOwnRest,
  encodeSeen,
  HEAD_OPEN,
  SEEN_LENGTH,
} from '../base/model/row-json.js';
import type { Columns } from './columns.js';
import type { TableEvent } from './events.js';
import { ID_LENGTH } from './id-column.js';
import { PRICE_LENGTH_MAX, PriceWriter } from './price-writer.js';
import type { Registry } from './registry.js';
import { type RowColumns, readPrice, readRest, readRow } from './row-columns.js';

const NONE = 0;
const SEEN_CACHED = 64;
const NOTHING: Buffer = Buffer.alloc(0);

/** The source of a row's JSON: the table. */
export interface RowSource extends RowColumns {
  readonly books: Registry;
  eventOf(slot: number): TableEvent;
  bookHead(book: string): BookHead;
}

/** The `seen` part of a time, followed by the rest of an event. */
interface Seen {
  ms: number;
  rest: Buffer;
  bytes: Buffer;
}

export class RowComposer {
  readonly #table: RowSource;
  readonly #pool = new BytePool();
  readonly #prices = new PriceWriter();
  /** By slot: the head from the event on; NONE until the row is needed. */
  #head = new Uint32Array(0);
  /** By slot: the rest from the link on; NONE until the row is needed, and after it was restated. */
  #rest = new Uint32Array(0);
  /** By book: the beginning of its rows, in which the id is written over. */
  readonly #bookHeads: Buffer[] = [];
  /** Slots whose pieces were made last: a head, and by book a rest. */
  #lastHead = NONE;
  readonly #lastRests: number[] = [];
  #event: TableEvent | undefined;
  #eventHead = '';
  #eventRest = NOTHING;
  #eventRestOf = { startMs: Number.NaN, status: '' };
  /** By time: the books of an event were polled at only a few times. */
  readonly #seen: Seen[] = Array.from({ length: SEEN_CACHED }, () => ({
    ms: Number.NaN,
    rest: NOTHING,
    bytes: NOTHING,
  }));
  #scratch = Buffer.alloc(4_096);

  constructor(table: RowSource) {
    this.#table = table;
  }

  /** In use for shared pieces. */
  get bytes(): number {
    return this.#pool.bytes;
  }

  /** Bytes that copyRow() writes at most: to know how many it does costs as much as to write them. */
  lengthMax(slot: number): number {
    this.#eventOf(slot);
    const pieces = this.#bookHead(slot).length + this.#pool.length(this.#headOf(slot)) + this.#eventRest.length;
    return pieces + PRICE_LENGTH_MAX + SEEN_LENGTH + this.#pool.length(this.#restOf(slot));
  }

  /** Length of the whole row's JSON. */
  length(slot: number): number {
    const { columns: c } = this.#table;
    const event = this.#eventOf(slot);
    const row = readPrice(c, slot);
    return (
      this.#bookHead(slot).length +
      this.#pool.length(this.#headOf(slot)) +
      this.#prices.length(row, event.live) +
      SEEN_LENGTH +
      this.#eventRest.length +
      this.#pool.length(this.#restOf(slot))
    );
  }

  /** Copies the whole row's JSON to `target` and returns its end offset. */
  copyRow(slot: number, target: Buffer, at: number): number {
    const event = this.#eventOf(slot);
    const row = readPrice(this.#table.columns, slot);
    let end = this.#copyHead(slot, target, at);
    end = this.#prices.write(row, event.live, target, end);
    const seen = this.#seenOf(slot);
    target.set(seen, end);
    return this.#pool.copy(this.#restOf(slot), target, end + seen.length);
  }

  /** Bytes that copyDelta() writes. */
  deltaLength(slot: number): number {
    return this.#prices.length(readPrice(this.#table.columns, slot), this.#table.eventOf(slot).live);
  }

  /** Copies the body of the row's stream delta (from "odds_american" to "odds_changed_at"), and returns its end offset. */
  copyDelta(slot: number, target: Buffer, at: number): number {
    return this.#prices.writeDelta(readPrice(this.#table.columns, slot), this.#table.eventOf(slot).live, target, at);
  }

  text(slot: number): string {
    const bytes = Buffer.allocUnsafe(this.length(slot));
    return bytes.toString('utf8', 0, this.copyRow(slot, bytes, 0));
  }

  /** A new row, whose columns are set. */
  add(slot: number): void {
    if (slot < this.#rest.length) return;
    const { capacity } = this.#table.columns;
    this.#head = grown(this.#head, capacity);
    this.#rest = grown(this.#rest, capacity);
  }

  /** Its link or its details changed. */
  restated(slot: number): void {
    this.#pool.giveBack(this.#rest[slot]!);
    this.#rest[slot] = NONE;
  }

  remove(slot: number): void {
    this.#pool.giveBack(this.#head[slot]!);
    this.#head[slot] = NONE;
    this.restated(slot);
  }

  /** The event's own pieces are valid until the next call. */
  #eventOf(slot: number): TableEvent {
    const event = this.#table.eventOf(slot);
    if (event !== this.#event) {
      this.#event = event;
      this.#eventHead = '';
      this.#eventRestOf.status = '';
    }
    const of = this.#eventRestOf;
    if (of.status !== event.status || of.startMs !== event.startMs) {
      of.status = event.status;
      of.startMs = event.startMs;
      this.#eventRest = Buffer.from(encodeEventRest(event));
    }
    return event;
  }

  #bookHead(slot: number): Buffer {
    const { columns, books } = this.#table;
    const no = columns.book[slot]!;
    let head = this.#bookHeads[no];
    if (head === undefined) {
      const id = books.name(no);
      head = Buffer.from(`${HEAD_OPEN}${'0'.repeat(ID_LENGTH)}"${encodeBookHead(this.#table.bookHead(id))}`);
      this.#bookHeads[no] = head;
    }
    return head;
  }

  #headOf(slot: number): number {
    const known = this.#head[slot]!;
    if (known !== NONE) return known;
    // In serving order the books' rows of one selection follow each other.
    const last = this.#lastHead;
    const no =
      this.#head[last] !== NONE && sameOutcome(this.#table.columns, slot, last)
        ? this.#pool.again(this.#head[last]!)
        : this.#take(this.#headText(slot));
    this.#head[slot] = no;
    this.#lastHead = slot;
    return no;
  }

  #headText(slot: number): string {
    const event = this.#eventOf(slot);
    if (this.#eventHead === '') this.#eventHead = encodeEventHead(event);
    return encodeOutcomeHead(readRow(this.#table, slot), event, this.#eventHead);
  }

  #restOf(slot: number): number {
    const known = this.#rest[slot]!;
    if (known !== NONE) return known;
    const { columns } = this.#table;
    // Most rows have nothing but a link, which all rows of a book and event may share.
    const book = columns.book[slot]!;
    const last = this.#lastRests[book] ?? NONE;
    const no =
      this.#rest[last] !== NONE && sameRest(columns, slot, last)
        ? this.#pool.again(this.#rest[last]!)
        : this.#take(restText(columns, slot));
    this.#rest[slot] = no;
    this.#lastRests[book] = slot;
    return no;
  }

  #seenOf(slot: number): Buffer {
    const ms = this.#table.columns.seenMs[slot]!;
    const seen = this.#seen[Math.floor(ms) % SEEN_CACHED]!;
    if (seen.ms !== ms || seen.rest !== this.#eventRest) {
      const length = SEEN_LENGTH + this.#eventRest.length;
      if (seen.bytes.length !== length) seen.bytes = Buffer.alloc(length);
      seen.bytes.write(encodeSeen(ms), 0, 'latin1');
      seen.bytes.set(this.#eventRest, SEEN_LENGTH);
      seen.ms = ms;
      seen.rest = this.#eventRest;
    }
    return seen.bytes;
  }

  #copyHead(slot: number, target: Buffer, at: number): number {
    const head = this.#bookHead(slot);
    target.set(head, at);
    this.#table.columns.id.write(slot, target, at + HEAD_OPEN.length);
    return this.#pool.copy(this.#headOf(slot), target, at + head.length);
  }

  #take(text: string): number {
    if (text.length * 3 > this.#scratch.length) this.#scratch = Buffer.alloc(text.length * 4);
    return this.#pool.take(this.#scratch, 0, this.#scratch.write(text));
  }
}

function sameOutcome(c: Columns, a: number, b: number): boolean {
  return (
    c.event[a] === c.event[b] &&
    c.market[a] === c.market[b] &&
    c.flags[a] === c.flags[b] &&
    c.selection.same(a, b) &&
    c.selectionType.same(a, b) &&
    c.player.same(a, b) &&
    c.stat.same(a, b) &&
    c.team.same(a, b)
  );
}

function sameRest({ link, details, eventId, marketId, selectionId }: Columns, a: number, b: number): boolean {
  const sameIds = eventId.same(a, b) && marketId.same(a, b) && selectionId.same(a, b);
  return sameIds && link.same(a, b) && details.get(a) === details.get(b);
}

function restText(columns: Columns, slot: number): string {
  const { link, details, ids } = readRest(columns, slot);
  return encodeOwnRest(details, link, ids);
}
