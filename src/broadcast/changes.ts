// The net effect of everything after a position: which rows are new, which moved, which are gone. Computed from the
// table's own order of changes, so a live tick, a client that fell behind and one that resumes all get the same thing.
import type { OddsTable } from '../table/table.js';
import type { Tombstone } from '../table/tombstones.js';

export interface Changes {
  /** Position these changes follow. */
  after: number;
  /** Position they lead to. */
  upTo: number;
  /** Slots whose row changed or was born, oldest change first. */
  rows: readonly number[];
  removed: readonly Tombstone[];
  /** Position by which they were born: the reader may know of those. */
  createdUpTo: number;
}

/**
 * @param resumed the reader comes back: of the sequence that was cut short it may hold rows younger than `after`, so it is
 * told of removals whenever the row was born.
 */
export function changesSince(table: OddsTable, after: number, resumed = false): Changes {
  const createdUpTo = resumed ? Number.POSITIVE_INFINITY : after;
  const removed = table.tombstones.since(after, createdUpTo);
  return { after, upTo: table.position, rows: table.recency.since(after), removed, createdUpTo };
}

/** Whether a row must be sent whole to a reader that stood at `after`: it is new to it, or more than its price changed. */
export function isNews(table: OddsTable, slot: number, after: number): boolean {
  return table.columns.createdPosition[slot]! > after || table.columns.restatedPosition[slot]! > after;
}

/** Whether a slot listed as of `position` still holds the row it held then. */
export function isStill(table: OddsTable, slot: number, position: number): boolean {
  return table.columns.id.has(slot) && table.columns.createdPosition[slot]! <= position;
}
