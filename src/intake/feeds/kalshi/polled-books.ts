// Order books without a key: the socket needs one, the market data of the REST API does not. Books are requested in
// rotation, up to a hundred per request; books whose best prices differ from the list of markets come first.

import { LIMITS } from '../../../base/model/limits.js';
import { type Fields, fieldsOf, listIn, textOf } from '../kit/field-readers.js';
import { MICROS } from '../kit/ladder.js';
import { type Rest, type VenueAccess, VenueRefusal } from '../kit/rest.js';
import { type BackoffLimits, backoffMs, wait } from '../wait.js';
import { type BookSource, ContractBook, countOf, priceOf } from './contract-book.js';

/** Contracts per request; the venue accepts a hundred. */
const BATCH = 100;
/** Concurrent requests for books: one slow answer must not delay the rotation of all others. */
const REQUESTS = 3;
/** A book whose market shows no change is not requested more often. */
const EVERY_MS = 1_000;
/** If multi-book requests are refused, books are requested one by one, and together again after this time. */
const SINGLE_MS = 600_000;
const TICK_MS = 100;
const BACKOFF: BackoffLimits = { firstMs: 250, capMs: 3_000 };
const PART = 'books';
const PAGE = 1_000;
const PAGES_MAX = LIMITS.venuePages.max;
const PRICES_PART = 'market prices';

/** The venue's limits and the feed's own timeouts. */
export interface PollingPace {
  /** Requests per second of every kind; 10 by default. */
  requestsPerSecond?: number;
  /** Interval at which the lists of markets are read; 5 s by default. */
  listEveryMs?: number;
  /** After this long without an answer prices are unknown; 6 s by default. */
  goneMs?: number;
}

interface PolledBooksOptions extends PollingPace, VenueAccess {
  rest: Rest;
  signal: AbortSignal;
  /** Series whose lists of markets show what changed. */
  series: readonly string[];
  /** The contract's book changed, was seen again, or is no longer known. */
  changed(ticker: string): void;
  /** A market disappeared from its list. */
  unlisted(): void;
}

export class PolledBooks implements BookSource {
  readonly books = new Map<string, ContractBook>();
  readonly running: Promise<void>;
  readonly #options: PolledBooksOptions;
  /** Contracts of each series' last complete list. */
  readonly #listed = new Map<string, Set<string>>();
  /** Contracts to request before all others. */
  readonly #first = new Set<string>();
  /** Time of each contract's last request (ms), oldest first. */
  readonly #turns = new Map<string, number>();
  readonly #underWay = new Set<string>();
  readonly #goneMs: number;
  #answeredMs: number;
  #singleUntilMs = 0;
  #failures = 0;

  constructor(options: PolledBooksOptions) {
    this.#options = options;
    this.#answeredMs = options.context.clock.now();
    const { signal, goneMs = 6_000 } = options;
    this.#goneMs = goneMs;
    const requests = Array.from({ length: REQUESTS }, () => this.#request(signal));
    this.running = Promise.all([...requests, this.#watch(signal), this.#readPrices(signal)]).then(() => {});
  }

  hasRoom(): boolean {
    return true;
  }

  add(tickers: readonly string[]): void {
    for (const ticker of tickers) {
      this.books.set(ticker, new ContractBook());
      this.#turns.set(ticker, Number.NEGATIVE_INFINITY);
      this.#first.add(ticker);
    }
  }

  remove(tickers: readonly string[]): void {
    for (const ticker of tickers) {
      this.books.delete(ticker);
      this.#turns.delete(ticker);
      this.#first.delete(ticker);
    }
  }

  async #request(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { context, random } = this.#options;
      const nowMs = context.clock.now();
      const single = nowMs < this.#singleUntilMs;
      const tickers = this.#next(single ? 1 : BATCH, nowMs);
      if (tickers.length === 0) {
        await wait(TICK_MS, signal);
        continue;
      }
      const requested = new Map<string, ContractBook>();
      for (const ticker of tickers) requested.set(ticker, this.books.get(ticker)!);
      try {
        await (single ? this.#fetchOne(tickers[0]!, requested, nowMs) : this.#fetch(tickers, requested, nowMs));
        this.#answeredMs = context.clock.now();
        this.#failures = 0;
        context.report?.succeeded(PART);
      } catch (error) {
        if (signal.aborted) return;
        for (const [ticker, book] of requested) this.#again(ticker, book);
        if (!single && error instanceof VenueRefusal) {
          context.log.warn(
            { status: error.status },
            'kalshi: many books a request are refused; they are asked one by one',
          );
          this.#singleUntilMs = nowMs + SINGLE_MS;
          continue;
        }
        context.report?.failed(PART, (error as Error).message);
        await wait(backoffMs(++this.#failures, BACKOFF, random), signal);
      } finally {
        for (const ticker of tickers) this.#underWay.delete(ticker);
      }
    }
  }

  /** Up to `count` contracts: those with changes, then those with the oldest request. */
  #next(count: number, nowMs: number): string[] {
    const found: string[] = [];
    const take = (ticker: string): void => {
      found.push(ticker);
      this.#underWay.add(ticker);
      this.#first.delete(ticker);
      // Moves it to the end of the order.
      this.#turns.delete(ticker);
      this.#turns.set(ticker, nowMs);
    };
    for (const ticker of this.#first) {
      if (found.length === count) return found;
      if (!this.#underWay.has(ticker)) take(ticker);
    }
    for (const [ticker, requestedMs] of this.#turns) {
      if (found.length === count || nowMs - requestedMs < EVERY_MS) return found;
      if (!this.#underWay.has(ticker)) take(ticker);
    }
    return found;
  }

  async #fetch(tickers: readonly string[], requested: ReadonlyMap<string, ContractBook>, nowMs: number): Promise<void> {
    const answer = await this.#options.rest.get('/markets/orderbooks', { tickers });
    const missing = new Set(tickers);
    for (const each of listIn(answer, 'orderbooks')) {
      const ticker = textOf(each['ticker']) ?? textOf(each['market_ticker']);
      if (ticker === undefined || !missing.delete(ticker)) continue;
      this.#take(ticker, requested.get(ticker)!, each, nowMs);
    }
    for (const ticker of missing) this.#lose(ticker, requested.get(ticker)!);
  }

  async #fetchOne(ticker: string, requested: ReadonlyMap<string, ContractBook>, nowMs: number): Promise<void> {
    try {
      const answer = await this.#options.rest.get(`/markets/${encodeURIComponent(ticker)}/orderbook`);
      this.#take(ticker, requested.get(ticker)!, fieldsOf(answer) ?? {}, nowMs);
    } catch (error) {
      if (!(error instanceof VenueRefusal) || error.status !== 404) throw error;
      this.#lose(ticker, requested.get(ticker)!);
    }
  }

  #take(ticker: string, book: ContractBook, answer: Readonly<Record<string, unknown>>, nowMs: number): void {
    if (this.books.get(ticker) !== book) return;
    const sides = fieldsOf(answer['orderbook_fp']) ?? fieldsOf(answer['orderbook']);
    if (sides === undefined || !namesBothSides(sides) || !book.snapshot(sides)) {
      this.#options.context.report?.counted?.('bad_messages');
      // One that is not shown waits for its turn: it may be so for ever.
      if (book.good) this.#again(ticker, book);
      return;
    }
    book.seenMs = nowMs;
    this.#options.changed(ticker);
  }

  /** The book may be outdated: it is requested again first, and dropped if it stays so. */
  #again(ticker: string, book: ContractBook): void {
    if (this.books.get(ticker) !== book) return;
    this.#first.add(ticker);
    if (book.seenMs !== null && this.#options.context.clock.now() - book.seenMs > this.#goneMs)
      this.#lose(ticker, book);
  }

  /** The venue does not know the book, or it cannot be parsed. */
  #lose(ticker: string, book: ContractBook): void {
    if (!book.good || this.books.get(ticker) !== book) return;
    book.forget();
    this.#options.changed(ticker);
  }

  /**
   * The best prices in the lists of markets, a thousand per page, make no book, but a book whose best prices differ from them
   * is outdated.
   */
  async #readPrices(signal: AbortSignal): Promise<void> {
    const { series, context, listEveryMs = 5_000 } = this.#options;
    while (await wait(listEveryMs, signal))
      try {
        for (const ticker of series) await this.#readList(ticker);
        context.report?.succeeded(PRICES_PART);
      } catch (error) {
        if (!signal.aborted) context.report?.failed(PRICES_PART, (error as Error).message);
      }
  }

  async #readList(series: string): Promise<void> {
    const { rest, unlisted } = this.#options;
    const listed = new Set<string>();
    const query = { series_ticker: series, status: 'open', limit: PAGE };
    for await (const answer of rest.pages('/markets', query, 'cursor', 'cursor', PAGES_MAX))
      for (const market of listIn(answer, 'markets')) {
        const ticker = textOf(market['ticker']);
        const book = ticker === undefined ? undefined : this.books.get(ticker);
        if (ticker === undefined || book === undefined) continue;
        listed.add(ticker);
        if (isOther(market, book)) this.#first.add(ticker);
      }
    const before = this.#listed.get(series) ?? new Set();
    this.#listed.set(series, listed);
    for (const ticker of before) if (!listed.has(ticker) && this.books.has(ticker)) return unlisted();
  }

  /** A venue that no longer answers has no prices. */
  async #watch(signal: AbortSignal): Promise<void> {
    while (await wait(TICK_MS, signal)) {
      if (this.#options.context.clock.now() - this.#answeredMs <= this.#goneMs) continue;
      for (const [ticker, book] of this.books) this.#lose(ticker, book);
    }
  }
}

/** Here a side without bids is an empty list or null; a missing side is an invalid answer. */
function namesBothSides(sides: Readonly<Record<string, unknown>>): boolean {
  return ['yes', 'no'].every((side) => `${side}_dollars` in sides || side in sides);
}

/** Whether the market's best bids differ from the book's; absent prices count as equal. */
function isOther(market: Fields, book: ContractBook): boolean {
  const yes = bidOf(market, 'yes');
  const no = bidOf(market, 'no') ?? turned(market);
  // Buying YES takes the best bid for NO.
  const [noBid, yesBid] = [book.ask('yes'), book.ask('no')].map((ask) => ask && MICROS - ask.priceMicros);
  if (!book.good || (yes !== undefined && yes !== yesBid) || (no !== undefined && no !== noBid)) return true;
  const yesCount = countOf(market['yes_bid_size_fp'], undefined);
  const noCount = countOf(market['yes_ask_size_fp'], undefined);
  const isCount = (stated: number | undefined, present: number | undefined): boolean =>
    stated === undefined || stated === (present ?? 0);
  return !isCount(yesCount, book.ask('no')?.countMicros) || !isCount(noCount, book.ask('yes')?.countMicros);
}

/** Millionths of a dollar; null if there is no bid, undefined if not stated. */
function bidOf(market: Fields, side: 'yes' | 'no'): number | null | undefined {
  const [dollars, cents] = [market[`${side}_bid_dollars`], market[`${side}_bid`]];
  return dollars == null && cents == null ? undefined : (priceOf(dollars, cents) ?? null);
}

/** Selling YES at p is a bid of 1 - p for NO. */
function turned(market: Fields): number | null | undefined {
  const [dollars, cents] = [market['yes_ask_dollars'], market['yes_ask']];
  if (dollars == null && cents == null) return undefined;
  const ask = priceOf(dollars, cents);
  return ask === undefined ? null : MICROS - ask;
}
