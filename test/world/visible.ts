// The prices that a world's books show at a moment, by true game: read from the raw messages alone, according to the
// contract.

import { getOrInsert } from '../../src/base/memory/get-or-insert.js';
import type { Commission } from '../../src/base/model/commission.js';
import type { IngestEvent, IngestMarket, IngestMessage, IngestSelection } from '../../src/intake/ingest/message.js';
import { type Contract, countsFromBet, type Game } from './games.js';
import { noStatement, type Progress, progressOf, type Statement, state } from './progress.js';
import { type Player, playerOf } from './quote.js';
import type { Push } from './world.js';

export interface Price {
  book: string;
  market: string;
  player: Player | null;
  /** Whom its player is taken for. */
  man: Player | null;
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
  /** A model's, which nobody offers. */
  fair: boolean;
}

interface BookGame {
  polledMs: number;
  prices: Map<string, Price>;
  /** Markets in which the book has ever shown a draw. */
  draws: Set<string>;
  said: Statement;
}

export class Visible {
  readonly #games: readonly Game[];
  /** By game and book. */
  readonly #shown = new Map<number, Map<string, BookGame>>();
  readonly #leaguePolls = new Map<string, number>();
  /** Games of which a book has listed two men of one name. */
  readonly #namesakes = new Set<number>();
  /** Games that a source of results calls over, or called off, or of which a venue has settled the winner. */
  readonly #over = new Set<number>();

  constructor(games: readonly Game[]) {
    this.#games = games;
  }

  /** Applies a message as pushed at `nowMs`. */
  push({ message, games }: Push, nowMs: number): void {
    // A clock that is a little ahead is now.
    const polledMs = Math.min(Date.parse(message.polled_at), nowMs);
    for (const [i, { market_type }] of ((message.settlements ?? []) as readonly { market_type?: string }[]).entries())
      if (market_type === 'moneyline') this.#over.add(games[i]!);
    const results = (message.results ?? []) as readonly { status?: string }[];
    for (const [i, { status }] of results.entries()) if (status !== 'live') this.#over.add(games[i]!);
    const listed = new Set<number>();
    const leaguePoll = (league: string) => this.#leaguePolls.get(`${message.book}|${league}`) ?? 0;
    for (const [i, event] of (message.events ?? []).entries()) {
      const game = this.#games[games[i]!]!;
      listed.add(game.no);
      const shown = this.#of(message.book, game.no);
      if (polledMs < Math.max(shown.polledMs, leaguePoll(game.league))) continue;
      shown.polledMs = polledMs;
      state(shown.said, event, { polledMs, heardMs: nowMs, swapped: event.home_team !== game.home });
      this.#show(shown, event, game, message, { polledMs, nowMs });
    }
    if (message.scope !== 'league' || polledMs < leaguePoll(message.league!)) return;
    this.#leaguePolls.set(`${message.book}|${message.league}`, polledMs);
    for (const [no, books] of this.#shown) {
      const shown = books.get(message.book);
      if (shown === undefined || listed.has(no) || this.#games[no]!.league !== message.league) continue;
      if (shown.polledMs > polledMs) continue;
      shown.prices.clear();
      shown.said.listed = false;
    }
  }

  /** No book lists it any more. */
  forget(game: number): void {
    this.#shown.delete(game);
  }

  /** Every shown price of one game. */
  *of(game: number): Iterable<Price> {
    for (const { prices } of this.#shown.get(game)?.values() ?? [])
      for (const price of prices.values()) {
        price.man = this.manOf(game, price.player);
        yield price;
      }
  }

  /** Until a book lists both, two men of one name are one. */
  manOf(game: number, player: Player | null): Player | null {
    return player === 'smith jr' && !this.#namesakes.has(game) ? 'smith' : player;
  }

  /** Whether it is over or in play, as far as the contract says. */
  progress(game: number, nowMs: number): Progress {
    const said = [...(this.#shown.get(game)?.values() ?? [])].map((shown) => shown.said);
    return progressOf(said, this.#over.has(game), nowMs);
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
    return getOrInsert(books, book, () => ({ polledMs: 0, prices: new Map(), draws: new Set(), said: noStatement() }));
  }

  #show(
    shown: BookGame,
    event: IngestEvent,
    game: Game,
    message: IngestMessage,
    { polledMs, nowMs }: { polledMs: number; nowMs: number },
  ): void {
    if (event.suspended === true && event.markets.length === 0) {
      for (const price of shown.prices.values()) price.active = false;
      return;
    }
    const before = shown.prices;
    if (message.scope !== 'none') shown.prices = new Map();
    const swapped = event.home_team !== game.home;
    const players = new Set(event.markets.map((market) => subjectOf(market, swapped).player));
    if (players.has('smith') && players.has('smith jr')) this.#namesakes.add(game.no);
    for (const market of event.markets) {
      const hasDraw =
        shown.draws.has(market.market_type) || market.selections.some((each) => each.selection_type === 'draw');
      const fromBet = event.is_live === true && countsFromBet(message.book, game.sport) && !hasDraw;
      const seenMs = market.last_seen_at === undefined ? polledMs : Math.min(Date.parse(market.last_seen_at), nowMs);
      const meant = (type: string) => (fromBet ? type.replace(/^point_spread/, '$&_rest') : type);
      for (const selection of market.selections) {
        const price = priceOf(market, selection, swapped);
        if (event.suspended === true) price.active = false;
        price.market = meant(namedBy(message.book, price.market, price.line));
        const line = price.alternate ? price.line : '';
        const key = [price.market, price.player, price.team, price.type, line].join('|');
        if (selection.is_removed === true) {
          shown.prices.delete(key);
          continue;
        }
        if (price.type === 'draw') shown.draws.add(backed(price.market));
        price.book = message.book;
        price.seenMs = seenMs;
        price.fair = message.kind === 'model';
        shown.prices.set(key, price);
      }
      if (market.is_active !== false || market.selections.length > 0) continue;
      // Without its selections it is suspended as it was.
      const { market: type, team, player } = subjectOf(market, swapped);
      const own = [type, meant(type), `${type}_contract_${message.book}`];
      for (const [key, price] of before)
        if (own.includes(price.market) && price.team === team && price.player === player)
          shown.prices.set(key, { ...price, active: false, seenMs });
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

/** What a market is of, from the true home side's view. */
function subjectOf({ market_type, team: stated, player_name }: IngestMarket, swapped: boolean) {
  const [, side, type] = /^(home|away)_(team_total.*)$/.exec(market_type) ?? [];
  const team = side ?? stated;
  return {
    market: type ?? market_type,
    player: player_name === undefined ? null : playerOf(player_name),
    team: team === undefined ? null : swapped ? turn(team) : team,
  };
}

function priceOf(market: IngestMarket, selection: IngestSelection, swapped: boolean): Price {
  const type = swapped ? turn(selection.selection_type) : selection.selection_type;
  const line = selection.line ?? null;
  return {
    book: '',
    ...subjectOf(market, swapped),
    man: null,
    fair: false,
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

function decimalOf({ odds_american, odds_decimal, probability }: IngestSelection): number {
  if (probability !== undefined) return 1 / probability;
  if (odds_decimal !== undefined) return Number(odds_decimal);
  const american = odds_american === 'EVEN' ? 100 : Number(String(odds_american).replace('−', '-'));
  return american > 0 ? (100 + american) / 100 : (american - 100) / american;
}
