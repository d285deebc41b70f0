// The Polymarket feed: regular lookups of games through Gamma, their order books through the market channel, changes to
// the sink.

import { type Fields, fieldsOf, textOf, textsOf } from '../kit/field-readers.js';
import { type Outcome, type VenueGame, type VenueMarket, withoutRepeats } from '../kit/games.js';
import { decimalOfMicros, ladderOf, moneyOfMicros, topOdds } from '../kit/ladder.js';
import type { Rest } from '../kit/rest.js';
import { VenueFeed, type VenueFeedOptions, type Words } from '../kit/venue-feed.js';
import { contractFee } from '../kit/venue-fees.js';
import { Channels, LISTED } from './channels.js';
import { leaguesOf, readLeagueEvents, readSports, type SportEntry, type VenueLeague } from './gamma.js';
import { type ListedGame, type ListedMarket, readGames, statusOf } from './read-events.js';

export interface PolymarketOptions extends VenueFeedOptions {
  /** Polymarket's league codes, or catalogue ids; if empty, all known ones. */
  sports: readonly string[];
  gammaUrl: string;
  clobUrl: string;
  /** A base URL, or including the path of the market channel. */
  wsUrl: string;
}

const BOOK = 'polymarket';

/** The outcome that a token stands for. */
interface ListedToken {
  outcome: Outcome;
  market: ListedMarket;
}

export class PolymarketFeed extends VenueFeed<ListedGame> {
  readonly #options: PolymarketOptions;
  readonly #leagues: VenueLeague[];
  readonly #places = new Map<string, ListedToken>();
  readonly #resolved = new Set<string>();
  #channels!: Channels;
  #gamma!: Rest;

  /** Throws an Error with a one-line message if the options are invalid. */
  constructor(options: PolymarketOptions) {
    const leagues = leaguesOf(options.sports);
    const ids = leagues.map(({ league }) => league);
    const venue = { book: BOOK, leagues: ids, discoverEveryMs: 20_000, listing: LISTED };
    super(venue, options, options.sports.length === 0 ? '' : `sports=${options.sports.join(',')}`);
    this.#options = options;
    this.#leagues = leagues;
  }

  protected begin(): void {
    const { gammaUrl, clobUrl, wsUrl } = this.#options;
    this.#gamma = this.rest({ baseUrl: gammaUrl, perSecond: 20, attempts: 3 });
    this.#channels = new Channels({
      url: wsUrl,
      ...this.access,
      signal: this.stopping.signal,
      clob: this.rest({ baseUrl: clobUrl, perSecond: 10, attempts: 3, timeoutMs: 5_000 }),
      changed: (token) => this.#price(token),
      resolved: (tokens) => this.#resolve(tokens),
      listed: () => this.lookups.soon(),
    });
    this.running.push(this.#channels.run());
  }

  protected booksAreWhole(): boolean {
    return this.#channels.areWhole;
  }

  protected missed({ facts, markets }: VenueGame, gone: boolean): void {
    for (const marketId of [...markets.keys()]) this.#closeMarket(facts.id, marketId, gone);
    if (gone) this.#channels.forgetGame(facts.id);
  }

  protected async settled(market: VenueMarket): Promise<Words> {
    return wordsOf(market, fieldsOf(await this.#gamma.get(`/markets/${market.facts.id}`)) ?? {});
  }

  protected async look(): Promise<void> {
    const gamma = this.#gamma;
    const sports = await readSports(gamma);
    // A league that cannot be read leaves the others as they are listed.
    const faults: unknown[] = [];
    for (const league of this.#leagues)
      try {
        this.#list(league, await readLeagueEvents(gamma, league, sports), sports);
      } catch (error) {
        faults.push(error);
      }
    if (faults.length > 0) throw faults[0];
  }

  #list(venue: VenueLeague, events: readonly unknown[], sports: ReadonlyMap<string, SportEntry>): void {
    const { league, codes } = venue;
    const sport = this.sportOf(league);
    const stated = codes.map((code) => sports.get(code)?.firstIs).find((first) => first !== undefined);
    const source = { league, sport, codes, firstIs: stated ?? (sport === 'soccer' ? 'home' : 'away') } as const;
    this.documented.look('event', events);
    this.list(readGames(events, source, this.teams), (facts) => facts.league === league);
  }

  protected put(listed: ListedGame): void {
    const { id, league, home, away, startMs, live } = listed;
    const status = statusOf(listed, this.context.clock.now());
    const game = this.games.put({
      id,
      league,
      home,
      away,
      startMs,
      ...(live && status === undefined ? { isLive: true } : {}),
      ...(status === undefined ? {} : { status }),
    });
    const added: string[] = [];
    const isKnown = (market: ListedMarket): boolean => isQuestion(game.markets.get(market.id), market);
    const kept = withoutRepeats(listed.markets, ({ question }) => question, isKnown);
    for (const market of kept) {
      const { question, volume24h, openInterest, fee } = market;
      const known = this.#known(game, market);
      const outcomes = question.outcomes.map(({ token, ...facts }) => ({
        ...facts,
        tokenId: token,
        externalId: token,
        marketId: market.id,
        deepLink: `https://polymarket.com/event/${id}`,
      }));
      const stated = game.market({ id: market.id, type: question.type }, outcomes);
      stated.setTrade(volume24h, openInterest);
      stated.setCommission(fee === undefined ? null : contractFee(BOOK, fee, this.#options.catalogue));
      for (const outcome of stated.outcomes) {
        const token = outcome.facts.tokenId!;
        if (known === undefined) added.push(token);
        this.#places.set(token, { outcome, market });
        if (known !== undefined) this.#price(token);
      }
    }
    for (const marketId of [...game.markets.keys()])
      if (!kept.some((market) => market.id === marketId)) this.#closeMarket(id, marketId, true);
    for (const market of listed.markets) this.settlements.listed(market.id);
    if (added.length > 0) this.#channels.add(id, added);
  }

  /**
   * The market as it was listed before. Its outcomes may come in any order: a token says which one it is. One whose tokens
   * ask something else by now is another question, whose rows take the place of the first one's.
   */
  #known(game: VenueGame, market: ListedMarket): VenueMarket | undefined {
    const known = game.markets.get(market.id);
    if (known === undefined || isQuestion(known, market)) return known;
    this.#closeMarket(game.facts.id, market.id, true);
    return undefined;
  }

  /** Nothing of it is on offer any more; `gone`: nor is it listed. */
  #closeMarket(gameId: string, marketId: string, gone: boolean): void {
    const game = this.games.get(gameId);
    const market = game?.markets.get(marketId);
    if (game === undefined || market === undefined) return;
    const tokens = market.outcomes.flatMap(({ facts }) => facts.tokenId ?? []);
    for (const token of tokens) {
      const place = this.#places.get(token);
      if (place !== undefined) place.market.open = false;
    }
    market.clear();
    this.settlements.expect(market);
    if (!gone) return;
    game.removeMarket(marketId);
    for (const token of tokens) {
      this.#places.delete(token);
      this.#resolved.delete(token);
    }
    this.#channels.remove(tokens);
  }

  #resolve(tokens: readonly string[]): void {
    for (const token of tokens) {
      if (!this.#places.has(token)) continue;
      this.#resolved.add(token);
      this.#price(token);
    }
  }

  /** The current offer of a token: its own best ask. */
  #price(token: string): void {
    const place = this.#places.get(token);
    if (place === undefined) return;
    const book = this.#channels.book(token);
    const price = book?.asks.best ?? null;
    const closed = !place.market.open || this.#resolved.has(token);
    if (book === undefined || !book.good || price === null || closed) {
      place.outcome.set({ decimal: null, size: null });
      return;
    }
    // The two tokens of a market mirror each other: what can be laid is what its own bids take.
    const { depth: most } = this.games;
    const { asks, bids } = book;
    place.outcome.set({
      decimal: decimalOfMicros(price),
      size: moneyOfMicros(price, asks.bestCount),
      depth: most === 0 ? null : ladderOf([topOdds(asks, most)], [topOdds(bids, most)], most),
    });
  }
}

/** Settlement prices this near to a word are that word. */
const NEAR = 0.01;
const WORTH = [
  ['won', 1],
  ['lost', 0],
  ['half', 0.5],
] as const;

/**
 * What a closed market's outcomes are worth, each found by its token, where the answer lacks those by its name; undefined
 * while it is open, or if one is worth anything else.
 */
function wordsOf({ outcomes }: VenueMarket, market: Fields): Words {
  const status = textOf(market['umaResolutionStatus']);
  if (market['closed'] !== true || (status !== undefined && status !== 'resolved')) return undefined;
  const [tokens, names, prices] = ['clobTokenIds', 'outcomes', 'outcomePrices'].map((field) => textsOf(market[field]));
  const words = outcomes.map(({ facts }) => {
    const byToken = tokens!.indexOf(facts.tokenId ?? '');
    const place = byToken >= 0 || tokens!.length > 0 ? byToken : names!.indexOf(facts.selection);
    const price = Number(prices![place] ?? Number.NaN);
    return WORTH.find(([, worth]) => Math.abs(price - worth) <= NEAR)?.[0];
  });
  return words.every((word) => word !== undefined) ? words : undefined;
}

function isQuestion(market: VenueMarket | undefined, { question }: ListedMarket): boolean {
  const isSame = ({ facts }: Outcome) =>
    question.outcomes.some(
      ({ token, selectionType, line }) =>
        token === facts.tokenId && selectionType === facts.selectionType && line === facts.line,
    );
  return market !== undefined && market.facts.type === question.type && market.outcomes.every(isSame);
}
