// The fresh prices of one line for detection: each side from the best price down, ties in the books' order. One object
// is loaded with line after line; nothing is allocated once it is large enough.
import { withPlace } from '../base/memory/grown.js';
import { freshMs } from '../base/model/freshness.js';
import type { BookList } from './book-list.js';
import type { MarketIndex } from './market-index.js';
import type { MarketLine } from './market-line.js';
import { isOpinion } from './opinions.js';
import { CELLS } from './quote-columns.js';

/** The participating books: 1 at the number of each. */
export type Mask = Uint8Array;

const START_WIDTH = 64;
/** In place of the time from which a quote is fresh: no quote is too old. */
const EVERY_AGE = Number.NEGATIVE_INFINITY;

export class LinePrices {
  readonly #index: MarketIndex;
  readonly #books: BookList;
  marketLine!: MarketLine;
  live = false;
  sides = 2;
  /** First column, and number of columns. */
  start = 0;
  width = 0;
  /** By side: columns with a fresh price, best first. */
  readonly order: Int32Array[] = [
    new Int32Array(START_WIDTH),
    new Int32Array(START_WIDTH),
    new Int32Array(START_WIDTH),
  ];
  readonly fresh = new Int32Array(CELLS);
  /** Quotes seen before it (Unix ms) are too old. */
  oldest = 0;
  /** Columns with a fresh price of every side. */
  completeCount = 0;
  /** By column from `start`: 1 if they are their book's opinion, too. */
  opinion: Uint8Array = new Uint8Array(START_WIDTH);
  opinionCount = 0;
  /** When the first of the fresh quotes becomes too old (Unix ms); Infinity if none is fresh. */
  deadlineMs = Number.POSITIVE_INFINITY;
  #sorted = new Float64Array(START_WIDTH);
  /** By number of a book, or an owner: the last count that included it, so that one with several columns counts once. */
  #met = new Float64Array(START_WIDTH);
  #meeting = 0;

  constructor(index: MarketIndex, books: BookList) {
    this.#index = index;
    this.#books = books;
  }

  load(marketLine: MarketLine, nowMs: number): void {
    const { columns } = this.#index;
    const { decimal, seenMs } = columns;
    const { start, count, sides } = marketLine;
    const { live } = marketLine.market.event;
    const ageMax = freshMs(live);
    const oldest = nowMs - ageMax;
    this.oldest = oldest;
    this.marketLine = marketLine;
    this.live = live;
    this.sides = sides;
    this.start = start;
    this.width = count;
    if (count > this.opinion.length) this.#widen();
    const { opinion, fresh } = this;
    for (let side = 0; side < CELLS; side++) fresh[side] = 0;
    let completeCount = 0;
    let opinionCount = 0;
    let alternates = 0;
    let stale = false;
    let firstMs = Number.POSITIVE_INFINITY;
    let cell = start * CELLS;
    for (let i = 0; i < count; i++, cell += CELLS) {
      let sidesFresh = 0;
      for (let side = 0; side < sides; side++) {
        if (decimal[cell + side] === 0) continue;
        const seen = seenMs[cell + side]!;
        if (seen < oldest) {
          stale = true;
          continue;
        }
        if (seen < firstMs) firstMs = seen;
        sidesFresh++;
        fresh[side]!++;
      }
      opinion[i] = 0;
      if (sidesFresh < sides) continue;
      completeCount++;
      if (!isOpinion(columns, start + i, marketLine)) continue;
      opinion[i] = 1;
      opinionCount++;
      alternates += columns.alternate[start + i]!;
    }
    this.completeCount = completeCount;
    this.opinionCount = opinionCount;
    if (alternates > 0 && alternates < opinionCount) this.#leaveOutSeconds();
    this.deadlineMs = firstMs + ageMax;
    marketLine.hasStale = stale;
    if (marketLine.ordered < count) this.#placeNew(marketLine);
    for (let side = 0; side < sides; side++) {
      if ((marketLine.disordered & (1 << side)) !== 0) this.#sort(marketLine, side);
      this.#readOrder(side, stale ? oldest : EVERY_AGE);
    }
    marketLine.disordered = 0;
  }

  /** Column with the best price of a side among the mask's books; -1 if none has one. */
  best(side: number, mask: Mask): number {
    const order = this.order[side]!;
    const { book } = this.#index.columns;
    for (let i = 0; i < this.fresh[side]!; i++) if (mask[book[order[i]!]!] === 1) return order[i]!;
    return -1;
  }

  price(column: number, side: number): number {
    return this.#index.columns.decimal[column * CELLS + side]!;
  }

  row(column: number, side: number): number {
    return this.#index.columns.row[column * CELLS + side]!;
  }

  book(column: number): number {
    return this.#index.columns.book[column]!;
  }

  isAlternate(column: number): boolean {
    return this.#index.columns.alternate[column] === 1;
  }

  /** Number of books of the mask (null: all) with a fresh price of this side. */
  booksQuoting(side: number, mask: Mask | null): number {
    const order = this.order[side]!;
    let count = 0;
    this.#meeting++;
    for (let i = 0; i < this.fresh[side]!; i++) {
      const book = this.book(order[i]!);
      if (mask === null || mask[book] === 1) count += this.#meets(book);
    }
    return count;
  }

  /** Number of owners whose books of the mask (null: all) have an opinion about the line. */
  owners(mask: Mask | null): number {
    const { owner } = this.#books;
    let count = 0;
    this.#meeting++;
    for (let i = 0; i < this.width; i++) {
      if (this.opinion[i] === 0) continue;
      const book = this.book(this.start + i);
      if (mask === null || mask[book] === 1) count += this.#meets(owner[book]!);
    }
    return count;
  }

  /** 1 if the number, of a book or an owner, was not met in this count yet. */
  #meets(no: number): number {
    if (no >= this.#met.length) this.#met = withPlace(this.#met, no);
    if (this.#met[no] === this.#meeting) return 0;
    this.#met[no] = this.#meeting;
    return 1;
  }

  /** A book's alternate rows at the number of its main ones are no opinion beside theirs. */
  #leaveOutSeconds(): void {
    const { opinion, start, width } = this;
    this.#meeting++;
    for (let i = 0; i < width; i++)
      if (opinion[i] === 1 && !this.isAlternate(start + i)) this.#meets(this.book(start + i));
    for (let i = 0; i < width; i++) {
      if (opinion[i] === 0 || !this.isAlternate(start + i) || this.#met[this.book(start + i)] !== this.#meeting)
        continue;
      opinion[i] = 0;
      this.opinionCount--;
    }
  }

  /** Columns that are not ranked yet come last, to be sorted. */
  #placeNew(marketLine: MarketLine): void {
    const { ordered } = this.#index.columns;
    for (let i = marketLine.ordered; i < marketLine.count; i++)
      for (let side = 0; side < CELLS; side++) ordered[(marketLine.start + i) * CELLS + side] = i;
    marketLine.ordered = marketLine.count;
    marketLine.disordered = (1 << CELLS) - 1;
  }

  /**
   * Sorts the side's prices from the best down, missing ones last: an insertion sort that starts from the previous
   * order, from which only the few changed prices differ.
   */
  #sort(marketLine: MarketLine, side: number): void {
    const { decimal, ordered } = this.#index.columns;
    const { start, count } = marketLine;
    const sorted = this.#sorted;
    const first = start * CELLS + side;
    for (let i = 0; i < count; i++) {
      const column = ordered[first + i * CELLS]!;
      const price = decimal[first + column * CELLS]!;
      let place = i;
      while (place > 0) {
        const other = sorted[place - 1]!;
        if (other > price) break;
        const before = ordered[first + (place - 1) * CELLS]!;
        if (other === price && (price === 0 || this.precedes(start + before, start + column))) break;
        sorted[place] = other;
        ordered[first + place * CELLS] = before;
        place--;
      }
      sorted[place] = price;
      ordered[first + place * CELLS] = column;
    }
  }

  /** Copies the columns of the side's fresh prices, best first, into `order`. */
  #readOrder(side: number, oldest: number): void {
    const { decimal, seenMs, ordered } = this.#index.columns;
    const { start } = this;
    const order = this.order[side]!;
    const count = this.fresh[side]!;
    const first = start * CELLS + side;
    let place = first;
    for (let i = 0; i < count; place += CELLS) {
      const column = ordered[place]!;
      if (oldest !== EVERY_AGE) {
        const cell = first + column * CELLS;
        if (decimal[cell] === 0 || seenMs[cell]! < oldest) continue;
      }
      order[i++] = start + column;
    }
  }

  /** Between two equal prices: the book listed first, then its main line. */
  precedes(a: number, b: number): boolean {
    const { columns } = this.#index;
    const { rank } = this.#books;
    const bookA = columns.book[a]!;
    const bookB = columns.book[b]!;
    if (bookA === bookB) return columns.alternate[a]! < columns.alternate[b]!;
    return rank[bookA]! < rank[bookB]!;
  }

  #widen(): void {
    const width = Math.max(this.width, this.opinion.length * 2);
    this.opinion = new Uint8Array(width);
    this.#sorted = new Float64Array(width);
    for (let side = 0; side < CELLS; side++) this.order[side] = new Int32Array(width);
  }
}
