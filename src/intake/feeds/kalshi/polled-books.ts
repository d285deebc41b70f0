// Order books without a key: the socket needs one, the market data of the REST API does not. Books are requested in
// rotation, up to a hundred per request; books whose best prices differ from the list of markets come first.
import { type BackoffLimits, backoffMs } from '../backoff.js';
import type { FeedContext } from '../feed.js';
import { fieldsOf, objectsOf, textOf } from '../kit/field-readers.js';
import { type Rest, VenueRefusal } from '../kit/rest.js';
import { wait } from '../wait.js';
import type { BookSource } from './book-source.js';
import { ContractBook } from './contract-book.js';
import { MarketPrices } from './market-prices.js';

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

/** The venue's limits and the feed's own timeouts. */
export interface PollingPace {
  /** Requests per second of every kind; 10 by default. */
  requestsPerSecond?: number;
  /** Interval at which the lists of markets are read; 5 s by default. */
  listEveryMs?: number;
  /** After this long without an answer prices are unknown; 6 s by default. */
  goneMs?: number;
}

export interface PolledBooksOptions extends PollingPace {
  rest: Rest;
  context: FeedContext;
  random: () => number;
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
  readonly #prices: MarketPrices;
  readonly #stopping = new AbortController();
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
    const { rest, context, series, unlisted, listEveryMs = 5_000, goneMs = 6_000 } = options;
    this.#goneMs = goneMs;
    this.#prices = new MarketPrices({
      rest,
      context,
      series,
      everyMs: listEveryMs,
      books: this.books,
      differs: (ticker) => void this.#first.add(ticker),
      unlisted,
    });
    const { signal } = this.#stopping;
    const requests = Array.from({ length: REQUESTS }, () => this.#request(signal));
    this.running = Promise.all([...requests, this.#watch(signal), this.#prices.run(signal)]).then(() => {});
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

  stop(): void {
    this.#stopping.abort();
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
        for (const ticker of tickers) if (this.books.has(ticker)) this.#first.add(ticker);
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
    const answer = fieldsOf(await this.#options.rest.get('/markets/orderbooks', { tickers }));
    const books = answer?.['orderbooks'];
    if (!Array.isArray(books)) throw new Error('/markets/orderbooks: the answer has no list of books');
    const missing = new Set(tickers);
    for (const each of objectsOf(books)) {
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
      // The book may be outdated: it is requested again first, and dropped if it stays so.
      this.#options.context.report?.counted?.('bad_messages');
      if (book.seenMs !== null && nowMs - book.seenMs > this.#goneMs) this.#lose(ticker, book);
      this.#first.add(ticker);
      return;
    }
    book.seenMs = nowMs;
    this.#options.changed(ticker);
  }

  /** The venue does not know the book, or it cannot be parsed. */
  #lose(ticker: string, book: ContractBook): void {
    if (!book.good || this.books.get(ticker) !== book) return;
    book.forget();
    this.#options.changed(ticker);
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
