// Second rows of the same meaning at one book (variant names of yes and no, statistics written twice): the one with the
// lower id counts, whichever came first, and the others wait until it is removed.
import type { Row } from '../model/row.js';
import type { BookQuotes } from '../model/state.js';

export interface Twin {
  row: Row;
  quotes: BookQuotes;
}

export class Twins {
  /** By the number of the row that counts. */
  readonly #waiting = new Map<number, Twin[]>();

  wait(standing: number, twin: Twin): void {
    const waiting = this.#waiting.get(standing);
    if (waiting === undefined) this.#waiting.set(standing, [twin]);
    else waiting.push(twin);
  }

  /** Another row replaces `before`. */
  move(before: number, standing: number): void {
    const waiting = this.#waiting.get(before);
    if (waiting === undefined) return;
    this.#waiting.delete(before);
    this.#waiting.set(standing, waiting);
  }

  /** Rows that waited for a removed one: each must be placed again. */
  take(standing: number): readonly Twin[] {
    if (this.#waiting.size === 0) return [];
    const waiting = this.#waiting.get(standing) ?? [];
    this.#waiting.delete(standing);
    return waiting;
  }

  forget(row: Row): void {
    for (const [standing, waiting] of this.#waiting) {
      const at = waiting.findIndex((twin) => twin.row === row);
      if (at < 0) continue;
      waiting.splice(at, 1);
      if (waiting.length === 0) this.#waiting.delete(standing);
      return;
    }
  }
}
