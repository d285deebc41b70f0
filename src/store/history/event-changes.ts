// The changes of an event over its pages: those in the store, those still to be written, and the open one.
import { changePoint, closeUs, type HistoryEvent } from './event-record.js';
import { type ChangeVisitor, decodePage, FLAG, type Page } from './page.js';

export interface UnwrittenPage {
  hno: number;
  firstUs: number;
  page: Page;
}

/**
 * Visits the changes from one instant to another (Unix µs, both inclusive); those of each row in order of time. Removals
 * are among them only `withRemovals`.
 */
export function visitChanges(
  event: HistoryEvent,
  stored: Iterable<{ firstUs: number; bytes: Uint8Array }>,
  unwritten: readonly UnwrittenPage[],
  { fromUs, toUs, withRemovals }: { fromUs: number; toUs: number; withRemovals: boolean },
  visitor: ChangeVisitor,
  wanted?: Uint8Array,
): void {
  const within: ChangeVisitor = (row, atUs, american, decimal, line, flags) => {
    if (atUs >= fromUs && atUs <= toUs && (withRemovals || flags < FLAG.removed))
      visitor(row, atUs, american, decimal, line, flags);
  };
  const { page: open, hno } = event;
  for (const { firstUs, bytes } of stored)
    if (firstUs !== open?.firstUs && !unwritten.some((page) => page.hno === hno && page.firstUs === firstUs))
      decodePage(bytes, within, wanted);
  for (const { hno: of, page } of unwritten) if (of === hno) page.visit(within, wanted);
  open?.visit(within, wanted);
}

/** Before a page is dropped: each row's last price in it before the close stays. False if there is none. */
export function keepLastPoints(event: HistoryEvent, bytes: Uint8Array): boolean {
  let kept = false;
  decodePage(bytes, (place, atUs, american, decimal, line, flags) => {
    const row = event.rows[place];
    if (
      row === undefined ||
      flags >= FLAG.removed ||
      atUs >= closeUs(event, row.book) ||
      atUs < (row.lastBeforeClose?.atUs ?? 0)
    )
      return;
    row.lastBeforeClose = changePoint(atUs, american, decimal, line, flags);
    event.booksChanged.add(row.book);
    kept = true;
  });
  return kept;
}
