// The centre of a market: the result it expects, from the prices at its lines.
import { grown } from '../memory/grown.js';
import type { BookList } from './book-list.js';
import type { MarketIndex } from './market-index.js';
import type { Market } from './market-line.js';
import { centreFromPrice } from './maths/result-model.js';
import { CELLS } from './quote-columns.js';
import type { Reference } from './reference.js';

export class MarketCentre {
  readonly #index: MarketIndex;
  readonly #books: BookList;
  readonly #reference: Reference;
  #centres = new Float64Array(64);
  /** The last centre is a sharp book's: no other book's prices had a part in it. */
  bySharpBook = false;

  constructor(index: MarketIndex, books: BookList, reference: Reference) {
    this.#index = index;
    this.#books = books;
    this.#reference = reference;
  }

  /**
   * The market's centre: by the sharp book's prices, else the median over all books' own. Each book is represented by
   * its main line; if no book shows a main line, all lines are used. NaN if no book has both sides.
   */
  of(market: Market, oldest: number): number {
    let centre = this.#centreOf(market, oldest, 0, true);
    this.bySharpBook = !Number.isNaN(centre);
    if (Number.isNaN(centre)) centre = this.#centreOf(market, oldest, 0, false);
    return Number.isNaN(centre) ? this.#centreOf(market, oldest, 1, false) : centre;
  }

  /** Of main lines (`alternates` 0) or alternates: the first sharp book's centre, or the median over all books. */
  #centreOf(market: Market, oldest: number, alternates: number, sharpAlone: boolean): number {
    const { book, alternate, decimal, seenMs } = this.#index.columns;
    const { sharp, rank } = this.#books;
    let count = 0;
    let sharpCentre = Number.NaN;
    let sharpRank = Number.POSITIVE_INFINITY;
    for (const marketLine of market.marketLines)
      for (let column = marketLine.start; column < marketLine.start + marketLine.count; column++) {
        const cell = column * CELLS;
        if (alternate[column] !== alternates || decimal[cell] === 0 || decimal[cell + 1] === 0) continue;
        if (seenMs[cell]! < oldest || seenMs[cell + 1]! < oldest) continue;
        const no = book[column]!;
        if (sharpAlone && (sharp[no] === 0 || rank[no]! >= sharpRank)) continue;
        const centre = this.#reference.ownCentre(column, market.model!, marketLine.x);
        if (Number.isNaN(centre)) continue;
        if (sharpAlone) {
          sharpRank = rank[no]!;
          sharpCentre = centre;
          continue;
        }
        if (count === this.#centres.length) this.#centres = doubled(this.#centres);
        this.#centres[count++] = centre;
      }
    return sharpAlone ? sharpCentre : medianOf(this.#centres, count);
  }

  /**
   * If no book has both sides of any line: halfway between the median centre implied by the first side's prices and
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
    const { decimal, seenMs } = this.#index.columns;
    let count = 0;
    for (const marketLine of marketLines)
      for (let column = marketLine.start; column < marketLine.start + marketLine.count; column++) {
        const cell = column * CELLS + side;
        if (decimal[cell] === 0 || seenMs[cell]! < oldest) continue;
        const passes = 1 / decimal[cell]!;
        const centre = centreFromPrice(model!, marketLine.x, side === 0 ? passes : 1 - passes);
        if (Number.isNaN(centre)) continue;
        if (count === this.#centres.length) this.#centres = doubled(this.#centres);
        this.#centres[count++] = centre;
      }
    return medianOf(this.#centres, count);
  }
}

/** Up to this length insertion sort is faster. */
const FEW = 64;

/** Median of the first `count` values, which are sorted by it; NaN of none. */
function medianOf(values: Float64Array, count: number): number {
  if (count > FEW) values.subarray(0, count).sort();
  else
    for (let i = 1; i < count; i++) {
      const value = values[i]!;
      let place = i;
      for (; place > 0 && values[place - 1]! > value; place--) values[place] = values[place - 1]!;
      values[place] = value;
    }
  const middle = count >> 1;
  if (count === 0) return Number.NaN;
  return count % 2 === 1 ? values[middle]! : (values[middle - 1]! + values[middle]!) / 2;
}

function doubled(values: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  return grown(values, values.length * 2);
}
