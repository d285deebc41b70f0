// Objects that nobody needs any more, kept for the next that needs one like them: made anew by the thousand each second
// they would outlive the young generation, and be left to a major GC.
export class Pool<T> {
  readonly #spare: T[] = [];
  readonly #max: number;

  /** @param max kept at most; what goes beyond is left to the collector */
  constructor(max: number) {
    this.#max = max;
  }

  /** One to be used again, with all its fields as they were; undefined where there is none. */
  take(): T | undefined {
    return this.#spare.pop();
  }

  give(one: T): void {
    if (this.#spare.length < this.#max) this.#spare.push(one);
  }

  clear(): void {
    this.#spare.length = 0;
  }
}
