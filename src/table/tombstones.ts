// Removed rows, of which clients that were offline must be notified. Bounded by age and number.
import { LIMITS } from '../model/limits.js';

export interface Tombstone {
  /** Position of the removal. */
  position: number;
  /** Position at which the row was created: a client at an older position never knew it. */
  createdPosition: number;
  id: string;
  eventId: string;
  sport: string;
  league: string;
  book: number;
  market: number;
}

const TOMBSTONES_MAX = LIMITS.removals.max;

export class Tombstones {
  #entries: Tombstone[] = [];
  #first = 0;
  /** Number of removals dropped before those in the list. */
  #gone = 0;
  /** All removals after this position are here; a reader further behind needs a snapshot. */
  completeFrom: number;

  constructor(completeFrom: number) {
    this.completeFrom = completeFrom;
  }

  push(tombstone: Tombstone): void {
    this.#entries.push(tombstone);
    if (this.#entries.length - this.#first > TOMBSTONES_MAX) this.#drop(1);
  }

  /** Sorts them by position again, after shards were read one after the other. */
  sort(): void {
    this.#entries = this.#entries.slice(this.#first).sort((a, b) => a.position - b.position);
    this.#gone += this.#first;
    this.#first = 0;
  }

  /** Drops removals up to `position`. */
  expire(position: number): void {
    let count = 0;
    while (this.#first + count < this.#entries.length && this.#entries[this.#first + count]!.position <= position)
      count++;
    if (count > 0) this.#drop(count);
    if (position > this.completeFrom) this.completeFrom = position;
  }

  /** Removals after `position` of rows created by `createdUpTo`, in order. */
  since(position: number, createdUpTo = position): Tombstone[] {
    return this.after(position).filter((tombstone) => tombstone.createdPosition <= createdUpTo);
  }

  /** All removals after `position`, in order. */
  after(position: number): Tombstone[] {
    return this.#entries.slice(this.#indexAfter(position));
  }

  /** Removals are numbered in order: the number of the oldest known one. */
  get first(): number {
    return this.#gone + this.#first;
  }

  /** The number of the next one. */
  get end(): number {
    return this.#gone + this.#entries.length;
  }

  /** The number of the first one after `position`. */
  numberAfter(position: number): number {
    return this.#gone + this.#indexAfter(position);
  }

  /** The removal with this number; undefined if it is not known. */
  at(number: number): Tombstone | undefined {
    return number < this.first ? undefined : this.#entries[number - this.#gone];
  }

  #indexAfter(position: number): number {
    let low = this.#first;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#entries[middle]!.position <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #drop(count: number): void {
    const last = this.#entries[this.#first + count - 1]!;
    if (last.position > this.completeFrom) this.completeFrom = last.position;
    this.#first += count;
    if (this.#first > 1_024 && this.#first * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#first);
      this.#gone += this.#first;
      this.#first = 0;
    }
  }
}
