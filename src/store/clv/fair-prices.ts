// Fair probabilities at the close: the engine's own reference applied to the closing prices that were alive then: the
// sharp book or the consensus, devigged by power and net of commission, as for live prices.

import { getOrInsert } from '../../base/memory/get-or-insert.js';
import { MODEL, packActivity } from '../../base/model/activity.js';
import { type Row, RowChange } from '../../base/model/row.js';
import { exchangeDetails } from '../../base/model/row-details.js';
import type { BookQuotes, EventState } from '../../base/model/state.js';
import { newEventState, newQuotes } from '../../base/model/state.js';
import { type BookFacts, BookList } from '../../detection/book-list.js';
import { hasShownDraw, noteDraw } from '../../detection/draws.js';
import { LinePrices } from '../../detection/line-prices.js';
import { MarketIndex } from '../../detection/market-index.js';
import { paidOnTie, pushLine } from '../../detection/pushes.js';
import { CELLS } from '../../detection/quote-columns.js';
import { Reference } from '../../detection/reference.js';
import { CONSENSUS, DEFAULT_POLICY, NO_BOOK } from '../../detection/reference-policy.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import type { MarketTypes } from '../../rules/markets/market-types.js';
import type { Line } from '../history/answers.js';
import { ALIVE_MS, wasPolled, wasShallow } from '../history/at-close.js';
import { closeUs, type HistoryEvent, type HistoryRow } from '../history/event-record.js';

/** The properties of books and market types that are needed. */
export type GradingFacts = BookFacts & Pick<Catalogue, 'types'>;

interface Valued {
  /** Fair probability given no push, 0-1; NaN if there is none. Of a lay that it wins. */
  probability: number;
  /** Mean share of the stake that a result on the line itself, or a tie, does not decide. */
  push: number;
}

export interface ClosingPrice extends Valued {
  line: Line;
  /** The same for a book without a price of the line: a consensus leaves out no owner's for it. */
  outside: Valued;
  /** What a unit staked at a price brings back then: all of it as a rule. */
  onPush(decimal: number): number;
  /** Their source: the sharp book's id or `consensus`. */
  source: string;
  /** Its book showed a third side in the market. */
  threeWay: boolean;
}

/** Whether the book of a row showed a third side in its market. */
export function isThreeWay(event: HistoryEvent, { book, market }: HistoryRow, types: MarketTypes): boolean {
  return showedThird(eventState(event, types), book, market, types);
}

function showedThird(state: EventState, book: string, market: string, types: MarketTypes): boolean {
  return hasShownDraw(state, book, types.of(market, state.sport, state.league).backed);
}

/** A price removed earlier than this before the close is not a closing price. */
const ABSENT_US = ALIVE_MS * 1000;

/**
 * The closing price of each row that was in the table at the close, by odds id.
 * @param against the book whose prices are the fair ones, the first of these that has any; the engine's own by default
 */
export function closingPrices(
  event: HistoryEvent,
  lines: readonly Line[],
  facts: GradingFacts,
  against: readonly string[] | null = null,
): Map<string, ClosingPrice> {
  const standing = lines.filter(
    ({ row, removedUs }) => removedUs === 0 || removedUs >= closeUs(event, row.book) - ABSENT_US,
  );
  const state = eventState(event, facts.types);
  const books = new BookList(facts);
  const index = new MarketIndex(books, facts.types);
  const prices = new LinePrices(index, books);
  const reference = new Reference(index, books, prices);
  for (const quotes of quotesOf(event, standing, state)) {
    books.note(quotes.bookNo, quotes.book);
    index.noteDraws(quotes);
    for (const row of quotes.rows.values()) index.update(row, quotes);
  }
  const named = against?.find((book) => books.no(book) >= 0);
  const policy =
    against === null ? DEFAULT_POLICY : { ...DEFAULT_POLICY, book: named === undefined ? NO_BOOK : books.no(named) };
  const found = new Map<string, ClosingPrice>();
  for (const [no, line] of standing.entries()) {
    const own = index.marketLineOf(no);
    const cell = index.cellOf(no);
    const unknown = { probability: Number.NaN, push: 0 };
    const threeWay = showedThird(state, line.row.book, line.row.market, facts.types);
    found.set(line.row.id, { line, source: '', ...unknown, outside: unknown, onPush: () => 1, threeWay });
    if (own === undefined || cell < 0) continue;
    // Laying a selection is valued by the prices at which it can be backed.
    const laid = own.laysOf !== null;
    const marketLine = own.laysOf ?? own;
    prices.load(marketLine, event.startMs);
    if (!reference.find(policy)) continue;
    const side = cell % CELLS;
    const column = Math.floor(cell / CELLS);
    const isSharp = reference.source !== CONSENSUS;
    const source = isSharp ? books.name(reference.source) : 'consensus';
    let p = laid ? Number.NaN : reference.probability(column, side);
    // The sharp book's own prices are graded by themselves.
    if (Number.isNaN(p) && isSharp) p = reference.ceiling(side);
    const { pushModel } = marketLine.market;
    const valued = (fair: number): Valued =>
      Number.isNaN(fair)
        ? unknown
        : {
            probability: laid ? 1 - fair : fair,
            push: reference.pushChance(pushModel, pushLine(marketLine), side === 0 ? fair : 1 - fair),
          };
    const outside = laid || isSharp ? p : reference.outside(side);
    const tie = !laid && marketLine.oddTies ? index.columns.tie[column] : undefined;
    const onPush = (decimal: number): number => (tie === undefined ? 1 : paidOnTie(tie, decimal));
    found.set(line.row.id, { line, source, ...valued(p), outside: valued(outside), onPush, threeWay });
  }
  return found;
}

function eventState(event: HistoryEvent, types: MarketTypes): EventState {
  const { hno: no, id, league, sport, home, away, startMs } = event;
  const state = newEventState({ no, id, league, sport, homeToken: '', awayToken: '', home, away, startMs }, 0);
  for (const row of event.rows) noteDraw(state, row.book, row, types);
  return state;
}

/** By book; a row's number is its index in `lines`. */
function quotesOf(event: HistoryEvent, lines: readonly Line[], state: EventState): Iterable<BookQuotes> {
  const byBook = new Map<string, BookQuotes>();
  for (const [no, { row, point, active, removedUs }] of lines.entries()) {
    const quotes = getOrInsert(byBook, row.book, () => newQuotes(state, row.book, byBook.size));
    const { id, market, selection, selectionType, player, stat, team, alternate } = row;
    // A price that could not be bet at the close is no part of the reference, but its bets are graded by it.
    const alive = active && removedUs === 0 && wasPolled(event, row);
    const shardRow: Row = {
      id,
      market,
      selection,
      selectionType,
      player,
      stat,
      team,
      alternate,
      no,
      american: point.american,
      decimal: point.decimal,
      line: point.line,
      activity: packActivity(alive, point.model === undefined ? null : MODEL),
      active: alive,
      previous: null,
      pregame: false,
      seenMs: event.startMs,
      changedUs: point.atUs,
      createdPosition: point.atUs,
      updatedPosition: point.atUs,
      key: id,
      deepLink: null,
      externalId: null,
      marketId: null,
      details: exchangeDetails(wasShallow(row) ? 0 : null, row.commission),
      lastSeenSerial: 0,
      change: RowChange.added,
    };
    quotes.rows.set(id, shardRow);
  }
  return byBook.values();
}
