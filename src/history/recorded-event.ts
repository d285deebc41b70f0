// An event in the recorder's memory, and what of it must be written.
import { sameFields } from '../model/same-fields.js';
import { type EventFields, type HistoryEvent, type HistoryRow, packRows } from './event-record.js';
import { encodePage } from './page.js';
import type { HistoryChanges, HistoryStore } from './port.js';

export function blankEvent(hno: number, fields: EventFields, usedUs: number): HistoryEvent {
  return {
    ...fields,
    hno,
    rows: [],
    byId: new Map(),
    page: null,
    fieldsChanged: true,
    booksChanged: new Set(),
    pageChanged: false,
    usedUs,
  };
}

function fieldsOf(event: HistoryEvent): EventFields {
  const { id, sport, league, home, away, startMs, status, live, liveSince, shard, no } = event;
  return { id, sport, league, home, away, startMs, status, live, liveSince, shard, no };
}

/** The fields of an event that may change, apart from the books' live times. */
const CHANGING = ['startMs', 'status', 'live', 'no', 'shard', 'home', 'away'] as const;

export function isSameEvent(a: EventFields, b: EventFields): boolean {
  return sameFields(a, b, CHANGING) && JSON.stringify(a.liveSince) === JSON.stringify(b.liveSince);
}

/** The parts of an event to write. */
export interface PackedEvent {
  fields: HistoryChanges['events'][number] | undefined;
  rows: HistoryChanges['rows'];
  page: HistoryChanges['pages'][number] | undefined;
}

export function packEvent(event: HistoryEvent, store: HistoryStore): PackedEvent {
  const { hno, page } = event;
  return {
    fields: event.fieldsChanged ? { hno, fields: fieldsOf(event) } : undefined,
    rows: event.booksChanged.size > 0 ? packBooks(event) : [],
    page:
      event.pageChanged && page !== null
        ? { hno, firstUs: page.firstUs, bytes: store.pageBytes(encodePage(page), false) }
        : undefined,
  };
}

function packBooks({ hno, rows, booksChanged }: HistoryEvent): HistoryChanges['rows'] {
  const byBook = new Map<string, HistoryRow[]>([...booksChanged].map((book) => [book, []]));
  for (const row of rows) byBook.get(row.book)?.push(row);
  return [...byBook].map(([book, of]) => ({ hno, book, bytes: packRows(of) }));
}
