// Odds id → slot, in one array of numbers: half a million strings in a Map cost a second of every start and 40 MB. Open
// addressing; the ids' own digits are a hash already (identity.ts).

import { type IdColumn, lastDigitsOf } from './id-column.js';
import { isOddsId } from './identity.js';

const START_SIZE = 8_192;
const LOAD_FACTOR = 0.6;

export class IdIndex {
  /** Ids by slot: the table's own column. */
  readonly #ids: IdColumn;
  /** Slots; 0 is an empty entry. */
  #slots: Uint32Array<ArrayBuffer>;
  #count = 0;

  /** @param size places at first, a power of two */
  constructor(ids: IdColumn, size = START_SIZE) {
    this.#ids = ids;
    this.#slots = new Uint32Array(size);
  }

  /** Undefined if no row has it, whatever the text. */
  get(id: string): number | undefined {
    if (!isOddsId(id)) return undefined;
    const slots = this.#slots;
    const mask = slots.length - 1;
    let at = lastDigitsOf(id) & mask;
    while (slots[at] !== 0 && !this.#ids.is(slots[at]!, id)) at = (at + 1) & mask;
    return slots[at] === 0 ? undefined : slots[at];
  }

  /** The slot's id must be in the column. */
  add(slot: number): void {
    if (++this.#count > this.#slots.length * LOAD_FACTOR) this.#resize(this.#slots.length * 2);
    this.#slots[this.#place(slot)] = slot;
  }

  /** The slot's id must still be in the column. */
  delete(slot: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let hole = this.#place(slot);
    if (slots[hole] === 0) return;
    this.#count--;
    // Entries pushed past the hole move back into it, so that no search ends there too early.
    for (let at = (hole + 1) & mask; slots[at] !== 0; at = (at + 1) & mask) {
      const wanted = this.#ids.lastDigits(slots[at]!) & mask;
      if (((at - wanted) & mask) < ((at - hole) & mask)) continue;
      slots[hole] = slots[at]!;
      hole = at;
    }
    slots[hole] = 0;
  }

  /** Where the entry of the slot's id is, or would be: the last one added if two living rows share an id. */
  #place(slot: number): number {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let at = this.#ids.lastDigits(slot) & mask;
    while (slots[at] !== 0 && this.#ids.compare(slots[at]!, slot) !== 0) at = (at + 1) & mask;
    return at;
  }

  /** Allocates for `rows` at once (loading), instead of by doubling. */
  reserve(rows: number): void {
    let size = this.#slots.length;
    while (rows > size * LOAD_FACTOR) size *= 2;
    if (size > this.#slots.length) this.#resize(size);
  }

  #resize(size: number): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(size);
    for (const slot of old) if (slot !== 0) this.#slots[this.#place(slot)] = slot;
  }
}
