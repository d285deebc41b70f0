// The table's rows as JSON, as answers and frames copy them. Two ways: kept ready (row-bytes.ts), which is fastest, and made
// of the columns each time (composed-rows.ts), which takes a third of the memory.
import type { Arena } from '../memory/arena.js';
import type { EncodedRow, PartLengths } from '../model/row.js';
import type { RowDetails } from '../model/row-details.js';

/** What of a row stands in no column. */
export interface RowRest {
  link: string | null;
  details: RowDetails;
}

export interface ServedRows {
  /** Bytes held. */
  readonly bytes: number;
  /** Bytes of the whole row's JSON. */
  length(slot: number): number;
  /** Copies the whole row's JSON to `target` and returns where it ends. */
  copyRow(slot: number, target: Buffer, at: number): number;
  /** Copies the body of the row's stream delta (from "odds_american" to "odds_changed_at"). */
  copyDelta(slot: number, target: Buffer, at: number): number;
  /** Head, price and rest one behind the other, as add() takes them; good until the arena is reset. */
  parts(slot: number, arena: Arena): { parts: Buffer; lengths: PartLengths };
  text(slot: number): string;
  /** The row's link, for the default state. */
  deepLink(slot: number): string | null;
  /** A new row, whose columns are set: all its parts from one buffer, head, price and rest one behind the other from `at`. */
  add(slot: number, row: EncodedRow, seenMs: number): void;
  /** A new row of which nothing is encoded yet. */
  addLater(slot: number, rest: RowRest): void;
  /** Has `count` rows made that were added for later; false when there are none left. */
  makeSome(count: number): boolean;
  /** New price, and new rest where its length is not 0; the columns are set before. */
  update(slot: number, row: EncodedRow): void;
  /** Seen again; the column is set before. */
  touch(slot: number, seenMs: number): void;
  /** To be called while the columns still hold the row. */
  remove(slot: number): void;
}

/** Reads the link out of a row's own rest, which begins with the comma that parts it from what stands before it. */
export function linkIn(rest: string): string | null {
  return (JSON.parse(`{${rest.slice(1)}`) as { deep_link: string | null }).deep_link;
}
