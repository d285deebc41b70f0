// What a delta says of one event, for a log of that event alone: without times of polls, so that a change of price takes
// some 20 bytes once deflated.
import { getOrInsert } from '../../base/memory/get-or-insert.js';
import { RowChange } from '../../base/model/row.js';
import { decode, encode } from '../../base/wire/codec.js';
import { type BlobRow, type Delta, type EventDelta, type RowDelta, rowsOfBlob } from './delta.js';
import { NO_NEWS } from './opportunity.js';

/** A book's changes: numbers of the rows removed, and the rows that changed. */
type BookPart = [book: string, removed: number[], rows: RowDelta[]];

export interface EventPart {
  /** The event's fields if they changed. */
  event: EventDelta | null;
  /** It left the table. */
  dropped: boolean;
  books: BookPart[];
}

/** Number of the event in its shard → what the delta says of it. */
export function eventParts(delta: Delta): Map<number, EventPart> {
  const parts = new Map<number, EventPart>();
  const partOf = (no: number) => getOrInsert(parts, no, () => ({ event: null, dropped: false, books: [] }));
  for (const event of delta.events) partOf(event.no).event = event;
  for (const [no, book, , , removed, rows] of delta.books)
    if (removed.length > 0 || rows.length > 0) partOf(no).books.push([book, removed, rows.map(withoutPoll)]);
  for (const no of delta.dropped) partOf(no).dropped = true;
  return parts;
}

/** Places in a row's tuple. */
const CHANGE = 1;
const SEEN = 5;
const REST = 8;
const ADDED = 9;

function withoutPoll(row: RowDelta): RowDelta {
  const copy: RowDelta = [...row];
  copy[SEEN] = 0;
  return copy;
}

export function encodePart({ event, dropped, books }: EventPart): Buffer {
  return encode([event, dropped, books]);
}

export function decodePart(bytes: Uint8Array): EventPart {
  const [event, dropped, books, blob] = decode(bytes) as [EventDelta | null, boolean, BookPart[], Uint8Array?];
  if (blob === undefined) return { event, dropped, books };
  const rowOf = rowsOfBlob(blob);
  return {
    event,
    dropped,
    books: books.map(([book, removed, rows]) => [book, removed, rows.map((row) => rowOf(row as unknown as BlobRow))]),
  };
}

/** The part as a delta of a table that has this event alone in `shard`; its rows are seen at `seenMs`. */
export function partDelta({ event, dropped, books }: EventPart, eventNo: number, at: PartPlace): Delta {
  for (const [, , rows] of books) for (const row of rows) row[SEEN] = at.seenMs;
  return {
    version: 0,
    position: at.position,
    shard: at.shard,
    events: event === null ? [] : [event],
    dropped: dropped ? [eventNo] : [],
    books: books.map(([book, removed, rows]) => [eventNo, book, 0, [], removed, rows]),
    splits: [],
    futures: [],
    opportunities: NO_NEWS,
  };
}

export interface PartPlace {
  position: number;
  shard: number;
  /** Unix ms. */
  seenMs: number;
}

interface StateRow {
  book: string;
  row: RowDelta;
}

/** An event's rows after some of its parts: as one part in place of all of them. */
export class EventState {
  #event: EventDelta | null = null;
  #dropped = false;
  readonly #rows = new Map<number, StateRow>();

  apply({ event, dropped, books }: EventPart): void {
    if (event !== null) {
      this.#event = event;
      this.#dropped = false;
    }
    for (const [, removed] of books) for (const no of removed) this.#rows.delete(no);
    for (const [book, , rows] of books) for (const row of rows) this.#put(book, row);
    if (!dropped) return;
    this.#dropped = true;
    this.#rows.clear();
  }

  #put(book: string, row: RowDelta): void {
    const [no, change] = row;
    const known = this.#rows.get(no);
    const now: RowDelta = [...row];
    if (change !== RowChange.added) {
      if (known === undefined) return;
      now[CHANGE] = RowChange.added;
      now[REST] ??= known.row[REST];
      now[ADDED] = known.row[ADDED];
    }
    this.#rows.set(no, { book, row: now });
  }

  part(): EventPart {
    const byBook = new Map<string, RowDelta[]>();
    for (const { book, row } of this.#rows.values()) getOrInsert(byBook, book, (): RowDelta[] => []).push(row);
    return {
      event: this.#event,
      dropped: this.#dropped,
      books: [...byBook].map(([book, rows]) => [book, [], rows]),
    };
  }
}
