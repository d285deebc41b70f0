// The best prices in Kalshi's lists of markets, a thousand per page: they make no book, but a book whose best prices
// differ from them is outdated.
import { LIMITS } from '../../../base/model/limits.js';
import type { FeedContext } from '../feed.js';
import { type Fields, objectsOf, textOf } from '../kit/field-readers.js';
import { MICROS } from '../kit/probability-price.js';
import type { Rest } from '../kit/rest.js';
import { wait } from '../wait.js';
import { type ContractBook, countOf, priceOf } from './contract-book.js';

const PAGE = 1_000;
const PAGES_MAX = LIMITS.venuePages.max;
const PART = 'market prices';

export interface MarketPricesOptions {
  rest: Rest;
  context: FeedContext;
  series: readonly string[];
  /** All lists are read at this interval. */
  everyMs: number;
  books: ReadonlyMap<string, ContractBook>;
  /** The list has other best prices than the book. */
  differs(ticker: string): void;
  /** A contract with a book disappeared from its list. */
  unlisted(): void;
}

export class MarketPrices {
  readonly #options: MarketPricesOptions;
  /** Contracts of each series' last complete list. */
  readonly #listed = new Map<string, Set<string>>();

  constructor(options: MarketPricesOptions) {
    this.#options = options;
  }

  /** Reads the lists until the signal is aborted. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { series, context, everyMs } = this.#options;
    while (await wait(everyMs, signal))
      try {
        for (const ticker of series) await this.#read(ticker);
        context.report?.succeeded(PART);
      } catch (error) {
        if (!signal.aborted) context.report?.failed(PART, (error as Error).message);
      }
  }

  async #read(series: string): Promise<void> {
    const { rest, books, differs, unlisted } = this.#options;
    const listed = new Set<string>();
    const query = { series_ticker: series, status: 'open', limit: PAGE };
    for await (const answer of rest.pages('/markets', query, 'cursor', 'cursor', PAGES_MAX))
      for (const market of objectsOf(answer['markets'])) {
        const ticker = textOf(market['ticker']);
        const book = ticker === undefined ? undefined : books.get(ticker);
        if (ticker === undefined || book === undefined) continue;
        listed.add(ticker);
        if (isOther(market, book)) differs(ticker);
      }
    const before = this.#listed.get(series) ?? new Set();
    this.#listed.set(series, listed);
    for (const ticker of before) if (!listed.has(ticker) && books.has(ticker)) return unlisted();
  }
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
