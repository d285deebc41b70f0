// Rows read at a start whose JSON has not been made yet: half a million of them would delay the start for what few
// callers need at once. It is made from the table's columns, and from the few fields that are in none, when the row is
// requested or changes, or in idle moments after the start.
import {
  type BookHead,
  encodeEventHead,
  encodeHead,
  encodePrice,
  encodeProbability,
  encodeRest,
} from '../model/row-json.js';
import type { TableEvent } from './events.js';
import type { Registry } from './registry.js';
import type { RowText } from './row-bytes.js';
import { type RowColumns, readRow } from './row-columns.js';
import { type RowRest, sameRest } from './served-rows.js';

/** The source of a row's JSON: the table. */
export interface RowSource extends RowColumns {
  readonly books: Registry;
  eventOf(slot: number): TableEvent;
  bookHead(book: string): BookHead;
}

export class LazyRows {
  readonly #table: RowSource;
  readonly #rest: (RowRest | undefined)[] = [];
  /** Rows below this slot are made. */
  #next = 1;
  #event: TableEvent | undefined;
  #eventHead = '';

  constructor(table: RowSource) {
    this.#table = table;
  }

  put(slot: number, { link, details, ids }: RowRest): void {
    // Most rows have nothing but a link, which all rows of a book and event may share.
    const before = this.#rest[slot - 1];
    this.#rest[slot] =
      before !== undefined && sameRest(before, { link, details, ids }) ? before : { link, details, ids };
  }

  /** The row's JSON, as the shard makes it. It is requested only once. */
  take(slot: number): RowText {
    const table = this.#table;
    const rest = this.#rest[slot];
    if (rest === undefined) throw new Error(`the row in slot ${slot} was made or dropped before`);
    this.#rest[slot] = undefined;
    const event = table.eventOf(slot);
    if (event !== this.#event) {
      this.#event = event;
      this.#eventHead = encodeEventHead(event);
    }
    const row = readRow(table, slot);
    const book = table.books.name(table.columns.book[slot]!);
    return {
      head: encodeHead(row, table.bookHead(book), event, this.#eventHead),
      price: encodePrice(row, event.live),
      probability: encodeProbability(row),
      rest: encodeRest(rest.details, event, rest.link, rest.ids),
    };
  }

  /** The row was removed before it was requested. */
  drop(slot: number): void {
    this.#rest[slot] = undefined;
  }

  /** Makes the next `count` rows; false when there are none left. */
  makeSome(count: number, make: (slot: number) => void): boolean {
    const end = this.#rest.length;
    for (let made = 0; this.#next < end && made < count; this.#next++)
      if (this.#rest[this.#next] !== undefined) {
        make(this.#next);
        made++;
      }
    if (this.#next < end) return true;
    this.#rest.length = 0;
    return false;
  }
}
