// Picks the rows of a page and counts all matches: in serving order by walking the events, in any other order
// (sorted-rows.ts) by keeping the best matches. Totals are exact; a count is cached until rows are added, removed or
// moved.

import { compareText } from '../base/model/compare.js';
import type { RowSort } from '../schema/parameters.js';
import type { RowFilter } from '../tables/filter/filter.js';
import type { OddsTable } from '../tables/table.js';
import { type CursorKey, compareRowToCursor } from './cursor.js';

export type SortField = RowSort;

export interface Sort {
  field: SortField;
  descending: boolean;
}

export interface Page {
  slots: number[];
  total: number;
  /** Sort value of each row (null in the default order), for the cursor. */
  keys: (number | string)[] | null;
}

/** Rows `offset` to `offset + limit` of those after `after`, in serving order. */
export function selectInOrder(
  table: OddsTable,
  filter: RowFilter,
  page: { offset: number; limit: number; after: CursorKey | null },
): Omit<Page, 'total'> {
  const slots: number[] = [];
  let skip = page.offset;
  for (const event of filter.matchingEvents()) {
    let from = 0;
    if (page.after !== null) {
      const order = event.startMs - page.after[1] || compareText(event.id, page.after[2]);
      if (order < 0) continue;
      const after = page.after;
      if (order === 0) from = event.rows.firstAfter((slot) => compareRowToCursor(table, slot, after));
    }
    if (from === 0 && skip > 0 && filter.wholeBooks) {
      const count = countWhole(event.byBook, filter);
      if (count <= skip) {
        skip -= count;
        continue;
      }
    }
    const rows = event.rows.sorted();
    for (let i = from; i < rows.length; i++) {
      const slot = rows[i]!;
      if (!filter.hasRow(slot)) continue;
      if (skip > 0) {
        skip--;
        continue;
      }
      slots.push(slot);
      if (slots.length === page.limit) return { slots, keys: null };
    }
  }
  return { slots, keys: null };
}

/** All matching rows. */
export function countRows(filter: RowFilter): number {
  let total = 0;
  for (const event of filter.matchingEvents()) {
    if (filter.wholeBooks) {
      total += countWhole(event.byBook, filter);
      continue;
    }
    const rows = event.rows.unsorted();
    for (let i = 0; i < rows.length; i++) if (filter.hasRow(rows[i]!)) total++;
  }
  return total;
}

function countWhole(byBook: ReadonlyMap<number, number[]>, filter: RowFilter): number {
  let count = 0;
  for (const [book, slots] of byBook) if (filter.hasBook(book)) count += slots.length;
  return count;
}

/**
 * The numeric column that gives the order, or null. Both odds use the decimal one: the American scale has a gap and two
 * values for even money.
 */
export function sortColumn(table: OddsTable, field: SortField): Float64Array | null {
  if (field === 'odds_american' || field === 'odds_decimal') return table.columns.decimal;
  return field === 'last_seen_at' ? table.columns.seenMs : null;
}

/** Reads a row's sort value as a number. */
export function sortKeys(table: OddsTable, field: SortField): (slot: number) => number {
  const column = sortColumn(table, field);
  if (column !== null) return (slot) => column[slot]!;
  const { decimal } = table.columns;
  if (field === 'odds_probability') return (slot) => 1 / decimal[slot]!;
  if (field === 'event_start_time') return (slot) => table.eventOf(slot).startMs;
  const nameOf = sortName(table, field)!;
  const rank = new Map<string, number>();
  for (const name of [...namesOf(table, field)].sort()) rank.set(name, rank.size);
  return (slot) => rank.get(nameOf(slot))!;
}

function namesOf(table: OddsTable, field: SortField): Set<string> {
  if (field === 'sportsbook') return new Set(table.books.names);
  return new Set(table.events.ordered().map((event) => event[field as 'league' | 'sport']));
}

/** Reads a row's sort value as text, or null for numeric fields. */
export function sortName(table: OddsTable, field: SortField): ((slot: number) => string) | null {
  if (field === 'sportsbook') return (slot) => table.books.name(table.columns.book[slot]!);
  if (field === 'league' || field === 'sport') return (slot) => table.eventOf(slot)[field];
  return null;
}
