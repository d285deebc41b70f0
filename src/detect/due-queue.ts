// When time alone changes a line: the lines in the order of their next deadline. A deadline that moves later costs
// nothing until the old one comes, when the line is looked at and put back.

export interface Timed {
  /** Earliest deadline (Unix ms) under which it stands in the queue; Infinity where it does not. */
  dueMs: number;
}

export class DueQueue<T extends Timed> {
  readonly #keys: number[] = [];
  readonly #entries: T[] = [];

  /** Earliest deadline, perhaps too early, never too late; Infinity where there is none. */
  get nextMs(): number {
    this.#dropObsolete();
    return this.#keys[0] ?? Number.POSITIVE_INFINITY;
  }

  /** Makes sure that it comes at `dueMs` or before. */
  put(entry: T, dueMs: number): void {
    if (dueMs >= entry.dueMs || dueMs === Number.POSITIVE_INFINITY) return;
    entry.dueMs = dueMs;
    let at = this.#keys.push(dueMs) - 1;
    this.#entries.push(entry);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#keys[parent]! <= dueMs) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#keys[at] = dueMs;
    this.#entries[at] = entry;
  }

  /** Takes one whose deadline lies before `nowMs`; undefined where none does. */
  take(nowMs: number): T | undefined {
    this.#dropObsolete();
    if (!(this.#keys[0]! < nowMs)) return undefined;
    const entry = this.#entries[0]!;
    entry.dueMs = Number.POSITIVE_INFINITY;
    this.#dropFirst();
    return entry;
  }

  clear(): void {
    this.#keys.length = 0;
    this.#entries.length = 0;
  }

  /** Entries that were put again with an earlier deadline, and taken under it. */
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
