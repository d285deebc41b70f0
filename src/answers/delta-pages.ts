// The rows of a delta that did not fit its first page. They are listed once and the following pages continue in that
// list: otherwise rows that change meanwhile would move to another page and push an unread one past its reader.
// Bounded; if a list was dropped its reader gets a repetition, and never misses a row.
import { LIMITS } from '../base/model/limits.js';

export interface DeltaList {
  slots: Uint32Array;
  /** updatedPosition of each when the list was made. */
  updatedPosition: Float64Array;
  /** shareOf each one's id. */
  shares: Uint16Array;
  removed: readonly string[];
  booksChanged: readonly string[];
  /** Position of the table when the list was made. */
  position: number;
  /** False if its reader's first page was from an earlier list, which was dropped. */
  fromStart: boolean;
  overflow: boolean;
}

const LISTS_MAX = LIMITS.deltaLists.max;
const ROWS_MAX = LIMITS.deltaListRows.max;

export class DeltaPages {
  readonly #lists = new Map<string, DeltaList>();
  #rows = 0;

  get(key: string): DeltaList | undefined {
    return this.#lists.get(key);
  }

  keep(key: string, list: DeltaList): void {
    this.forget(key);
    if (list.slots.length > ROWS_MAX) return;
    this.#lists.set(key, list);
    this.#rows += list.slots.length;
    for (const oldest of this.#lists.keys()) {
      if (this.#lists.size <= LISTS_MAX && this.#rows <= ROWS_MAX) break;
      this.forget(oldest);
    }
  }

  forget(key: string): void {
    const list = this.#lists.get(key);
    if (list === undefined) return;
    this.#rows -= list.slots.length;
    this.#lists.delete(key);
  }
}
