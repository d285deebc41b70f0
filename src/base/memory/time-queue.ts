// Items for times to come, each time once: few times with many items.

export class TimeQueue<T> {
  /** The next one last. */
  readonly #times: number[] = [];
  readonly #items = new Map<number, T[]>();

  /** The next time; Infinity if there is none. */
  get next(): number {
    return this.#times.at(-1) ?? Number.POSITIVE_INFINITY;
  }

  has(time: number): boolean {
    return this.#items.has(time);
  }

  add(time: number, item: T): void {
    const known = this.#items.get(time);
    if (known !== undefined) {
      known.push(item);
      return;
    }
    this.#items.set(time, [item]);
    let at = this.#times.length;
    while (at > 0 && this.#times[at - 1]! < time) at--;
    this.#times.splice(at, 0, time);
  }

  /** The items of the next time, which is over. */
  take(): T[] {
    const time = this.#times.pop()!;
    const items = this.#items.get(time)!;
    this.#items.delete(time);
    return items;
  }

  clear(): void {
    this.#times.length = 0;
    this.#items.clear();
  }
}
