// The best prices of a market's lines in each universe, found once per evaluation: for every line and side the best
// column, and the best of another book.

import type { Mask } from './line-prices.js';
import type { MarketIndex } from './market-index.js';
import type { MarketLine } from './market-line.js';
import { CELLS } from './quote-columns.js';
import type { WatchedUniverse } from './watched-universe.js';

/** Offset in `columns` from a best column to the best of another book. */
export const OTHER_BOOK = 1;
const TOPS = 2;
const SIDES = 2;
const NOT_LOOKED = -2;

export class MiddleTops {
  readonly #index: MarketIndex;
  #marketLines: readonly MarketLine[] = [];
  #universes: readonly WatchedUniverse[] = [];
  #oldest = 0;
  /** By universe, line and side: columns, -1 if there is none. */
  columns = new Int32Array(256);

  constructor(index: MarketIndex) {
    this.#index = index;
  }

  /** The lines' prices must be sorted. `oldest` is the time (Unix ms) from which on a price is fresh. */
  begin(marketLines: readonly MarketLine[], universes: readonly WatchedUniverse[], oldest: number): void {
    this.#marketLines = marketLines;
    this.#universes = universes;
    this.#oldest = oldest;
    const places = universes.length * marketLines.length * SIDES * TOPS;
    if (places > this.columns.length) this.columns = new Int32Array(2 * places);
    this.columns.fill(NOT_LOOKED, 0, places);
  }

  /** Index in `columns` of the best of a side among the universe's books. */
  of(universe: number, marketLine: number, side: number): number {
    const place = ((universe * this.#marketLines.length + marketLine) * SIDES + side) * TOPS;
    if (this.columns[place] === NOT_LOOKED)
      this.#look(place, this.#marketLines[marketLine]!, side, this.#universes[universe]!.mask);
    return place;
  }

  #look(place: number, { start, count }: MarketLine, side: number, mask: Mask): void {
    const { decimal, seenMs, book, ordered } = this.#index.columns;
    let best = -1;
    let other = -1;
    for (let i = 0; i < count && other < 0; i++) {
      const column = start + ordered[(start + i) * CELLS + side]!;
      const cell = column * CELLS + side;
      // Missing prices come last.
      if (decimal[cell] === 0) break;
      if (seenMs[cell]! < this.#oldest || mask[book[column]!] !== 1) continue;
      if (best < 0) best = column;
      else if (book[column] !== book[best]) other = column;
    }
    this.columns[place] = best;
    this.columns[place + OTHER_BOOK] = other;
  }
}
