// A cache with a fixed maximum of entries: when it is full it is cleared, and values are made again on demand.

export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #max: number;

  /** @param max maximum number of entries */
  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(key: Key, value: Value): this {
    if (this.size >= this.#max && !this.has(key)) this.clear();
    return super.set(key, value);
  }
}
