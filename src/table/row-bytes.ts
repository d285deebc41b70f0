// The rows' JSON, ready to be copied into answers: head, price, seen and rest side by side in large chunks. A row gets
// a little spare space, so that a price that grows by a digit is still written in place.

import type { Arena } from '../memory/arena.js';
import { grown } from '../memory/grown.js';
import { Places, roomOf } from '../memory/places.js';
import type { EncodedRow, PartLengths } from '../model/row.js';
import { encodeSeen, SEEN_LENGTH } from '../model/row-json.js';
import type { Columns } from './columns.js';
import { type RowRest, restIn, type ServedRows } from './served-rows.js';

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
  put(slot: number, rest: RowRest): void;
  take(slot: number): RowText;
  drop(slot: number): void;
  makeSome(count: number, make: (slot: number) => void): boolean;
}

/** Space for a row that is made later. */
const NO_ROOM = 0;

export class RowBytes implements ServedRows {
  readonly #columns: Columns;
  readonly #later: LaterRows;
  readonly #places = new Places();
  /** By slot: where its bytes are, the space there, and the lengths of its parts. */
  #placeOf = new Uint32Array(0);
  #room = new Uint16Array(0);
  #head = new Uint16Array(0);
  #price = new Uint16Array(0);
  #delta = new Uint16Array(0);
  #rest = new Uint16Array(0);
  #seenMs = -1;
  #seenTextMs = -1;
  #seenText = '';
  /** The whole `seen` part of the last time written: a poll shows many rows at one time. */
  readonly #seen = Buffer.alloc(SEEN_LENGTH);

  constructor(columns: Columns, later: LaterRows) {
    this.#columns = columns;
    this.#later = later;
  }

  /** Including spare space. */
  get bytes(): number {
    return this.#places.bytes;
  }

  length(slot: number): number {
    if (this.#room[slot] === NO_ROOM) this.make(slot);
    return this.#head[slot]! + this.#price[slot]! + SEEN_LENGTH + this.#rest[slot]!;
  }

  copyRow(slot: number, target: Buffer, at: number): number {
    if (this.#room[slot] === NO_ROOM) this.make(slot);
    const length = this.#head[slot]! + this.#price[slot]! + SEEN_LENGTH + this.#rest[slot]!;
    target.set(this.#places.view(this.#placeOf[slot]!, length), at);
    return at + length;
  }

  deltaLength(slot: number): number {
    return this.length(slot);
  }

  copyDelta(slot: number, target: Buffer, at: number): number {
    if (this.#room[slot] === NO_ROOM) this.make(slot);
    const from = this.#places.offset(this.#placeOf[slot]!) + this.#head[slot]!;
    return at + this.#places.chunk(this.#placeOf[slot]!).copy(target, at, from, from + this.#delta[slot]!);
  }

  parts(slot: number, arena: Arena): { parts: Buffer; lengths: PartLengths } {
    if (this.#room[slot] === NO_ROOM) this.make(slot);
    const lengths = {
      head: this.#head[slot]!,
      price: this.#price[slot]!,
      delta: this.#delta[slot]!,
      rest: this.#rest[slot]!,
    };
    const chunk = this.#places.chunk(this.#placeOf[slot]!);
    const from = this.#places.offset(this.#placeOf[slot]!);
    const front = lengths.head + lengths.price;
    const parts = arena.take(front + lengths.rest);
    chunk.copy(parts, 0, from, from + front);
    chunk.copy(parts, front, from + front + SEEN_LENGTH, from + front + SEEN_LENGTH + lengths.rest);
    return { parts, lengths };
  }

  text(slot: number): string {
    if (this.#room[slot] === NO_ROOM) this.make(slot);
    const from = this.#places.offset(this.#placeOf[slot]!);
    return this.#places.chunk(this.#placeOf[slot]!).toString('utf8', from, from + this.length(slot));
  }

  rest(slot: number): RowRest {
    if (this.#room[slot] === NO_ROOM) this.make(slot);
    const from = this.#places.offset(this.#placeOf[slot]!) + this.#head[slot]! + this.#price[slot]! + SEEN_LENGTH;
    return restIn(this.#places.chunk(this.#placeOf[slot]!).toString('utf8', from, from + this.#rest[slot]!));
  }

  add(slot: number, { source, at, lengths }: EncodedRow, seenMs: number): void {
    this.#reserve(slot);
    this.#head[slot] = lengths.head;
    this.#price[slot] = lengths.price;
    this.#delta[slot] = lengths.delta;
    this.#rest[slot] = lengths.rest;
    this.#place(slot, lengths.head + lengths.price + SEEN_LENGTH + lengths.rest + SPARE_BYTES);
    const chunk = this.#places.chunk(this.#placeOf[slot]!);
    let to = this.#places.offset(this.#placeOf[slot]!);
    chunk.set(source.subarray(at, at + lengths.head + lengths.price), to);
    to += lengths.head + lengths.price;
    this.#writeSeen(chunk, to, seenMs);
    to += SEEN_LENGTH;
    chunk.set(source.subarray(at + lengths.head + lengths.price, at + lengths.head + lengths.price + lengths.rest), to);
  }

  /** Its JSON is made on demand. */
  addLater(slot: number, rest: RowRest): void {
    this.#reserve(slot);
    this.#later.put(slot, rest);
    this.#room[slot] = NO_ROOM;
  }

  makeSome(count: number): boolean {
    return this.#later.makeSome(count, (slot) => this.make(slot));
  }

  /** Makes a row that was added for later. */
  make(slot: number): void {
    this.addText(slot, this.#later.take(slot), this.#columns.seenMs[slot]!);
  }

  /** A new row from texts. All is written at once if every character is one byte, which is nearly always the case. */
  addText(slot: number, { head, price, probability, rest }: RowText, seenMs: number): void {
    if (this.#seenTextMs !== seenMs) {
      this.#seenTextMs = seenMs;
      this.#seenText = encodeSeen(seenMs);
    }
    const text = `${head}${price}${probability}${this.#seenText}${rest}`;
    this.#place(slot, text.length + SPARE_BYTES);
    const chunk = this.#places.chunk(this.#placeOf[slot]!);
    // The space is larger than the text, so a text with wider characters always writes more bytes than it has
    // characters.
    if (chunk.write(text, this.#places.offset(this.#placeOf[slot]!), this.#room[slot]!) === text.length) {
      this.#head[slot] = head.length;
      this.#price[slot] = price.length + probability.length;
      this.#delta[slot] = price.length;
      this.#rest[slot] = rest.length;
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

  /** Moves the row if it has outgrown its space. */
  update(slot: number, { source, at, lengths }: EncodedRow): void {
    if (this.#room[slot] === NO_ROOM) this.make(slot);
    const head = this.#head[slot]!;
    const oldPrice = this.#price[slot]!;
    const restLength = lengths.rest === 0 ? this.#rest[slot]! : lengths.rest;
    const total = head + lengths.price + SEEN_LENGTH + restLength;
    let chunk = this.#places.chunk(this.#placeOf[slot]!);
    let start = this.#places.offset(this.#placeOf[slot]!);
    const oldTail = start + head + oldPrice;
    const tailLength = SEEN_LENGTH + (lengths.rest === 0 ? restLength : 0);
    if (total > this.#room[slot]!) {
      const oldChunk = chunk;
      const oldStart = start;
      const oldRoom = this.#room[slot]!;
      const oldPlace = this.#placeOf[slot]!;
      this.#place(slot, total + SPARE_BYTES);
      chunk = this.#places.chunk(this.#placeOf[slot]!);
      start = this.#places.offset(this.#placeOf[slot]!);
      oldChunk.copy(chunk, start, oldStart, oldStart + head);
      oldChunk.copy(chunk, start + head + lengths.price, oldTail, oldTail + tailLength);
      this.#places.free(oldPlace, oldRoom);
    } else if (lengths.price !== oldPrice) {
      chunk.copyWithin(start + head + lengths.price, oldTail, oldTail + tailLength);
    }
    chunk.set(source.subarray(at, at + lengths.price), start + head);
    if (lengths.rest > 0)
      chunk.set(
        source.subarray(at + lengths.price, at + lengths.price + lengths.rest),
        start + head + lengths.price + SEEN_LENGTH,
      );
    this.#price[slot] = lengths.price;
    this.#delta[slot] = lengths.delta;
    this.#rest[slot] = restLength;
  }

  /** Patches last_seen_at in place: it always has 24 characters. */
  touch(slot: number, seenMs: number): void {
    // One that is made later will show its column's value then.
    if (this.#room[slot] === NO_ROOM) return;
    const at = this.#places.offset(this.#placeOf[slot]!) + this.#head[slot]! + this.#price[slot]!;
    this.#writeSeen(this.#places.chunk(this.#placeOf[slot]!), at, seenMs);
  }

  remove(slot: number): void {
    if (this.#room[slot] === NO_ROOM) {
      this.#later.drop(slot);
      return;
    }
    this.#places.free(this.#placeOf[slot]!, this.#room[slot]!);
  }

  #writeSeen(chunk: Buffer, at: number, seenMs: number): void {
    if (this.#seenMs !== seenMs) {
      this.#seenMs = seenMs;
      this.#seen.write(encodeSeen(seenMs), 0, 'latin1');
    }
    chunk.set(this.#seen, at);
  }

  #place(slot: number, wanted: number): void {
    this.#placeOf[slot] = this.#places.take(wanted);
    this.#room[slot] = roomOf(wanted);
  }

  #reserve(slot: number): void {
    if (slot < this.#room.length) return;
    const { capacity } = this.#columns;
    this.#placeOf = grown(this.#placeOf, capacity);
    this.#room = grown(this.#room, capacity);
    this.#head = grown(this.#head, capacity);
    this.#price = grown(this.#price, capacity);
    this.#delta = grown(this.#delta, capacity);
    this.#rest = grown(this.#rest, capacity);
  }
}
