// What is noted of prices for their book's close. When it last showed them: a price that was not polled for half an hour
// by then is no closing reference. Times are recorded from some hours before the start on, and stored now and then.

import type { RowDetails } from '../../base/model/row-details.js';
import { isShallow } from '../../detection/opinions.js';
import type { Touch } from '../../log/delta/delta.js';
import { closeUs, type HistoryEvent, type HistoryRow, SHALLOW } from './event-record.js';

/** A price that was polled within this long before the close was alive then. */
export const ALIVE_MS = 1_800_000;
/** Recorded from this long before the start on: it may be earlier than it was said to be. */
const RECORDED_MS = 3 * 3_600_000;
/** How often a later time is stored. */
const STORED_EVERY_MS = 600_000;
/** Of that time, by which each event is behind the one before it. */
const EVENT_SHIFT = 0.618;

/** Whether times of an event that starts then are recorded, seen at this time (Unix ms). */
export function isNearStart(startMs: number, seenMs: number): boolean {
  return seenMs >= startMs - RECORDED_MS;
}

/** Records when a book's rows were seen; what must be stored is marked. @param rowOf by number in the shard */
export function noteSeen(
  event: HistoryEvent,
  book: string,
  touches: readonly Touch[],
  rowOf: (no: number) => HistoryRow | undefined,
): void {
  const closeMs = closeUs(event, book) / 1000;
  for (const [seenMs, rows] of touches) {
    if (seenMs > closeMs || !isNearStart(event.startMs, seenMs)) continue;
    if (rows === null) noteBook(event, book, seenMs);
    else
      for (const no of rows) {
        const row = rowOf(no);
        if (row !== undefined) noteRow(event, row, seenMs);
      }
  }
}

function noteBook(event: HistoryEvent, book: string, seenMs: number): void {
  const before = event.seen.get(book) ?? 0;
  if (seenMs <= before) return;
  event.seen.set(book, seenMs);
  if (seenMs - (event.storedSeen.get(book) ?? 0) < STORED_EVERY_MS) return;
  event.storedSeen.set(book, seenMs);
  event.fieldsChanged = true;
}

/** Also for a row that was added, changed or read again. */
export function noteRow(event: HistoryEvent, row: HistoryRow, seenMs: number): void {
  if (seenMs <= row.seenMs || seenMs * 1000 > closeUs(event, row.book)) return;
  const before = row.seenMs;
  row.seenMs = seenMs;
  // By the clock: a row that is seen every few seconds is never much later than it was before. Not of all events at once.
  const span = (ms: number): number => Math.floor(ms / STORED_EVERY_MS + event.hno * EVENT_SHIFT);
  if (span(seenMs) > span(before) && isNearStart(event.startMs, seenMs)) event.booksChanged.add(row.book);
}

/** Whether the row was polled shortly before its book closed. */
export function wasPolled(event: HistoryEvent, row: HistoryRow): boolean {
  return Math.max(row.seenMs, event.seen.get(row.book) ?? 0) >= closeUs(event, row.book) / 1000 - ALIVE_MS;
}

// At which prices next to nothing could be had when their book closed: no opinions (detection/opinions.ts). A size changes
// without its price, so it stands with the row and not with its changes: as it is, and as it was at the close.

const SAME = SHALLOW.now + SHALLOW.atClose;

/** To be called with what a row's book states beside its price at an instant (Unix µs). */
export function noteDepth(event: HistoryEvent, row: HistoryRow, details: RowDetails, atUs: number): void {
  const before = row.shallow ?? 0;
  const now = isShallow(details) ? SAME : 0;
  if (before === now) return;
  if (atUs < closeUs(event, row.book)) {
    row.shallow = now;
    event.booksChanged.add(row.book);
  } else row.shallow = (before & SHALLOW.atClose) + (now & SHALLOW.now);
}

/** To be called when the event is restated: a book that had closed may close later. */
export function noteReopened(event: HistoryEvent, atUs: number): void {
  for (const row of event.rows) {
    const bits = row.shallow;
    if (bits === undefined || bits === SAME || atUs >= closeUs(event, row.book)) continue;
    row.shallow = (bits & SHALLOW.now) === 0 ? 0 : SAME;
    event.booksChanged.add(row.book);
  }
}

export function wasShallow({ shallow = 0 }: HistoryRow): boolean {
  return (shallow & SHALLOW.atClose) !== 0;
}
