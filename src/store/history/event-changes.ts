// The changes of an event over its pages: those in the store, those still to be written, and the open one.

import { changePoint, closeUs, type HistoryEvent } from './event-record.js';
import { type ChangeVisitor, decodePage, endOfDayUs, FLAG, type Page } from './page.js';
import type { HistoryStore } from './port.js';

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

// When each event changed last: which of them are asked about changes since an instant.

export class NewestChanges {
  readonly #store: HistoryStore;
  /** By event, Unix µs. What was not written may be discarded, and comes again. */
  readonly #us = new Map<number, number>();
  /** As known from the keys of their pages: at the latest then, as a page is of one day. Absent until they are asked for. */
  #latest: Map<number, number> | undefined;

  constructor(store: HistoryStore) {
    this.#store = store;
  }

  changed(hno: number, atUs: number): void {
    this.#us.set(hno, atUs);
    this.#latest?.delete(hno);
  }

  forget(hno: number): void {
    this.#us.delete(hno);
    this.#latest?.delete(hno);
  }

  /** Those that changed at the instant or after it, ascending. */
  since(fromUs: number, only?: readonly number[]): number[] {
    this.#latest ??= this.#stored();
    for (const [hno, us] of this.#latest) if (us >= fromUs) this.#settle(hno);
    const found: number[] = [];
    for (const hno of only ?? this.#us.keys()) if ((this.#us.get(hno) ?? -1) >= fromUs) found.push(hno);
    return found.sort((a, b) => a - b);
  }

  #stored(): Map<number, number> {
    const latest = new Map<number, number>();
    for (const { hno, firstUs } of this.#store.pageKeys())
      if (!this.#us.has(hno)) latest.set(hno, Math.max(latest.get(hno) ?? 0, endOfDayUs(firstUs)));
    return latest;
  }

  #settle(hno: number): void {
    let newest = 0;
    const page = this.#store.lastPage(hno);
    if (page !== undefined)
      decodePage(page.bytes, (_row, atUs) => {
        if (atUs > newest) newest = atUs;
      });
    this.changed(hno, newest);
  }
}
