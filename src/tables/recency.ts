// The rows in the order of their last change, as a list threaded through two columns: the change log, merged by row, in
// memory. Readers that are behind (a delta poller, a slow or returning stream) walk it from the newest back to their
// position.
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

  /** Rebuilds the list from the updatedPosition column (after loading). */
  rebuild(slots: Uint32Array): void {
    const { updatedPosition, older, newer } = this.#columns;
    older[ANCHOR] = ANCHOR;
    newer[ANCHOR] = ANCHOR;
    slots.sort((a, b) => updatedPosition[a]! - updatedPosition[b]!);
    for (const slot of slots) this.append(slot);
  }
}
