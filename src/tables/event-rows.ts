// The rows of one event in serving order, for pages that walk the table event by event.
import { grown } from '../base/memory/grown.js';

const START_SLOTS = 16;
/** A row that would move more rows than this is appended instead, and all are sorted when they are next read. */
const ROWS_MOVED = 64;

/** Negative if the row in slot `a` comes before the one in slot `b`. */
export type RowOrder = (a: number, b: number) => number;

/** Sorted by market, line, selection and book on first use, and kept sorted from then on. */
export class EventRows {
  readonly #order: RowOrder;
  #slots = new Uint32Array(START_SLOTS);
  #count = 0;
  #sorted = true;
  /** Incremented when a row is added, removed or moved in the order: cached groupings of the rows depend on it. */
  structure = 0;

  constructor(order: RowOrder) {
    this.#order = order;
  }

  get count(): number {
    return this.#count;
  }

  /** The sorted slots: a view, valid until the next change. */
  sorted(): Uint32Array {
    const view = this.#slots.subarray(0, this.#count);
    if (!this.#sorted) {
      view.sort(this.#order);
      this.#sorted = true;
    }
    return view;
  }

  /** The slots in no particular order. */
  unsorted(): Uint32Array {
    return this.#slots.subarray(0, this.#count);
  }

  add(slot: number): void {
    this.structure++;
    if (this.#count === this.#slots.length) this.#slots = grown(this.#slots, this.#count * 2);
    // Rows that are added many at a time (a new event, a start from disk) are sorted once, on demand.
    if (!this.#sorted) {
      this.#slots[this.#count++] = slot;
      return;
    }
    const at = this.#lowerBound(slot);
    if (at === this.#count || this.#count - at > ROWS_MOVED) {
      this.#sorted = at === this.#count;
      this.#slots[this.#count++] = slot;
      return;
    }
    this.#slots.copyWithin(at + 1, at, this.#count);
    this.#slots[at] = slot;
    this.#count++;
  }

  /** Must be called before the row's sort columns change. */
  remove(slot: number): void {
    this.structure++;
    let at = this.#sorted ? this.#lowerBound(slot) : this.unsorted().indexOf(slot);
    if (this.#slots[at] !== slot) at = this.unsorted().indexOf(slot);
    if (at < 0) return;
    this.#slots.copyWithin(at, at + 1, this.#count);
    this.#count--;
  }

  /** Index of the first row for which `compare` is positive; the number of rows if there is none. */
  firstAfter(compare: (slot: number) => number): number {
    const slots = this.sorted();
    let low = 0;
    let high = slots.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compare(slots[middle]!) <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #lowerBound(slot: number): number {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#order(this.#slots[middle]!, slot) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
