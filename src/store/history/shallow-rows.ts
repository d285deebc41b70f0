// At which prices next to nothing could be had when their book closed: no opinions (detection/opinions.ts). A size changes
// without its price, so it stands with the row and not with its changes: as it is, and as it was at the close.

import type { RowDetails } from '../../base/model/row-details.js';
import { isShallow } from '../../detection/opinions.js';
import { closeUs, type HistoryEvent, type HistoryRow, SHALLOW } from './event-record.js';

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
