// One side of an order book: the amount at each price, and the prices in order. Prices and amounts are integers in
// millionths.
import { LIMITS } from '../../../base/model/limits.js';

/** A side with more prices than this is invalid. */
const LEVELS_MAX = LIMITS.bookLevels.max;

export class Levels {
  readonly #counts = new Map<number, number>();
  /** The best one last: most changes are near it. */
  readonly #prices: number[] = [];
  /** 1 if higher prices are better, -1 if lower ones are. */
  readonly #sign: 1 | -1;

  /** `lowest`: asks, where the lowest is the best; `highest`: bids. */
  constructor(best: 'lowest' | 'highest') {
    this.#sign = best === 'highest' ? 1 : -1;
  }

  get size(): number {
    return this.#counts.size;
  }

  /** The best price, null if the side is empty. */
  get best(): number | null {
    return this.#prices.at(-1) ?? null;
  }

  get bestCount(): number {
    const { best } = this;
    return best === null ? 0 : this.#counts.get(best)!;
  }

  countAt(price: number): number {
    return this.#counts.get(price) ?? 0;
  }

  /** The best prices, at most `most` of them, each with its amount. */
  *top(most: number): Iterable<readonly [price: number, count: number]> {
    for (let i = this.#prices.length - 1; i >= 0 && i >= this.#prices.length - most; i--)
      yield [this.#prices[i]!, this.#counts.get(this.#prices[i]!)!];
  }

  clear(): void {
    this.#counts.clear();
    this.#prices.length = 0;
  }

  /** Sets the total amount at a price; 0 removes the level. False if the side has too many levels. */
  set(price: number, count: number): boolean {
    if (count <= 0) {
      if (this.#counts.delete(price)) this.#prices.splice(this.#placeOf(price), 1);
      return true;
    }
    if (!this.#counts.has(price)) {
      if (this.#counts.size >= LEVELS_MAX) return false;
      this.#prices.splice(this.#placeOf(price), 0, price);
    }
    this.#counts.set(price, count);
    return true;
  }

  /** Where a price is, or belongs. */
  #placeOf(price: number): number {
    let from = 0;
    let to = this.#prices.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#prices[middle]! - price) * this.#sign < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}
