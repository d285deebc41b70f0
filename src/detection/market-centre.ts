// The centre of a market: the result it expects, from the prices at its lines.
import type { BookList } from './book-list.js';
import type { MarketIndex } from './market-index.js';
import type { Market } from './market-line.js';
import { OwnerMeans } from './maths/owner-means.js';
import { centreFromPrice } from './maths/result-model.js';
import { isOpinion } from './opinions.js';
import { CELLS } from './quote-columns.js';
import type { Reference } from './reference.js';

export class MarketCentre {
  readonly #index: MarketIndex;
  readonly #books: BookList;
  readonly #reference: Reference;
  readonly #centres = new OwnerMeans();
  /** The last centre is a sharp book's: no other book's prices had a part in it. */
  bySharpBook = false;

  constructor(index: MarketIndex, books: BookList, reference: Reference) {
    this.#index = index;
    this.#books = books;
    this.#reference = reference;
  }

  /**
   * The market's centre: by the sharp book's prices, else the median over the owners. Each book is represented by its main
   * line, if its prices there are an opinion; if there is none, all lines are used. NaN if there is no opinion at all.
   */
  of(market: Market, oldest: number): number {
    let centre = this.#centreOf(market, oldest, 0, true);
    this.bySharpBook = !Number.isNaN(centre);
    if (Number.isNaN(centre)) centre = this.#centreOf(market, oldest, 0, false);
    return Number.isNaN(centre) ? this.#centreOf(market, oldest, 1, false) : centre;
  }

  /** Of main lines (`alternates` 0) or alternates: the first sharp book's centre, or the median over the owners. */
  #centreOf(market: Market, oldest: number, alternates: number, sharpAlone: boolean): number {
    const { columns } = this.#index;
    const { book, alternate, decimal, seenMs } = columns;
    const { sharp, rank, owner } = this.#books;
    const centres = this.#centres;
    centres.begin();
    let sharpCentre = Number.NaN;
    let sharpRank = Number.POSITIVE_INFINITY;
    for (const marketLine of market.marketLines)
      for (let column = marketLine.start; column < marketLine.start + marketLine.count; column++) {
        const cell = column * CELLS;
        if (alternate[column] !== alternates || decimal[cell] === 0 || decimal[cell + 1] === 0) continue;
        if (seenMs[cell]! < oldest || seenMs[cell + 1]! < oldest) continue;
        const no = book[column]!;
        if (sharpAlone && (sharp[no] === 0 || rank[no]! >= sharpRank)) continue;
        if (!isOpinion(columns, column, marketLine)) continue;
        const centre = this.#reference.ownCentre(column, market.model!, marketLine.x);
        if (Number.isNaN(centre)) continue;
        if (sharpAlone) {
          sharpRank = rank[no]!;
          sharpCentre = centre;
          continue;
        }
        centres.add(owner[no]!, centre);
      }
    return sharpAlone ? sharpCentre : centres.median();
  }

  /**
   * If no book has an opinion about any line: halfway between the median centre implied by the first side's prices and
   * that by the second side's. A margin moves one up and the other down by about as much. If no price implies a centre
   * (a line that the score has passed), halfway between the lines.
   */
  ofSingleSides(market: Market, oldest: number): number {
    const centre = (this.#ofSide(market, oldest, 0) + this.#ofSide(market, oldest, 1)) / 2;
    return Number.isNaN(centre) ? this.#betweenLines(market, oldest) : centre;
  }

  /** Only of lines with a price: others may still be in the list. */
  #betweenLines({ marketLines }: Market, oldest: number): number {
    const { decimal, seenMs } = this.#index.columns;
    let lowest = Number.POSITIVE_INFINITY;
    let highest = Number.NEGATIVE_INFINITY;
    for (const { x, start, count } of marketLines) {
      let isPriced = false;
      for (let cell = start * CELLS; cell < (start + count) * CELLS; cell++)
        isPriced ||= decimal[cell]! > 0 && seenMs[cell]! >= oldest;
      if (!isPriced) continue;
      lowest = Math.min(lowest, x);
      highest = Math.max(highest, x);
    }
    return (lowest + highest) / 2;
  }

  #ofSide({ marketLines, model }: Market, oldest: number, side: number): number {
    const { decimal, seenMs, book, shallow } = this.#index.columns;
    const centres = this.#centres;
    centres.begin();
    for (const marketLine of marketLines)
      for (let column = marketLine.start; column < marketLine.start + marketLine.count; column++) {
        const cell = column * CELLS + side;
        if (decimal[cell] === 0 || seenMs[cell]! < oldest || shallow[cell] === 1) continue;
        // Both of its sides together are no opinion: neither is each of them.
        if (decimal[column * CELLS]! > 0 && decimal[column * CELLS + 1]! > 0) continue;
        const passes = 1 / decimal[cell]!;
        const centre = centreFromPrice(model!, marketLine.x, side === 0 ? passes : 1 - passes);
        if (Number.isNaN(centre)) continue;
        centres.add(this.#books.owner[book[column]!]!, centre);
      }
    return centres.median();
  }
}
