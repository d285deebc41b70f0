// The net effect of everything after a position: which rows are new, changed or removed. Computed from the table's own
// order of changes, so a live tick, a client that fell behind and one that resumes all get the same result.
import type { OddsTable } from '../tables/table.js';
import type { Tombstone } from '../tables/tombstones.js';

export interface Changes {
  /** Position these changes follow. */
  after: number;
  /** Position they lead to. */
  upTo: number;
  /** Slots whose row changed or was created, oldest change first. */
  rows: readonly number[];
  removed: readonly Tombstone[];
  /** Position up to which rows were created that the reader may know. */
  createdUpTo: number;
}

/**
 * @param resumed the reader returns: from a sequence that was cut short it may know rows younger than `after`, so it is
 * sent removals whenever the row was created
 * @param depth the reader has asked for depth: rows of which nothing else changed are among them
 */
export function changesSince(table: OddsTable, after: number, resumed = false, depth = false): Changes {
  const createdUpTo = resumed ? Number.POSITIVE_INFINITY : after;
  const removed = table.tombstones.since(after, createdUpTo);
  const rows = table.recency.since(after);
  if (depth)
    for (const slot of table.depths.since(after)) if (!(table.columns.updatedPosition[slot]! > after)) rows.push(slot);
  return { after, upTo: table.position, rows, removed, createdUpTo };
}

/** Whether a reader at `after` does not know the row. */
export function isNew(table: OddsTable, slot: number, after: number): boolean {
  return table.columns.createdPosition[slot]! > after;
}

/**
 * Whether a row must be sent whole to a reader at `after`: it is new to the reader, or more than its price changed. In the
 * second case its price is sent as well, for clients that take prices from `odds:update` alone.
 */
export function isSentWhole(table: OddsTable, slot: number, after: number): boolean {
  return isNew(table, slot, after) || table.columns.restatedPosition[slot]! > after;
}

/** Whether a slot listed as of `position` still has the row it had then. */
export function isStill(table: OddsTable, slot: number, position: number): boolean {
  return table.columns.id.has(slot) && table.columns.createdPosition[slot]! <= position;
}
