// The rows of a delta that did not fit its first page. They are listed once and the pages that follow read on in that list:
// rows that change meanwhile would otherwise move to another page and push one that was not read yet past its reader.
// Bounded; a list that was dropped costs its reader a repetition, never a row.
import { LIMITS } from '../model/limits.js';

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
  /** False where its reader's first page was of an earlier list, which is gone. */
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
