// The books that have not moved yet, nor another book of their owner: still at the old price or line, and their edge against
// the fair price of those that moved.

import { freshMs } from '../../base/model/freshness.js';
import { LIMITS } from '../../base/model/limits.js';
import type { BookList } from '../book-list.js';
import { type Laggard, meanOf } from '../kinds/move.js';
import { percent } from '../kinds/parts.js';
import type { MarketIndex } from '../market-index.js';
import type { Market, MarketLine } from '../market-line.js';
import { evPercentWithPush } from '../maths/ev.js';
import { OwnerMeans } from '../maths/owner-means.js';
import { centreFromPrice } from '../maths/result-model.js';
import { isOpinion } from '../opinions.js';
import { pushLine } from '../pushes.js';
import { CELLS } from '../quote-columns.js';
import type { Reference } from '../reference.js';
import type { Move } from './move.js';
import { MOVE_LIMITS, NOISE } from './move-limits.js';

/** Bisection steps in the search for a probability: more than the served digits need. */
const HALVINGS = 30;

export class Laggards {
  readonly #index: MarketIndex;
  readonly #books: BookList;
  readonly #reference: Reference;
  readonly #means = new OwnerMeans();

  constructor(index: MarketIndex, books: BookList, reference: Reference) {
    this.#index = index;
    this.#books = books;
    this.#reference = reference;
  }

  /** By current prices, best edge first; none if the market takes no part in detection. */
  of(move: Move, nowMs: number): Laggard[] {
    const market = move.placed;
    if (market === undefined) return [];
    const isLine = Number.isNaN(meanOf(move.tail.movers, 'probabilityTo'));
    const found = isLine ? this.#behindLine(move, market, nowMs) : this.#atPrice(move, market, nowMs);
    const rank = ({ book }: Laggard): number => this.#books.rank[this.#books.no(book)]!;
    found.sort(
      (a, b) => (b.edge ?? Number.NEGATIVE_INFINITY) - (a.edge ?? Number.NEGATIVE_INFINITY) || rank(a) - rank(b),
    );
    return found.slice(0, LIMITS.laggards.max);
  }

  #atPrice(move: Move, market: Market, nowMs: number): Laggard[] {
    const { movers, x, side, direction } = move.tail;
    const marketLine = lineAt(market, x);
    if (marketLine === undefined) return [];
    const moved = this.#ownersOf(movers.map(({ book }) => this.#books.no(book)));
    const reached = meanOf(movers, 'probabilityTo');
    const fair = this.#fair(side, marketLine, new Set(movers.map(({ book }) => book)));
    const best = new Map<string, Laggard>();
    for (const column of this.#columns(move, marketLine, nowMs)) {
      const row = this.#rowAt(column, side);
      const book = this.#bookAt(column);
      const known = best.get(book);
      if (moved.has(this.#ownerAt(column)) || (known !== undefined && known.decimal >= row.decimal)) continue;
      if ((reached - 1 / row.decimal) * direction <= NOISE) continue;
      best.set(book, this.#laggard(side, marketLine, column, fair));
    }
    return [...best.values()];
  }

  #behindLine(move: Move, market: Market, nowMs: number): Laggard[] {
    const { x, side } = move.tail;
    const towards = side === 0 ? 1 : -1;
    const reached = lineAt(market, x);
    const there = new Set<string>();
    if (reached !== undefined)
      for (const column of this.#columns(move, reached, nowMs))
        if (!this.#isAlternate(column)) there.add(this.#bookAt(column));
    const centre = reached === undefined ? Number.NaN : this.#centre(reached, there);
    const owners = this.#ownersOf([...there].map((book) => this.#books.no(book)));
    const found: Laggard[] = [];
    for (const marketLine of market.marketLines) {
      if ((x - marketLine.x) * towards <= 0) continue;
      const chance = this.#chanceAt(market, marketLine.x, centre);
      const fair = side === 0 ? chance : 1 - chance;
      for (const column of this.#columns(move, marketLine, nowMs))
        if (!this.#isAlternate(column) && !owners.has(this.#ownerAt(column)))
          found.push(this.#laggard(side, marketLine, column, fair));
    }
    return found;
  }

  /** Columns of the universe's books with a fresh price of the move's side. */
  *#columns({ universe, tail: { side } }: Move, { start, count, market }: MarketLine, nowMs: number): Iterable<number> {
    const { columns } = this.#index;
    const oldest = nowMs - freshMs(market.event.live);
    for (let column = start; column < start + count; column++) {
      const cell = column * CELLS + side;
      if (columns.decimal[cell] === 0 || columns.seenMs[cell]! < oldest) continue;
      if (universe.mask[columns.book[column]!] === 1) yield column;
    }
  }

  #laggard(side: number, marketLine: MarketLine, column: number, fair: number): Laggard {
    const row = this.#rowAt(column, side);
    const net = this.#index.columns.decimal[column * CELLS + side]!;
    const { pushModel } = marketLine.market;
    const push = this.#reference.pushChance(pushModel, pushLine(marketLine), side === 0 ? fair : 1 - fair);
    return {
      book: this.#bookAt(column),
      oddsId: row.id,
      american: row.american,
      decimal: row.decimal,
      line: row.line,
      edge: Number.isNaN(fair) ? null : percent(evPercentWithPush(fair, net, push)),
    };
  }

  /**
   * From the books that moved and have an opinion: the sharp book's fair price, else the mean of their owners. NaN if there
   * is none.
   */
  #fair(side: number, marketLine: MarketLine, moved: ReadonlySet<string>): number {
    const { columns } = this.#index;
    return this.#mean(marketLine, moved, (column) => {
      this.#reference.ownFair(column, marketLine.sides);
      const at = column * CELLS;
      // In an incomplete market only the first is NaN.
      return Number.isNaN(columns.fair[at]!) ? Number.NaN : columns.fair[at + side]!;
    });
  }

  /** Expected result by the books at the new line. */
  #centre(marketLine: MarketLine, there: ReadonlySet<string>): number {
    const { model } = marketLine.market;
    if (model === undefined) return Number.NaN;
    return this.#mean(marketLine, there, (column) => this.#reference.ownCentre(column, model, marketLine.x));
  }

  #mean(marketLine: MarketLine, books: ReadonlySet<string>, opinion: (column: number) => number): number {
    const { start, count } = marketLine;
    const { columns } = this.#index;
    const means = this.#means;
    means.begin();
    let sharp = Number.NaN;
    for (let column = start; column < start + count; column++) {
      if (!books.has(this.#bookAt(column)) || !isOpinion(columns, column, marketLine)) continue;
      const value = opinion(column);
      if (Number.isNaN(value) || this.#isSecond(column, marketLine)) continue;
      means.add(this.#ownerAt(column), value);
      if (this.#books.sharp[columns.book[column]!] === 1) sharp = value;
    }
    return Number.isNaN(sharp) ? means.mean() : sharp;
  }

  /** Whether they are alternate rows whose book means its main ones at that number. */
  #isSecond(column: number, marketLine: MarketLine): boolean {
    if (!this.#isAlternate(column)) return false;
    const { columns } = this.#index;
    for (let other = marketLine.start; other < marketLine.start + marketLine.count; other++)
      if (columns.book[other] === columns.book[column] && !this.#isAlternate(other))
        return isOpinion(columns, other, marketLine);
    return false;
  }

  /**
   * Probability of the first side at a line, given the expected result: the input from which centreFromPrice() computes
   * that.
   */
  #chanceAt({ model }: Market, x: number, centre: number): number {
    if (model === undefined || Number.isNaN(centre)) return Number.NaN;
    let low = 0;
    let high = 1;
    for (let i = 0; i < HALVINGS; i++) {
      const middle = (low + high) / 2;
      const expected = centreFromPrice(model, x, middle);
      if (Number.isNaN(expected)) return Number.NaN;
      if (expected < centre) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  }

  #rowAt(column: number, side: number) {
    return this.#index.row(this.#index.columns.row[column * CELLS + side]!);
  }

  #bookAt(column: number): string {
    return this.#books.name(this.#index.columns.book[column]!);
  }

  #ownerAt(column: number): number {
    return this.#books.owner[this.#index.columns.book[column]!]!;
  }

  #ownersOf(books: readonly number[]): ReadonlySet<number> {
    return new Set(books.map((no) => this.#books.owner[no]!));
  }

  #isAlternate(column: number): boolean {
    return this.#index.columns.alternate[column] === 1;
  }
}

function lineAt({ marketLines }: Market, x: number): MarketLine | undefined {
  return marketLines.find((marketLine) => marketLine.x === x);
}

/** Whether the laggards changed enough to be published again. */
export function sameLaggards(a: readonly Laggard[], b: readonly Laggard[]): boolean {
  return (
    a.length === b.length &&
    a.every((one, i) => {
      const other = b[i]!;
      return (
        one.oddsId === other.oddsId &&
        one.american === other.american &&
        one.line === other.line &&
        (one.edge === null) === (other.edge === null) &&
        Math.abs((one.edge ?? 0) - (other.edge ?? 0)) < MOVE_LIMITS.edgeStep
      );
    })
  );
}
