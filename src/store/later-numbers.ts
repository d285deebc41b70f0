// What the log has of books' numbers since their slabs were put. A book that is polled every second is put every few
// seconds: a commit writes the log alone, unless rows come or go.

import type { DepthText } from '../base/model/depth.js';
import type { ExchangeDetails } from '../base/model/normal-message.js';
import type { BookDelta, Delta, RowDelta, StatementDelta } from '../log/delta/delta.js';

/** Of a row; what is undefined is as in the slab. */
export interface LaterRow {
  /** Its last change, and the position of that. */
  delta?: RowDelta;
  position: number;
  seenMs: number;
  /** Position of the batch in which it was seen. */
  seenUs: number;
  exchange?: ExchangeDetails | null;
  depth?: DepthText | null;
}

/** Of a book's rows of one event. */
export interface LaterBook {
  /** Position of the first batch after its slab was put, or an earlier one. */
  sinceUs: number;
  /** Of its last poll, and the position of that; 0 if there was none. */
  polledUs: number;
  appliedUs: number;
  /** When all its rows were seen together, and the position of that; 0 if they were not. */
  seenMs: number;
  seenUs: number;
  /** What it states of the event, where that changed. */
  statement?: StatementDelta;
  /** Unix ms; that of the slab if undefined. */
  statedMs?: number;
}

/** Deltas taken one after the other. */
export class LaterNumbers {
  readonly #books = new Map<string, LaterBook>();
  /** By number: it is of another row only after the first was removed. */
  readonly #rows = new Map<number, LaterRow>();

  take({ position, books, depths, statements }: Delta): void {
    const stated = new Set<LaterBook>();
    for (const statement of statements ?? []) {
      const [event, name] = statement;
      const book = this.#book(event, name, position);
      book.statement = statement;
      delete book.statedMs;
      stated.add(book);
    }
    // Of the whole delta first: a number freed by one book may be another's new row.
    for (const [, , , , removed] of books) for (const no of removed) this.#rows.delete(no);
    for (const delta of books) this.#takeBook(delta, position, stated);
    for (const [no, depth] of depths ?? []) this.#row(no).depth = depth;
  }

  /** Undefined if its slab is as of the last commit. */
  book(eventNo: number, name: string): LaterBook | undefined {
    return this.#books.get(keyOf(eventNo, name));
  }

  row(no: number): LaterRow | undefined {
    return this.#rows.get(no);
  }

  #takeBook(
    [event, name, polledUs, touches, , changed]: BookDelta,
    position: number,
    stated: ReadonlySet<LaterBook>,
  ): void {
    const book = this.#book(event, name, position);
    if (polledUs > 0) {
      book.polledUs = polledUs;
      book.appliedUs = position;
      if (!stated.has(book)) book.statedMs = polledUs / 1000;
    }
    for (const delta of changed) this.#takeRow(delta, position);
    for (const [seenMs, rows] of touches)
      if (rows === null) {
        book.seenMs = seenMs;
        book.seenUs = position;
      } else for (const no of rows) this.#seen(this.#row(no), seenMs, position);
  }

  #takeRow(delta: RowDelta, position: number): void {
    const [no, , , , , seenMs, , , rest] = delta;
    const row = this.#row(no);
    row.delta = delta;
    row.position = position;
    this.#seen(row, seenMs, position);
    if (rest !== null) row.exchange = rest[3] ?? null;
  }

  #seen(row: LaterRow, seenMs: number, position: number): void {
    row.seenMs = seenMs;
    row.seenUs = position;
  }

  #row(no: number): LaterRow {
    let row = this.#rows.get(no);
    if (row === undefined) {
      row = { position: 0, seenMs: 0, seenUs: 0 };
      this.#rows.set(no, row);
    }
    return row;
  }

  #book(event: number, name: string, position: number): LaterBook {
    const key = keyOf(event, name);
    let book = this.#books.get(key);
    if (book === undefined) {
      book = { sinceUs: position, polledUs: 0, appliedUs: 0, seenMs: 0, seenUs: 0 };
      this.#books.set(key, book);
    }
    return book;
  }
}

function keyOf(eventNo: number, book: string): string {
  return `${eventNo}|${book}`;
}
