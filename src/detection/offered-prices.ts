// The prices at which the rows of a line can be bet: after commission, none while a row is suspended, and none where a
// book's two prices must be missing a third side. Set cell by cell; a line is touched if its evaluation may change.

import { isOffered } from '../base/model/activity.js';
import { chargeOf, netDecimal } from '../base/model/commission.js';
import type { Row } from '../base/model/row.js';
import { NO_DETAILS, ownCommission, stakeMax } from '../base/model/row-details.js';
import type { BookList } from './book-list.js';
import { type MarketLine, mayLackSide } from './market-line.js';
import { missesSide } from './maths/arbitrage.js';
import { isOpinion, isShallow } from './opinions.js';
import { CELLS, type QuoteColumns } from './quote-columns.js';

export class OfferedPrices {
  readonly #columns: QuoteColumns;
  readonly #books: BookList;
  /** By number. */
  readonly #rows: readonly (Row | undefined)[];
  readonly #touch: (marketLine: MarketLine) => void;

  constructor(
    columns: QuoteColumns,
    books: BookList,
    rows: readonly (Row | undefined)[],
    touch: (marketLine: MarketLine) => void,
  ) {
    this.#columns = columns;
    this.#books = books;
    this.#rows = rows;
    this.#touch = touch;
  }

  /** A price that can be had for more, or less, than before may have become an opinion. */
  setDepth(marketLine: MarketLine, cell: number, { details }: Row): void {
    const columns = this.#columns;
    const shallow = isShallow(details) ? 1 : 0;
    if (columns.shallow[cell] === shallow) return;
    columns.shallow[cell] = shallow;
    columns.known[Math.floor(cell / CELLS)] = 0;
    this.#touch(marketLine);
  }

  /** Whether the line must be evaluated because of this price of the cell: that which it has, or had until now. */
  isRelevant(cell: number, price: number): boolean {
    // A price that appears or disappears always is.
    return price === 0 || !(price < this.#columns.irrelevantBelow[cell]!);
  }

  #offer(marketLine: MarketLine, cell: number, price: number): void {
    const columns = this.#columns;
    const before = columns.decimal[cell]!;
    if (before === price) return;
    const column = Math.floor(cell / CELLS);
    if (this.isRelevant(cell, before) || this.isRelevant(cell, price)) this.#touch(marketLine);
    // What counts owners counts on each opinion.
    const watched = !marketLine.dirty;
    const was = watched && isOpinion(columns, column, marketLine);
    columns.decimal[cell] = price;
    columns.known[column] = 0;
    marketLine.disordered |= 1 << (cell % CELLS);
    if (watched && isOpinion(columns, column, marketLine) !== was) this.#touch(marketLine);
  }

  /** Sets the price of a cell, and those of the book's other rows of the line that count, or not, because of it. */
  offerRow(marketLine: MarketLine, cell: number, row: Row): void {
    const { book, lacking } = this.#columns;
    const column = Math.floor(cell / CELLS);
    if (mayLackSide(marketLine)) {
      const twin = this.#twinOf(marketLine, column);
      const lacked = lacking[column] === 1 || (twin >= 0 && lacking[twin] === 1);
      if (lacked || this.#lacksSide(cell, column, twin)) {
        this.#weigh(marketLine, column, twin);
        return;
      }
    }
    this.#offer(marketLine, cell, this.#priceOf(marketLine, row, book[column]!));
  }

  /** Sets a book's prices at a line, except those that must be missing a third side. */
  #weigh(marketLine: MarketLine, column: number, twin: number): void {
    const lacks = this.#weighColumn(marketLine, column, column, twin);
    const twinLacks = twin >= 0 && this.#weighColumn(marketLine, twin, column, twin);
    this.#columns.lacking[column] = lacks ? 1 : 0;
    if (twin >= 0) this.#columns.lacking[twin] = twinLacks ? 1 : 0;
  }

  #weighColumn(marketLine: MarketLine, column: number, one: number, other: number): boolean {
    let lacking = false;
    for (let cell = column * CELLS; cell < column * CELLS + 2; cell++) {
      const row = this.rowIn(cell);
      if (row === undefined) continue;
      const lacks = this.#lacksSide(cell, one, other);
      lacking ||= lacks;
      this.#offer(marketLine, cell, lacks ? 0 : this.#priceOf(marketLine, row, this.#columns.book[column]!));
    }
    return lacking;
  }

  /** Whether the cell's price and one of the other side, in either of the book's columns, must be missing a third. */
  #lacksSide(cell: number, one: number, other: number): boolean {
    const { decimal } = this.rowIn(cell)!;
    const side = 1 - (cell % CELLS);
    const first = this.rowIn(one * CELLS + side);
    if (first !== undefined && missesSide(decimal, first.decimal)) return true;
    const second = other < 0 ? undefined : this.rowIn(other * CELLS + side);
    return second !== undefined && missesSide(decimal, second.decimal);
  }

  /** The column of the book's alternate rows beside its main ones, or the reverse; -1 if there is none. */
  #twinOf(marketLine: MarketLine, column: number): number {
    const { book } = this.#columns;
    const no = book[column]!;
    for (let other = marketLine.start; other < marketLine.start + marketLine.count; other++)
      if (book[other] === no && other !== column) return other;
    return -1;
  }

  rowIn(cell: number): Row | undefined {
    const no = this.#columns.row[cell]!;
    return no < 0 ? undefined : this.#rows[no];
  }

  /**
   * The price that can be bet on the row: none (0) while it is suspended or indicative, in which case it keeps its
   * location among the book's prices. Laid at L, a liability of 1 wins 1 / (L - 1): a price of L / (L - 1) against the selection.
   */
  #priceOf({ laysOf }: MarketLine, { activity, decimal, details }: Row, book: number): number {
    if (!isOffered(activity)) return 0;
    const price = laysOf === null ? decimal : decimal / (decimal - 1);
    const net = netDecimal(price, chargeOf(ownCommission(details), this.#books.commission[book]!));
    const most = details === NO_DETAILS ? null : stakeMax(details);
    return most !== null && most < this.#books.leastStake(book, net) ? 0 : net;
  }

  /** To be called when a row has left the column: others of its book may count again. */
  withdrawn(marketLine: MarketLine, column: number): void {
    if (!mayLackSide(marketLine)) return;
    const { lacking } = this.#columns;
    const twin = this.#twinOf(marketLine, column);
    if (lacking[column] === 1 || (twin >= 0 && lacking[twin] === 1)) this.#weigh(marketLine, column, twin);
  }
}
