// One book's offer on one event: the markets it shows at a poll, and when it suspends all of them.

import { HOUR_MS } from '../../../base/model/time.js';
import type { IngestEvent, IngestMarket } from '../../ingest/message.js';
import { type BookStyle, eventExternalId } from './book-style.js';
import type { SimEvent } from './event.js';
import { unit } from './prng.js';
import { MarketSlot } from './slot.js';

/** The end of a game is too fast for prices, earlier in games with frequent points than in games with rare goals. */
const LAST_SHARE = { points: 0.1, others: 0.02 };
/** Chance that a book suspends its offer for a while at a score, by the weight of the score. */
const SCORE_PAUSE = { goals: 1, football: 1, points: 0.12 };
/** Longer than the interval of live polls: no book returns while old prices of another are still shown. */
const PAUSE_LEAST_MS = 9_500;
const NEWS_PAUSE_CHANCE = 0.6;
const PROP_COVERAGE = 0.85;
/** Live books are polled more than twice as often, games days ahead less often. */
const FAR_AHEAD_MS = 48 * HOUR_MS;
const FAR_AHEAD_FACTOR = 1.5;

export class Offer {
  readonly style: BookStyle;
  readonly event: SimEvent;
  /** Index of the book among the participating ones. */
  readonly bookIndex: number;
  /** Quotes of the last poll; before the first, an estimate. */
  quotes: number;
  /** True once the book has sent its last statement on the event. */
  done = false;
  readonly #externalId: string;
  readonly #main: MarketSlot[] = [];
  readonly #props: MarketSlot[] = [];

  constructor(style: BookStyle, bookIndex: number, event: SimEvent) {
    this.style = style;
    this.bookIndex = bookIndex;
    this.event = event;
    this.#externalId = eventExternalId(style, event.serial);
    let quotes = 0;
    for (const [index, plan] of event.board.entries()) {
      if (plan.kind === 'prop' && !this.#offersProp(index)) continue;
      const slots = plan.kind === 'prop' ? this.#props : this.#main;
      slots.push(new MarketSlot(style, event, plan, index, this.#externalId));
      quotes += 2 + (style.alternates ? 4 * plan.alternates : 0);
    }
    this.quotes = quotes;
  }

  #offersProp(index: number): boolean {
    const { book, feedSeed } = this.style;
    return book.hasPlayerProps && unit(feedSeed, this.event.serial, index, 0x9c) < PROP_COVERAGE;
  }

  /** Milliseconds to the next poll at the natural pace. */
  pollMs(nowMs: number): number {
    const { livePollMs, pollMs } = this.style;
    if (this.event.live) return livePollMs;
    return this.event.startMs - nowMs > FAR_AHEAD_MS ? pollMs * FAR_AHEAD_FACTOR : pollMs;
  }

  /** The result of polling the book. It is never changed afterwards. */
  poll(nowMs: number): IngestEvent {
    const { event, style } = this;
    const over = event.phase === 'ended' || event.phase === 'postponed';
    const closed = event.live && !style.book.hasLiveOdds;
    this.done = over || closed;
    const paused = !this.done && this.#paused(nowMs);
    const markets = this.done || paused ? [] : this.#quote(nowMs);
    const message: IngestEvent = {
      ...event.ref,
      external_id: this.#externalId,
      is_live: event.live,
      status: event.phase,
      markets,
    };
    if (paused && style.suspends) message.suspended = true;
    const { state } = event;
    if (state !== null && style.givesState && style.book.hasLiveOdds) message.game_state = state;
    return message;
  }

  #quote(nowMs: number): IngestMarket[] {
    const slots = this.event.live ? this.#main : [...this.#main, ...this.#props];
    const markets = slots.flatMap((slot) => slot.quote(nowMs) ?? []);
    this.quotes = markets.reduce((sum, { selections }) => sum + selections.length, 0);
    return markets;
  }

  /** Bets are suspended for some seconds when a score or news makes prices uncertain. */
  #paused(nowMs: number): boolean {
    const { event } = this;
    const { feedSeed, delayMs, liveDelayMs } = this.style;
    const { family, restHours } = event.model;
    const { stamp } = event.latest;
    const whether = unit(feedSeed, event.serial, stamp, 0xb1);
    const length = unit(feedSeed, event.serial, stamp, 0xb2);
    if (event.live) {
      if (event.remaining < (family === 'points' ? LAST_SHARE.points : LAST_SHARE.others)) return true;
      const sinceMs = nowMs - event.scoredMs;
      const kind = family !== 'points' ? 'goals' : restHours > 48 ? 'football' : 'points';
      const chance = SCORE_PAUSE[kind] + (1 - SCORE_PAUSE[kind]) * 0.8 * (1 - event.remaining) ** 3;
      return whether < chance && sinceMs < liveDelayMs + PAUSE_LEAST_MS + 7_000 * length;
    }
    const sinceMs = nowMs - event.newsMs;
    return whether < NEWS_PAUSE_CHANCE && sinceMs >= 0.3 * delayMs && sinceMs < 1.5 * delayMs + 20_000 * length;
  }
}
