// Changes of an event's rows for queries: column by column, in memory that the next query reuses.
import { grown } from '../../base/memory/grown.js';
import type { ChangeVisitor } from './page.js';

const START_PLACES = 4_096;
/** Larger memory is released after the query that needed it. */
const CHANGES_RETAINED = 262_144;

export class Changes {
  count = 0;
  /** The row's index in the event. */
  row = new Uint32Array(START_PLACES);
  atUs = new Float64Array(START_PLACES);
  american = new Float64Array(START_PLACES);
  decimal = new Float64Array(START_PLACES);
  /** NaN if it has none. */
  line = new Float64Array(START_PLACES);
  flags = new Uint8Array(START_PLACES);

  readonly add: ChangeVisitor = (row, atUs, american, decimal, line, flags) => {
    const { count } = this;
    if (count === this.row.length) this.#grow(count * 2);
    this.row[count] = row;
    this.atUs[count] = atUs;
    this.american[count] = american;
    this.decimal[count] = decimal;
    this.line[count] = line;
    this.flags[count] = flags;
    this.count++;
  };

  clear(): void {
    this.count = 0;
    if (this.row.length <= CHANGES_RETAINED) return;
    this.row = new Uint32Array(START_PLACES);
    this.atUs = new Float64Array(START_PLACES);
    this.american = new Float64Array(START_PLACES);
    this.decimal = new Float64Array(START_PLACES);
    this.line = new Float64Array(START_PLACES);
    this.flags = new Uint8Array(START_PLACES);
  }

  #grow(places: number): void {
    this.row = grown(this.row, places);
    this.atUs = grown(this.atUs, places);
    this.american = grown(this.american, places);
    this.decimal = grown(this.decimal, places);
    this.line = grown(this.line, places);
    this.flags = grown(this.flags, places);
  }
}
