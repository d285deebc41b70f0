// A cache of devigged probabilities: books use few different sets of prices, which recur, while devigging costs a dozen
// exponentials.

import type { DevigMethod } from '../base/model/devig-method.js';
import { devig } from './maths/devig.js';

/** Number of entries; a set that hashes to a used entry replaces it. A power of two. */
const PLACES = 8_192;
const OUTCOMES = 3;
/** Stands for a missing price (0), which is no valid price. */
const NO_SIDE = -1;
/** An entry has the prices, then the probabilities. */
const PLACE_NUMBERS = 2 * OUTCOMES;

export class DevigMemory {
  readonly #method: DevigMethod;
  /** All zeros in an empty entry, which is no set of prices. */
  readonly #places = new Float64Array(PLACES * PLACE_NUMBERS);
  readonly #implied = new Float64Array(OUTCOMES);
  readonly #devigged = new Float64Array(OUTCOMES);

  constructor(method: DevigMethod) {
    this.#method = method;
  }

  /**
   * Fair probabilities (0-1) of a book's decimal prices, the `sides` (2 or 3) numbers from `at`, into `out` at the same
   * indices: exactly the result of `devig`. NaN if it has none: a missing price (0), or one that is not a price.
   */
  devig(decimal: Float64Array, at: number, sides: number, out: Float64Array): void {
    const places = this.#places;
    const first = decimal[at]!;
    const second = decimal[at + 1]!;
    const third = sides === 3 ? decimal[at + 2]! : NO_SIDE;
    const place = placeOf(first, second, third) * PLACE_NUMBERS;
    const met = places[place] === first && places[place + 1] === second && places[place + 2] === third && first !== 0;
    if (!met) {
      places[place] = first;
      places[place + 1] = second;
      places[place + 2] = third;
      this.#compute(sides, place);
    }
    for (let side = 0; side < sides; side++) out[at + side] = places[place + OUTCOMES + side]!;
  }

  #compute(sides: number, place: number): void {
    const places = this.#places;
    for (let side = 0; side < sides; side++) this.#implied[side] = 1 / places[place + side]!;
    const done = devig(this.#method, this.#implied, sides, this.#devigged);
    for (let side = 0; side < sides; side++)
      places[place + OUTCOMES + side] = done ? this.#devigged[side]! : Number.NaN;
  }
}

/** Prices are multiples of a hundredth or a few thousandths: neighbours must not share an entry. */
function placeOf(first: number, second: number, third: number): number {
  let hash = Math.imul((first * 4_096) | 0, 0x9e37_79b1);
  hash = Math.imul(hash ^ ((second * 4_096) | 0), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 15) ^ ((third * 4_096) | 0), 0xc2b2_ae35);
  return (hash >>> 16) & (PLACES - 1);
}
