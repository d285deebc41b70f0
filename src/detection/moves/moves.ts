// Moves in a shard: receives every changed price, finds moves in each universe, updates them while they are active, and
// adds what is new, changed and over to the universes' changes.

import { getOrInsert } from '../../base/memory/get-or-insert.js';
import { isOn } from '../../base/model/game-end.js';
import { type Row, RowChange } from '../../base/model/row.js';
import type { BookQuotes, EventState } from '../../base/model/state.js';
import type { SplitsDelta } from '../../log/delta/delta.js';
import type { BookList } from '../book-list.js';
import type { Mover } from '../kinds/move.js';
import type { MarketIndex } from '../market-index.js';
import type { Market, MarketLine } from '../market-line.js';
import { isMeant } from '../opinions.js';
import type { PriceWatcher, WatchedPrices } from '../price-watcher.js';
import { CELLS } from '../quote-columns.js';
import type { WatchedUniverse } from '../watched-universe.js';
import { ActiveMoves, isLeftAlone } from './active-moves.js';
import { Bets } from './bets.js';
import { MoveFinder, reverseKey } from './finder.js';
import { Laggards, sameLaggards } from './laggards.js';
import { MainLines } from './main-lines.js';
import type { Found, Move } from './move.js';
import { MOVE_LIMITS } from './move-limits.js';
import { NOTED, PriceJournal } from './price-journal.js';

interface Changed {
  row: Row;
  book: string;
  event: EventState;
}

export class Moves implements PriceWatcher {
  readonly #bets = new Bets();
  #prices!: WatchedPrices;
  #journal!: PriceJournal;
  #index!: MarketIndex;
  #books!: BookList;
  #lines!: MainLines;
  #finder!: MoveFinder;
  #laggards!: Laggards;
  #active!: ActiveMoves;
  /**
   * Of the current batch: rows whose price moved at their line; markets whose main lines may have moved, by the numbers
   * of the books that stated them; markets with any other change of price; events with new statements.
   */
  #changed: Changed[] = [];
  readonly #relined = new Map<Market, Set<number>>();
  readonly #markets = new Set<Market>();
  readonly #restated = new Set<EventState>();
  /** Moves to publish in this batch. */
  readonly #news = new Set<Move>();

  get nextDeadlineMs(): number {
    return this.#active.nextDeadlineMs;
  }

  reset(prices: WatchedPrices): void {
    this.#prices = prices;
    const { index, books, reference } = prices;
    this.#journal = new PriceJournal();
    this.#index = index;
    this.#books = books;
    this.#lines = new MainLines(index, books);
    this.#finder = new MoveFinder(index, books, this.#journal, this.#lines, this.#bets);
    this.#laggards = new Laggards(index, books, reference);
    this.#bets.clear();
    this.#clear();
    this.begin();
  }

  noteSplits(splits: SplitsDelta): void {
    this.#bets.note(splits);
  }

  removing(row: Row, { bookNo }: BookQuotes): void {
    if (this.#index.types.usual(row.market).lay) return;
    if (!row.alternate) this.#reline(row, bookNo);
    this.#journal.forget(row.no);
  }

  noted(row: Row, quotes: BookQuotes): void {
    // Lay prices cannot be backed; the same exchange's back prices move with them.
    if (this.#index.types.usual(row.market).lay) return;
    const { no, decimal, line, active, changedUs } = row;
    const marketLine = this.#index.marketLineOf(no);
    const cell = this.#index.cellOf(no);
    if (marketLine === undefined || cell < 0 || !active) {
      this.#heed(row, quotes, this.#journal.note(no, decimal, line, active, changedUs));
      return;
    }
    const { columns } = this.#index;
    const column = Math.floor(cell / CELLS);
    if (!isMeant(columns, cell, marketLine)) {
      this.#heed(row, quotes, this.#journal.noteUnmeant(no, line, active, changedUs));
      return;
    }
    // What its other sides said while the book did not mean it counts with this price.
    for (let other = column * CELLS; other < column * CELLS + marketLine.sides; other++) {
      const side = columns.row[other]!;
      if (side < 0) continue;
      const own = this.#index.row(side);
      if (side === no || (own.active && own.change === RowChange.none && this.#journal.differs(side, own.decimal)))
        this.#heed(own, quotes, this.#journal.note(side, own.decimal, own.line, own.active, changedUs));
    }
  }

  #heed(row: Row, { book, bookNo, event }: BookQuotes, noted: number): void {
    if (noted !== 0 && this.#active.any) {
      const market = this.#index.marketLineOf(row.no)?.market;
      if (market !== undefined) this.#markets.add(market);
    }
    if ((noted & NOTED.price) !== 0) this.#changed.push({ row, book, event });
    // Added, suspended, reopened or at another line: the consensus may have changed.
    const isStated = (noted & (NOTED.line | NOTED.activity)) !== 0 || row.change === RowChange.added;
    if (!row.alternate && isStated) this.#reline(row, bookNo);
  }

  #reline(row: Row, bookNo: number): void {
    const market = this.#index.marketLineOf(row.no)?.market;
    if (market === undefined || !MainLines.has(market)) return;
    getOrInsert(this.#relined, market, () => new Set<number>()).add(bookNo);
  }

  restated(event: EventState): void {
    if (this.#active.any || !isOn(event.status)) this.#restated.add(event);
  }

  begin(): void {
    this.#active = new ActiveMoves(this.#prices);
  }

  dropped(universe: WatchedUniverse): void {
    this.#active.dropped(universe);
    this.#lines.drop(universe);
  }

  follow(nowMs: number, universes: readonly WatchedUniverse[]): void {
    for (const universe of universes) this.#lines.begin(universe, nowMs);
    for (const [market, universe] of this.#relinedIn(universes)) this.#lines.moved(market, universe, nowMs);
    this.#clear();
  }

  evaluate(position: number, nowMs: number, universes: readonly WatchedUniverse[]): void {
    const active = this.#active;
    // First, because a reader applies ends before publications.
    const looked = new Set<Move>(active.passTime());
    for (const event of this.#restated) if (!isOn(event.status)) active.endOf(event);
    for (const universe of universes)
      if (universe.fresh) for (const move of this.#begin(universe, nowMs)) looked.add(move);
    this.#findPriceMoves(position, universes);
    for (const [market, universe] of this.#relinedIn(universes))
      this.#takeLine(this.#finder.line(market, universe, position, nowMs));
    this.#keepUp(looked, nowMs);
    for (const move of this.#news) active.publish(move);
    this.#clear();
  }

  /** Markets whose main lines may have moved, and the universes with a book that moved its own. */
  *#relinedIn(universes: readonly WatchedUniverse[]): Iterable<[Market, WatchedUniverse]> {
    for (const [market, books] of this.#relined)
      for (const universe of universes)
        if (isOn(market.event.status) && [...books].some((book) => universe.mask[book] === 1)) yield [market, universe];
  }

  /**
   * Its stored moves, its present main lines and, if it is registered late, what other universes know of its books.
   */
  #begin(universe: WatchedUniverse, nowMs: number): Move[] {
    const seeds = universe.late ? this.#active.ofAllBooks() : [];
    const revived = this.#active.begin(universe);
    this.#lines.begin(universe, nowMs);
    for (const seed of seeds) this.#seed(seed, universe);
    return revived;
  }

  /** A move among all books that is also one among these. */
  #seed({ event, placed, tail }: Move, universe: WatchedUniverse): void {
    const movers = tail.movers.filter(({ book }) => universe.mask[this.#books.no(book)] === 1);
    if (movers.length === 0 || this.#active.newest(universe, tail.key) !== undefined) return;
    const lastUs = Math.max(...movers.map(({ atUs }) => atUs));
    const together = movers.filter(({ atUs }) => lastUs - atUs <= MOVE_LIMITS.steamWindowMs * 1000);
    const isLine = tail.lineFrom !== tail.lineTo;
    if (tail.kind !== 'drop' && !isLine && !this.#finder.areSteam(together.map(({ book }) => book))) return;
    if (isLine && placed !== undefined && this.#lines.now(placed, universe) !== tail.x) return;
    const startedUs = Math.min(...movers.map(({ atUs }) => atUs));
    const own = { movers: movers.map((mover) => ({ ...mover })), laggards: [], startedUs, lastUs };
    this.#news.add(this.#active.add({ event, placed, universe, tail: { ...tail, ...own } }));
  }

  #findPriceMoves(position: number, universes: readonly WatchedUniverse[]): void {
    if (universes.length === 0) return;
    const looked = new Map<MarketLine, number>();
    for (const { row, book, event } of this.#changed) {
      if (!isOn(event.status)) continue;
      for (const found of this.#finder.drop(row, book, event, position, universes))
        this.#take(found, true, MOVE_LIMITS.dropWindowMs);
      const marketLine = this.#index.marketLineOf(row.no);
      const side = this.#index.sideOf(row.no);
      if (marketLine === undefined || side < 0 || !this.#finder.takesPart(row, position)) continue;
      const sides = looked.get(marketLine) ?? 0;
      if ((sides & (1 << side)) !== 0) continue;
      looked.set(marketLine, sides | (1 << side));
      for (const { found, whole } of this.#finder.steam(marketLine, side, position, universes)) {
        const begun = this.#take(found, whole, MOVE_LIMITS.steamWindowMs);
        if (begun) this.#takeReverse(found);
      }
    }
  }

  #takeLine(found: Found | undefined): void {
    if (found === undefined) return;
    this.#news.add(this.#active.add(found));
    this.#takeReverse(found);
  }

  #takeReverse(found: Found): void {
    const reverse = this.#finder.reverse(found);
    if (reverse !== undefined) this.#news.add(this.#active.add(reverse));
  }

  /** Adds it to the move it belongs to, or begins one if it is a move by itself. True if it began one. */
  #take(found: Found, whole: boolean, windowMs: number): boolean {
    if (this.#joins(found, found.tail.key, windowMs)) {
      this.#joins(found, reverseKey(found.tail.key), windowMs);
      return false;
    }
    if (!whole) return false;
    this.#news.add(this.#active.add(found));
    return true;
  }

  /** Adds it to the newest move of this key, if that goes on. */
  #joins(found: Found, key: string, windowMs: number): boolean {
    const open = this.#active.newest(found.universe, key);
    if (open === undefined || found.tail.lastUs - open.tail.lastUs > windowMs * 1000) return false;
    join(open, found);
    this.#news.add(open);
    return true;
  }

  /** Searches the laggards of moves that are new, that are due, or whose market has a changed price. */
  #keepUp(looked: Set<Move>, nowMs: number): void {
    const active = this.#active;
    for (const event of this.#restated)
      for (const market of this.#index.events.get(event)?.values() ?? [])
        for (const move of active.ofMarket(market)) this.#news.add(move);
    for (const move of this.#news) looked.add(move);
    for (const market of this.#markets)
      for (const move of active.ofMarket(market)) if (active.unsettle(move)) looked.add(move);
    for (const move of looked) {
      move.laggardsMs = nowMs;
      move.unsettled = false;
      const laggards = isLeftAlone(move, nowMs) ? [] : this.#laggards.of(move, nowMs);
      if (sameLaggards(move.tail.laggards, laggards)) continue;
      move.tail.laggards = laggards;
      this.#news.add(move);
    }
  }

  #clear(): void {
    this.#changed = [];
    this.#markets.clear();
    this.#relined.clear();
    this.#restated.clear();
    this.#news.clear();
  }
}

/** A book's own move continues from where it began. */
function join(open: Move, { tail, placed }: Found): void {
  const { movers } = open.tail;
  open.tail.lastUs = tail.lastUs;
  open.placed = placed;
  for (const mover of tail.movers) {
    const known = movers.find(({ book }) => book === mover.book);
    if (known === undefined) movers.push({ ...mover });
    else continueMove(known, mover);
  }
}

function continueMove(known: Mover, { to, probabilityTo, atUs }: Mover): void {
  known.to = to;
  known.probabilityTo = probabilityTo;
  known.atUs = atUs;
}
