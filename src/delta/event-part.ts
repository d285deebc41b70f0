// What a delta says of one event, for a log of that event alone: without times of polls, and without the parts of a
// row's JSON that follow from its numbers (head and price), so that a change of price takes some 20 bytes once deflated.
import { getOrInsert } from '../memory/get-or-insert.js';
import { RowChange } from '../model/row.js';
import type { RowDelta } from '../model/row-delta.js';
import { decode, encode } from '../wire/codec.js';
import type { Delta, EventDelta } from './delta.js';
import { NO_NEWS } from './opportunity.js';

/** A book's changes: numbers of the rows removed, and the rows that changed. */
type BookPart = [book: string, removed: number[], rows: RowDelta[]];

export interface EventPart {
  /** The event's fields if they changed. */
  event: EventDelta | null;
  /** It left the table. */
  dropped: boolean;
  books: BookPart[];
  /** The rests of the rows, in their order. */
  blob: Uint8Array;
}

/** Number of the event in its shard → what the delta says of it. */
export function eventParts(delta: Delta): Map<number, EventPart> {
  const parts = new Map<number, EventPart & { rests: Uint8Array[] }>();
  const partOf = (no: number) =>
    getOrInsert(parts, no, () => ({ event: null, dropped: false, books: [], blob: NOTHING, rests: [] }));
  for (const event of delta.events) partOf(event.no).event = event;
  let at = 0;
  for (const [no, book, , , removed, rows] of delta.books) {
    if (removed.length === 0 && rows.length === 0) continue;
    const part = partOf(no);
    part.books.push([book, removed, rows.map(bare)]);
    for (const row of rows) {
      const from = at + row[LENGTH.head] + row[LENGTH.price];
      at = from + row[LENGTH.rest];
      if (at > from) part.rests.push(delta.blob.subarray(from, at));
    }
  }
  for (const no of delta.dropped) partOf(no).dropped = true;
  for (const part of parts.values()) if (part.rests.length > 0) part.blob = Buffer.concat(part.rests);
  return parts;
}

const NOTHING = new Uint8Array(0);
/** Places of the lengths in a row's tuple. */
const LENGTH = { price: 7, delta: 8, rest: 9, head: 10 } as const;
const SEEN = 5;
const ADDED = 11;

/** The row's tuple without the parts that are left out, and without the time of its poll. */
function bare(row: RowDelta): RowDelta {
  const copy: RowDelta = [...row];
  copy[SEEN] = 0;
  copy[LENGTH.price] = 0;
  copy[LENGTH.delta] = 0;
  copy[LENGTH.head] = 0;
  return copy;
}

export function encodePart({ event, dropped, books, blob }: EventPart): Buffer {
  return encode([event, dropped, books, blob]);
}

export function decodePart(bytes: Uint8Array): EventPart {
  const [event, dropped, books, blob] = decode(bytes) as [EventDelta | null, boolean, BookPart[], Uint8Array];
  return { event, dropped, books, blob };
}

/** The part as a delta of a table that has this event alone in `shard`; its rows are seen at `seenMs`. */
export function partDelta({ event, dropped, books, blob }: EventPart, eventNo: number, at: PartPlace): Delta {
  for (const [, , rows] of books) for (const row of rows) row[SEEN] = at.seenMs;
  return {
    version: 0,
    position: at.position,
    shard: at.shard,
    events: event === null ? [] : [event],
    dropped: dropped ? [eventNo] : [],
    books: books.map(([book, removed, rows]) => [eventNo, book, 0, [], removed, rows]),
    blob,
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
  rest: Uint8Array;
}

/** An event's rows after some of its parts: as one part in place of all of them. */
export class EventState {
  #event: EventDelta | null = null;
  #dropped = false;
  readonly #rows = new Map<number, StateRow>();

  apply({ event, dropped, books, blob }: EventPart): void {
    if (event !== null) {
      this.#event = event;
      this.#dropped = false;
    }
    for (const [, removed] of books) for (const no of removed) this.#rows.delete(no);
    let at = 0;
    for (const [book, , rows] of books)
      for (const row of rows) {
        const rest = blob.subarray(at, at + row[LENGTH.rest]);
        at += rest.length;
        this.#put(book, row, rest);
      }
    if (!dropped) return;
    this.#dropped = true;
    this.#rows.clear();
  }

  #put(book: string, row: RowDelta, rest: Uint8Array): void {
    const [no, change] = row;
    const known = this.#rows.get(no);
    const now: RowDelta = [...row];
    if (change !== RowChange.added) {
      if (known === undefined) return;
      now[1] = RowChange.added;
      now[ADDED] = known.row[ADDED];
    }
    const kept = rest.length > 0 || known === undefined ? rest : known.rest;
    now[LENGTH.rest] = kept.length;
    this.#rows.set(no, { book, row: now, rest: kept });
  }

  part(): EventPart {
    const byBook = new Map<string, StateRow[]>();
    for (const row of this.#rows.values()) getOrInsert(byBook, row.book, (): StateRow[] => []).push(row);
    return {
      event: this.#event,
      dropped: this.#dropped,
      books: [...byBook].map(([book, rows]) => [book, [], rows.map(({ row }) => row)]),
      blob: Buffer.concat([...byBook.values()].flatMap((rows) => rows.map(({ rest }) => rest))),
    };
  }
}
