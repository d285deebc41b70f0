// Maps Betfair's markets to games and their markets: names come from the catalogue, prices and states from the stream.
// Markets that ask another question than a book's market are excluded and counted.

import { isDeepStrictEqual } from 'node:util';
import { getOrInsert } from '../../../base/memory/get-or-insert.js';
import type { Depth } from '../../../base/model/depth.js';
import { present } from '../../../base/model/present.js';
import type { Outcome as Word } from '../../../base/model/result.js';
import type { Outcome, Quote, VenueGame, VenueGames, VenueMarket } from '../kit/games.js';
import { ladderOf, turned } from '../kit/ladder.js';
import type { OutcomeFacts } from '../kit/market-ids.js';
import { type FeeLookup, statedCommission } from '../kit/venue-fees.js';
import type { MarketBook, MarketDefinition, Offer } from './market-cache.js';
import { type Names, SPORT_OF_EVENT_TYPE, type Teams } from './names.js';
import { isWinner, type PlannedSelection, planMarket } from './questions.js';

/** A market as the catalogue describes it. */
export interface NamedMarket {
  id: string;
  eventId: string;
  eventName: string;
  eventTypeId: string;
  competition: string;
  /** Unix ms. */
  startMs: number;
  /** By runner key. */
  runnerNames: ReadonlyMap<string, string>;
}

/** The game that a named market is about. */
export interface NamedGame {
  sport: string;
  league: string;
  teams: Teams;
}

interface Line {
  key: string;
  planned: readonly PlannedSelection[];
  market: VenueMarket;
}

interface Listed {
  named: NamedMarket;
  game: NamedGame;
  /** The definition from which its lines were planned; undefined if they must be planned again. */
  definition: MarketDefinition | undefined;
  /** Its last state in the stream. */
  book: MarketBook | undefined;
  /** Whether the stream's prices are valid. */
  isGood: boolean;
  lines: Line[];
}

const BOOK = 'betfair';

/** The game of a market; undefined unless it is one of two teams in a known league. */
export function gameOf(named: NamedMarket, names: Names): NamedGame | undefined {
  const sport = Object.hasOwn(SPORT_OF_EVENT_TYPE, named.eventTypeId)
    ? SPORT_OF_EVENT_TYPE[named.eventTypeId]
    : undefined;
  if (sport === undefined) return undefined;
  const league = names.league(named.competition, sport);
  const teams = league === undefined ? undefined : names.teams(named.eventName, league);
  return league === undefined || teams === undefined ? undefined : { sport, league, teams };
}

export class Listing {
  readonly #games: VenueGames;
  readonly #names: Names;
  readonly #fees: FeeLookup;
  readonly #markets = new Map<string, Listed>();
  /** By event: its markets here. */
  readonly #events = new Map<string, Set<string>>();
  /** By event and line: the market whose prices are used if several have the line. */
  readonly #tellers = new Map<string, string>();
  /** Reasons for excluding markets, with the number of markets. */
  readonly leftOut = new Map<string, string>();
  /** The highest base rate of any market (percent of net winnings before discounts). */
  baseRatePercent = 0;
  /** By which games start later than the stream says (ms), for one that is played as if it were now. */
  offsetMs = 0;

  constructor(games: VenueGames, names: Names, fees: FeeLookup) {
    this.#games = games;
    this.#names = names;
    this.#fees = fees;
  }

  has(marketId: string): boolean {
    return this.#markets.has(marketId);
  }

  /** Follows the market from now on; its known state is retained. */
  name(named: NamedMarket, game: NamedGame): void {
    const known = this.#markets.get(named.id);
    if (known !== undefined) {
      const isNew = !sameNames(known.named, named) || !isDeepStrictEqual(known.game, game);
      known.named = named;
      known.game = game;
      if (!isNew || known.book === undefined) return;
      known.definition = undefined;
      this.#refresh(known, known.book);
      return;
    }
    const unknown = { definition: undefined, book: undefined, isGood: false };
    this.#markets.set(named.id, { named, game, ...unknown, lines: [] });
    const of = this.#events.get(named.eventId) ?? new Set<string>();
    this.#events.set(named.eventId, of.add(named.id));
  }

  /** Applies the current state of the market. */
  show(book: MarketBook): void {
    const listed = this.#markets.get(book.id);
    if (listed === undefined) return;
    listed.book = book;
    listed.isGood = true;
    this.#refresh(listed, book);
  }

  /** The market's prices are unknown from now on. */
  suspend(marketId: string): void {
    const listed = this.#markets.get(marketId);
    if (listed === undefined) return;
    listed.isGood = false;
    for (const { market } of listed.lines) market.clear();
  }

  #refresh(listed: Listed, book: MarketBook): void {
    const { definition } = book;
    if (definition === undefined) return;
    if (definition.status === 'CLOSED') {
      for (const line of listed.lines)
        this.#games.settle(
          line.market,
          line.planned.map((each) => wordOn(each, definition)),
        );
      this.#unlist(listed);
      return;
    }
    if (listed.definition !== definition) this.#plan(listed, definition);
    if (!listed.isGood) return;
    for (const { planned, market } of listed.lines)
      for (const [i, each] of planned.entries()) setQuote(market.outcomes[i]!, each, book, this.#games.depth);
  }

  /** Stops following the market. */
  forget(marketId: string): void {
    const listed = this.#markets.get(marketId);
    if (listed === undefined) return;
    this.#markets.delete(marketId);
    this.leftOut.delete(marketId);
    this.#unlist(listed);
    const of = this.#events.get(listed.named.eventId);
    of?.delete(marketId);
    if (of?.size === 0) this.#events.delete(listed.named.eventId);
  }

  #plan(listed: Listed, definition: MarketDefinition): void {
    const { named, game } = listed;
    listed.definition = definition;
    this.baseRatePercent = Math.max(this.baseRatePercent, definition.baseRatePercent ?? 0);
    const context = { ...game, runnerNames: named.runnerNames, names: this.#names };
    const planned = planMarket(definition, context);
    if (typeof planned === 'string') {
      this.leftOut.set(named.id, planned);
      this.#unlist(listed);
      listed.definition = definition;
      return;
    }
    this.leftOut.delete(named.id);
    const lines = linesOf(planned).filter(([key]) => {
      const teller = this.#tellers.get(`${named.eventId}|${key}`);
      return teller === undefined || teller === named.id || !this.#markets.has(teller);
    });
    const venueGame = this.#game(listed);
    const { baseRatePercent } = definition;
    const rate = baseRatePercent === null ? undefined : Math.round(baseRatePercent * 1e7) / 1e9;
    const commission = statedCommission(BOOK, 'winnings', rate, this.#fees);
    const keys = new Set(lines.map(([key]) => key));
    for (const line of listed.lines) if (!keys.has(line.key)) this.#dropLine(listed, venueGame, line);
    listed.lines = lines.map(([key, planned]) => {
      this.#tellers.set(`${named.eventId}|${key}`, named.id);
      const facts = { id: key, type: planned[0]!.marketType };
      const known = venueGame.markets.get(key);
      const outcomes = planned.map((each) => outcomeOf(each, named.id, game.sport));
      if (known !== undefined && !sameOutcomes(known.outcomes, outcomes)) venueGame.removeMarket(key);
      const market = venueGame.market(facts, outcomes);
      market.setCommission(commission);
      return { key, planned, market };
    });
  }

  /** The game of the market, updated: it is in play if one of its markets is. */
  #game({ named, game, definition }: Listed): VenueGame {
    let isLive = false;
    for (const id of this.#events.get(named.eventId) ?? [])
      isLive ||= this.#markets.get(id)?.definition?.inPlay === true;
    const known = this.#games.get(named.eventId);
    // One start for the whole game: the winner market's, and until that is known another market's.
    const tells = known === undefined || (definition !== undefined && isWinner(definition.marketType));
    const startMs = tells ? (definition?.startMs ?? named.startMs) + this.offsetMs : known.facts.startMs;
    const { league, teams } = game;
    return this.#games.put({ id: named.eventId, league, home: teams.home, away: teams.away, startMs, isLive });
  }

  #dropLine({ named }: Listed, game: VenueGame, { key }: Line): void {
    game.removeMarket(key);
    this.#tellers.delete(`${named.eventId}|${key}`);
  }

  /** Removes the market's lines; other markets of the game may now provide them. */
  #unlist(listed: Listed): void {
    const { eventId } = listed.named;
    const game = this.#games.get(eventId);
    const { lines } = listed;
    listed.lines = [];
    listed.definition = undefined;
    if (game === undefined || lines.length === 0) return;
    for (const line of lines) this.#dropLine(listed, game, line);
    for (const id of this.#events.get(eventId) ?? []) {
      const other = this.#markets.get(id);
      if (other === undefined || other === listed || other.book === undefined) continue;
      other.definition = undefined;
      this.#refresh(other, other.book);
    }
    if (game.markets.size === 0) this.#games.remove(eventId);
  }
}

function sameNames(a: NamedMarket, b: NamedMarket): boolean {
  if (a.runnerNames.size !== b.runnerNames.size) return false;
  for (const [key, name] of a.runnerNames) if (b.runnerNames.get(key) !== name) return false;
  return true;
}

/** The selections of each line of each market type: one market of the table. */
function linesOf(planned: readonly PlannedSelection[]): [string, PlannedSelection[]][] {
  const lines = new Map<string, PlannedSelection[]>();
  for (const each of planned) {
    const { marketType, type, line } = each;
    const key = line === null ? marketType : `${marketType}|${type === 'away' ? 0 - line + 0 : line}`;
    getOrInsert(lines, key, () => []).push(each);
  }
  return [...lines];
}

/** The sports of the catalogue in addresses of Betfair's pages. */
const PAGE_OF_SPORT: Readonly<Record<string, string>> = {
  soccer: 'football',
  football: 'american-football',
  basketball: 'basketball',
  baseball: 'baseball',
  hockey: 'ice-hockey',
};

/** The ids that an order needs: the market, the runner and the handicap if there is one. */
function outcomeOf(
  { name, type, line, externalId, runner }: PlannedSelection,
  marketId: string,
  sport: string,
): OutcomeFacts {
  const page = Object.hasOwn(PAGE_OF_SPORT, sport) ? PAGE_OF_SPORT[sport] : undefined;
  const address = `https://www.betfair.com/exchange/plus/${page}/market/${encodeURIComponent(marketId)}`;
  return present({
    selection: name,
    selectionType: type,
    line,
    externalId,
    marketId,
    tokenId: `${marketId}|${runner.replace(/\|0$/, '')}`,
    deepLink: page === undefined ? undefined : address,
  });
}

function sameOutcomes(present: VenueMarket['outcomes'], wanted: readonly OutcomeFacts[]): boolean {
  return (
    present.length === wanted.length &&
    present.every(({ facts }, i) => {
      const { selectionType, line, externalId } = wanted[i]!;
      return facts.selectionType === selectionType && facts.line === line && facts.externalId === externalId;
    })
  );
}

function setQuote(outcome: Outcome, planned: PlannedSelection, book: MarketBook, depth: number): void {
  const { startingPrice } = planned;
  if (startingPrice === null) outcome.set(quoteOf(planned, book, depth));
  else if (outcome.last !== startingPrice) {
    outcome.set({ decimal: startingPrice, size: null });
    outcome.set(NOTHING);
  }
}

const WORDS: Readonly<Record<string, Word>> = { WINNER: 'won', LOSER: 'lost', REMOVED: 'void' };

/**
 * What a closed market says of a selection. Laying one is another bet; and on a whole or quarter line a bet may be half
 * won or returned, which the runner's status does not say.
 */
function wordOn({ runner, lay, line }: PlannedSelection, { statuses }: MarketDefinition): Word | undefined {
  const isHalf = line === null || Math.abs(line) % 1 === 0.5;
  return lay || !isHalf ? undefined : WORDS[statuses.get(runner) ?? ''];
}

// What a selection's row shows of Betfair's offers.

/** Prices closer to each other than this are equal: float noise of L / (L - 1). */
const SAME_PRICE = 1e-9;

const NOTHING: Quote = { decimal: null, size: null };

/** The price at which the selection can be backed: the best offer, or laying the other runner if that is better. */
export function quoteOf(planned: PlannedSelection, book: MarketBook, depth: number): Quote {
  const { definition } = book;
  if (definition?.status !== 'OPEN' || definition.statuses.get(planned.runner) !== 'ACTIVE') return NOTHING;
  const runner = book.runners.get(planned.runner);
  if (!book.hasOffers) {
    const traded = runner?.traded ?? null;
    return planned.lay || traded === null ? NOTHING : { decimal: traded, size: null, indicative: true };
  }
  let best: Offer | undefined = planned.lay ? runner?.lay : runner?.back;
  const laid = planned.opposite === null ? undefined : book.runners.get(planned.opposite)?.lay;
  if (laid !== undefined) {
    const [price, size] = turned([laid.price, laid.size]);
    if (best === undefined || price > best.price + SAME_PRICE) best = { price, size };
    else if (price > best.price - SAME_PRICE) best = { price: best.price, size: best.size + size };
  }
  if (best !== undefined && inCents(best.size) === 0) best = nextOffer(planned, book);
  if (best === undefined) return NOTHING;
  return {
    decimal: best.price,
    size: inCents(best.size),
    depth: depth === 0 ? null : ladderIn(planned, book, depth),
  };
}

/** The best offer of at least half a cent: turned, what stands at a short price is so little that it cannot be had. */
function nextOffer(planned: PlannedSelection, book: MarketBook): Offer | undefined {
  const ladder = ladderIn(planned, book, 1);
  const [best] = (planned.lay ? ladder?.lay : ladder?.back) ?? [];
  return best === undefined ? undefined : { price: best[0], size: best[1] };
}

const CENTS = 100;

function inCents(size: number): number {
  return Math.round(size * CENTS) / CENTS;
}

/** The runner's own offers and, where there is one other result, the other runner's, turned. */
function ladderIn({ runner: key, opposite }: PlannedSelection, book: MarketBook, depth: number): Depth | null {
  const own = book.runners.get(key);
  const other = opposite === null ? undefined : book.runners.get(opposite);
  const backs = [own?.offers('back') ?? [], (other?.offers('lay') ?? []).map(turned)];
  const lays = [own?.offers('lay') ?? [], (other?.offers('back') ?? []).map(turned)];
  return ladderOf(backs, lays, depth, CENTS);
}
