// Every price that may take part in detection, by event, market and line: updated row by row as batches touch them.

import { getOrInsert } from '../base/memory/get-or-insert.js';
import { withPlace } from '../base/memory/grown.js';
import { keyPart } from '../base/model/key-part.js';
import { type Row, RowChange } from '../base/model/row.js';
import { ownCommission } from '../base/model/row-details.js';
import type { BookQuotes, EventState } from '../base/model/state.js';
import { playerKey } from '../rules/catalogue/player-name.js';
import { HOUSE_TIES } from '../rules/markets/house-rules.js';
import type { MarketTypes } from '../rules/markets/market-types.js';
import type { TypeRules } from '../rules/markets/rules.js';
import { hasThirdSideAt, openStatistic, type Pairing, sideOf } from '../rules/markets/sides.js';
import type { BookList } from './book-list.js';
import { hasShownDraw } from './draws.js';
import { progressOf, setModels } from './live-model.js';
import { emptyLine, type Market, type MarketLine, THREE_WAY_X, TWO_WAY_X } from './market-line.js';
import { marketShape, staysAt } from './market-side.js';
import { OfferedPrices } from './offered-prices.js';
import { isTieOfGame } from './pushes.js';
import { BLOCK_MIN, CELLS, QuoteColumns } from './quote-columns.js';

/** In place of a cell: rows without a side, remembered with whether they had a line. */
const NONE = -1;
const IGNORED_NO_LINE = -2;
const IGNORED_LINE = -3;
/** Another row of the same meaning occupies the cell. */
const DUPLICATE = -4;
/** Its line has a third side at its book: it is placed with its next line. */
const THIRD_SIDED = -5;

export class MarketIndex {
  readonly columns = new QuoteColumns();
  readonly types: MarketTypes;
  readonly events = new Map<EventState, Map<string, Market>>();
  /** Touched since their last evaluation. */
  dirty: MarketLine[] = [];
  readonly #rows: (Row | undefined)[] = [];
  readonly #marketLines: (MarketLine | undefined)[] = [];
  readonly #duplicates = new DuplicateRows();
  readonly #offered: OfferedPrices;
  readonly #books: BookList;
  /** By book and event: the draws that had been quoted when its prices were last placed. */
  readonly #draws = new WeakMap<BookQuotes, readonly string[]>();
  #cells = new Int32Array(1_024).fill(NONE);

  constructor(books: BookList, types: MarketTypes) {
    this.types = types;
    this.#books = books;
    this.#offered = new OfferedPrices(this.columns, books, this.#rows, (marketLine) => this.touch(marketLine));
  }

  row(no: number): Row {
    return this.#rows[no]!;
  }

  /** The location of a row's price: column * CELLS + side; negative if it has none. */
  cellOf(no: number): number {
    return this.#cells[no] ?? NONE;
  }

  /** The line a row is at. */
  marketLineOf(no: number): MarketLine | undefined {
    return this.#marketLines[no];
  }

  /** The index of a row's side in its market; -1 if it has none. */
  sideOf(no: number): number {
    const cell = this.#cells[no] ?? NONE;
    return cell < 0 ? -1 : cell % CELLS;
  }

  touch(touched: MarketLine): void {
    const marketLine = touched.laysOf ?? touched;
    if (marketLine.dirty) return;
    marketLine.dirty = true;
    this.dirty.push(marketLine);
  }

  /**
   * Places the book's prices again in markets in which it has quoted a third side since, even one that came and went
   * within a batch. To be called before its rows are noted.
   */
  noteDraws(quotes: BookQuotes): void {
    const { event, book } = quotes;
    if (event.draws === undefined || this.#draws.get(quotes) === event.draws) return;
    this.#draws.set(quotes, event.draws);
    for (const row of quotes.rows.values()) {
      const marketLine = this.#marketLines[row.no];
      if (marketLine === undefined || !hasShownDraw(event, book, marketLine.market.marketType)) continue;
      const { pairing } = marketLine.market.shape;
      if (pairing === 'winner' ? marketLine.x !== TWO_WAY_X : !hasThirdSideAt(pairing, row.line)) continue;
      this.replace(row, quotes);
    }
  }

  /** Places the row again where its market is told by something else than itself. */
  replace(row: Row, quotes: BookQuotes): void {
    this.remove(row);
    this.#place(row, quotes);
  }

  /** Applies the row's present values; cheap if nothing changed. */
  update(row: Row, quotes: BookQuotes): void {
    const { no } = row;
    if (no >= this.#cells.length) this.#cells = withPlace(this.#cells, no, NONE);
    const cell = this.#cells[no]!;
    // Most rows are only seen again: nothing but the time is compared.
    if (row.change === RowChange.none && cell !== NONE) {
      if (cell >= 0) this.#setSeen(no, cell, row.seenMs);
      return;
    }
    if (cell >= 0) {
      const marketLine = this.#marketLines[no]!;
      if (staysAt(marketLine.market.shape.pairing, cell % CELLS, row.line, marketLine.x)) {
        this.#setPrice(marketLine, cell, row);
        return;
      }
      this.remove(row);
    } else if (cell === DUPLICATE) this.#duplicates.forget(row);
    else if (cell === (row.line === null ? IGNORED_NO_LINE : IGNORED_LINE)) return;
    this.#place(row, quotes);
  }

  remove(row: Row): void {
    const { no } = row;
    const cell = this.#cells[no] ?? NONE;
    if (no < this.#cells.length) this.#cells[no] = NONE;
    if (cell === DUPLICATE) this.#duplicates.forget(row);
    if (cell < 0) return;
    const marketLine = this.#marketLines[no]!;
    this.#rows[no] = undefined;
    this.#marketLines[no] = undefined;
    this.#emptyCell(marketLine, cell);
    for (const duplicate of this.#duplicates.take(no)) this.#place(duplicate.row, duplicate.quotes);
  }

  /** Removes a line without prices, and its market and event if it was their last. */
  prune(marketLine: MarketLine): void {
    const { market, lays } = marketLine;
    if (marketLine.count > 0 || marketLine.opportunities.length > 0 || (lays !== null && lays.count > 0)) return;
    const at = market.marketLines.indexOf(marketLine);
    // It was removed before; only a deadline of its own led here.
    if (at < 0) return;
    market.marketLines.splice(at, 1);
    this.columns.release(marketLine.start, marketLine.capacity);
    if (lays !== null) this.columns.release(lays.start, lays.capacity);
    if (market.marketLines.length > 0 || market.opportunities.length > 0) return;
    const markets = this.events.get(market.event);
    markets?.delete(market.key);
    if (markets?.size === 0) this.events.delete(market.event);
  }

  /** Applies the state of the game; candidates that depend on it must be evaluated again. */
  refreshModels(event: EventState): void {
    const progress = progressOf(event);
    for (const market of this.events.get(event)?.values() ?? []) {
      if (!setModels(market, progress)) continue;
      for (const marketLine of market.marketLines) {
        this.columns.known.fill(0, marketLine.start, marketLine.start + marketLine.count);
        this.touch(marketLine);
      }
    }
  }

  *marketLinesOf(event: EventState): Iterable<MarketLine> {
    for (const market of this.events.get(event)?.values() ?? []) yield* market.marketLines;
  }

  #setSeen(no: number, cell: number, seenMs: number): void {
    const { columns } = this;
    const before = columns.seenMs[cell]!;
    if (before === seenMs) return;
    columns.seenMs[cell] = seenMs;
    const marketLine = this.#marketLines[no]!;
    // A price that counted and is seen again changes nothing: when it is too old is looked at when it would have been.
    if (seenMs < before || (marketLine.hasStale && this.#offered.isRelevant(cell, columns.decimal[cell]!)))
      this.touch(marketLine);
  }

  #setPrice(marketLine: MarketLine, cell: number, row: Row): void {
    const { columns } = this;
    this.#setSeen(row.no, cell, row.seenMs);
    this.#offered.setDepth(marketLine, cell, row);
    this.#offered.offerRow(marketLine, cell, row);
    // Where something waits for the next evaluation, any change leads to it.
    if (columns.irrelevantBelow[cell] === 0) this.touch(marketLine);
  }

  #place(row: Row, quotes: BookQuotes): void {
    const { event, book } = quotes;
    const laid = this.types.of(row.market, event.sport, event.league);
    const rules = laid.lay ? this.types.of(laid.backed, event.sport, event.league) : laid;
    const draws = event.draws !== undefined && hasShownDraw(event, book, rules.type);
    const found = sideOf(rules, row.selectionType, row.line !== null);
    const named = row.player !== null || row.selection.toLowerCase() === row.selectionType;
    if (found === undefined || (found.pairing === 'opposite' && !named)) {
      this.#cells[row.no] = row.line === null ? IGNORED_NO_LINE : IGNORED_LINE;
      return;
    }
    const { side, pairing } = found;
    // It is never the other side of anything.
    if (draws && pairing !== 'winner' && hasThirdSideAt(pairing, row.line)) {
      this.#cells[row.no] = THIRD_SIDED;
      return;
    }
    const market = this.#marketOf(row, rules, event, pairing);
    let x = row.line ?? 0;
    if (pairing === 'handicap' && side === 0) x = 0 - x;
    else if (pairing === 'winner') x = rules.sides === 'three' || side === 2 || draws ? THREE_WAY_X : TWO_WAY_X;
    const marketLine = this.#marketLineAt(market, x);
    if (!laid.lay) {
      this.#fill(marketLine, side, row, quotes);
      return;
    }
    marketLine.lays ??= this.#newLine(market, x, marketLine);
    this.#fill(marketLine.lays, side, row, quotes);
  }

  #fill(marketLine: MarketLine, side: number, row: Row, quotes: BookQuotes): void {
    const { columns } = this;
    const book = quotes.bookNo;
    const alternate = row.alternate ? 1 : 0;
    let column = this.#columnOf(marketLine, book, alternate);
    if (column < 0) {
      if (marketLine.count === marketLine.capacity) this.#widen(marketLine);
      column = marketLine.start + marketLine.count++;
      columns.clear(column);
      columns.book[column] = book;
      columns.alternate[column] = alternate;
      this.#noteHouse(marketLine, column, quotes);
    }
    const cell = column * CELLS + side;
    const present = this.#offered.rowIn(cell);
    if (present !== undefined) {
      const [counts, waits] = present.id < row.id ? [present, row] : [row, present];
      this.#cells[waits.no] = DUPLICATE;
      this.#duplicates.wait(present.no, { row: waits, quotes });
      if (counts === present) return;
      this.#duplicates.move(present.no, row.no);
      this.#rows[present.no] = undefined;
      this.#marketLines[present.no] = undefined;
    }
    columns.row[cell] = row.no;
    columns.seenMs[cell] = row.seenMs;
    columns.known[column] = 0;
    this.#offered.setDepth(marketLine, cell, row);
    marketLine.disordered |= 1 << side;
    this.#rows[row.no] = row;
    this.#marketLines[row.no] = marketLine;
    this.#cells[row.no] = cell;
    this.#offered.offerRow(marketLine, cell, row);
    this.touch(marketLine);
  }

  #noteHouse(marketLine: MarketLine, column: number, { bookNo, event }: BookQuotes): void {
    const { houses, shape } = marketLine.market;
    this.#books.noteHouse(bookNo, houses, event);
    if (!isTieOfGame(marketLine)) return;
    const tie = HOUSE_TIES.indexOf(houses[bookNo]![shape.rules.family].tie);
    this.columns.tie[column] = tie;
    if (tie !== 0) marketLine.oddTies = true;
  }

  #emptyCell(marketLine: MarketLine, cell: number): void {
    const { columns } = this;
    const column = Math.floor(cell / CELLS);
    columns.decimal[cell] = 0;
    columns.shallow[cell] = 0;
    columns.row[cell] = NONE;
    columns.known[column] = 0;
    marketLine.disordered |= 1 << (cell % CELLS);
    this.#offered.withdrawn(marketLine, column);
    this.touch(marketLine);
    const first = column * CELLS;
    if (columns.row[first]! >= 0 || columns.row[first + 1]! >= 0 || columns.row[first + 2]! >= 0) return;
    const last = marketLine.start + --marketLine.count;
    marketLine.ordered = 0;
    marketLine.ranked = 0;
    if (last !== column) this.#moveColumn(last, column);
    columns.clear(last);
  }

  #moveColumn(from: number, to: number): void {
    this.columns.copy(from, to);
    for (let i = 0; i < CELLS; i++) {
      const no = this.columns.row[to * CELLS + i]!;
      if (no >= 0) this.#cells[no] = to * CELLS + i;
    }
  }

  #widen(marketLine: MarketLine): void {
    const size = marketLine.capacity * 2;
    const start = this.columns.allocate(size);
    for (let i = 0; i < marketLine.count; i++) this.#moveColumn(marketLine.start + i, start + i);
    this.columns.release(marketLine.start, marketLine.capacity);
    marketLine.start = start;
    marketLine.capacity = size;
  }

  #columnOf(marketLine: MarketLine, book: number, alternate: number): number {
    const { columns } = this;
    for (let column = marketLine.start; column < marketLine.start + marketLine.count; column++)
      if (columns.book[column] === book && columns.alternate[column] === alternate) return column;
    return -1;
  }

  #marketOf(row: Row, rules: TypeRules, event: EventState, pairing: Pairing): Market {
    let markets = this.events.get(event);
    if (markets === undefined) {
      markets = new Map();
      this.events.set(event, markets);
    }
    const player = row.player === null ? null : playerKey(row.player, event.namesakes);
    const stat = openStatistic(rules, row.stat);
    // The pairing separates a type's totals from its other rows.
    const key = `${rules.type}|${pairing}|${keyPart(player ?? '')}|${keyPart(stat ?? '')}|${row.team ?? ''}`;
    let market = markets.get(key);
    if (market === undefined) {
      const shape = marketShape(rules, pairing, event.sport, event.league);
      market = {
        key,
        event,
        marketType: rules.type,
        player,
        stat,
        team: row.team,
        shape,
        houses: this.#books.housesOf(event),
        model: undefined,
        pushModel: undefined,
        marketLines: [],
        opportunities: [],
        dirty: false,
      };
      setModels(market, progressOf(event));
      markets.set(key, market);
    }
    return market;
  }

  #marketLineAt(market: Market, x: number): MarketLine {
    const { marketLines } = market;
    let at = 0;
    while (at < marketLines.length && marketLines[at]!.x < x) at++;
    const found = marketLines[at];
    if (found !== undefined && found.x === x) return found;
    const marketLine = this.#newLine(market, x, null);
    marketLines.splice(at, 0, marketLine);
    return marketLine;
  }

  #newLine(market: Market, x: number, laysOf: MarketLine | null): MarketLine {
    const sides = market.shape.pairing === 'winner' && x === THREE_WAY_X ? 3 : 2;
    return emptyLine({ market, x, sides, laysOf, start: this.columns.allocate(BLOCK_MIN), capacity: BLOCK_MIN });
  }
}

/**
 * Rows of one book that mean the same bet (variant names of yes and no, statistics written twice): the one with the
 * lowest id counts, whichever came first, and the others wait until it is removed.
 */
interface DuplicateRow {
  row: Row;
  quotes: BookQuotes;
}

class DuplicateRows {
  /** By the number of the row that counts. */
  readonly #waiting = new Map<number, DuplicateRow[]>();

  wait(counted: number, duplicate: DuplicateRow): void {
    getOrInsert(this.#waiting, counted, (): DuplicateRow[] => []).push(duplicate);
  }

  /** Another row replaces `before`. */
  move(before: number, counted: number): void {
    const waiting = this.#waiting.get(before);
    if (waiting === undefined) return;
    this.#waiting.delete(before);
    this.#waiting.set(counted, waiting);
  }

  /** Rows that waited for a removed one: each must be placed again. */
  take(counted: number): readonly DuplicateRow[] {
    if (this.#waiting.size === 0) return [];
    const waiting = this.#waiting.get(counted) ?? [];
    this.#waiting.delete(counted);
    return waiting;
  }

  forget(row: Row): void {
    for (const [counted, waiting] of this.#waiting) {
      const at = waiting.findIndex(({ row: waits }) => waits === row);
      if (at < 0) continue;
      waiting.splice(at, 1);
      if (waiting.length === 0) this.#waiting.delete(counted);
      return;
    }
  }
}

// Unlisted books of which nobody knows what they charge: one whose two prices leave less margin than any bookmaker's is
// likely an exchange, and its prices are worth less than they seem.

/** No bookmaker's two prices have a lower sum of inverses. */
const OWN_SUM_MIN = 1.01;

/** Whether the column's book may charge what is not deducted. */
export function mayCharge(index: MarketIndex, { unknownCommission }: BookList, column: number): boolean {
  const { book, row } = index.columns;
  if (unknownCommission[book[column]!] === 0) return false;
  const first = row[column * CELLS]!;
  const second = row[column * CELLS + 1]!;
  if (first < 0 || second < 0 || row[column * CELLS + 2]! >= 0) return false;
  const [a, b] = [index.row(first), index.row(second)];
  if (ownCommission(a.details) !== undefined || ownCommission(b.details) !== undefined) return false;
  return 1 / a.decimal + 1 / b.decimal < OWN_SUM_MIN;
}
