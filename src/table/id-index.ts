// Odds id → slot, as one array of numbers: half a million strings in a Map cost a second of every start and 40 MB.
// Open addressing; the ids' own digits are a hash already (identity.ts).

const START_SIZE = 8_192;
const LOAD_MAX = 0.6;
const HASH_DIGITS = 9;

export class IdIndex {
  /** Ids by slot: the table's own column. */
  readonly #ids: readonly string[];
  /** Slots; 0 is an empty place. */
  #slots = new Uint32Array(START_SIZE);
  #count = 0;

  constructor(ids: readonly string[]) {
    this.#ids = ids;
  }

  get(id: string): number | undefined {
    const slot = this.#slots[this.#place(id)]!;
    return slot === 0 ? undefined : slot;
  }

  /** The slot's id must stand in the column. */
  add(slot: number): void {
    if (++this.#count > this.#slots.length * LOAD_MAX) this.#resize(this.#slots.length * 2);
    this.#slots[this.#place(this.#ids[slot]!)] = slot;
  }

  delete(id: string): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let hole = this.#place(id);
    if (slots[hole] === 0) return;
    this.#count--;
    // What was pushed past the hole moves back into it, so that no search ends there too early.
    for (let at = (hole + 1) & mask; slots[at] !== 0; at = (at + 1) & mask) {
      const wanted = hash(this.#ids[slots[at]!]!) & mask;
      if (((at - wanted) & mask) < ((at - hole) & mask)) continue;
      slots[hole] = slots[at]!;
      hole = at;
    }
    slots[hole] = 0;
  }

  /** Where the id is, or would be. */
  #place(id: string): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let at = hash(id) & mask;
    while (slots[at] !== 0 && this.#ids[slots[at]!] !== id) at = (at + 1) & mask;
    return at;
  }

  /** Makes room for `rows` at once (loading), instead of doubling there. */
  reserve(rows: number): void {
    let size = this.#slots.length;
    while (rows > size * LOAD_MAX) size *= 2;
    if (size > this.#slots.length) this.#resize(size);
  }

  #resize(size: number): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(size);
    for (const slot of old) if (slot !== 0) this.#slots[this.#place(this.#ids[slot]!)] = slot;
  }
}

/** The last digits; any other text gets some number too. */
function hash(id: string): number {
  let value = 0;
  for (let i = Math.max(0, id.length - HASH_DIGITS); i < id.length; i++) value = value * 10 + id.charCodeAt(i) - 48;
  return value | 0;
}
