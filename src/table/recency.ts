// The rows in the order of their last change, as a list threaded through two columns: the change log, merged by row,
// in memory. Whoever is behind (a delta poller, a slow or returning stream) walks it from the newest back to where it was.
import type { Columns } from './columns.js';

const ANCHOR = 0;

export class Recency {
  readonly #columns: Columns;

  constructor(columns: Columns) {
    this.#columns = columns;
  }

  /** Puts a row at the newest end (a row not in the list yet, or one taken out before). */
  append(slot: number): void {
    const { older, newer } = this.#columns;
    const newest = older[ANCHOR]!;
    older[slot] = newest;
    newer[newest] = slot;
    newer[slot] = ANCHOR;
    older[ANCHOR] = slot;
  }

  remove(slot: number): void {
    const { older, newer } = this.#columns;
    const before = older[slot]!;
    const after = newer[slot]!;
    newer[before] = after;
    older[after] = before;
  }

  /** Rows that changed after `position`, oldest change first; at most `limit` of them, counted from the oldest. */
  since(position: number, limit = Number.POSITIVE_INFINITY): number[] {
    const { older, updatedPosition } = this.#columns;
    const slots: number[] = [];
    for (let slot = older[ANCHOR]!; slot !== ANCHOR && updatedPosition[slot]! > position; slot = older[slot]!)
      slots.push(slot);
    slots.reverse();
    if (slots.length > limit) slots.length = limit;
    return slots;
  }

  /** Builds the list anew from the updatedPosition column (after loading). */
  rebuild(slots: Uint32Array): void {
    const { updatedPosition, older, newer } = this.#columns;
    older[ANCHOR] = ANCHOR;
    newer[ANCHOR] = ANCHOR;
    sortByPosition(slots, updatedPosition);
    for (const slot of slots) this.append(slot);
  }
}

/**
 * Rows that changed at one position keep their order. Positions are sorted alone and rows counted into them: comparing
 * rows two by two takes five times as long, for half a million of them.
 */
function sortByPosition(slots: Uint32Array, positions: Float64Array): void {
  const different = differentOf(slots, positions);
  const rank = new Uint32Array(slots.length);
  const starts = new Uint32Array(different.length + 1);
  let last = 0;
  for (let i = 0; i < slots.length; i++) {
    const position = positions[slots[i]!]!;
    if (different[last] !== position) last = indexOf(different, position);
    rank[i] = last;
    starts[last + 1]!++;
  }
  for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!;
  const before = slots.slice();
  for (let i = 0; i < before.length; i++) slots[starts[rank[i]!]!++] = before[i]!;
}

/** The positions there are, in order. */
function differentOf(slots: Uint32Array, positions: Float64Array): Float64Array {
  const sorted = new Float64Array(slots.length);
  for (let i = 0; i < slots.length; i++) sorted[i] = positions[slots[i]!]!;
  sorted.sort();
  let count = 0;
  for (let i = 0; i < sorted.length; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[count++] = sorted[i]!;
  return sorted.subarray(0, count);
}

/** Of one of the numbers. */
function indexOf(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
