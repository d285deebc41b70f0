// Makes the JSON of loaded rows, a few at a time, so that requests and batches come first.
import type { OddsTable } from '../table/table.js';

/** About two milliseconds of work. */
const ROWS_AT_ONCE = 500;

export class RowMaking {
  readonly #table: OddsTable;
  #next: NodeJS.Immediate | undefined;

  constructor(table: OddsTable) {
    this.#table = table;
  }

  start(): void {
    this.#next = setImmediate(() => {
      if (this.#table.bytes.makeSome(ROWS_AT_ONCE)) this.start();
    });
  }

  stop(): void {
    clearImmediate(this.#next);
  }
}
