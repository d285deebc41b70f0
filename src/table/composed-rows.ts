// Rows whose JSON is composed from the table's columns on demand: per row only the numbers of two shared pieces are
// stored. For one process among several that each have a table, and that caches its answers.
import type { Arena } from '../memory/arena.js';
import { BytePool } from '../memory/byte-pool.js';
import { grown } from '../memory/grown.js';
import type { EncodedRow, PartLengths } from '../model/row.js';
import {
  encodeBookHead,
  encodeEventHead,
  encodeEventRest,
  encodeOutcomeHead,
  encodeOwnRest,
  encodeSeen,
  HEAD_OPEN,
  ownRestAt,
  SEEN_LENGTH,
} from '../model/row-json.js';
import type { TableEvent } from './events.js';
import { ID_LENGTH } from './id-column.js';
import type { RowSource } from './lazy-rows.js';
import { copyShort, PriceWriter } from './price-writer.js';
import { readPrice, readRow } from './row-columns.js';
import { type RowRest, restIn, type ServedRows, sameRest } from './served-rows.js';

const OPEN = Buffer.from(HEAD_OPEN);
const QUOTE = 0x22;
/** The part of a head before the book's. */
const ID_END = OPEN.length + ID_LENGTH + 1;
const NONE = 0;
const SEEN_CACHED = 64;
const NOTHING: Buffer = Buffer.alloc(0);

/** The `seen` part of a time, followed by the rest of an event. */
interface Seen {
  ms: number;
  rest: Buffer;
  bytes: Buffer;
}

export class ComposedRows implements ServedRows {
  readonly #table: RowSource;
  readonly #pool = new BytePool();
  readonly #prices = new PriceWriter();
  /** By slot: the head from the event on; NONE until the row is needed. */
  #head = new Uint32Array(0);
  /** By slot: the rest from the link on. */
  #rest = new Uint32Array(0);
  readonly #bookHeads: Buffer[] = [];
  /** The last rest added: rows of a book and event often share it. */
  #lastRest: RowRest | undefined;
  #lastRestNo = NONE;
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

  get bytes(): number {
    return this.#pool.bytes;
  }

  length(slot: number): number {
    const { columns: c } = this.#table;
    const event = this.#eventOf(slot);
    const row = readPrice(c, slot);
    return (
      ID_END +
      this.#bookHead(slot).length +
      this.#pool.length(this.#headOf(slot)) +
      this.#prices.length(row, event.live) +
      SEEN_LENGTH +
      this.#eventRest.length +
      this.#pool.length(this.#rest[slot]!)
    );
  }

  copyRow(slot: number, target: Buffer, at: number): number {
    const event = this.#eventOf(slot);
    const row = readPrice(this.#table.columns, slot);
    let end = this.#copyHead(slot, target, at);
    end = this.#prices.writeDelta(row, event.live, target, end);
    end = this.#prices.writeProbability(row, target, end);
    const seen = this.#seenOf(slot);
    target.set(seen, end);
    return this.#pool.copy(this.#rest[slot]!, target, end + seen.length);
  }

  deltaLength(slot: number): number {
    return this.#prices.length(readPrice(this.#table.columns, slot), this.#table.eventOf(slot).live);
  }

  copyDelta(slot: number, target: Buffer, at: number): number {
    return this.#prices.writeDelta(readPrice(this.#table.columns, slot), this.#table.eventOf(slot).live, target, at);
  }

  parts(slot: number, arena: Arena): { parts: Buffer; lengths: PartLengths } {
    const event = this.#eventOf(slot);
    const row = readPrice(this.#table.columns, slot);
    const own = this.#rest[slot]!;
    const front = ID_END + this.#bookHead(slot).length + this.#pool.length(this.#headOf(slot));
    const price = this.#prices.length(row, event.live);
    const rest = this.#eventRest.length + this.#pool.length(own);
    const parts = arena.take(front + price + rest);
    const head = this.#copyHead(slot, parts, 0);
    const deltaEnd = this.#prices.writeDelta(row, event.live, parts, head);
    const end = this.#prices.writeProbability(row, parts, deltaEnd);
    parts.set(this.#eventRest, end);
    this.#pool.copy(own, parts, end + this.#eventRest.length);
    return { parts, lengths: { head, price, delta: deltaEnd - head, rest } };
  }

  text(slot: number): string {
    const bytes = Buffer.allocUnsafe(this.length(slot));
    return bytes.toString('utf8', 0, this.copyRow(slot, bytes, 0));
  }

  rest(slot: number): RowRest {
    return restIn(this.#pool.text(this.#rest[slot]!));
  }

  add(slot: number, { source, at, lengths }: EncodedRow): void {
    this.#reserve(slot);
    const from = at + lengths.head + lengths.price;
    this.#rest[slot] = this.#pool.take(source, ownRestAt(source, from), from + lengths.rest);
  }

  addLater(slot: number, rest: RowRest): void {
    this.#reserve(slot);
    const last = this.#lastRest;
    if (last === undefined || !sameRest(last, rest)) {
      this.#pool.giveBack(this.#lastRestNo);
      this.#lastRest = { link: rest.link, details: rest.details, ids: rest.ids };
      this.#lastRestNo = this.#take(encodeOwnRest(rest.details, rest.link, rest.ids));
    }
    this.#rest[slot] = this.#pool.again(this.#lastRestNo);
  }

  update(slot: number, { source, at, lengths }: EncodedRow): void {
    if (lengths.rest === 0) return;
    const before = this.#rest[slot]!;
    const from = at + lengths.price;
    this.#rest[slot] = this.#pool.take(source, ownRestAt(source, from), from + lengths.rest);
    this.#pool.giveBack(before);
  }

  makeSome(): boolean {
    return false;
  }

  touch(): void {
    // The column is what a row shows.
  }

  remove(slot: number): void {
    this.#pool.giveBack(this.#head[slot]!);
    this.#pool.giveBack(this.#rest[slot]!);
    this.#head[slot] = NONE;
    this.#rest[slot] = NONE;
  }

  /** Its own rest is valid until the next call. */
  #eventOf(slot: number): TableEvent {
    const event = this.#table.eventOf(slot);
    if (event !== this.#event) {
      this.#event = event;
      this.#eventHead = encodeEventHead(event);
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
      head = Buffer.from(encodeBookHead(this.#table.bookHead(id)));
      this.#bookHeads[no] = head;
    }
    return head;
  }

  #headOf(slot: number): number {
    const known = this.#head[slot]!;
    if (known !== NONE) return known;
    const text = encodeOutcomeHead(readRow(this.#table, slot), this.#eventOf(slot), this.#eventHead);
    const no = this.#take(text);
    this.#head[slot] = no;
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
    let end = this.#table.columns.id.write(slot, target, copyShort(OPEN, target, at));
    target[end++] = QUOTE;
    end = copyShort(this.#bookHead(slot), target, end);
    return this.#pool.copy(this.#headOf(slot), target, end);
  }

  #take(text: string): number {
    if (text.length * 3 > this.#scratch.length) this.#scratch = Buffer.alloc(text.length * 4);
    return this.#pool.take(this.#scratch, 0, this.#scratch.write(text));
  }

  #reserve(slot: number): void {
    if (slot < this.#rest.length) return;
    const { capacity } = this.#table.columns;
    this.#head = grown(this.#head, capacity);
    this.#rest = grown(this.#rest, capacity);
  }
}
