// What has been made once, to be found again: where it is full everything is forgotten, and made anew when it is asked for.

export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #max: number;

  /** @param max entries at most */
  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(key: Key, value: Value): this {
    if (this.size >= this.#max && !this.has(key)) this.clear();
    return super.set(key, value);
  }
}
