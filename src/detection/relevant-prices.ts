// Which price changes leave everything that was found at a line as it is: those of prices that had no part in it and have
// none after the change. Most changes are of that kind, and their lines need no evaluation.

import type { BookList } from './book-list.js';
import type { CandidateLimits } from './candidate.js';
import { isOpen, type LineFinder } from './line-finder.js';
import type { MarketIndex } from './market-index.js';
import type { Market, MarketLine } from './market-line.js';
import { inverseSum, isArbitrage } from './maths/arbitrage.js';
import { CONSENSUS_OPINIONS_MIN } from './maths/consensus.js';
import { evMinWithoutPush } from './pushes.js';
import { CELLS } from './quote-columns.js';
import type { WatchedUniverse } from './watched-universe.js';

/** Over any float noise of a price compared by its edge. */
const BELOW = 1 - 1e-9;
/** A middle has two books. */
const MIDDLE_BOOKS = 2;

export class RelevantPrices {
  readonly #index: MarketIndex;
  readonly #books: BookList;
  readonly #finder: LineFinder;
  readonly #bounds = new Float64Array(CELLS);
  readonly #tops = new Float64Array(CELLS);
  readonly #met = new Int32Array(CELLS);

  constructor(index: MarketIndex, books: BookList, finder: LineFinder) {
    this.#index = index;
    this.#books = books;
    this.#finder = finder;
  }

  /**
   * After the line was evaluated as of `nowMs`, and its prices are still loaded: notes from which price on each of its
   * prices is relevant. Prices of sharp books always are, as are those that were too old.
   */
  note(marketLine: MarketLine, universes: readonly WatchedUniverse[], limits: CandidateLimits): void {
    if (!this.#bound(marketLine, universes, limits)) {
      this.forget(marketLine);
      return;
    }
    const { book, decimal, seenMs, irrelevantBelow } = this.#index.columns;
    const { sharp, unknownCommission } = this.#books;
    const { oldest, sides } = this.#finder.prices;
    const { start, count } = marketLine;
    for (let column = start; column < start + count; column++) {
      const no = book[column]!;
      // Whether one that charges too little is an exchange shows in both of its prices.
      const isWatched = sharp[no] === 1 || unknownCommission[no] === 1;
      for (let side = 0; side < sides; side++) {
        const cell = column * CELLS + side;
        const isFresh = decimal[cell]! > 0 && seenMs[cell]! >= oldest;
        irrelevantBelow[cell] = isFresh && !isWatched ? this.#bounds[side]! : 0;
      }
    }
  }

  /** Every price of the line is relevant until it is evaluated again. */
  forget({ start, count }: MarketLine): void {
    this.#index.columns.irrelevantBelow.fill(0, start * CELLS, (start + count) * CELLS);
  }

  forgetAll({ marketLines }: Market): void {
    for (const marketLine of marketLines) this.forget(marketLine);
  }

  /** By side, the lowest price with a part in what is found in any universe. False if every price has one. */
  #bound(marketLine: MarketLine, universes: readonly WatchedUniverse[], limits: CandidateLimits): boolean {
    if (!isOpen(marketLine) || this.#finder.judgedByOthers) return false;
    const { prices, lowestBest } = this.#finder;
    const { sides } = prices;
    let isWhole = true;
    for (let side = 0; side < sides; side++) {
      const hasPrice = prices.fresh[side]! > 0;
      isWhole &&= hasPrice;
      this.#tops[side] = hasPrice ? prices.price(prices.order[side]![0]!, side) : 0;
    }
    const { lays, market } = marketLine;
    // Legs of an arbitrage are at different books: one of the best prices of as many books as there are sides.
    const isProfit = isWhole && isArbitrage(inverseSum(this.#tops, sides));
    const books = Math.max(isProfit ? sides : 1, market.model === undefined ? 1 : MIDDLE_BOOKS);
    for (let side = 0; side < sides; side++) {
      let bound = lowestBest[side]!;
      if (books > 1 || lays !== null)
        for (const universe of universes) bound = Math.min(bound, this.#lowestOf(side, universe, books));
      this.#bounds[side] = bound;
    }
    return !isWhole || !limits.kinds.has('ev') || this.#boundByFair(marketLine, limits);
  }

  /** A price that cannot exceed the fair one is no EV. False if any price moves the fair one: a consensus. */
  #boundByFair(marketLine: MarketLine, limits: CandidateLimits): boolean {
    const { prices, reference } = this.#finder;
    if (reference.column < 0) return prices.completeCount < CONSENSUS_OPINIONS_MIN;
    const least = BELOW * (1 + evMinWithoutPush(marketLine, limits) / 100);
    for (let side = 0; side < prices.sides; side++)
      this.#bounds[side] = Math.min(this.#bounds[side]!, least / reference.ceiling(side));
    return true;
  }

  /** The lowest of a side's best prices of so many books of the universe; Infinity if none of them has a price. */
  #lowestOf(side: number, { mask }: WatchedUniverse, books: number): number {
    const { prices } = this.#finder;
    const order = prices.order[side]!;
    const met = this.#met;
    let count = 0;
    let lowest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < prices.fresh[side]! && count < books; i++) {
      const column = order[i]!;
      const book = prices.book(column);
      if (mask[book] !== 1) continue;
      let known = 0;
      while (known < count && met[known] !== book) known++;
      if (known === count) met[count++] = book;
      lowest = prices.price(column, side);
    }
    return lowest;
  }
}
