// The Kalshi feed: regular lookups of games over the REST API, order books over the socket (or polled if there is no
// key), changes to the sink.

import { constants, type KeyObject, sign } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { getOrInsert } from '../../../base/memory/get-or-insert.js';
import type { Clock } from '../../../base/model/clock.js';
import type { Depth, Level } from '../../../base/model/depth.js';
import { outcomeOfValue } from '../../../base/model/result.js';
import { round6 } from '../../../base/model/row-json.js';
import { sameFields } from '../../../base/model/same-fields.js';
import { fieldsOf, numberOf, textOf } from '../kit/field-readers.js';
import { type Outcome, type VenueGame, type VenueMarket, withoutRepeats } from '../kit/games.js';
import { decimalOfMicros, ladderOf, moneyOfMicros, oddsOf } from '../kit/ladder.js';
import type { Rest } from '../kit/rest.js';
import type { TeamAliases } from '../kit/teams.js';
import { VenueFeed, type VenueFeedOptions, type Words } from '../kit/venue-feed.js';
import { multipliedCommission } from '../kit/venue-fees.js';
import { webSocket } from '../kit/web-socket.js';
import { Channel, CONTRACTS_PER_CONNECTION, LISTED } from './channel.js';
import type { BookSource, ContractBook, Offer } from './contract-book.js';
import { Discovery } from './discovery.js';
import { PolledBooks, type PollingPace } from './polled-books.js';
import type { ListedContract, ListedGame, ListedOutcome, PricedContract } from './read-events.js';
import { type Series, SeriesFacts, seriesOf } from './series.js';

export interface KalshiOptions extends VenueFeedOptions {
  /** Series tickers; if empty, those of games in known leagues. */
  series: readonly string[];
  /** Including the path of the API. */
  restUrl: string;
  wsUrl: string;
  /** Without a key, requests are not signed and order books are polled. */
  key?: KalshiKey;
  /** For polled books. */
  polling?: PollingPace;
}

const BOOK = 'kalshi';

/** An outcome and the sources of its price. */
interface PricedOutcome {
  outcome: Outcome;
  sources: readonly PricedContract[];
}

interface Carried {
  gameId: string;
  open: boolean;
  source: BookSource;
  /** When the socket last said whether it is open (Unix ms). */
  toldMs: number;
}

export class KalshiFeed extends VenueFeed<ListedGame> {
  readonly #options: KalshiOptions;
  readonly #series: Series[];
  /** Outcomes priced from a contract. */
  readonly #places = new Map<string, Set<PricedOutcome>>();
  readonly #contracts = new Map<string, Carried>();
  readonly #paused = new Set<string>();
  readonly #sources: BookSource[] = [];
  #perConnection = CONTRACTS_PER_CONNECTION;
  /** When the list that is read now was asked for (Unix ms). */
  #askedMs = 0;
  #rest!: Rest;
  #facts!: SeriesFacts;
  #discovery!: Discovery;

  /** Throws an Error with a one-line message if the options are invalid. */
  constructor(options: KalshiOptions) {
    const series = seriesOf(options.series);
    const leagues = [...new Set(series.map(({ league }) => league))];
    const venue = { book: BOOK, leagues, discoverEveryMs: 30_000, listing: LISTED, teams: KALSHI_TEAMS };
    super(venue, options, options.series.length === 0 ? '' : `series=${options.series.join(',')}`);
    this.#options = options;
    this.#series = series;
  }

  protected begin(): void {
    const { restUrl, key, polling } = this.#options;
    const { context } = this;
    if (key === undefined)
      context.log.info(
        {},
        'kalshi: order books are polled; with KALSHI_KEY_ID and KALSHI_PRIVATE_KEY they are streamed',
      );
    this.#rest = this.rest({
      baseUrl: restUrl,
      // The lowest plan allows twenty; the limit without a key is not documented.
      perSecond: key === undefined ? (polling?.requestsPerSecond ?? 10) : 15,
      attempts: 3,
      ...(key === undefined ? {} : { headers: (method, path) => signedHeaders(key, context.clock, method, path) }),
    });
    this.#facts = new SeriesFacts(this.#rest, context);
    const { teams, documented } = this;
    const sportOf = (league: string): string => this.sportOf(league);
    this.#discovery = new Discovery({ rest: this.#rest, series: this.#series, sportOf, teams, documented });
  }

  protected async look(): Promise<void> {
    const tickers = this.#series.map(({ ticker }) => ticker);
    this.#askedMs = this.context.clock.now();
    const [games] = await Promise.all([this.#discovery.games(this.#askedMs), this.#facts.refresh(tickers)]);
    this.list(games);
  }

  protected booksAreWhole(): boolean {
    return [...this.#contracts.keys()].every((ticker) => this.#book(ticker)?.good === true);
  }

  protected missed({ facts, markets }: VenueGame, gone: boolean): void {
    for (const ticker of [...markets.keys()])
      if (gone) this.#removeContract(facts.id, ticker);
      else {
        this.#unlisted(facts.id, ticker);
        this.#open(ticker, false);
      }
  }

  protected async settled({ facts: { id }, outcomes }: VenueMarket): Promise<Words> {
    return wordsOf(await this.#rest.get(`/markets/${id}`), outcomes.length);
  }

  #book(ticker: string): ContractBook | undefined {
    return this.#contracts.get(ticker)?.source.books.get(ticker);
  }

  protected put({ id, league, home, away, startMs, startEstimated, contracts }: ListedGame): void {
    const teams = { home: home.name, away: away.name };
    const game = this.games.put({ id, league, ...teams, startMs: startMs!, startEstimated });
    const added: string[] = [];
    const isKnown = (contract: ListedContract): boolean => {
      const known = game.markets.get(contract.ticker);
      return known !== undefined && isQuestion(known, contract);
    };
    const kept = withoutRepeats(contracts, (each) => each, isKnown);
    for (const contract of kept) {
      const before = game.markets.get(contract.ticker);
      const known = before !== undefined && isQuestion(before, contract);
      if (before !== undefined && !known) this.#removeContract(id, contract.ticker);
      const market = game.market(
        { id: contract.ticker, type: contract.type },
        contract.outcomes.map(({ sources: _, ...facts }) => ({
          ...facts,
          tokenId: contract.ticker,
          externalId: contract.ticker,
          marketId: contract.ticker,
          deepLink: this.#facts.pageOf(contract.series, contract.event),
        })),
      );
      market.setTrade(contract.volume24h, contract.openInterest);
      const multiplier = this.#facts.multiplierOf(contract.series, contract.fees);
      market.setCommission(multipliedCommission(BOOK, multiplier, this.#options.catalogue));
      for (const [i, { sources }] of contract.outcomes.entries()) this.#place(market.outcomes[i]!, sources);
      if (known) {
        // What the socket said meanwhile is newer.
        if (this.#askedMs > (this.#contracts.get(contract.ticker)?.toldMs ?? 0))
          this.#open(contract.ticker, contract.open);
      } else {
        added.push(contract.ticker);
        if (!contract.open) this.#paused.add(contract.ticker);
      }
    }
    for (const ticker of [...game.markets.keys()])
      if (!kept.some((contract) => contract.ticker === ticker)) this.#removeContract(id, ticker);
    for (const { ticker } of contracts) this.settlements.listed(ticker);
    if (added.length > 0) this.#carry(id, added);
  }

  /** Another contract of the game may be listed later, or no more. */
  #place(outcome: Outcome, sources: readonly PricedContract[]): void {
    const before = [...(this.#places.get(outcome.facts.tokenId!) ?? [])].find((place) => place.outcome === outcome);
    if (before !== undefined && isDeepStrictEqual(before.sources, sources)) return;
    for (const { ticker } of before?.sources ?? []) this.#places.get(ticker)?.delete(before!);
    const place: PricedOutcome = { outcome, sources };
    for (const { ticker } of sources) getOrInsert(this.#places, ticker, () => new Set()).add(place);
    if (before !== undefined) this.#price(place);
  }

  #carry(gameId: string, tickers: readonly string[]): void {
    for (const [source, part] of this.#rooms(tickers)) {
      for (const ticker of part)
        this.#contracts.set(ticker, { gameId, open: !this.#paused.has(ticker), source, toldMs: 0 });
      source.add(part);
    }
  }

  /** Kalshi allows fewer contracts in a subscription than `count`: they are spread over more connections. */
  #spread(count: number): void {
    this.#perConnection = Math.max(1, Math.min(this.#perConnection, Math.floor(count / 2)));
    for (const from of [...this.#sources]) {
      const moved = [...from.books.keys()].slice(this.#perConnection);
      from.remove(moved);
      for (const [source, part] of this.#rooms(moved)) {
        for (const ticker of part) this.#contracts.get(ticker)!.source = source;
        source.add(part);
        for (const ticker of part) this.#priceAll(ticker);
      }
    }
  }

  /** Connections with room for these contracts, one after the other. */
  *#rooms(tickers: readonly string[]): Iterable<[BookSource, string[]]> {
    for (let at = 0; at < tickers.length; at += this.#perConnection) {
      const part = tickers.slice(at, at + this.#perConnection);
      yield [this.#sources.find((each) => each.hasRoom(part.length)) ?? this.#openSource(), part];
    }
  }

  #openSource(): BookSource {
    const { key } = this.#options;
    const source = key === undefined ? this.#poll() : this.#openChannel(key);
    this.#sources.push(source);
    this.running.push(source.running);
    return source;
  }

  #poll(): PolledBooks {
    return new PolledBooks({
      rest: this.#rest,
      ...this.access,
      signal: this.stopping.signal,
      series: this.#series.map(({ ticker }) => ticker),
      ...this.#options.polling,
      changed: (ticker) => this.#priceAll(ticker),
      unlisted: () => this.lookups.soon(),
    });
  }

  #openChannel(key: KalshiKey): Channel {
    const { wsUrl } = this.#options;
    const { clock } = this.context;
    const first = this.#sources.length === 0;
    const path = new URL(wsUrl).pathname;
    return new Channel({
      name: first ? 'books' : `books ${this.#sources.length + 1}`,
      dial: webSocket({ url: wsUrl, headers: () => signedHeaders(key, clock, 'GET', path) }),
      ...this.access,
      signal: this.stopping.signal,
      lifecycle: first,
      most: () => this.#perConnection,
      onTooMany: (count) => this.#spread(count),
      reopened: () => this.lookups.soon(),
      changed: (ticker) => this.#priceAll(ticker),
      happened: (ticker, what) => {
        if (what === 'listed') this.lookups.soon();
        else {
          const contract = this.#contracts.get(ticker);
          if (contract !== undefined) contract.toldMs = clock.now();
          if (what === 'ended') this.#unlisted(contract?.gameId ?? '', ticker);
          this.#open(ticker, what === 'open');
        }
      },
    });
  }

  #open(ticker: string, open: boolean): void {
    const contract = this.#contracts.get(ticker);
    if (contract === undefined || contract.open === open) return;
    contract.open = open;
    if (open) this.#paused.delete(ticker);
    this.#priceAll(ticker);
  }

  #removeContract(gameId: string, ticker: string): void {
    this.#unlisted(gameId, ticker);
    const game = this.games.get(gameId);
    const market = game?.markets.get(ticker);
    for (const place of this.#places.get(ticker) ?? []) {
      if (market?.outcomes.includes(place.outcome))
        for (const source of place.sources) this.#places.get(source.ticker)?.delete(place);
      else this.#price(place);
    }
    if (this.#places.get(ticker)?.size === 0) this.#places.delete(ticker);
    game?.removeMarket(ticker);
    this.#paused.delete(ticker);
    const contract = this.#contracts.get(ticker);
    this.#contracts.delete(ticker);
    contract?.source.remove([ticker]);
  }

  /** A contract that is traded no longer will be settled. */
  #unlisted(gameId: string, ticker: string): void {
    const market = this.games.get(gameId)?.markets.get(ticker);
    if (market !== undefined) this.settlements.expect(market);
  }

  #priceAll(ticker: string): void {
    for (const place of this.#places.get(ticker) ?? []) this.#price(place);
  }

  /** The cheapest of an outcome's sources; amounts at equal prices are added up. */
  #price({ outcome, sources }: PricedOutcome): void {
    let best: Offer | null = null;
    let tokenId: string | undefined;
    let seenMs: number | null = null;
    for (const { ticker, side } of sources) {
      const book = this.#contracts.get(ticker)?.open === true ? this.#book(ticker) : undefined;
      if (book?.seenMs != null) seenMs = Math.min(seenMs ?? book.seenMs, book.seenMs);
      const offer = book?.good === true ? book.ask(side) : null;
      if (offer === null) continue;
      if (best === null || offer.priceMicros < best.priceMicros) {
        best = offer;
        tokenId = ticker;
      } else if (offer.priceMicros === best.priceMicros)
        best = { priceMicros: best.priceMicros, countMicros: best.countMicros + offer.countMicros };
    }
    outcome.market.seenMs = seenMs;
    if (best === null) outcome.set({ decimal: null, size: null });
    else {
      const size = moneyOfMicros(best.priceMicros, best.countMicros);
      outcome.set({ decimal: decimalOfMicros(best.priceMicros), size, tokenId, depth: this.#ladder(sources) });
    }
  }

  /** Of all sources together. */
  #ladder(sources: readonly PricedContract[]): Depth | null {
    const { depth: most } = this.games;
    if (most === 0) return null;
    const backs: Level[][] = [];
    const lays: Level[][] = [];
    for (const { ticker, side } of sources) {
      const book = this.#contracts.get(ticker)?.open === true ? this.#book(ticker) : undefined;
      if (book?.good !== true) continue;
      backs.push(oddsOf(book.asks(side, most)));
      lays.push(oddsOf(book.bids(side, most)));
    }
    return ladderOf(backs, lays, most);
  }
}

/** Whether the contract asks what the market asks: a venue may correct a strike. */
function isQuestion({ facts, outcomes }: VenueMarket, { type, outcomes: asked }: ListedContract): boolean {
  return (
    facts.type === type &&
    outcomes.length === asked.length &&
    outcomes.every(({ facts }, i) =>
      sameFields<Omit<ListedOutcome, 'sources'>>(facts, asked[i]!, ['selection', 'selectionType', 'line']),
    )
  );
}

const SETTLED: ReadonlySet<string> = new Set(['settled', 'finalized']);

/** How the contract was settled: YES, and NO if that is an outcome too; undefined while it is open. */
function wordsOf(answer: unknown, outcomes: number): Words {
  const market = fieldsOf(fieldsOf(answer)?.['market']);
  if (market === undefined || !SETTLED.has(textOf(market['status']) ?? '')) return undefined;
  const result = textOf(market['result']);
  if (result === 'yes' || result === 'no')
    return (result === 'yes' ? (['won', 'lost'] as const) : (['lost', 'won'] as const)).slice(0, outcomes);
  // A tie pays half of the contract, another settlement any part of it.
  const value =
    numberOf(market['settlement_value_dollars']) ?? (numberOf(market['settlement_value']) ?? Number.NaN) / 100;
  return value >= 0 && value <= 1 ? [value, round6(1 - value)].slice(0, outcomes).map(outcomeOfValue) : [];
}

// Kalshi's team names: places, with a letter added where two teams share one.

const KALSHI_TEAMS: TeamAliases = {
  nba: { 'los angeles l': 'lakers', 'los angeles c': 'clippers' },
  nfl: {
    'los angeles r': 'rams',
    'los angeles c': 'chargers',
    'new york g': 'giants',
    'new york j': 'jets',
  },
  mlb: {
    'los angeles d': 'dodgers',
    'los angeles a': 'angels',
    'new york y': 'yankees',
    'new york m': 'mets',
    'chicago c': 'cubs',
    'chicago ws': 'white-sox',
    'chicago w': 'white-sox',
    "a's": 'athletics',
  },
  mls: { 'los angeles g': 'galaxy', 'los angeles f': 'lafc' },
  nhl: { 'new york r': 'rangers', 'new york i': 'islanders' },
};

export interface KalshiKey {
  id: string;
  key: KeyObject;
}

const API = '/trade-api/';

/**
 * Headers of one request, the key id, the time and a signature: RSA-PSS over SHA-256, salt as long as the digest, of time, method and path without its query.
 */
function signedHeaders({ id, key }: KalshiKey, clock: Clock, method: string, path: string): Record<string, string> {
  const timestamp = String(Math.floor(clock.now()));
  // A path prefix belongs to a proxy.
  const from = path.indexOf(API);
  const signed = `${timestamp}${method}${from > 0 ? path.slice(from) : path}`;
  const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST };
  return {
    'KALSHI-ACCESS-KEY': id,
    'KALSHI-ACCESS-TIMESTAMP': timestamp,
    'KALSHI-ACCESS-SIGNATURE': sign('sha256', Buffer.from(signed), { key, ...padding }).toString('base64'),
  };
}
