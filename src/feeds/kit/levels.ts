// One side of an order book: the amount at each price, and the best price. Prices and amounts are integers in
// millionths.
import { LIMITS } from '../../model/limits.js';

/** A side with more prices than this is invalid. */
const LEVELS_MAX = LIMITS.bookLevels.max;

export class Levels {
  readonly #counts = new Map<number, number>();
  readonly #better: (a: number, b: number) => boolean;
  #best: number | null = null;

  /** `lowest`: asks, where the lowest is the best; `highest`: bids. */
  constructor(best: 'lowest' | 'highest') {
    this.#better = best === 'lowest' ? (a, b) => a < b : (a, b) => a > b;
  }

  get size(): number {
    return this.#counts.size;
  }

  /** The best price, null if the side is empty. */
  get best(): number | null {
    return this.#best;
  }

  get bestCount(): number {
    return this.#best === null ? 0 : this.#counts.get(this.#best)!;
  }

  countAt(price: number): number {
    return this.#counts.get(price) ?? 0;
  }

  clear(): void {
    this.#counts.clear();
    this.#best = null;
  }

  /** Sets the total amount at a price; 0 removes the level. False if the side has too many levels. */
  set(price: number, count: number): boolean {
    if (count <= 0) {
      if (this.#counts.delete(price) && price === this.#best) this.#findBest();
      return true;
    }
    if (this.#counts.size >= LEVELS_MAX && !this.#counts.has(price)) return false;
    this.#counts.set(price, count);
    if (this.#best === null || this.#better(price, this.#best)) this.#best = price;
    return true;
  }

  #findBest(): void {
    let best: number | null = null;
    for (const price of this.#counts.keys()) if (best === null || this.#better(price, best)) best = price;
    this.#best = best;
  }
}
