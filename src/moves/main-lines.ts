// The consensus main line of a universe's books, by market: updated when a book's main line changes, so that a change
// of the consensus is detected.

import type { MarketIndex } from '../detect/market-index.js';
import type { Market, MarketLine } from '../detect/market-line.js';
import { CELLS } from '../detect/quote-columns.js';
import type { Universe } from '../detect/universe.js';
import { freshMs } from '../model/freshness.js';
import { MOVE_LIMITS } from './limits.js';

/** A market's books are identified by the row of the first side: home, or over. */
const MAIN_SIDE = 0;

export class MainLines {
  readonly #index: MarketIndex;
  /** As numbered by market lines. */
  readonly #known = new WeakMap<Market, Map<Universe, number>>();

  constructor(index: MarketIndex) {
    this.#index = index;
  }

  /** Whether the market has lines that can move. */
  static has({ shape }: Market): boolean {
    return shape.family === 'spread' || shape.family === 'total';
  }

  /**
   * Counts the books' main lines again. Returns the previous consensus if it changed, else NaN; `now` has the present
   * one. The previous line stays the consensus on a tie, or if no line has enough books.
   */
  moved(market: Market, universe: Universe, nowMs: number): number {
    const known = this.#known.get(market)?.get(universe) ?? Number.NaN;
    let best = 0;
    let bestX = Number.NaN;
    let any = false;
    for (const marketLine of market.marketLines) {
      let books = 0;
      for (const _column of this.columns(marketLine, universe, nowMs)) books++;
      if (books > 0) any = true;
      if (books < MOVE_LIMITS.lineBooks || books < best) continue;
      if (books === best && marketLine.x !== known) continue;
      best = books;
      bestX = marketLine.x;
    }
    if (!any) {
      this.#known.get(market)?.delete(universe);
      return Number.NaN;
    }
    if (Number.isNaN(bestX) || bestX === known) return Number.NaN;
    let ofMarket = this.#known.get(market);
    if (ofMarket === undefined) {
      ofMarket = new Map();
      this.#known.set(market, ofMarket);
    }
    ofMarket.set(universe, bestX);
    return known;
  }

  now(market: Market, universe: Universe): number {
    return this.#known.get(market)?.get(universe) ?? Number.NaN;
  }

  /** Columns of the universe's books that have it as main line, by fresh prices of the first side. */
  *columns({ start, count, market }: MarketLine, universe: Universe, nowMs: number): Iterable<number> {
    const { columns } = this.#index;
    const oldest = nowMs - freshMs(market.event.live);
    for (let column = start; column < start + count; column++) {
      if (columns.alternate[column] === 1 || universe.mask[columns.book[column]!] !== 1) continue;
      const cell = column * CELLS + MAIN_SIDE;
      if (columns.decimal[cell] !== 0 && columns.seenMs[cell]! >= oldest) yield column;
    }
  }
}
