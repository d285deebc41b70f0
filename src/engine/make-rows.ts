// Makes the JSON of loaded rows, a few at a time, so that requests and batches come first.
import type { OddsTable } from '../table/table.js';

/** About two milliseconds of work. */
const ROWS_AT_ONCE = 500;

/** Returns what ends it. */
export function makeRows({ bytes }: OddsTable): () => void {
  let next: NodeJS.Immediate;
  const goOn = (): void => {
    next = setImmediate(() => {
      if (bytes.makeSome(ROWS_AT_ONCE)) goOn();
    });
  };
  goOn();
  return () => clearImmediate(next);
}
