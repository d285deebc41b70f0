// Rows of one book that mean the same bet (variant names of yes and no, statistics written twice): the one with the
// lowest id counts, whichever came first, and the others wait until it is removed.
import { getOrInsert } from '../base/memory/get-or-insert.js';
import type { Row } from '../base/model/row.js';
import type { BookQuotes } from '../base/model/state.js';

export interface DuplicateRow {
  row: Row;
  quotes: BookQuotes;
}

export class DuplicateRows {
  /** By the number of the row that counts. */
  readonly #waiting = new Map<number, DuplicateRow[]>();

  wait(counted: number, duplicate: DuplicateRow): void {
    getOrInsert(this.#waiting, counted, (): DuplicateRow[] => []).push(duplicate);
  }

  /** Another row replaces `before`. */
  move(before: number, counted: number): void {
    const waiting = this.#waiting.get(before);
    if (waiting === undefined) return;
    this.#waiting.delete(before);
    this.#waiting.set(counted, waiting);
  }

  /** Rows that waited for a removed one: each must be placed again. */
  take(counted: number): readonly DuplicateRow[] {
    if (this.#waiting.size === 0) return [];
    const waiting = this.#waiting.get(counted) ?? [];
    this.#waiting.delete(counted);
    return waiting;
  }

  forget(row: Row): void {
    for (const [counted, waiting] of this.#waiting) {
      const at = waiting.findIndex(({ row: waits }) => waits === row);
      if (at < 0) continue;
      waiting.splice(at, 1);
      if (waiting.length === 0) this.#waiting.delete(counted);
      return;
    }
  }
}
