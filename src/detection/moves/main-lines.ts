// The consensus main line of a universe's books, by market: updated when a book's main line changes, so that a change
// of the consensus is detected.

import { getOrInsert } from '../../base/memory/get-or-insert.js';
import { freshMs } from '../../base/model/freshness.js';
import type { BookList } from '../book-list.js';
import type { MarketIndex } from '../market-index.js';
import type { Market, MarketLine } from '../market-line.js';
import { isOpinion } from '../opinions.js';
import { CELLS } from '../quote-columns.js';
import type { WatchedUniverse } from '../watched-universe.js';
import { MOVE_LIMITS } from './move-limits.js';

/** A market's books are identified by the row of the first side: home, or over. */
const MAIN_SIDE = 0;

export class MainLines {
  readonly #index: MarketIndex;
  readonly #books: BookList;
  /** As numbered by market lines. */
  readonly #known = new WeakMap<Market, Map<string, number>>();
  /** Keys of the universes that were begun. */
  readonly #universes = new Set<string>();

  constructor(index: MarketIndex, books: BookList) {
    this.#index = index;
    this.#books = books;
  }

  /** Whether the market has lines that can move. */
  static has({ shape }: Market): boolean {
    return shape.pairing === 'handicap' || shape.pairing === 'total';
  }

  /** Takes the present lines of a universe's books, unless they are kept up to date already. */
  begin(universe: WatchedUniverse, nowMs: number): void {
    const { key } = universe;
    if (this.#universes.has(key)) return;
    this.#universes.add(key);
    for (const markets of this.#index.events.values())
      for (const market of markets.values()) {
        if (!MainLines.has(market)) continue;
        this.#known.get(market)?.delete(key);
        this.moved(market, universe, nowMs);
      }
  }

  /** They are not kept up to date any more. */
  drop({ key }: WatchedUniverse): void {
    this.#universes.delete(key);
  }

  /**
   * Counts the owners at each main line again. Returns the previous consensus if it changed, else NaN; `now` has the
   * present one. The previous line stays the consensus on a tie, or if no line has enough owners.
   */
  moved(market: Market, universe: WatchedUniverse, nowMs: number): number {
    const known = this.#known.get(market)?.get(universe.key) ?? Number.NaN;
    let best = 0;
    let bestX = Number.NaN;
    let any = false;
    for (const marketLine of market.marketLines) {
      const owners = new Set<number>();
      for (const column of this.columns(marketLine, universe, nowMs)) owners.add(this.#ownerOf(column));
      const { size } = owners;
      if (size > 0) any = true;
      if (size < MOVE_LIMITS.lineOwners || size < best) continue;
      if (size === best && marketLine.x !== known) continue;
      best = size;
      bestX = marketLine.x;
    }
    if (!any) {
      this.#known.get(market)?.delete(universe.key);
      return Number.NaN;
    }
    if (Number.isNaN(bestX) || bestX === known) return Number.NaN;
    getOrInsert(this.#known, market, () => new Map<string, number>()).set(universe.key, bestX);
    return known;
  }

  now(market: Market, universe: WatchedUniverse): number {
    return this.#known.get(market)?.get(universe.key) ?? Number.NaN;
  }

  #ownerOf(column: number): number {
    return this.#books.owner[this.#index.columns.book[column]!]!;
  }

  /** Columns of the universe's books that have it as main line: an opinion, with a fresh price of the first side. */
  *columns(marketLine: MarketLine, universe: WatchedUniverse, nowMs: number): Iterable<number> {
    const { start, count, market } = marketLine;
    const { columns } = this.#index;
    const oldest = nowMs - freshMs(market.event.live);
    for (let column = start; column < start + count; column++) {
      if (columns.alternate[column] === 1 || universe.mask[columns.book[column]!] !== 1) continue;
      const cell = column * CELLS + MAIN_SIDE;
      if (columns.seenMs[cell]! >= oldest && isOpinion(columns, column, marketLine)) yield column;
    }
  }
}
