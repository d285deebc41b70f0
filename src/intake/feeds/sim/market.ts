// The simulated market as a whole: events that open, are played and end, books that follow, and the results of polling
// them. Pure: it depends only on its seed and on the times it is stepped to.

import { getOrInsert } from '../../../base/memory/get-or-insert.js';
import { LIMITS } from '../../../base/model/limits.js';
import { HOUR_MS } from '../../../base/model/time.js';
import type { IngestEvent, IngestMarket, IngestMessage } from '../../ingest/message.js';
import { type BookStyle, bookStyle, chooseBooks, eventExternalId } from './book-style.js';
import type { SimEvent } from './event.js';
import {
  CALLED_OFF_MS,
  EXTRAS_EVERY_MS,
  futuresMessages,
  resultsMessage,
  SPLITS_SOURCES,
  splitsMessage,
} from './extras.js';
import { Fixtures, type SimCatalogue, type When } from './fixtures.js';
import { boardSize } from './league-model.js';
import { mix, unit } from './prng.js';
import { MarketSlot } from './slot.js';

/** Default, least and most. */
const OPTIONS = {
  /** The same seed and clock give the same market. */
  seed: [1, 0, 0xffff_ffff],
  /** How many of the catalogue's books take part. */
  books: [28, 1, 200],
  /** Number of open events. */
  events: [120, 1, 5_000],
  /** Quotes per second (about one in twelve of them changed). */
  rate: [3_000, 10, 1_000_000],
  /** Levels of each side of the exchanges' order books. */
  depth: [5, 0, LIMITS.depthLevels.max],
  /** The market of so many hours until now, at once, to be recorded; 0: as time goes by. */
  hours: [0, 0, 72],
} as const;

type Name = keyof typeof OPTIONS;
export type SimOptions = Record<Name, number>;

/** Fills in the defaults. Throws a RangeError if a value is not an integer within its limits. */
export function simOptions(given: { [K in Name]?: number | undefined }): SimOptions {
  const options: Partial<SimOptions> = {};
  for (const name of Object.keys(OPTIONS) as Name[]) {
    const [usual, min, max] = OPTIONS[name];
    const value = given[name] ?? usual;
    if (!(Number.isInteger(value) && value >= min && value <= max))
      throw new RangeError(`sim: ${name} is not an integer from ${min} to ${max}`);
    options[name] = value;
  }
  return options as SimOptions;
}

/** The market moves in steps of this length, whatever the steps of its caller. */
export const TICK_MS = 250;
/** Polls missed by more than this are not made up for: they wait for the next tick. */
const POLLED_TICKS = 8;
const LIVE_SHARE = 0.12;
const SOON_SHARE = 0.06;
/** Of those that are live at first: they end within minutes, so that their bets are graded before long. */
const ENDING_SHARE = 0.15;
/** The first poll of all books takes this long, longer if the rate is small. */
const SWEEP_MS = 15_000;
const SWEEP_MS_MAX = 60_000;
const SWEEP_BOOST = 2;
/** Books poll a game within this time of its kick-off, its end and its opening. */
const POLLED_WITHIN_MS = { kickoff: 6_000, end: 3_000, open: 40_000 };
/** The first ones after the start. */
const EXTRAS_FIRST_MS = { splits: 8_000, futures: 4_000 };

export class SimMarket {
  readonly options: SimOptions;
  readonly #startMs: number;
  readonly #books: BookStyle[];
  readonly #fixtures: Fixtures;
  readonly #plan: PollPlan;
  /** Ids of all books, including those that do not participate. */
  readonly #catalogueBooks: readonly string[];
  readonly #events: SimEvent[] = [];
  /** Games that ended or were postponed since the last tick. */
  readonly #over: SimEvent[] = [];
  /** Games that were postponed, the first one first. */
  readonly #postponed: { event: SimEvent; calledOffMs: number }[] = [];
  readonly #offers = new Map<SimEvent, Set<Offer>>();
  readonly #sweepMs: number;
  #tick = 0;
  #nextOpenMs = 0;
  #nextSplitsMs: number;
  #nextFuturesMs: number;

  /** Throws a RangeError if an option is outside its limits. */
  constructor(options: Partial<SimOptions>, catalogue: SimCatalogue, startMs: number) {
    this.options = simOptions(options);
    this.#startMs = Math.floor(startMs);
    this.#nextSplitsMs = this.#startMs + EXTRAS_FIRST_MS.splits;
    this.#nextFuturesMs = this.#startMs + EXTRAS_FIRST_MS.futures;
    const { seed, books, events, rate, depth } = this.options;
    this.#catalogueBooks = catalogue.books.map(({ id }) => id);
    const chosen = chooseBooks(catalogue.books, books);
    this.#books = chosen.map((book) => bookStyle(book, seed, depth));
    this.#fixtures = new Fixtures(seed, catalogue, boardSize(rate, Math.max(1, chosen.length), events));
    this.#plan = new PollPlan(rate, TICK_MS);
    const live = Math.max(1, Math.round(events * LIVE_SHARE));
    const soon = Math.round(events * SOON_SHARE);
    for (let i = 0; i < events; i++) {
      const when = i < live * ENDING_SHARE ? 'ending' : i < live ? 'live' : i < live + soon ? 'soon' : 'later';
      const event = this.#fixtures.open(when, this.#startMs);
      if (event !== null) this.#events.push(event);
    }
    for (const event of this.#events) this.#offer(event);
    const sweepMs = (this.#quotes() * 1_000) / (SWEEP_BOOST * rate);
    this.#sweepMs = Math.max(SWEEP_MS, Math.min(SWEEP_MS_MAX, sweepMs));
    for (const [event, offers] of this.#offers)
      for (const offer of offers) this.#plan.plan(offer, 0, this.#startMs, this.#within(offer, event, this.#sweepMs));
  }

  /** Events open at present. */
  get events(): readonly SimEvent[] {
    return this.#events;
  }

  /**
   * Messages that clear the table for the market, to be sent before its first step: no book has any price in the
   * simulated leagues. Prices left by an earlier market would be far from this one's, and stay for minutes.
   */
  opening(): IngestMessage[] {
    const polledAt = new Date(this.#startMs).toISOString();
    return this.#catalogueBooks.flatMap((book) =>
      this.#fixtures.leagues.map(
        ({ id: league }): IngestMessage => ({ book, polled_at: polledAt, scope: 'league', league, events: [] }),
      ),
    );
  }

  /** Offers that are polled: one per book and event. */
  get offerCount(): number {
    return this.#plan.size;
  }

  /**
   * Moves the market to `nowMs` and returns the results of the polls in between, oldest first. The messages share
   * objects with later ones, so they must not be changed. The same seed and start give the same messages at the same
   * times, as long as no step is longer than two seconds; after a longer one, polls in the gap are not made up for.
   */
  step(nowMs: number): IngestMessage[] {
    const target = Math.floor((nowMs - this.#startMs) / TICK_MS);
    const messages: IngestMessage[] = [];
    while (this.#tick < target) {
      this.#tick++;
      const tickMs = this.#startMs + this.#tick * TICK_MS;
      this.#moveEvents(tickMs);
      this.#plan.turn(this.#tick, tickMs - this.#startMs <= this.#sweepMs ? SWEEP_BOOST : 1);
      if (this.#tick <= target - POLLED_TICKS) continue;
      this.#poll(tickMs, messages);
      this.#extras(tickMs, messages);
    }
    return messages;
  }

  #moveEvents(nowMs: number): void {
    for (let i = this.#events.length - 1; i >= 0; i--) {
      const event = this.#events[i]!;
      if (event.nextMs > nowMs) continue;
      const before = event.phase;
      event.advance(nowMs);
      if (event.phase === before) continue;
      const over = event.phase !== 'live';
      for (const offer of this.#offers.get(event) ?? []) {
        const inMs = this.#within(offer, event, over ? POLLED_WITHIN_MS.end : POLLED_WITHIN_MS.kickoff);
        this.#plan.hurry(offer, this.#tick, nowMs, inMs);
      }
      if (!over) continue;
      this.#events.splice(i, 1);
      this.#over.push(event);
      // No book ever offered it.
      if (this.#offers.get(event)?.size === 0) this.#offers.delete(event);
      if (event.phase === 'postponed') this.#postponed.push({ event, calledOffMs: nowMs + CALLED_OFF_MS });
    }
    if (this.#events.length < this.options.events && nowMs >= this.#nextOpenMs) this.#open(nowMs);
  }

  /** Adds an event; if none can be found, tries again after a quarter of a minute. */
  #open(nowMs: number): void {
    const event = this.#fixtures.open(this.#nextStart(nowMs), nowMs);
    this.#nextOpenMs = event === null ? nowMs + 15_000 : nowMs;
    if (event === null) return;
    this.#events.push(event);
    this.#offer(event);
    for (const offer of this.#offers.get(event)!)
      this.#plan.plan(offer, this.#tick, nowMs, 1_000 + this.#within(offer, event, POLLED_WITHIN_MS.open));
  }

  #nextStart(nowMs: number): When {
    let near = 0;
    for (const event of this.#events) if (event.startMs < nowMs + HOUR_MS) near++;
    return near < this.options.events * (LIVE_SHARE + SOON_SHARE) ? 'soon' : 'later';
  }

  #offer(event: SimEvent): void {
    const offers = new Set<Offer>();
    for (const [i, style] of this.#books.entries()) {
      if (event.live && !style.book.hasLiveOdds) continue;
      if (unit(style.bookSeed, event.serial, 0xc0) >= style.coverage) continue;
      offers.add(new Offer(style, i, event));
    }
    this.#offers.set(event, offers);
  }

  #poll(nowMs: number, messages: IngestMessage[]): void {
    const found: (IngestEvent[] | undefined)[] = [];
    for (let offer = this.#plan.take(); offer !== undefined; offer = this.#plan.take()) {
      const event = offer.poll(nowMs);
      offer.event.priced ||= event.markets.length > 0;
      const others = found[offer.bookIndex];
      if (others === undefined) found[offer.bookIndex] = [event];
      else others.push(event);
      this.#plan.spend(event.markets.length === 0 ? 1 : offer.quotes);
      if (offer.done) this.#close(offer);
      else this.#plan.plan(offer, this.#tick, nowMs);
    }
    const polledAt = new Date(nowMs).toISOString();
    for (const [i, events] of found.entries())
      if (events !== undefined)
        messages.push({ book: this.#books[i]!.book.id, polled_at: polledAt, scope: 'event', events });
  }

  #close(offer: Offer): void {
    this.#plan.drop(offer);
    const offers = this.#offers.get(offer.event);
    offers?.delete(offer);
    const over = offer.event.phase === 'ended' || offer.event.phase === 'postponed';
    if (offers?.size === 0 && over) this.#offers.delete(offer.event);
  }

  #extras(nowMs: number, messages: IngestMessage[]): void {
    const over = this.#over.splice(0);
    if (this.#books.length === 0) return;
    const [{ book: first }] = this.#books as [BookStyle];
    if (over.length > 0) messages.push(resultsMessage(over, first.id, nowMs));
    const calledOff: SimEvent[] = [];
    while (this.#postponed.length > 0 && this.#postponed[0]!.calledOffMs <= nowMs)
      calledOff.push(this.#postponed.shift()!.event);
    if (calledOff.length > 0) messages.push(resultsMessage(calledOff, first.id, nowMs, true));
    if (nowMs >= this.#nextSplitsMs) {
      this.#nextSplitsMs = nowMs + EXTRAS_EVERY_MS.splits;
      for (const source of SPLITS_SOURCES) {
        // A source that does not participate as a book is still shown, through one that does.
        const book = this.#books.find((style) => style.book.id === source) ?? this.#books[0]!;
        const message = splitsMessage(source, book.book.id, this.#events, nowMs);
        if (message !== null) messages.push(message);
      }
    }
    if (nowMs >= this.#nextFuturesMs) {
      this.#nextFuturesMs = nowMs + EXTRAS_EVERY_MS.futures;
      messages.push(...futuresMessages(this.#fixtures.leagues, this.#books, this.options.seed, nowMs));
    }
  }

  #quotes(): number {
    let quotes = 0;
    for (const offers of this.#offers.values()) for (const offer of offers) quotes += offer.quotes;
    return quotes;
  }

  /** A delay within `limitMs` that depends on the offer. */
  #within(offer: Offer, event: SimEvent, limitMs: number): number {
    return limitMs * unit(mix(offer.style.bookSeed, event.serial, this.#tick), 0x3d);
  }
}

// When each offer is polled next: due times in ticks, and a pace that scales the natural intervals to the wanted rate.
// If polls fall behind they are late, never skipped.

/**
 * The share of the rate that live events may take before their polls are slowed too; by how much late polls may exceed
 * the rate, and how much unused rate is carried over (in ticks); the minimum natural interval.
 */
const RATE = { liveShare: 0.5, catchUp: 1.3, creditTicks: 4, leastPace: 0.01 } as const;

interface Entry {
  /** Tick at which the offer is due; -1 while it is in the backlog. */
  due: number;
  live: boolean;
  /** Quotes per second at the natural pace. */
  load: number;
}

export class PollPlan {
  readonly #tickMs: number;
  readonly #perTick: number;
  readonly #entries = new Map<Offer, Entry>();
  readonly #due = new Map<number, Offer[]>();
  #backlog: Offer[] = [];
  #head = 0;
  #credit = 0;
  #liveLoad = 0;
  #preLoad = 0;

  /** `rate` in quotes per second. */
  constructor(rate: number, tickMs: number) {
    this.#tickMs = tickMs;
    this.#perTick = (rate * tickMs) / 1_000;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Quotes per second if every offer were polled at its natural interval. */
  get load(): number {
    return this.#liveLoad + this.#preLoad;
  }

  /** Schedules the offer's next poll `inMs` after `tick`, by default its natural interval. */
  plan(offer: Offer, tick: number, nowMs: number, inMs?: number): void {
    const entry = getOrInsert(this.#entries, offer, () => ({ due: 0, live: offer.event.live, load: 0 }));
    const naturalMs = offer.pollMs(nowMs);
    this.#account(entry, offer.event.live, (offer.quotes * 1_000) / naturalMs);
    const waitMs = inMs ?? naturalMs * this.#pace(entry.live);
    entry.due = tick + Math.max(1, Math.round(waitMs / this.#tickMs));
    getOrInsert(this.#due, entry.due, () => []).push(offer);
  }

  /** Moves a poll forward to at most `inMs` from now. */
  hurry(offer: Offer, tick: number, nowMs: number, inMs: number): void {
    const entry = this.#entries.get(offer);
    if (entry === undefined || entry.due === -1 || entry.due <= tick + inMs / this.#tickMs) return;
    this.plan(offer, tick, nowMs, inMs);
  }

  drop(offer: Offer): void {
    const entry = this.#entries.get(offer);
    if (entry === undefined) return;
    this.#account(entry, entry.live, 0);
    this.#entries.delete(offer);
  }

  /** Moves what is due at `tick` to the backlog, and adds the tick's share of the rate. */
  turn(tick: number, boost: number): void {
    const due = this.#due.get(tick);
    this.#due.delete(tick);
    for (const offer of due ?? []) {
      const entry = this.#entries.get(offer);
      // A poll that was moved forward leaves a stale entry behind.
      if (entry?.due !== tick) continue;
      entry.due = -1;
      this.#backlog.push(offer);
    }
    const more = this.#perTick * RATE.catchUp * boost;
    this.#credit = Math.min(this.#credit + more, this.#perTick * RATE.creditTicks * boost);
  }

  /** The next offer to poll, or undefined if none is due or the rate is used up. */
  take(): Offer | undefined {
    if (this.#credit <= 0 || this.#head >= this.#backlog.length) return undefined;
    const offer = this.#backlog[this.#head++]!;
    if (this.#head > 1_024 && this.#head * 2 > this.#backlog.length) {
      this.#backlog = this.#backlog.slice(this.#head);
      this.#head = 0;
    }
    return offer;
  }

  /** Charges the quotes of a poll to the rate. */
  spend(quotes: number): void {
    this.#credit -= quotes;
  }

  #account(entry: Entry, live: boolean, load: number): void {
    if (entry.live) this.#liveLoad -= entry.load;
    else this.#preLoad -= entry.load;
    if (live) this.#liveLoad += load;
    else this.#preLoad += load;
    entry.live = live;
    entry.load = load;
  }

  /** Factor by which natural intervals are multiplied. */
  #pace(live: boolean): number {
    const rate = (this.#perTick * 1_000) / this.#tickMs;
    const even = this.load / rate;
    if (even <= 1) return Math.max(RATE.leastPace, even);
    const livePace = Math.max(1, this.#liveLoad / (RATE.liveShare * rate));
    return live ? livePace : this.#preLoad / Math.max(1, rate - this.#liveLoad / livePace);
  }
}

// One book's offer on one event: the markets it shows at a poll, and when it suspends all of them.

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
