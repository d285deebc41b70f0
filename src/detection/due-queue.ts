// When time alone changes a line: the lines in the order of their next deadline. Moving a deadline later costs nothing
// until the old one is reached, when the line is evaluated and queued again. A line that is gone sets its deadline to
// Infinity: the queue holds at most about twice as many as are queued.

export interface Timed {
  /** Earliest deadline (Unix ms) at which it is queued; Infinity if it is not. */
  dueMs: number;
}

const SWEPT_LEAST = 1_024;

export class DueQueue<T extends Timed> {
  readonly #keys: number[] = [];
  readonly #entries: T[] = [];
  /** With so many the obsolete ones are dropped. */
  #sweepAt = SWEPT_LEAST;

  /** Earliest deadline, possibly too early, never too late; Infinity if there is none. */
  get nextMs(): number {
    this.#dropObsolete();
    return this.#keys[0] ?? Number.POSITIVE_INFINITY;
  }

  /** Queues it at `dueMs` unless it is queued at an earlier time. */
  put(entry: T, dueMs: number): void {
    if (dueMs >= entry.dueMs || dueMs === Number.POSITIVE_INFINITY) return;
    entry.dueMs = dueMs;
    if (this.#keys.length >= this.#sweepAt) this.#sweep();
    this.#rise(this.#keys.push(dueMs) - 1, dueMs, entry);
  }

  #rise(from: number, dueMs: number, entry: T): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#keys[parent]! <= dueMs) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#keys[at] = dueMs;
    this.#entries[at] = entry;
  }

  /** Removes one whose deadline is before `nowMs`; undefined if there is none. */
  take(nowMs: number): T | undefined {
    this.#dropObsolete();
    if (!(this.#keys[0]! < nowMs)) return undefined;
    const entry = this.#entries[0]!;
    entry.dueMs = Number.POSITIVE_INFINITY;
    this.#dropFirst();
    return entry;
  }

  /** Drops every obsolete one: those that are far in the future would not be reached for long. */
  #sweep(): void {
    const keys = this.#keys;
    const entries = this.#entries;
    const { length } = keys;
    let kept = 0;
    for (let i = 0; i < length; i++) {
      const entry = entries[i]!;
      // Each that stays rises within those before it, so that their order is the queue's.
      if (entry.dueMs === keys[i]) this.#rise(kept++, entry.dueMs, entry);
    }
    keys.length = kept;
    entries.length = kept;
    this.#sweepAt = Math.max(SWEPT_LEAST, 2 * kept);
  }

  /** Entries that were queued again with an earlier deadline and removed under it, or left. */
  #dropObsolete(): void {
    while (this.#keys.length > 0 && this.#entries[0]!.dueMs !== this.#keys[0]) this.#dropFirst();
  }

  #dropFirst(): void {
    const key = this.#keys.pop()!;
    const entry = this.#entries.pop()!;
    const length = this.#keys.length;
    if (length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= length) break;
      if (child + 1 < length && this.#keys[child + 1]! < this.#keys[child]!) child++;
      if (this.#keys[child]! >= key) break;
      this.#move(child, at);
      at = child;
    }
    this.#keys[at] = key;
    this.#entries[at] = entry;
  }

  #move(from: number, to: number): void {
    this.#keys[to] = this.#keys[from]!;
    this.#entries[to] = this.#entries[from]!;
  }
}
