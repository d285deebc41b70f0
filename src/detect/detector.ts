// Detection in a shard: for every row a batch touched, evaluates its markets, and those that are due by time, in every
// registered universe, and returns what is new, changed and ended.

import type { Opportunity, UniverseNews } from '../delta/opportunity.js';
import type { BetKind, UniverseSpec } from '../model/opportunity.js';
import { RowChange } from '../model/row.js';
import type { BookQuotes, EventState } from '../model/state.js';
import { type BookFacts, BookList } from './book-list.js';
import { ALL_KINDS, type CandidateLimits } from './candidate.js';
import { DETECTION_LIMITS, widest } from './detection-limits.js';
import { DueQueue } from './due-queue.js';
import { type DeepLinks, Items } from './items/item-source.js';
import { LifeCycle, REMEMBER_MS, RESEND_MS } from './life-cycle.js';
import { LineFinder } from './line-finder.js';
import { MarketIndex } from './market-index.js';
import type { Market, MarketLine } from './market-line.js';
import { MiddleFinder } from './middle-finder.js';
import type { PriceWatcher } from './price-watcher.js';
import { Collector, type EvaluationQuestion, limitsOf, policyOf } from './question.js';
import { DEFAULT_DEVIG, DEFAULT_POLICY } from './reference.js';
import { RelevantPrices } from './relevant-prices.js';
import type { KnownUniverses, Remembered, RememberedChanges } from './remembered.js';
import { Universe } from './universe.js';

export interface DetectorOptions {
  books: BookFacts;
  deepLink: DeepLinks;
  /** Watched from the start. */
  universes: readonly UniverseSpec[];
  /** The kinds to look for in them; every kind by default. Questions state their own. */
  kinds?: ReadonlySet<BetKind>;
  /** Another reader of the prices; none by default. */
  watcher?: PriceWatcher;
}

export class Detector {
  readonly #options: DetectorOptions;
  readonly #watcher: PriceWatcher | undefined;
  #books!: BookList;
  #index!: MarketIndex;
  #finder!: LineFinder;
  #middles!: MiddleFinder;
  #relevant!: RelevantPrices;
  #items!: Items;
  #life!: LifeCycle;
  #due = new DueQueue<MarketLine>();
  readonly #universes: Universe[] = [];
  readonly #specs = new Map<string, UniverseSpec>();
  /** The widest limits of all universes. */
  #limits!: CandidateLimits;
  #nowMs = 0;
  /** Something was evaluated since the last reset. */
  #begun = false;

  constructor(options: DetectorOptions) {
    this.#options = options;
    this.#watcher = options.watcher;
    for (const spec of options.universes) this.#specs.set(spec.key, spec);
    this.reset([]);
  }

  /** Clears everything but the universes and loads what the store remembers; the rows must follow. */
  reset(remembered: Iterable<Remembered>, known: KnownUniverses = new Map(), rememberMs = REMEMBER_MS): void {
    this.#books = new BookList(this.#options.books);
    this.#index = new MarketIndex(this.#books);
    this.#finder = new LineFinder(this.#index, this.#books);
    this.#middles = new MiddleFinder(this.#index, this.#books, this.#finder.reference);
    this.#relevant = new RelevantPrices(this.#index, this.#books, this.#finder);
    this.#items = new Items(this.#index, this.#books, this.#finder, this.#middles, this.#options.deepLink);
    this.#life = new LifeCycle(this.#items);
    this.#life.reset(remembered, known, rememberMs);
    this.#due = new DueQueue();
    this.#watcher?.reset({ index: this.#index, books: this.#books, reference: this.#finder.reference });
    this.#universes.length = 0;
    this.#begun = false;
    for (const spec of this.#specs.values()) this.#watch(spec);
    this.#widen();
  }

  /** The next moment (Unix ms) when time alone may change something; possibly too early, never too late. */
  get nextDeadlineMs(): number {
    return Math.min(this.#due.nextMs, this.#watcher?.nextDeadlineMs ?? Number.POSITIVE_INFINITY);
  }

  /** Markets of the last evaluation with more lines or middles than are evaluated (middle-finder.ts). */
  get boundedMarkets(): number {
    return this.#middles.bounded;
  }

  /** Watches a universe; its complete state comes with the next evaluation. */
  register(spec: UniverseSpec): void {
    if (this.#specs.has(spec.key)) return;
    this.#specs.set(spec.key, spec);
    this.#watch(spec);
    this.#widen();
  }

  #watch(spec: UniverseSpec): void {
    const universe = new Universe(spec, this.#books, undefined, this.#begun);
    this.#universes.push(universe);
    this.#life.watched(universe);
  }

  drop(key: string): void {
    if (!this.#specs.delete(key)) return;
    const at = this.#universes.findIndex((universe) => universe.key === key);
    const universe = this.#universes[at]!;
    this.#universes.splice(at, 1);
    for (const markets of this.#index.events.values())
      for (const market of markets.values()) {
        market.opportunities = market.opportunities.filter((live) => live.universe !== universe);
        for (const marketLine of market.marketLines)
          marketLine.opportunities = marketLine.opportunities.filter((live) => live.universe !== universe);
      }
    this.#life.drop(universe);
    this.#watcher?.dropped(universe);
    this.#widen();
  }

  /** A batch touched the book's prices of an event: rows removed, added, changed or merely seen again. */
  touchBook(quotes: BookQuotes): void {
    if (this.#books.note(quotes.bookNo, quotes.book))
      for (const universe of this.#universes) universe.noteBook(quotes.bookNo, quotes.book);
    const index = this.#index;
    const watcher = this.#watcher;
    if (quotes.removed !== null)
      for (const row of quotes.removed.values()) {
        watcher?.removing(row, quotes);
        index.remove(row);
      }
    index.noteDraws(quotes);
    for (const row of quotes.rows.values()) {
      index.update(row, quotes);
      if (watcher !== undefined && (row.change !== RowChange.none || !this.#begun)) watcher.noted(row, quotes);
      if (row.change === RowChange.restated) this.#restate(index.marketLineOf(row.no));
    }
  }

  /** The event's start, status or liveness changed. */
  touchEvent(event: EventState): void {
    this.#index.refreshModels(event);
    for (const marketLine of this.#index.marketLinesOf(event)) this.#restate(marketLine);
  }

  /** The score, period or clock changed. */
  touchState(event: EventState): void {
    this.#index.refreshModels(event);
  }

  /**
   * Evaluates everything touched and everything due as of `nowMs` (Unix ms); its results are published at `position`.
   * Returns the changes of each universe that has any.
   */
  evaluate(position: number, nowMs = position / 1000): UniverseNews[] {
    // Where the clock was set back, deadlines of before are far ahead: an update that waits for its time would wait for them.
    if (nowMs + RESEND_MS < this.#nowMs) this.#touchAll();
    this.#nowMs = nowMs;
    this.#life.at(position, nowMs);
    this.#items.method = DEFAULT_DEVIG;
    this.#middles.bounded = 0;
    for (let marketLine = this.#due.take(nowMs); marketLine !== undefined; marketLine = this.#due.take(nowMs))
      this.#index.touch(marketLine);
    const fresh = this.#universes.filter((universe) => universe.whole);
    if (fresh.length > 0) this.#touchAll();
    this.#watcher?.evaluate(
      position,
      nowMs,
      this.#universes.filter(({ moves }) => moves),
    );
    this.#evaluateDirty(nowMs);
    for (const universe of fresh) this.#life.settleRemembered(universe);
    this.#begun = true;
    this.#life.forgetUnclaimed();
    const news: UniverseNews[] = [];
    for (const universe of this.#universes) {
      const own = universe.takeNews();
      if (own !== undefined) news.push(own);
    }
    return news;
  }

  /** What the store must remember of all evaluations since the last call. */
  takeChanges(): RememberedChanges {
    return this.#life.takeChanges();
  }

  /** Evaluates a question over the prices as of the last evaluation. Changes nothing. */
  answer(question: EvaluationQuestion): Opportunity[] {
    const policy = policyOf(question, (name) => this.#books.no(name));
    if (policy === undefined) return [];
    const kept = limitsOf(question);
    const universe = new Universe({ key: '', books: question.books }, this.#books, kept);
    const limits = { ...kept, kinds: new Set([question.kind]) };
    const collector = new Collector(this.#items, question.includeSuspicious !== false, (id) => this.#detectedUs(id));
    this.#items.method = policy.method;
    for (const [event, markets] of this.#index.events) {
      if (!concerns(question, event)) continue;
      for (const market of markets.values()) {
        this.#items.market = market;
        for (const marketLine of market.marketLines)
          this.#finder.evaluate(marketLine, this.#nowMs, [universe], policy, limits, collector);
        this.#middles.evaluate(market, this.#nowMs, [universe], limits, collector);
      }
    }
    return collector.best();
  }

  #widen(): void {
    const { kinds = ALL_KINDS } = this.#options;
    this.#limits = { ...widest([DETECTION_LIMITS, ...this.#universes.map(({ kept }) => kept)]), kinds };
  }

  #restate(marketLine: MarketLine | undefined): void {
    if (marketLine === undefined) return;
    (marketLine.laysOf ?? marketLine).restated = true;
    this.#index.touch(marketLine);
  }

  #touchAll(): void {
    for (const markets of this.#index.events.values())
      for (const market of markets.values()) for (const marketLine of market.marketLines) this.#index.touch(marketLine);
  }

  #evaluateDirty(nowMs: number): void {
    const marketLines = this.#index.dirty;
    this.#index.dirty = [];
    const markets: Market[] = [];
    for (const marketLine of marketLines) {
      const { market } = marketLine;
      if (!market.dirty) {
        market.dirty = true;
        markets.push(market);
      }
      this.#evaluateMarketLine(marketLine, nowMs);
    }
    for (const market of markets) this.#evaluateMarket(market, nowMs);
    for (const marketLine of marketLines) {
      marketLine.dirty = false;
      marketLine.restated = false;
      this.#index.prune(marketLine);
    }
  }

  #evaluateMarketLine(marketLine: MarketLine, nowMs: number): void {
    this.#items.market = marketLine.market;
    this.#life.begin(marketLine.opportunities, marketLine.restated, marketLine.market.event.no);
    this.#finder.evaluate(marketLine, nowMs, this.#universes, DEFAULT_POLICY, this.#limits, this.#life);
    this.#life.end();
    if (this.#isSettled) this.#relevant.note(marketLine, this.#universes, this.#limits);
    else this.#relevant.forget(marketLine);
    this.#due.put(marketLine, Math.min(this.#finder.deadlineMs, this.#life.pendingUntilMs));
  }

  #evaluateMarket(market: Market, nowMs: number): void {
    market.dirty = false;
    const { marketLines } = market;
    // Most markets have one line and so no middle.
    if (marketLines.length < 2 && market.opportunities.length === 0) return;
    this.#items.market = market;
    this.#life.begin(
      market.opportunities,
      marketLines.some((marketLine) => marketLine.restated),
      market.event.no,
    );
    this.#middles.evaluate(market, nowMs, this.#universes, this.#limits, this.#life);
    this.#life.end();
    if (!this.#isSettled || this.#middles.centredByAll) this.#relevant.forgetAll(market);
    const first = marketLines[0];
    if (first !== undefined) this.#due.put(first, this.#life.pendingUntilMs);
  }

  /** Nothing found in the last list waits for a later evaluation. */
  get #isSettled(): boolean {
    return this.#life.pendingUntilMs === Number.POSITIVE_INFINITY && !this.#life.waitsForRoom;
  }

  #detectedUs(id: string): number {
    let first = Math.floor(this.#nowMs * 1000);
    for (const universe of this.#universes) first = Math.min(first, this.#life.detectedUs(universe.key, id) ?? first);
    return first;
  }
}

function concerns(question: EvaluationQuestion, event: EventState): boolean {
  return (
    (question.sports?.includes(event.sport) ?? true) &&
    (question.leagues?.includes(event.league) ?? true) &&
    (question.events?.includes(event.id) ?? true)
  );
}
