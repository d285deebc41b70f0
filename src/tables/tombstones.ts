// What was removed from a table, in order: clients that were offline must be notified of it. Bounded by age and number.

/** What readers at a position must know of a removal. */
export interface Removed {
  /** Position of the removal. */
  position: number;
  /** Position at which it was created: a client at an older position never knew it. */
  createdPosition: number;
}

/** A removed row. */
export interface Tombstone extends Removed {
  id: string;
  eventId: string;
  sport: string;
  league: string;
  book: number;
  market: string;
  /** Of an alternate line. Absent where a directory of an earlier release does not say. */
  alternate?: boolean;
}

export class Tombstones<Entry extends Removed> {
  readonly #max: number;
  #entries: Entry[] = [];
  #first = 0;
  /** Number of removals dropped before those in the list. */
  #gone = 0;
  /** All removals after this position are here; a reader further behind needs a snapshot. */
  completeFrom = 0;

  /** @param max how many are remembered */
  constructor(max: number) {
    this.#max = max;
  }

  push(entry: Entry): void {
    this.#entries.push(entry);
    if (this.#entries.length - this.#first > this.#max) this.#drop(1);
  }

  /** Sorts them by position again, after shards were read one after the other. */
  sort(): void {
    this.#entries = this.#entries.slice(this.#first).sort((a, b) => a.position - b.position);
    this.#gone += this.#first;
    this.#first = 0;
  }

  /** Drops removals up to `position`. */
  expire(position: number): void {
    const count = this.#indexAfter(position) - this.#first;
    if (count > 0) this.#drop(count);
    if (position > this.completeFrom) this.completeFrom = position;
  }

  /** Removals after `position` of what was created by `createdUpTo`, in order. */
  since(position: number, createdUpTo = position): Entry[] {
    return this.after(position).filter((entry) => entry.createdPosition <= createdUpTo);
  }

  /** All removals after `position`, in order. */
  after(position: number): Entry[] {
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
  at(number: number): Entry | undefined {
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
    const to = this.#first + count;
    this.completeFrom = Math.max(this.completeFrom, this.#entries[to - 1]!.position);
    this.#first = to;
    if (to <= 1_024 || to * 2 <= this.#entries.length) return;
    this.#entries = this.#entries.slice(to);
    this.#gone += to;
    this.#first = 0;
  }
}
