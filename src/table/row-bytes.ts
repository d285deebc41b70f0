// The rows' JSON, kept ready to be copied into answers: head, price, seen and rest side by side in large chunks.
// A row gets a little spare room, so that a price that grows by a digit is still written in place.

import type { Arena } from '../memory/arena.js';
import type { EncodedRow, PartLengths } from '../model/row.js';
import { encodeSeen, SEEN_LENGTH } from '../model/row-json.js';
import type { Columns } from './columns.js';

const CHUNK_BYTES = 8 * 1024 * 1024;
const ROOM_STEP = 32;
const SPARE_BYTES = 12;

/** A row's JSON without its last_seen_at; price and probability are plain ASCII. */
export interface RowText {
  head: string;
  price: string;
  probability: string;
  rest: string;
}

/** Rows that are in the table but not yet here. */
export interface LaterRows {
  take(slot: number): RowText;
  drop(slot: number): void;
}

/** Room of a row that is made later. */
const NO_ROOM = 0;

export class RowBytes {
  readonly #columns: Columns;
  readonly #later: LaterRows;
  readonly #chunks: Buffer[] = [];
  #used = CHUNK_BYTES;
  /** Freed places by size class (room / ROOM_STEP). */
  readonly #free: number[][] = [];
  #seenMs = -1;
  #seenTextMs = -1;
  #seenText = '';
  /** The whole `seen` part of the time written last: a poll shows many rows at one time. */
  readonly #seen = Buffer.alloc(SEEN_LENGTH);

  constructor(columns: Columns, later: LaterRows) {
    this.#columns = columns;
    this.#later = later;
  }

  /** Bytes held, spare room included. */
  get bytes(): number {
    return this.#chunks.length * CHUNK_BYTES;
  }

  length(slot: number): number {
    const c = this.#columns;
    if (c.room[slot] === NO_ROOM) this.make(slot);
    return c.headLength[slot]! + c.priceLength[slot]! + SEEN_LENGTH + c.restLength[slot]!;
  }

  /** Copies the whole row's JSON to `target` and returns where it ends. */
  copyRow(slot: number, target: Buffer, at: number): number {
    const c = this.#columns;
    if (c.room[slot] === NO_ROOM) this.make(slot);
    const from = c.offset[slot]!;
    const end = from + c.headLength[slot]! + c.priceLength[slot]! + SEEN_LENGTH + c.restLength[slot]!;
    return at + this.#chunks[c.chunk[slot]!]!.copy(target, at, from, end);
  }

  /** Copies the body of the row's stream delta (from "odds_american" to "odds_changed_at"). */
  copyDelta(slot: number, target: Buffer, at: number): number {
    const c = this.#columns;
    if (c.room[slot] === NO_ROOM) this.make(slot);
    const from = c.offset[slot]! + c.headLength[slot]!;
    return at + this.#chunks[c.chunk[slot]!]!.copy(target, at, from, from + c.deltaLength[slot]!);
  }

  /** Head, price and rest one behind the other, as add() takes them; good until the arena is reset. */
  parts(slot: number, arena: Arena): { parts: Buffer; lengths: PartLengths } {
    const c = this.#columns;
    if (c.room[slot] === NO_ROOM) this.make(slot);
    const lengths = {
      head: c.headLength[slot]!,
      price: c.priceLength[slot]!,
      delta: c.deltaLength[slot]!,
      rest: c.restLength[slot]!,
    };
    const chunk = this.#chunks[c.chunk[slot]!]!;
    const from = c.offset[slot]!;
    const front = lengths.head + lengths.price;
    const parts = arena.take(front + lengths.rest);
    chunk.copy(parts, 0, from, from + front);
    chunk.copy(parts, front, from + front + SEEN_LENGTH, from + front + SEEN_LENGTH + lengths.rest);
    return { parts, lengths };
  }

  text(slot: number): string {
    const c = this.#columns;
    if (c.room[slot] === NO_ROOM) this.make(slot);
    const from = c.offset[slot]!;
    return this.#chunks[c.chunk[slot]!]!.toString('utf8', from, from + this.length(slot));
  }

  /** The row's link, for the default state. */
  deepLink(slot: number): string | null {
    const c = this.#columns;
    if (c.room[slot] === NO_ROOM) this.make(slot);
    const from = c.offset[slot]! + c.headLength[slot]! + c.priceLength[slot]! + SEEN_LENGTH;
    const rest = this.#chunks[c.chunk[slot]!]!.toString('utf8', from, from + c.restLength[slot]!);
    // It begins with the comma that parts it from what stands before it.
    return (JSON.parse(`{${rest.slice(1)}`) as { deep_link: string | null }).deep_link;
  }

  /** A new row: all its parts from one buffer, head, price and rest one behind the other from `at`. */
  add(slot: number, { source, at, lengths }: EncodedRow, seenMs: number): void {
    const c = this.#columns;
    c.headLength[slot] = lengths.head;
    c.priceLength[slot] = lengths.price;
    c.deltaLength[slot] = lengths.delta;
    c.restLength[slot] = lengths.rest;
    this.#place(slot, lengths.head + lengths.price + SEEN_LENGTH + lengths.rest + SPARE_BYTES);
    const chunk = this.#chunks[c.chunk[slot]!]!;
    let to = c.offset[slot]!;
    chunk.set(source.subarray(at, at + lengths.head + lengths.price), to);
    to += lengths.head + lengths.price;
    this.#writeSeen(chunk, to, seenMs);
    to += SEEN_LENGTH;
    chunk.set(source.subarray(at + lengths.head + lengths.price, at + lengths.head + lengths.price + lengths.rest), to);
  }

  /** A row whose JSON is made when it is asked for. */
  addLater(slot: number): void {
    this.#columns.room[slot] = NO_ROOM;
  }

  /** Makes a row that was added for later. */
  make(slot: number): void {
    this.addText(slot, this.#later.take(slot), this.#columns.seenMs[slot]!);
  }

  /** A new row from texts. All is written at once where every character is one byte, which is nearly always. */
  addText(slot: number, { head, price, probability, rest }: RowText, seenMs: number): void {
    const c = this.#columns;
    if (this.#seenTextMs !== seenMs) {
      this.#seenTextMs = seenMs;
      this.#seenText = encodeSeen(seenMs);
    }
    const text = `${head}${price}${probability}${this.#seenText}${rest}`;
    this.#place(slot, text.length + SPARE_BYTES);
    const chunk = this.#chunks[c.chunk[slot]!]!;
    // The room is larger than the text, so that one of wider characters always writes more bytes than it has characters.
    if (chunk.write(text, c.offset[slot]!, c.room[slot]!) === text.length) {
      c.headLength[slot] = head.length;
      c.priceLength[slot] = price.length + probability.length;
      c.deltaLength[slot] = price.length;
      c.restLength[slot] = rest.length;
      return;
    }
    this.remove(slot);
    const source = Buffer.from(`${head}${price}${probability}${rest}`);
    const whole = price.length + probability.length;
    const lengths = {
      head: Buffer.byteLength(head),
      price: whole,
      delta: price.length,
      rest: Buffer.byteLength(rest),
    };
    this.add(slot, { source, at: 0, lengths }, seenMs);
  }

  /** New price, and new rest where its length is not 0; moves the row where it has outgrown its room. */
  update(slot: number, { source, at, lengths }: EncodedRow): void {
    const c = this.#columns;
    if (c.room[slot] === NO_ROOM) this.make(slot);
    const head = c.headLength[slot]!;
    const oldPrice = c.priceLength[slot]!;
    const restLength = lengths.rest === 0 ? c.restLength[slot]! : lengths.rest;
    const total = head + lengths.price + SEEN_LENGTH + restLength;
    let chunk = this.#chunks[c.chunk[slot]!]!;
    let start = c.offset[slot]!;
    const oldTail = start + head + oldPrice;
    const tailLength = SEEN_LENGTH + (lengths.rest === 0 ? restLength : 0);
    if (total > c.room[slot]!) {
      const oldChunk = chunk;
      const oldStart = start;
      const oldRoom = c.room[slot]!;
      const oldChunkNo = c.chunk[slot]!;
      this.#place(slot, total + SPARE_BYTES);
      chunk = this.#chunks[c.chunk[slot]!]!;
      start = c.offset[slot]!;
      oldChunk.copy(chunk, start, oldStart, oldStart + head);
      oldChunk.copy(chunk, start + head + lengths.price, oldTail, oldTail + tailLength);
      this.#freePlace(oldChunkNo, oldStart, oldRoom);
    } else if (lengths.price !== oldPrice) {
      chunk.copyWithin(start + head + lengths.price, oldTail, oldTail + tailLength);
    }
    chunk.set(source.subarray(at, at + lengths.price), start + head);
    if (lengths.rest > 0)
      chunk.set(
        source.subarray(at + lengths.price, at + lengths.price + lengths.rest),
        start + head + lengths.price + SEEN_LENGTH,
      );
    c.priceLength[slot] = lengths.price;
    c.deltaLength[slot] = lengths.delta;
    c.restLength[slot] = restLength;
  }

  /** Patches last_seen_at in place: it has 24 characters, always. */
  touch(slot: number, seenMs: number): void {
    const c = this.#columns;
    // One that is made later shows what its column says then.
    if (c.room[slot] === NO_ROOM) return;
    const at = c.offset[slot]! + c.headLength[slot]! + c.priceLength[slot]!;
    this.#writeSeen(this.#chunks[c.chunk[slot]!]!, at, seenMs);
  }

  remove(slot: number): void {
    const c = this.#columns;
    if (c.room[slot] === NO_ROOM) {
      this.#later.drop(slot);
      return;
    }
    this.#freePlace(c.chunk[slot]!, c.offset[slot]!, c.room[slot]!);
  }

  #writeSeen(chunk: Buffer, at: number, seenMs: number): void {
    if (this.#seenMs !== seenMs) {
      this.#seenMs = seenMs;
      this.#seen.write(encodeSeen(seenMs), 0, 'latin1');
    }
    chunk.set(this.#seen, at);
  }

  #place(slot: number, wanted: number): void {
    const c = this.#columns;
    const size = Math.ceil(wanted / ROOM_STEP);
    const room = size * ROOM_STEP;
    const free = this.#free[size];
    c.room[slot] = room;
    if (free !== undefined && free.length > 0) {
      const place = free.pop()!;
      c.chunk[slot] = Math.floor(place / CHUNK_BYTES);
      c.offset[slot] = place % CHUNK_BYTES;
      return;
    }
    if (this.#used + room > CHUNK_BYTES) {
      this.#chunks.push(Buffer.allocUnsafeSlow(CHUNK_BYTES));
      this.#used = 0;
    }
    c.chunk[slot] = this.#chunks.length - 1;
    c.offset[slot] = this.#used;
    this.#used += room;
  }

  #freePlace(chunkNo: number, offset: number, room: number): void {
    const size = room / ROOM_STEP;
    let free = this.#free[size];
    if (free === undefined) {
      free = [];
      this.#free[size] = free;
    }
    free.push(chunkNo * CHUNK_BYTES + offset);
  }
}
