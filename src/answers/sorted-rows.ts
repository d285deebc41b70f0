// Pages in another order than the serving order. The matching rows are found once and cached until rows are added,
// removed or moved; their sort values are read for every request, in one pass over the table's column.

import { getOrInsert } from '../base/memory/get-or-insert.js';
import { grown } from '../base/memory/grown.js';
import { compareText } from '../base/model/compare.js';
import { LIMITS } from '../base/model/limits.js';
import type { RowFilter } from '../tables/filter/filter.js';
import type { OddsTable } from '../tables/table.js';
import { type CursorKey, compareToCursor } from './cursor.js';
import { type Page, type Sort, type SortField, sortColumn, sortKeys, sortName } from './select.js';

/** Rows of all cached lists together: four bytes each. */
const CACHED_ROWS_MAX = LIMITS.sortedRows.max;

interface Matching {
  structure: number;
  slots: Uint32Array;
}

let scratchSlots = new Uint32Array(16_384);
let scratchKeys = new Float64Array(16_384);

export class SortedRows {
  readonly #cache = new WeakMap<OddsTable, Map<string, Matching>>();
  #cachedRows = 0;

  /**
   * Rows `offset` to `offset + limit` of those after `after` in the order of `sort`; rows of equal value stay in the
   * serving order. Equal `filterText` means equal filters.
   */
  select(
    table: OddsTable,
    filter: RowFilter,
    sort: Sort,
    page: { offset: number; limit: number; after: CursorKey | null },
    filterText: string,
  ): Page {
    const slots = filter.dependsOnPrices ? gather(filter) : this.#matching(table, filter, filterText);
    const column = sortColumn(table, sort.field);
    const keys = column === null ? keysOf(table, sort.field, slots) : column;
    const keyOf = (i: number): number => keys[column === null ? i : slots[i]!]!;
    const sign = sort.descending ? -1 : 1;
    const after = page.after;
    const nameOf = sortName(table, sort.field);
    const isBehind =
      after === null
        ? null
        : (i: number): boolean => {
            const order =
              nameOf === null
                ? keyOf(i) - Number(after[0])
                : // A rank among today's names shifts when one appears: the cursor holds the name.
                  compareText(nameOf(slots[i]!), String(after[0]));
            return sign * order > 0 || (order === 0 && compareToCursor(table, slots[i]!, after) > 0);
          };
    const count = slots.length;
    const order = { values: keys, at: column === null ? null : slots, count, descending: sort.descending };
    const chosen = firstInOrder(order, page.offset + page.limit, isBehind).slice(page.offset);
    return {
      slots: chosen.map((i) => slots[i]!),
      total: count,
      keys: chosen.map((i) => (nameOf === null ? keyOf(i) : nameOf(slots[i]!))),
    };
  }

  #matching(table: OddsTable, filter: RowFilter, filterText: string): Uint32Array {
    const ofTable = getOrInsert(this.#cache, table, () => new Map());
    const known = ofTable.get(filterText);
    if (known !== undefined && known.structure === table.structure) return known.slots;
    if (known !== undefined) {
      this.#cachedRows -= known.slots.length;
      ofTable.delete(filterText);
    }
    const slots = gather(filter).slice();
    if (this.#cachedRows + slots.length > CACHED_ROWS_MAX) {
      for (const { slots } of ofTable.values()) this.#cachedRows -= slots.length;
      ofTable.clear();
    }
    if (this.#cachedRows + slots.length <= CACHED_ROWS_MAX) {
      ofTable.set(filterText, { structure: table.structure, slots });
      this.#cachedRows += slots.length;
    }
    return slots;
  }
}

/** Matching rows in serving order: a view, valid until the next call. */
function gather(filter: RowFilter): Uint32Array {
  let count = 0;
  for (const event of filter.matchingEvents()) {
    const rows = event.rows.sorted();
    if (count + rows.length > scratchSlots.length) scratchSlots = grown(scratchSlots, (count + rows.length) * 2);
    for (let i = 0; i < rows.length; i++) {
      const slot = rows[i]!;
      if (filter.hasRow(slot)) scratchSlots[count++] = slot;
    }
  }
  return scratchSlots.subarray(0, count);
}

/** Sort values that are in no column: valid until the next call. */
function keysOf(table: OddsTable, field: SortField, slots: Uint32Array): Float64Array {
  const count = slots.length;
  if (count > scratchKeys.length) scratchKeys = new Float64Array(count * 2);
  const keyOf = sortKeys(table, field);
  for (let i = 0; i < count; i++) scratchKeys[i] = keyOf(slots[i]!);
  return scratchKeys;
}

// The first rows of an order, found in one pass over its column.

interface Keys {
  /** The value of row `i`: `values[at[i]]`, or `values[i]` if there is no `at`. */
  values: Float64Array;
  at: Uint32Array | null;
  /** Rows. */
  count: number;
  /** Larger values first. */
  descending: boolean;
}

/** Indices of the first `wanted` rows among those that pass, in order; of equal values the lower index comes first. */
export function firstInOrder(keys: Keys, wanted: number, passes: ((i: number) => boolean) | null): number[] {
  const { values, at, count } = keys;
  if (wanted <= 0) return [];
  const sign = keys.descending ? -1 : 1;
  const keyOf = (i: number): number => sign * values[at === null ? i : at[i]!]!;
  if (wanted * 8 > count) return smallestOfAll(keys, keyOf, wanted, passes);
  const best = new Best(wanted);
  for (let i = 0; i < count; i++) {
    const key = sign * values[at === null ? i : at[i]!]!;
    // Most rows are rejected here. One that ties with the worst comes after it.
    if (key >= best.worst) continue;
    if (passes === null || passes(i)) best.add(key, i);
  }
  return best.inOrder();
}

function smallestOfAll(
  { count }: Keys,
  keyOf: (i: number) => number,
  wanted: number,
  passes: ((i: number) => boolean) | null,
): number[] {
  const all: number[] = [];
  for (let i = 0; i < count; i++) if (passes === null || passes(i)) all.push(i);
  all.sort((a, b) => keyOf(a) - keyOf(b) || a - b);
  all.length = Math.min(all.length, wanted);
  return all;
}

/** A heap whose root is the worst of the best so far. */
class Best {
  /** A row must be below it to be among the best. */
  worst = Number.POSITIVE_INFINITY;
  readonly #wanted: number;
  readonly #keys: number[] = [];
  readonly #rows: number[] = [];

  constructor(wanted: number) {
    this.#wanted = wanted;
  }

  /** Rows come in ascending order of index. */
  add(key: number, row: number): void {
    const keys = this.#keys;
    const rows = this.#rows;
    if (rows.length === this.#wanted) {
      this.#sink(key, row);
      this.worst = keys[0]!;
      return;
    }
    let at = rows.push(row) - 1;
    keys.push(key);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (keys[parent]! > key || (keys[parent] === key && rows[parent]! > row)) break;
      keys[at] = keys[parent]!;
      rows[at] = rows[parent]!;
      at = parent;
    }
    keys[at] = key;
    rows[at] = row;
    if (rows.length === this.#wanted) this.worst = keys[0]!;
  }

  inOrder(): number[] {
    const keyOf = new Map(this.#rows.map((row, i) => [row, this.#keys[i]!]));
    return this.#rows.sort((a, b) => keyOf.get(a)! - keyOf.get(b)! || a - b);
  }

  /** Replaces the worst. */
  #sink(key: number, row: number): void {
    const keys = this.#keys;
    const rows = this.#rows;
    const count = rows.length;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= count) break;
      const next = child + 1;
      if (next < count && (keys[next]! > keys[child]! || (keys[next] === keys[child] && rows[next]! > rows[child]!)))
        child = next;
      if (keys[child]! < key || (keys[child] === key && rows[child]! < row)) break;
      keys[at] = keys[child]!;
      rows[at] = rows[child]!;
      at = child;
    }
    keys[at] = key;
    rows[at] = row;
  }
}
