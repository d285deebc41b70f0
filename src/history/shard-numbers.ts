// What the numbers of a shard's log mean: its events' and rows' numbers are given again once they are free.
import type { HistoryRow } from './event-record.js';

export class ShardNumbers {
  /** By number: the event's in history. */
  readonly events = new Map<number, number>();
  /** By number of the row: its event's in history, and its place in the event. */
  readonly #rowEvents: number[] = [];
  readonly #rowPlaces: number[] = [];

  place(hno: number, row: HistoryRow): void {
    this.#rowEvents[row.no] = hno;
    this.#rowPlaces[row.no] = row.place;
  }

  /** Place of the event's row of that number; undefined where it is none of its. */
  placeOf(hno: number, no: number): number | undefined {
    return this.#rowEvents[no] === hno ? this.#rowPlaces[no] : undefined;
  }
}
