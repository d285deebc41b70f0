// Finds moves in the rows that a batch changed: steam and drops of a price, moves of the consensus main line, and those
// of both that go against most bets. Stateless with regard to earlier moves.

import { americanFromDecimal } from '../../base/model/price.js';
import type { Row } from '../../base/model/row.js';
import type { EventState } from '../../base/model/state.js';
import type { BookList } from '../book-list.js';
import type { Mover } from '../kinds/move.js';
import type { MarketIndex } from '../market-index.js';
import type { Market, MarketLine } from '../market-line.js';
import { isOpinion } from '../opinions.js';
import { CELLS } from '../quote-columns.js';
import type { WatchedUniverse } from '../watched-universe.js';
import type { Bets } from './bets.js';
import type { MainLines } from './main-lines.js';
import { type Found, tailOf } from './move.js';
import { MOVE_LIMITS, NOISE } from './move-limits.js';
import type { PriceJournal } from './price-journal.js';

/** A book's move of an outcome, before it is checked against a universe. */
interface Seen extends Mover {
  bookNo: number;
  direction: number;
  startedUs: number;
}

export interface FoundIn {
  found: Found;
  /** Whether it is a move by itself; otherwise it can only extend a known one. */
  whole: boolean;
}

export class MoveFinder {
  readonly #index: MarketIndex;
  readonly #books: BookList;
  readonly #journal: PriceJournal;
  readonly #lines: MainLines;
  readonly #bets: Bets;

  constructor(index: MarketIndex, books: BookList, journal: PriceJournal, lines: MainLines, bets: Bets) {
    this.#index = index;
    this.#books = books;
    this.#journal = journal;
    this.#lines = lines;
    this.#bets = bets;
  }

  /** Books that moved an outcome together, at least one of them at this position. */
  *steam(
    marketLine: MarketLine,
    side: number,
    position: number,
    universes: readonly WatchedUniverse[],
  ): Iterable<FoundIn> {
    const seen = this.#seen(marketLine, side, position);
    for (const direction of [1, -1]) {
      const movers = seen.filter((one) => one.direction === direction);
      if (!movers.some(({ atUs }) => atUs === position)) continue;
      for (const universe of universes) {
        const inside = movers.filter(({ bookNo }) => universe.mask[bookNo] === 1);
        if (!inside.some(({ atUs }) => atUs === position)) continue;
        const found = this.#found(marketLine, side, direction, inside, universe);
        yield { found, whole: this.areSteam(inside.map(({ book }) => book)) };
      }
    }
  }

  /** Whether books of enough owners moved. */
  areSteam(books: readonly string[]): boolean {
    return new Set(books.map((book) => this.#books.owner[this.#books.no(book)])).size >= MOVE_LIMITS.steamOwners;
  }

  /** Whether the row's own move is large enough for steam: most are not. */
  takesPart(row: Row, position: number): boolean {
    const journal = this.#journal;
    if (!row.active || !journal.priceMove(row.no, 'steam', position)) return false;
    return Math.abs(1 / row.decimal - 1 / journal.from) >= MOVE_LIMITS.steamProbability - NOISE;
  }

  /** A drop: a single price that moved far. */
  *drop(
    row: Row,
    book: string,
    event: EventState,
    position: number,
    universes: readonly WatchedUniverse[],
  ): Iterable<Found> {
    const journal = this.#journal;
    if (!row.active || !journal.priceMove(row.no, 'drop', position)) return;
    const { from, direction, atUs, sinceUs } = journal;
    if (Math.abs(row.decimal / from - 1) <= MOVE_LIMITS.dropShare + NOISE) return;
    const no = this.#books.no(book);
    const marketLine = this.#index.marketLineOf(row.no);
    for (const universe of universes) {
      if (universe.mask[no] !== 1) continue;
      const tail = tailOf(row, marketLine, Math.max(0, this.#index.sideOf(row.no)), {
        kind: 'drop',
        key: `drop|${row.id}|${direction}`,
        direction,
        lineFrom: row.line,
        lineTo: row.line,
        movers: [moverOf(row, book, from, atUs)],
        startedUs: sinceUs,
        lastUs: atUs,
      });
      yield { event, universe, placed: marketLine?.market, tail };
    }
  }

  /** The consensus main line moved in this universe: not only because books are seen first, or no more. */
  line(market: Market, universe: WatchedUniverse, position: number, nowMs: number): Found | undefined {
    const before = this.#lines.moved(market, universe, nowMs);
    const x = this.#lines.now(market, universe);
    if (Number.isNaN(before) || Number.isNaN(x)) return undefined;
    const marketLine = market.marketLines.find((one) => one.x === x)!;
    const side = x > before ? 0 : 1;
    const lineOf = (at: number): number => (market.shape.pairing === 'handicap' && side === 0 ? 0 - at : at);
    const { movers, row } = this.#lineMovers(marketLine, side, universe, position, nowMs);
    if (row === undefined || movers.length === 0) return undefined;
    const tail = tailOf(row, marketLine, side, {
      kind: 'line',
      key: `line|${market.event.id}|${market.key}|${x}|${position}`,
      direction: 1,
      lineFrom: lineOf(before),
      lineTo: lineOf(x),
      movers,
      startedUs: Math.min(...movers.map(({ atUs }) => atUs)),
      lastUs: position,
    });
    return { event: market.event, universe, placed: market, tail };
  }

  /** The same move as a reverse move, against most bets; undefined if most are with it, or unknown. */
  reverse(found: Found): Found | undefined {
    const { placed, tail } = found;
    const { side, direction, key } = tail;
    if (placed === undefined || side > 1) return undefined;
    const majority = this.#bets.majority(placed);
    const towards = direction > 0 ? side : 1 - side;
    if (majority < 0 || majority === towards) return undefined;
    const movers = tail.movers.map((mover) => ({ ...mover }));
    return { ...found, tail: { ...tail, kind: 'reverse', key: reverseKey(key), movers } };
  }

  #seen(marketLine: MarketLine, side: number, position: number): Seen[] {
    const { columns } = this.#index;
    const journal = this.#journal;
    const seen: Seen[] = [];
    for (let column = marketLine.start; column < marketLine.start + marketLine.count; column++) {
      const cell = column * CELLS + side;
      if (!isOpinion(columns, column, marketLine)) continue;
      const row = this.#index.row(columns.row[cell]!);
      if (!journal.priceMove(row.no, 'steam', position)) continue;
      const bookNo = columns.book[column]!;
      const mover = moverOf(row, this.#books.name(bookNo), journal.from, journal.atUs);
      if (Math.abs(mover.probabilityTo - mover.probabilityFrom) < MOVE_LIMITS.steamProbability - NOISE) continue;
      const one = { ...mover, bookNo, direction: journal.direction, startedUs: journal.sinceUs };
      // A book's main and alternate row of one line count as one book; the later one is used.
      const other = seen.findIndex((known) => known.bookNo === bookNo);
      if (other < 0) seen.push(one);
      else if (seen[other]!.atUs < one.atUs) seen[other] = one;
    }
    return seen;
  }

  #found(
    marketLine: MarketLine,
    side: number,
    direction: number,
    seen: readonly Seen[],
    universe: WatchedUniverse,
  ): Found {
    const { market, x } = marketLine;
    const { event } = market;
    const row = this.#rowOf(marketLine, side, seen[0]!.bookNo);
    const tail = tailOf(row, marketLine, side, {
      kind: 'steam',
      key: `steam|${event.id}|${market.key}|${x}|${side}|${direction}`,
      direction,
      lineFrom: row.line,
      lineTo: row.line,
      movers: seen.map(({ bookNo: _no, direction: _direction, startedUs: _started, ...mover }) => mover),
      startedUs: Math.min(...seen.map(({ startedUs }) => startedUs)),
      lastUs: Math.max(...seen.map(({ atUs }) => atUs)),
    });
    return { event, universe, placed: market, tail };
  }

  #rowOf({ start, count }: MarketLine, side: number, bookNo: number): Row {
    const { columns } = this.#index;
    let row: Row | undefined;
    for (let column = start; column < start + count; column++) {
      const no = columns.row[column * CELLS + side]!;
      if (columns.book[column] === bookNo && no >= 0) row = this.#index.row(no);
    }
    return row!;
  }

  /** Books of the universe that recently moved to the new main line, and a row that shows the side it moved towards. */
  #lineMovers(
    marketLine: MarketLine,
    side: number,
    universe: WatchedUniverse,
    position: number,
    nowMs: number,
  ): { movers: Mover[]; row: Row | undefined } {
    const { columns } = this.#index;
    const movers: Mover[] = [];
    let shown: Row | undefined;
    const turned = marketLine.market.shape.pairing === 'handicap' && side === 1;
    for (const column of this.#lines.columns(marketLine, universe, nowMs)) {
      const row = this.#index.row(columns.row[column * CELLS]!);
      const no = columns.row[column * CELLS + side]!;
      if (no >= 0) shown ??= this.#index.row(no);
      if (!this.#journal.lineMove(row.no, position - MOVE_LIMITS.lineWindowMs * 1000)) continue;
      const { from, atUs } = this.#journal;
      movers.push({
        book: this.#books.name(columns.book[column]!),
        from: turned ? 0 - from : from,
        to: turned ? 0 - row.line! : row.line!,
        probabilityFrom: Number.NaN,
        probabilityTo: Number.NaN,
        atUs,
      });
    }
    return { movers, row: shown };
  }
}

function moverOf(row: Row, book: string, from: number, atUs: number): Mover {
  return {
    book,
    from: americanFromDecimal(from),
    to: row.american,
    probabilityFrom: 1 / from,
    probabilityTo: 1 / row.decimal,
    atUs,
  };
}

/** Of the reverse move of a move. */
export function reverseKey(key: string): string {
  return `reverse|${key}`;
}
