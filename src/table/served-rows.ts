// The table's rows as JSON, to be copied into answers and frames. Two implementations: ready-made (row-bytes.ts), which
// is fastest, and composed from the columns each time (composed-rows.ts), which takes a third of the memory.
import type { Arena } from '../memory/arena.js';
import type { EncodedRow, PartLengths } from '../model/row.js';
import type { RowDetails } from '../model/row-details.js';

/** The fields of a row that are in no column. */
export interface RowRest {
  link: string | null;
  details: RowDetails;
}

export interface ServedRows {
  /** Bytes in use. */
  readonly bytes: number;
  /** Length of the whole row's JSON. */
  length(slot: number): number;
  /** Copies the whole row's JSON to `target` and returns its end offset. */
  copyRow(slot: number, target: Buffer, at: number): number;
  /** Bytes that copyDelta() writes at most. */
  deltaLength(slot: number): number;
  /** Copies the body of the row's stream delta (from "odds_american" to "odds_changed_at"). */
  copyDelta(slot: number, target: Buffer, at: number): number;
  /** Head, price and rest one after the other, in the form that add() accepts; valid until the arena is reset. */
  parts(slot: number, arena: Arena): { parts: Buffer; lengths: PartLengths };
  text(slot: number): string;
  /** The row's link, for the default state. */
  deepLink(slot: number): string | null;
  /**
   * A new row, whose columns are set: all its parts in one buffer, head, price and rest one after the other from `at`.
   */
  add(slot: number, row: EncodedRow, seenMs: number): void;
  /** A new row of which nothing is encoded yet. */
  addLater(slot: number, rest: RowRest): void;
  /** Makes `count` rows that were added for later; false when there are none left. */
  makeSome(count: number): boolean;
  /** New price, and new rest if its length is not 0; the columns are set before. */
  update(slot: number, row: EncodedRow): void;
  /** Seen again; the column is set before. */
  touch(slot: number, seenMs: number): void;
  /** To be called while the columns still have the row. */
  remove(slot: number): void;
}

/** Reads the link from a row's own rest, which begins with the comma that separates it from the previous part. */
export function linkIn(rest: string): string | null {
  return (JSON.parse(`{${rest.slice(1)}`) as { deep_link: string | null }).deep_link;
}
