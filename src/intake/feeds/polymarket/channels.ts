// The connections of the market channel: a game's tokens share one, with a maximum number of tokens each; and the
// fetching of books beside them.

import { jsonOf } from '../../../base/model/json-map.js';
import { Connection } from '../kit/connection.js';
import { type Documented, DocumentedFields } from '../kit/documented-fields.js';
import { type Fields, fieldsOf, listIn, objectsOf, textOf, textsOf } from '../kit/field-readers.js';
import { isPriceMicros, parseMicros } from '../kit/ladder.js';
import type { Rest, VenueAccess } from '../kit/rest.js';
import { webSocket } from '../kit/web-socket.js';
import { wait } from '../wait.js';
import { CHECK_EVERY_MS, CHECK_QUIET_EVERY_MS, type LevelChange, msOf, TokenBook } from './token-book.js';

/** Per request for books; the venue accepts 500. */
const BATCH = 250;
/** A possibly outdated book is not shown as valid for longer than this. */
const DOUBTFUL_AFTER_MS = 1_500;
/** A book that nothing confirms for so long, no message of its own and no fetch, is not shown as valid. */
const UNCONFIRMED_AFTER_MS = 8_000;
const TICK_MS = 100;
/** Delay after an invalid answer or a refusal. */
const FAILED_MS = 1_000;

interface ChannelsOptions extends Omit<ChannelOptions, 'name' | 'doubtful'> {
  clob: Rest;
}

export class Channels {
  readonly #options: ChannelsOptions;
  readonly #channels: Channel[] = [];
  readonly #byToken = new Map<string, Channel>();
  readonly #byGame = new Map<string, Channel>();
  /** Tokens whose books are to be fetched. */
  readonly #wanted = new Set<string>();
  #fetching = false;

  constructor(options: ChannelsOptions) {
    this.#options = options;
  }

  book(token: string): TokenBook | undefined {
    return this.#byToken.get(token)?.books.get(token);
  }

  /**
   * Maintains the connections until the feed is stopped. Whole books are fetched: at once of tokens whose messages may have
   * been missed, and in rotation of all others, because a lost message with no message after it would go unnoticed.
   */
  async run(): Promise<void> {
    while (await wait(TICK_MS, this.#options.signal)) {
      this.#look();
      if (!this.#fetching && this.#wanted.size > 0) void this.#fetch();
    }
    await Promise.all(this.#channels.map(({ running }) => running));
  }

  add(gameId: string, tokens: readonly string[]): void {
    for (let at = 0; at < tokens.length; at += TOKENS_PER_CONNECTION) {
      const part = tokens.slice(at, at + TOKENS_PER_CONNECTION);
      const channel = this.#roomFor(gameId, part.length);
      for (const token of part) this.#byToken.set(token, channel);
      channel.add(part);
    }
  }

  remove(tokens: readonly string[]): void {
    const byChannel = new Map<Channel, string[]>();
    for (const token of tokens) {
      const channel = this.#byToken.get(token);
      if (channel === undefined) continue;
      this.#byToken.delete(token);
      byChannel.set(channel, [...(byChannel.get(channel) ?? []), token]);
    }
    for (const [channel, part] of byChannel) channel.remove(part);
  }

  forgetGame(gameId: string): void {
    this.#byGame.delete(gameId);
  }

  /** Whether every book has arrived. */
  get areWhole(): boolean {
    return [...this.#byToken.keys()].every((token) => this.book(token)?.good);
  }

  #roomFor(gameId: string, count: number): Channel {
    const own = this.#byGame.get(gameId);
    const hasRoom = (channel: Channel): boolean => channel.books.size + count <= TOKENS_PER_CONNECTION;
    const channel = own !== undefined && hasRoom(own) ? own : (this.#channels.find(hasRoom) ?? this.#open());
    this.#byGame.set(gameId, channel);
    return channel;
  }

  #open(): Channel {
    const name = this.#channels.length === 0 ? 'books' : `books ${this.#channels.length + 1}`;
    const doubtful = (tokens: Iterable<string>): void => this.#want(tokens);
    const channel = new Channel({ ...this.#options, name, doubtful });
    this.#channels.push(channel);
    return channel;
  }

  /** These may differ from the venue's books. */
  #want(tokens: Iterable<string>): void {
    const nowMs = this.#options.context.clock.now();
    for (const token of tokens) {
      const book = this.book(token);
      if (book === undefined || !book.carried) continue;
      book.doubtfulSinceMs ??= nowMs;
      this.#wanted.add(token);
    }
  }

  /** Queues the tokens that are due; books that were doubtful for too long are no longer shown. */
  #look(): void {
    const { context, changed } = this.#options;
    const nowMs = context.clock.now();
    let due = BATCH - this.#wanted.size;
    for (const token of this.#byToken.keys()) {
      const book = this.book(token);
      if (book === undefined || !book.carried) continue;
      // What its connection says of other tokens is no sign of this one.
      const isUnconfirmed = nowMs - book.confirmedMs > UNCONFIRMED_AFTER_MS;
      const isDoubtful = book.doubtfulSinceMs !== undefined && nowMs - book.doubtfulSinceMs > DOUBTFUL_AFTER_MS;
      if (book.good && (isUnconfirmed || isDoubtful)) {
        book.good = false;
        changed(token);
      }
      const everyMs = nowMs - book.confirmedMs < CHECK_QUIET_EVERY_MS ? CHECK_EVERY_MS : CHECK_QUIET_EVERY_MS;
      if (nowMs - book.checkedMs < everyMs || due <= 0) continue;
      book.checkedMs = nowMs;
      this.#wanted.add(token);
      due--;
    }
  }

  async #fetch(): Promise<void> {
    const { clob, context, changed, signal } = this.#options;
    this.#fetching = true;
    const requested = new Map<string, TokenBook>();
    for (const token of this.#wanted) {
      if (requested.size >= BATCH) break;
      this.#wanted.delete(token);
      const book = this.book(token);
      if (book === undefined || !book.carried) continue;
      book.fetching();
      requested.set(token, book);
    }
    if (requested.size === 0) {
      this.#fetching = false;
      return;
    }
    try {
      const answer = await clob.post(
        '/books',
        [...requested.keys()].map((token_id) => ({ token_id })),
      );
      for (const message of listIn(answer)) {
        const token = textOf(message['asset_id']);
        const book = token === undefined ? undefined : requested.get(token);
        // A connection lost meanwhile has reset the book.
        if (token === undefined || book === undefined || this.book(token) !== book) continue;
        const wasGood = book.good;
        const done = book.fetched(message, context.clock.now());
        if (done === 'again') this.#wanted.add(token);
        if (done !== 'replaced' && done !== 'same') continue;
        // Behind the best prices it may differ all the same.
        if (done === 'replaced' && wasGood) context.report?.counted?.('gaps');
        changed(token);
      }
      context.report?.succeeded('fresh books');
    } catch (error) {
      context.report?.failed('fresh books', (error as Error).message);
      for (const token of requested.keys()) this.#wanted.add(token);
      await wait(FAILED_MS, signal);
    }
    this.#fetching = false;
  }
}

// One connection to the market channel and its tokens: subscribes, and applies frames to the tokens' books.

/** Beyond about 500 tokens on a connection, first books do not arrive; a game's tokens stay on one connection. */
const TOKENS_PER_CONNECTION = 200;

interface ChannelOptions extends VenueAccess {
  name: string;
  url: string;
  signal: AbortSignal;
  /** The token's book changed, or is no longer known. */
  changed(token: string): void;
  /** Messages may have been missed: fresh books must be fetched. */
  doubtful(tokens: Iterable<string>): void;
  /** Tokens of resolved markets. */
  resolved(tokens: readonly string[]): void;
  /** New markets are listed. */
  listed(): void;
}

export class Channel {
  readonly books = new Map<string, TokenBook>();
  readonly #options: ChannelOptions;
  readonly #connection: Connection;
  readonly #documented: DocumentedFields;
  readonly running: Promise<void>;
  /** Whether the present connection has received anything: an accepted handshake is no sign of life. */
  #hasAnswered = false;

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.#documented = new DocumentedFields(STREAMED, options.context.report);
    this.#connection = new Connection({
      ...options,
      dial: webSocket({ url: options.url, pingText: 'PING', pongText: 'PONG' }),
      opened: () => this.#subscribe([...this.books.keys()], { type: 'market' }),
      pingEveryMs: 1_500,
      silenceMsMax: 5_000,
      received: (text) => this.#received(text),
      down: () => this.#down(),
    });
    this.running = this.#connection.run(options.signal);
  }

  add(tokens: readonly string[]): void {
    const before = this.books.size;
    for (const token of tokens) this.books.set(token, new TokenBook());
    if (!this.#connection.isOpen) return;
    // The first subscription of a connection has a shape of its own.
    if (before === 0) this.#subscribe([...this.books.keys()], { type: 'market' });
    else this.#subscribe(tokens, { operation: 'subscribe' });
  }

  remove(tokens: readonly string[]): void {
    for (const token of tokens) this.books.delete(token);
    this.#connection.send(JSON.stringify({ assets_ids: tokens, operation: 'unsubscribe' }));
  }

  #subscribe(tokens: readonly string[], how: { type: 'market' } | { operation: 'subscribe' }): void {
    if (tokens.length === 0) return;
    if (this.#hasAnswered) this.#carry(tokens);
    this.#connection.send(JSON.stringify({ assets_ids: tokens, ...how, custom_feature_enabled: true }));
  }

  #carry(tokens: Iterable<string>): void {
    const nowMs = this.#options.context.clock.now();
    for (const token of tokens) this.books.get(token)?.carry(nowMs);
  }

  #down(): void {
    this.#hasAnswered = false;
    for (const [token, book] of this.books) {
      book.forget();
      this.#options.changed(token);
    }
  }

  #received(text: string): void {
    if (!this.#hasAnswered) {
      this.#hasAnswered = true;
      this.#carry(this.books.keys());
    }
    if (text === 'PONG' || text === 'PING') return;
    const frame = jsonOf(text);
    const messages = Array.isArray(frame) ? frame : [frame];
    let bad = false;
    for (const each of messages) {
      const message = fieldsOf(each);
      if (message === undefined || !this.#take(message)) bad = true;
    }
    if (!bad) return;
    this.#options.context.report?.counted?.('bad_messages');
    // It is unknown which token it was for.
    this.#options.doubtful(this.books.keys());
  }

  /** False if a message of a known type cannot be parsed. */
  #take(message: Fields): boolean {
    switch (message['event_type']) {
      case 'book':
        return this.#book(message);
      case 'price_change':
        return this.#changes(message);
      case 'market_resolved':
        this.#options.resolved(textsOf(message['assets_ids'] ?? message['asset_ids']));
        return true;
      case 'new_market':
        this.#options.listed();
        return true;
      default:
        // Trades, tick sizes, best prices: none of them changes a book. Answers to subscriptions have no type.
        return true;
    }
  }

  #book(message: Fields): boolean {
    this.#documented.look('book', message);
    const token = textOf(message['asset_id']);
    if (token === undefined) return false;
    const book = this.books.get(token);
    if (book === undefined) return true;
    if (!book.replace(message, this.#options.context.clock.now())) return false;
    this.#options.changed(token);
    return true;
  }

  #changes(message: Fields): boolean {
    this.#documented.look('price_change', message);
    const byToken = new Map<string, { changes: LevelChange[]; last: Fields }>();
    let whole = Array.isArray(message['price_changes']);
    for (const entry of objectsOf(message['price_changes'])) {
      const token = textOf(entry['asset_id']);
      const change = changeOf(entry);
      if (token === undefined || change === undefined) {
        whole = false;
        continue;
      }
      const known = byToken.get(token);
      if (known === undefined) byToken.set(token, { changes: [change], last: entry });
      else {
        known.changes.push(change);
        known.last = entry;
      }
    }
    const ms = msOf(message);
    for (const [token, { changes, last }] of byToken) {
      const book = this.books.get(token);
      if (book === undefined) continue;
      book.change(changes, ms);
      // Only after the frame's last entry: before that the book is partly updated.
      if (book.good && !book.agrees(bestOf(last['best_bid']), bestOf(last['best_ask']))) {
        book.good = false;
        this.#options.context.report?.counted?.('gaps');
      }
      if (book.good) book.confirmedMs = this.#options.context.clock.now();
      else this.#options.doubtful([token]);
      this.#options.changed(token);
    }
    return whole;
  }
}

function changeOf(entry: Fields): LevelChange | undefined {
  const priceMicros = parseMicros(entry['price']);
  const countMicros = parseMicros(entry['size']);
  const side = entry['side'] === 'BUY' ? 'bid' : entry['side'] === 'SELL' ? 'ask' : undefined;
  if (priceMicros === undefined || countMicros === undefined || side === undefined) return undefined;
  if (!isPriceMicros(priceMicros) || countMicros < 0) return undefined;
  return { side, priceMicros, countMicros };
}

/** An empty side is stated as 0 or 1; undefined if nothing is stated. */
function bestOf(value: unknown): number | null | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const micros = parseMicros(value);
  return micros === undefined ? undefined : isPriceMicros(micros) ? micros : null;
}

// Fields that Polymarket's documents describe: Gamma's events and markets, order books, and the market channel.

export const LISTED = {
  event: {
    fields: `id ticker slug title subtitle description resolutionSource startDate creationDate endDate image icon active
      closed archived new featured restricted liquidity volume openInterest sortBy category subcategory isTemplate
      templateVariables published_at createdBy updatedBy createdAt updatedAt commentsEnabled competitive volume24hr
      volume1wk volume1mo volume1yr featuredImage disqusThread parentEvent parentEventId enableOrderBook liquidityAmm
      liquidityClob negRisk negRiskMarketID negRiskFeeBips commentCount imageOptimized iconOptimized featuredImageOptimized
      subEvents series categories collections tags cyom closedTime showAllOutcomes showMarketImages automaticallyResolved
      enableNegRisk automaticallyActive eventDate startTime eventWeek seriesSlug score elapsed period live ended
      finishedTimestamp gmpChartMode eventCreators tweetCount chats featuredOrder estimateValue cantEstimate
      estimatedValue templates spreadsMainLine totalsMainLine carouselMap pendingDeployment deploying deployingTimestamp
      scheduledDeploymentTimestamp gameStatus negRiskAugmented gameId homeTeamName awayTeamName countryName
      electionType color cumulativeMarkets requiresTranslation turnProviderId sportradarGameId internalUsers
      eventMetadata partners bestLines takerBaseFee makerBaseFee`,
    within: { markets: 'market', teams: 'team' },
  },
  market: {
    fields: `id question conditionId slug twitterCardImage resolutionSource endDate category ammType liquidity
      sponsorName sponsorImage startDate xAxisValue yAxisValue denominationToken fee image icon lowerBound upperBound
      description outcomes outcomePrices volume active marketType formatType lowerBoundDate upperBoundDate closed
      marketMakerAddress createdBy updatedBy createdAt updatedAt closedTime wideFormat new mailchimpTag featured archived
      resolvedBy restricted marketGroup groupItemTitle groupItemThreshold questionID umaEndDate enableOrderBook
      orderPriceMinTickSize orderMinSize umaResolutionStatus curationOrder volumeNum liquidityNum endDateIso startDateIso
      umaEndDateIso hasReviewedDates readyForCron commentsEnabled volume24hr volume1wk volume1mo volume1yr
      gameStartTime secondsDelay clobTokenIds disqusThread shortOutcomes teamAID teamBID umaBond umaReward fpmmLive
      volume24hrAmm volume1wkAmm volume1moAmm volume1yrAmm volume24hrClob volume1wkClob volume1moClob volume1yrClob
      volumeAmm volumeClob liquidityAmm liquidityClob makerBaseFee takerBaseFee customLiveness acceptingOrders
      notificationsEnabled score imageOptimized iconOptimized events categories tags creator ready funded pastSlugs
      readyTimestamp fundedTimestamp acceptingOrdersTimestamp competitive rewardsMinSize rewardsMaxSpread spread
      automaticallyResolved oneDayPriceChange oneHourPriceChange oneWeekPriceChange oneMonthPriceChange
      oneYearPriceChange lastTradePrice bestBid bestAsk automaticallyActive clearBookOnStart chartColor seriesColor
      showGmpSeries showGmpOutcome manualActivation negRisk negRiskMarketID negRiskRequestID negRiskOther gameId
      groupItemRange sportsMarketType line umaResolutionStatuses pendingDeployment deploying deployingTimestamp
      scheduledDeploymentTimestamp rfqEnabled eventStartTime holdingRewardsEnabled feesEnabled feeType approved
      clobRewards cyom sentDiscord submitted_by twitterCardLocation twitterCardLastRefreshed
      twitterCardLastValidated requiresTranslation makerRebatesFeeShareBps updatedAtDate negRiskFeeBips marketMetadata
      takerOnly version`,
    within: { feeSchedule: 'fee_schedule' },
  },
  fee_schedule: { fields: 'rate exponent takerOnly rebateRate feeType category effectiveFrom' },
  team: {
    fields: `id name league record logo abbreviation alias createdAt updatedAt providerId providerIds color ordering
      hostIcon`,
  },
} as const satisfies Record<string, Documented>;

/** By the type of event. */
const STREAMED = {
  book: {
    fields: `event_type market asset_id timestamp hash bids asks buys sells tick_size min_order_size neg_risk
      last_trade_price`,
  },
  price_change: {
    fields: 'event_type market timestamp asset_id hash changes',
    within: { price_changes: 'price_changes' },
  },
  price_changes: { fields: 'asset_id price size side hash best_bid best_ask' },
} as const satisfies Record<string, Documented>;
