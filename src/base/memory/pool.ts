// Objects no longer in use, kept for reuse: allocated by the thousand each second, they would outlive the young
// generation and be left to a major GC.
export class Pool<T> {
  readonly #spare: T[] = [];
  readonly #max: number;

  /** @param max maximum number of idle objects; more are left to the garbage collector */
  constructor(max: number) {
    this.#max = max;
  }

  /** An idle object with its fields as they were, or undefined if there is none. */
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
