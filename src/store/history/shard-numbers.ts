// The meaning of the numbers in a shard's log: event and row numbers are reused once they are free.
import type { HistoryRow } from './event-record.js';

export class ShardNumbers {
  /** By number: when the event starts (Unix ms). */
  readonly starts = new Map<number, number>();
  /** By number: the event's number in history. */
  readonly events = new Map<number, number>();
  /** By row number: its event's number in history, and its index in the event. */
  readonly #rowEvents: number[] = [];
  readonly #rowPlaces: number[] = [];

  place(hno: number, row: HistoryRow): void {
    this.#rowEvents[row.no] = hno;
    this.#rowPlaces[row.no] = row.place;
  }

  /** Index of the event's row of that number; undefined if it is not one of its rows. */
  placeOf(hno: number, no: number): number | undefined {
    return this.#rowEvents[no] === hno ? this.#rowPlaces[no] : undefined;
  }
}
