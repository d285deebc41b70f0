// An event in the recorder's memory, and what of it must be written.

import { sameFields } from '../../base/model/same-fields.js';
import type { EventDelta } from '../../log/delta/delta.js';
import { type EventFields, type HistoryEvent, type HistoryRow, packRows } from './event-record.js';
import { EventRows } from './event-rows.js';
import { encodePage } from './page.js';
import type { HistoryChanges, HistoryStore } from './port.js';

export function blankEvent(hno: number, fields: EventFields, usedUs: number): HistoryEvent {
  const byId = new EventRows();
  return {
    ...fields,
    seen: new Map(Object.entries(fields.seenAll ?? {})),
    storedSeen: new Map(Object.entries(fields.seenAll ?? {})),
    hno,
    rows: byId.list,
    byId,
    page: null,
    fieldsChanged: true,
    booksChanged: new Set(),
    pageChanged: false,
    usedUs,
  };
}

/** The fields of an event as its shard states them. */
export function fieldsOfDelta(shard: number, delta: EventDelta): EventFields {
  return fieldsOf({ ...delta, liveSince: delta.liveSince ?? {}, shard });
}

function fieldsOf(event: EventFields): EventFields {
  const { id, sport, league, home, away, startMs, status, live, liveSince, calledOffMs, namesakes, shard, no } = event;
  return {
    ...{ id, sport, league, home, away, startMs, status, live, liveSince, shard, no },
    ...(calledOffMs === undefined ? {} : { calledOffMs }),
    ...(namesakes === undefined ? {} : { namesakes }),
  };
}

function storedFields(event: HistoryEvent): EventFields {
  const { firstStartMs, startSinceUs, seen } = event;
  return {
    ...fieldsOf(event),
    ...(firstStartMs === undefined ? {} : { firstStartMs }),
    ...(startSinceUs === undefined ? {} : { startSinceUs }),
    ...(seen.size === 0 ? {} : { seenAll: Object.fromEntries(seen) }),
  };
}

/** A start that is replaced within this time was a mistake: nobody went by it. */
const SETTLED_US = 3_600_000_000;

/** To be called before the event's start changes: remembers the first that stood for some time. */
export function startChanges(event: HistoryEvent, startMs: number, position: number): void {
  if (startMs === event.startMs) return;
  const { startSinceUs = 0 } = event;
  if (event.firstStartMs === undefined && position - startSinceUs >= SETTLED_US) event.firstStartMs = event.startMs;
  event.startSinceUs = position;
}

/** The fields of an event that may change, apart from what others() compares. */
const CHANGING = ['startMs', 'status', 'live', 'no', 'shard', 'home', 'away', 'calledOffMs'] as const;

export function isSameEvent(a: EventFields, b: EventFields): boolean {
  const others = ({ liveSince, namesakes }: EventFields): string => JSON.stringify([liveSince, namesakes]);
  return sameFields(a, b, CHANGING) && others(a) === others(b);
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
    fields: event.fieldsChanged ? { hno, fields: storedFields(event) } : undefined,
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
