// Order books without a key: the socket wants one, the market data of the REST API does not. Books are asked for in turns,
// up to a hundred a request; those whose best prices in the list of markets are not the ones held come first.
import { type BackoffLimits, backoffMs } from '../backoff.js';
import type { FeedContext } from '../feed.js';
import { fieldsOf, objectsOf, textOf } from '../kit/reading.js';
import { type Rest, VenueRefusal } from '../kit/rest.js';
import { wait } from '../wait.js';
import type { BookSource } from './book-source.js';
import { ContractBook } from './contract-book.js';
import { MarketPrices } from './market-prices.js';

/** Contracts of one request; the venue takes a hundred. */
const BATCH = 100;
/** Requests for books under way at once: a slow answer must not hold up the turn of all others. */
const REQUESTS = 3;
/** A book whose market shows no change is not asked for more often. */
const EVERY_MS = 1_000;
/** Where many books a request are refused they are asked for one by one, and tried together again after this. */
const SINGLE_MS = 600_000;
const TICK_MS = 100;
const BACKOFF: BackoffLimits = { firstMs: 250, capMs: 3_000 };
const PART = 'books';

/** What the venue's limits and one's own patience allow. */
export interface PollingPace {
  /** Requests of every kind; 10 unless set. */
  requestsPerSecond?: number;
  /** The lists of markets are read this often; 5 s unless set. */
  listEveryMs?: number;
  /** Without an answer for this long nobody knows the prices; 6 s unless set. */
  goneMs?: number;
}

export interface PolledBooksOptions extends PollingPace {
  rest: Rest;
  context: FeedContext;
  random: () => number;
  /** Series whose lists of markets tell what changed. */
  series: readonly string[];
  /** The contract's book is different or seen anew, or nobody knows it any more. */
  changed(ticker: string): void;
  /** A market that stood in its list does not any more. */
  unlisted(): void;
}

export class PolledBooks implements BookSource {
  readonly books = new Map<string, ContractBook>();
  readonly running: Promise<void>;
  readonly #options: PolledBooksOptions;
  readonly #prices: MarketPrices;
  readonly #stopping = new AbortController();
  /** Contracts to be asked for before all others. */
  readonly #first = new Set<string>();
  /** When each contract was asked for last (ms), the longest ago first. */
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
    const requests = Array.from({ length: REQUESTS }, () => this.#ask(signal));
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

  async #ask(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { context, random } = this.#options;
      const nowMs = context.clock.now();
      const single = nowMs < this.#singleUntilMs;
      const tickers = this.#next(single ? 1 : BATCH, nowMs);
      if (tickers.length === 0) {
        await wait(TICK_MS, signal);
        continue;
      }
      const asked = new Map<string, ContractBook>();
      for (const ticker of tickers) asked.set(ticker, this.books.get(ticker)!);
      try {
        await (single ? this.#fetchOne(tickers[0]!, asked, nowMs) : this.#fetch(tickers, asked, nowMs));
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

  /** Up to `count` contracts: those with news, then those that were not asked for the longest. */
  #next(count: number, nowMs: number): string[] {
    const found: string[] = [];
    const take = (ticker: string): void => {
      found.push(ticker);
      this.#underWay.add(ticker);
      this.#first.delete(ticker);
      // At the end of the order.
      this.#turns.delete(ticker);
      this.#turns.set(ticker, nowMs);
    };
    for (const ticker of this.#first) {
      if (found.length === count) return found;
      if (!this.#underWay.has(ticker)) take(ticker);
    }
    for (const [ticker, askedMs] of this.#turns) {
      if (found.length === count || nowMs - askedMs < EVERY_MS) return found;
      if (!this.#underWay.has(ticker)) take(ticker);
    }
    return found;
  }

  async #fetch(tickers: readonly string[], asked: ReadonlyMap<string, ContractBook>, nowMs: number): Promise<void> {
    const answer = fieldsOf(await this.#options.rest.get('/markets/orderbooks', { tickers }));
    const books = answer?.['orderbooks'];
    if (!Array.isArray(books)) throw new Error('/markets/orderbooks: the answer has no list of books');
    const missing = new Set(tickers);
    for (const each of objectsOf(books)) {
      const ticker = textOf(each['ticker']) ?? textOf(each['market_ticker']);
      if (ticker === undefined || !missing.delete(ticker)) continue;
      this.#take(ticker, asked.get(ticker)!, each, nowMs);
    }
    for (const ticker of missing) this.#lose(ticker, asked.get(ticker)!);
  }

  async #fetchOne(ticker: string, asked: ReadonlyMap<string, ContractBook>, nowMs: number): Promise<void> {
    try {
      const answer = await this.#options.rest.get(`/markets/${encodeURIComponent(ticker)}/orderbook`);
      this.#take(ticker, asked.get(ticker)!, fieldsOf(answer) ?? {}, nowMs);
    } catch (error) {
      if (!(error instanceof VenueRefusal) || error.status !== 404) throw error;
      this.#lose(ticker, asked.get(ticker)!);
    }
  }

  #take(ticker: string, book: ContractBook, answer: Readonly<Record<string, unknown>>, nowMs: number): void {
    if (this.books.get(ticker) !== book) return;
    const sides = fieldsOf(answer['orderbook_fp']) ?? fieldsOf(answer['orderbook']);
    if (sides === undefined || !namesBothSides(sides) || !book.snapshot(sides)) {
      // What is held may be old: it is asked for again before all others, and leaves where that goes on.
      this.#options.context.report?.counted?.('bad_messages');
      if (book.seenMs !== null && nowMs - book.seenMs > this.#goneMs) this.#lose(ticker, book);
      this.#first.add(ticker);
      return;
    }
    book.seenMs = nowMs;
    this.#options.changed(ticker);
  }

  /** The venue does not know the book, or nobody can read it. */
  #lose(ticker: string, book: ContractBook): void {
    if (!book.good || this.books.get(ticker) !== book) return;
    book.forget();
    this.#options.changed(ticker);
  }

  /** A venue that answers no more has no prices. */
  async #watch(signal: AbortSignal): Promise<void> {
    while (await wait(TICK_MS, signal)) {
      if (this.#options.context.clock.now() - this.#answeredMs <= this.#goneMs) continue;
      for (const [ticker, book] of this.books) this.#lose(ticker, book);
    }
  }
}

/** Here a side without bids is an empty list or null; one that is left out is no answer. */
function namesBothSides(sides: Readonly<Record<string, unknown>>): boolean {
  return ['yes', 'no'].every((side) => `${side}_dollars` in sides || side in sides);
}
