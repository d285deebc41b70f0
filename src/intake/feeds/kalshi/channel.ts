// One connection to Kalshi's socket and the contracts on it: one subscription to order books, numbered over all of its
// contracts, so that a missing number makes all of them doubtful.

import { jsonOf } from '../../../base/model/json-map.js';
import { LIMITS } from '../../../base/model/limits.js';
import { Connection, type Dial } from '../kit/connection.js';
import { type Documented, DocumentedFields } from '../kit/documented-fields.js';
import { type Fields, fieldsOf, numberOf, textOf } from '../kit/field-readers.js';
import type { VenueAccess } from '../kit/rest.js';
import { type BackoffLimits, backoffMs, wait } from '../wait.js';
import { type BookSource, ContractBook } from './contract-book.js';

/** Maximum number of contracts per connection, unless Kalshi allows fewer. */
export const CONTRACTS_PER_CONNECTION = 400;
/** Errors of the venue's list: the subscription has too many markets; a command was late, or one of too many. */
const TOO_MANY_MARKETS = 26;
const PASSING_CODES: ReadonlySet<unknown> = new Set([18, 27]);
/** If fresh books have not arrived by then, the connection is replaced. */
const FRESH_WITHIN_MS = 2_500;
const MISSING_MAX = LIMITS.missingBooks.max;
/** A possibly outdated book is not shown as valid for longer than this. */
const DOUBTFUL_AFTER_MS = 1_000;
/** A lost message with no message after it would go unnoticed: complete books are requested this often. */
const CHECK_EVERY_MS = 20_000;
/** Requests for fresh books that do not end the gaps follow each other at growing intervals. */
const FRESH_BACKOFF: BackoffLimits = { firstMs: 500, capMs: 5_000 };
/** After this long without a gap the next one is answered at once again. */
const CALM_AFTER_MS = 10_000;
/** The venue's program is asked for a book if it said nothing for so long: pongs may come from a proxy before it. */
const QUIET_AFTER_MS = 4_000;
const TICK_MS = 200;
/** Heartbeats are requested often enough to detect a dead connection within 10 s. */
const LIFE = { pingEveryMs: 1_500, silenceMsMax: 5_000 };

interface ChannelOptions extends VenueAccess {
  name: string;
  dial: Dial;
  signal: AbortSignal;
  /** Whether it also receives market events. */
  lifecycle: boolean;
  /** Maximum number of contracts. */
  most(): number;
  /** Kalshi allows fewer contracts in a subscription than these. */
  onTooMany(contracts: number): void;
  /** The connection was re-established: market events in between were missed. */
  reopened(): void;
  /** The contract's book changed, or is no longer known. */
  changed(ticker: string): void;
  /** A market was paused or opened (`open`), is over (`ended`), or something else happened (`listed`). */
  happened(ticker: string, what: 'open' | 'paused' | 'ended' | 'listed'): void;
}

export class Channel implements BookSource {
  readonly books = new Map<string, ContractBook>();
  readonly running: Promise<void>;
  readonly #options: ChannelOptions;
  readonly #connection: Connection;
  readonly #documented: DocumentedFields;
  readonly #sequence = new Sequence();
  #openings = 0;
  #sid: number | undefined;
  #commands = 0;
  #subscription = 0;
  /** Contracts to subscribe to once the subscription is confirmed. */
  readonly #waiting = new Set<string>();
  /** Contracts whose fresh book was requested and has not arrived. */
  readonly #awaited = new Set<string>();
  /** Contracts whose book may have missed something; the first of them since the time below. */
  readonly #doubtful = new Set<string>();
  #doubtfulSinceMs: number | undefined;
  #lastGapMs = 0;
  #requestedMs = 0;
  #heardMs = 0;
  /** Number of requests for fresh books since the last calm, and when the next one may be sent. */
  #requests = 0;
  #nextRequestMs = 0;
  /** Number of consecutive requests for books that were not answered. */
  readonly #missing = new Map<string, number>();
  /** Whether the venue ever sent a requested fresh book; a refusal says that it does not. */
  #sendsFresh = true;
  /** Id of the newest request for fresh books. */
  #freshRequest = 0;
  /** The refusal that was logged last. */
  #refusal: string | undefined;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.#documented = new DocumentedFields(STREAMED, options.context.report);
    this.#connection = new Connection({
      ...options,
      ...LIFE,
      opened: () => {
        this.#subscribe();
        if (this.#openings++ > 0) this.#options.reopened();
      },
      received: (text) => this.#received(text),
      down: () => this.#down(),
    });
    this.running = Promise.all([this.#connection.run(options.signal), this.#watch()]).then(() => {});
  }

  hasRoom(contracts: number): boolean {
    return this.books.size + contracts <= this.#options.most();
  }

  add(tickers: readonly string[]): void {
    const before = this.books.size;
    for (const ticker of tickers) this.books.set(ticker, new ContractBook());
    if (!this.#connection.isOpen) return;
    if (before === 0) this.#subscribe();
    else {
      for (const ticker of tickers) this.#waiting.add(ticker);
      this.#addWaiting();
    }
  }

  remove(tickers: readonly string[]): void {
    for (const ticker of tickers) {
      this.books.delete(ticker);
      this.#arrived(ticker);
      this.#waiting.delete(ticker);
    }
    if (this.#sid !== undefined) this.#update('delete_markets', tickers);
  }

  #subscribe(): void {
    if (this.books.size === 0) return;
    const market_tickers = [...this.books.keys()];
    // NO prices are stated as prices of NO: set here, whatever the default becomes.
    const params = { channels: ['orderbook_delta'], market_tickers, use_yes_price: false };
    this.#subscription = this.#send('subscribe', params);
    this.#await(market_tickers);
    if (this.#options.lifecycle) this.#send('subscribe', { channels: ['market_lifecycle_v2'] });
  }

  #addWaiting(): void {
    if (this.#sid === undefined || this.#waiting.size === 0) return;
    const tickers = [...this.#waiting];
    this.#waiting.clear();
    this.#update('add_markets', tickers);
    this.#await(tickers);
  }

  #update(action: string, market_tickers: readonly string[]): number {
    return this.#send('update_subscription', { sids: [this.#sid], action, market_tickers });
  }

  #send(cmd: string, params: object): number {
    const id = ++this.#commands;
    this.#connection.send(JSON.stringify({ id, cmd, params }));
    return id;
  }

  #await(tickers: Iterable<string>): void {
    // One book that never arrives must not cost the others their connection again and again.
    for (const ticker of tickers) if ((this.#missing.get(ticker) ?? 0) < MISSING_MAX) this.#awaited.add(ticker);
    this.#requestedMs = this.#options.context.clock.now();
  }

  #down(): void {
    this.#sid = undefined;
    this.#sequence.restart();
    this.#waiting.clear();
    this.#awaited.clear();
    this.#doubtful.clear();
    this.#doubtfulSinceMs = undefined;
    for (const [ticker, book] of this.books) {
      book.forget();
      this.#options.changed(ticker);
    }
  }

  #received(text: string): void {
    this.#heardMs = this.#options.context.clock.now();
    const message = fieldsOf(jsonOf(text));
    if (message !== undefined && (this.#isRepeated(message) || this.#take(message))) return;
    this.#options.context.report?.counted?.('bad_messages');
    this.#doubt();
  }

  /** Whether a message was received before. Everything of the subscription is numbered, confirmations too. */
  #isRepeated(message: Fields): boolean {
    const seq = numberOf(message['seq']);
    const sid = numberOf(message['sid']);
    if (seq === undefined || (sid !== undefined && this.#sid !== undefined && sid !== this.#sid)) return false;
    const place = this.#sequence.take(seq);
    if (place === 'gap') {
      this.#options.context.report?.counted?.('gaps');
      this.#doubt();
    }
    return place === 'old';
  }

  /** False if a message of a known type cannot be parsed. */
  #take(message: Fields): boolean {
    const { type } = message;
    const msg = fieldsOf(message['msg']);
    if (type === 'orderbook_snapshot' || type === 'orderbook_delta') return this.#book(message, msg);
    if (type === 'subscribed') {
      if (message['id'] === this.#subscription || msg?.['channel'] === 'orderbook_delta') {
        const sid = numberOf(msg?.['sid'] ?? message['sid']);
        if (sid !== this.#sid) this.#sequence.restart();
        this.#sid = sid;
        this.#connection.proved();
        this.#addWaiting();
      }
      return true;
    }
    if (type === 'error') {
      if (message['id'] === undefined) this.#connection.drop(`an error: ${textOf(msg?.['msg']) ?? 'without a text'}`);
      else this.#refused(message['id'], msg);
      return true;
    }
    if (type === 'market_lifecycle_v2') this.#lifecycle(msg);
    return typeof type === 'string';
  }

  #book(message: Fields, msg: Fields | undefined): boolean {
    const ticker = textOf(msg?.['market_ticker']);
    if (ticker === undefined || msg === undefined) return false;
    this.#documented.look(message['type'] as keyof typeof STREAMED, msg);
    const book = this.books.get(ticker);
    if (book === undefined) return true;
    if (message['type'] === 'orderbook_snapshot') {
      if (!book.snapshot(msg)) return false;
      this.#arrived(ticker);
    } else if (book.good && !book.delta(msg)) {
      book.good = false;
      this.#options.changed(ticker);
      return false;
    }
    this.#options.changed(ticker);
    return true;
  }

  #refused(id: unknown, msg: Fields | undefined): void {
    const reason = textOf(msg?.['msg']) ?? 'an error without a text';
    const code = msg?.['code'];
    if (reason !== this.#refusal) this.#options.context.log.warn({ code, reason }, 'kalshi: a command was refused');
    this.#refusal = reason;
    if (code === TOO_MANY_MARKETS) this.#options.onTooMany(this.books.size);
    else if (id === this.#freshRequest && !PASSING_CODES.has(code)) this.#sendsFresh = false;
    // If fresh books were requested, a new connection brings them.
    if (this.#doubtfulSinceMs !== undefined || this.#awaited.size > 0) this.#connection.drop(`refused: ${reason}`);
  }

  #lifecycle(msg: Fields | undefined): void {
    const ticker = textOf(msg?.['market_ticker']);
    if (ticker === undefined) return;
    const what = textOf(msg?.['event_type'] ?? msg?.['type'] ?? msg?.['status']);
    if (what === 'deactivated') this.#options.happened(ticker, 'paused');
    else if (what === 'activated') this.#options.happened(ticker, 'open');
    else if (what === 'determined' || what === 'settled') this.#options.happened(ticker, 'ended');
    else if (what === 'created') this.#options.happened(ticker, 'listed');
  }

  /** A contract's fresh book is here, or no longer wanted. */
  #arrived(ticker: string): void {
    this.#awaited.delete(ticker);
    this.#missing.delete(ticker);
    this.#doubtful.delete(ticker);
    if (this.#doubtful.size === 0) this.#doubtfulSinceMs = undefined;
  }

  /** Messages may have been missed: every book that is not fresh after this moment is in doubt. */
  #doubt(): void {
    const nowMs = this.#options.context.clock.now();
    if (nowMs - this.#lastGapMs > CALM_AFTER_MS) this.#requests = 0;
    this.#lastGapMs = nowMs;
    // A book that was never sent has nothing to lose; the regular check requests it again.
    for (const [ticker, book] of this.books)
      if (book.good || (this.#missing.get(ticker) ?? 0) < MISSING_MAX) this.#doubtful.add(ticker);
    if (this.#doubtful.size > 0) this.#doubtfulSinceMs ??= nowMs;
    this.#clear(nowMs);
  }

  /** Requests the books in doubt, unless a request is still being answered or the previous ones were in vain. */
  #clear(nowMs: number): void {
    if (this.#doubtful.size === 0 || this.#awaited.size > 0 || nowMs < this.#nextRequestMs) return;
    this.#nextRequestMs = nowMs + backoffMs(++this.#requests, FRESH_BACKOFF, this.#options.random);
    this.#fresh([...this.#doubtful]);
  }

  #fresh(tickers: readonly string[]): void {
    if (this.#sid === undefined || tickers.length === 0) return;
    if (!this.#sendsFresh) {
      this.#connection.drop('something was missed');
      return;
    }
    this.#freshRequest = this.#update('get_snapshot', tickers);
    this.#await(tickers);
  }

  async #watch(): Promise<void> {
    const { context, changed, signal } = this.#options;
    while (await wait(TICK_MS, signal)) {
      const nowMs = context.clock.now();
      if (!this.#connection.isOpen) continue;
      if (this.#doubtfulSinceMs !== undefined && nowMs - this.#doubtfulSinceMs > DOUBTFUL_AFTER_MS)
        for (const ticker of this.#doubtful) {
          const book = this.books.get(ticker);
          if (book === undefined || !book.good) continue;
          book.good = false;
          changed(ticker);
        }
      if (this.#awaited.size > 0 && nowMs - this.#requestedMs > FRESH_WITHIN_MS) {
        this.#requestedMs = nowMs;
        for (const ticker of this.#awaited) this.#missing.set(ticker, (this.#missing.get(ticker) ?? 0) + 1);
        this.#connection.drop(`${this.#awaited.size} books did not come`);
      } else if (this.#doubtful.size > 0) this.#clear(nowMs);
      else if (this.#sendsFresh && nowMs - this.#requestedMs > CHECK_EVERY_MS) this.#fresh([...this.books.keys()]);
      else if (this.#sendsFresh && nowMs - Math.max(this.#heardMs, this.#requestedMs) > QUIET_AFTER_MS)
        for (const [ticker, { good }] of this.books)
          if (good) {
            this.#fresh([ticker]);
            break;
          }
    }
  }
}

/** Numbered messages: distinguishes the next one from one after a gap. */
export class Sequence {
  #last: number | undefined;

  /**
   * `gap`: numbers before it are missing; `old`: it was received before. After a gap it continues from the number
   * given.
   */
  take(number: number): 'next' | 'gap' | 'old' {
    const last = this.#last;
    if (last !== undefined && number <= last) return 'old';
    this.#last = number;
    return last === undefined || number === last + 1 ? 'next' : 'gap';
  }

  /** The next number is accepted as the first. */
  restart(): void {
    this.#last = undefined;
  }
}

// Fields that Kalshi's documents describe: events with their markets, and messages of the channel of order books.

export const LISTED = {
  event: {
    fields: `event_ticker ticker series_ticker sub_title title collateral_return_type mutually_exclusive category
      strike_date strike_period available_on_brokers product_metadata last_updated_ts fee_type_override
      fee_multiplier_override settlement_sources milestones exchange_index`,
    within: { markets: 'market' },
  },
  market: {
    fields: `ticker event_ticker series_ticker market_type title subtitle yes_sub_title no_sub_title created_time
      updated_time open_time close_time expected_expiration_time expiration_time latest_expiration_time
      settlement_timer_seconds status response_price_units yes_bid yes_bid_dollars yes_bid_size_fp yes_ask
      yes_ask_dollars yes_ask_size_fp no_bid no_bid_dollars no_bid_size_fp no_ask no_ask_dollars no_ask_size_fp
      last_price last_price_dollars volume volume_fp volume_24h volume_24h_fp result can_close_early open_interest
      open_interest_fp notional_value notional_value_dollars previous_yes_bid previous_yes_bid_dollars
      previous_yes_ask previous_yes_ask_dollars previous_price previous_price_dollars liquidity liquidity_dollars
      settlement_value settlement_value_dollars settlement_ts expiration_value occurrence_datetime
      fee_waiver_expiration_time early_close_condition tick_size strike_type floor_strike cap_strike functional_strike
      custom_strike rules_primary rules_secondary mve_collection_ticker mve_selected_legs primary_participant_key
      price_level_structure price_ranges is_provisional fractional_trading_enabled category risk_limit_cents
      exchange_index`,
  },
  milestone: {
    fields: `id category type start_date end_date related_event_tickers primary_event_tickers title
      notification_message source_id source_ids details last_updated_ts`,
  },
} as const satisfies Record<string, Documented>;

/** By the type of message. */
const STREAMED = {
  orderbook_snapshot: {
    fields: 'market_ticker market_id yes no yes_dollars no_dollars yes_dollars_fp no_dollars_fp use_yes_price ts ts_ms',
  },
  orderbook_delta: {
    fields: `market_ticker market_id price price_dollars delta delta_fp side client_order_id subaccount ts ts_ms
      use_yes_price`,
  },
} as const satisfies Record<string, Documented>;
