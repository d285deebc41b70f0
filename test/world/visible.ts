// The prices that a world's books show at a moment, by true game: read from the raw messages alone, according to the
// contract.

import { getOrInsert } from '../../src/base/memory/get-or-insert.js';
import type { Commission } from '../../src/base/model/commission.js';
import type { IngestEvent, IngestMarket, IngestMessage, IngestSelection } from '../../src/intake/ingest/message.js';
import { type Contract, countsFromBet, type Game } from './games.js';
import type { Push } from './world.js';

export interface Price {
  book: string;
  market: string;
  player: boolean;
  team: string | null;
  contract: Contract;
  /** As seen from the true home side, like the line. */
  type: string;
  line: number | null;
  alternate: boolean;
  /** Exact value of the stated price. */
  decimal: number;
  seenMs: number;
  active: boolean;
  /** What can be staked at it, if its book says so. */
  size: number | undefined;
  /** Commission of its market, if it differs from the book's. */
  commission: Commission | undefined;
}

interface BookGame {
  polledMs: number;
  prices: Map<string, Price>;
  /** Markets in which the book has ever shown a draw. */
  draws: Set<string>;
}

export class Visible {
  readonly #games: readonly Game[];
  /** By game and book. */
  readonly #shown = new Map<number, Map<string, BookGame>>();
  readonly #leaguePolls = new Map<string, number>();

  constructor(games: readonly Game[]) {
    this.#games = games;
  }

  /** Applies a message as pushed at `nowMs`. */
  push({ message, games }: Push, nowMs: number): void {
    // A clock that is a little ahead is now.
    const polledMs = Math.min(Date.parse(message.polled_at), nowMs);
    const listed = new Set<number>();
    const leaguePoll = (league: string) => this.#leaguePolls.get(`${message.book}|${league}`) ?? 0;
    for (const [i, event] of (message.events ?? []).entries()) {
      const game = this.#games[games[i]!]!;
      listed.add(game.no);
      const shown = this.#of(message.book, game.no);
      if (polledMs < Math.max(shown.polledMs, leaguePoll(game.league))) continue;
      shown.polledMs = polledMs;
      this.#show(shown, event, game, message, polledMs);
    }
    if (message.scope !== 'league' || polledMs < leaguePoll(message.league!)) return;
    this.#leaguePolls.set(`${message.book}|${message.league}`, polledMs);
    for (const [no, books] of this.#shown) {
      const shown = books.get(message.book);
      if (shown === undefined || listed.has(no) || this.#games[no]!.league !== message.league) continue;
      if (shown.polledMs <= polledMs) shown.prices.clear();
    }
  }

  /** No book lists it any more. */
  forget(game: number): void {
    this.#shown.delete(game);
  }

  /** Every shown price of one game. */
  *of(game: number): Iterable<Price> {
    for (const { prices } of this.#shown.get(game)?.values() ?? []) yield* prices.values();
  }

  /** Whether any book shows a price of it. */
  shows(game: number): boolean {
    return !this.of(game)[Symbol.iterator]().next().done;
  }

  everShowedDraw(book: string, game: number, market: string): boolean {
    return this.#of(book, game).draws.has(backed(market));
  }

  #of(book: string, game: number): BookGame {
    const books = getOrInsert(this.#shown, game, () => new Map<string, BookGame>());
    return getOrInsert(books, book, () => ({ polledMs: 0, prices: new Map(), draws: new Set() }));
  }

  #show(shown: BookGame, event: IngestEvent, game: Game, message: IngestMessage, polledMs: number): void {
    if (event.suspended === true && event.markets.length === 0) {
      for (const price of shown.prices.values()) price.active = false;
      return;
    }
    const before = shown.prices;
    if (message.scope !== 'none') shown.prices = new Map();
    const swapped = event.home_team !== game.home;
    for (const market of event.markets) {
      const hasDraw =
        shown.draws.has(market.market_type) || market.selections.some((each) => each.selection_type === 'draw');
      const fromBet = event.is_live === true && countsFromBet(message.book, game.sport) && !hasDraw;
      for (const selection of market.selections) {
        const price = priceOf(market, selection, swapped);
        if (event.suspended === true) price.active = false;
        price.market = namedBy(message.book, price.market, price.line);
        if (fromBet) price.market = price.market.replace(/^point_spread/, '$&_rest');
        if (price.type === 'draw') shown.draws.add(backed(price.market));
        price.book = message.book;
        price.seenMs = polledMs;
        const line = price.alternate ? price.line : '';
        const key = [price.market, price.player, price.team, price.type, line].join('|');
        if (!shown.prices.has(key) || before === shown.prices) shown.prices.set(key, price);
      }
    }
  }
}

/** The market of a price, which for a team's total is that team's. */
export const marketOf = ({ market, team }: Pick<Price, 'market' | 'team'>): string =>
  team === null ? market : `${market}@${team}`;

/** A market of lay prices belongs to the market of the selections that are laid. */
export const backed = (market: string): string => market.replace(/_lay$/, '');

/** Venues whose contracts pay in full or not at all. */
const CONTRACT_VENUES = new Set(['kalshi', 'polymarket']);

/** A strike on which a book's bet would push is the venue's own market. */
function namedBy(book: string, market: string, line: number | null): string {
  if (!CONTRACT_VENUES.has(book) || line === null || Number.isInteger(line + 0.5)) return market;
  return `${market}_contract_${book}`;
}

const turn = (type: string): string => (type === 'home' ? 'away' : type === 'away' ? 'home' : type);

function priceOf(market: IngestMarket, selection: IngestSelection, swapped: boolean): Price {
  const type = swapped ? turn(selection.selection_type) : selection.selection_type;
  const line = selection.line ?? null;
  const named = /^(home|away)_(team_total.*)$/.exec(market.market_type);
  const team = named === null ? market.team : named[1];
  return {
    book: '',
    market: named === null ? market.market_type : named[2]!,
    player: market.player_name !== undefined,
    team: team === undefined ? null : swapped ? turn(team) : team,
    contract: String(selection.external_id).split('|')[1] as Contract,
    type,
    line: line !== null && swapped && type === 'draw' ? 0 - line : line,
    alternate: selection.is_alternate_line === true,
    decimal: decimalOf(selection),
    seenMs: 0,
    active: market.is_active !== false && selection.is_active !== false,
    size: (selection as { size?: number }).size,
    commission: market.commission,
  };
}

function decimalOf({ odds_american, odds_decimal }: IngestSelection): number {
  if (odds_decimal !== undefined) return Number(odds_decimal);
  const american = Number(odds_american);
  return american > 0 ? (100 + american) / 100 : (american - 100) / american;
}
