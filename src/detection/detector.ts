// Detection in a shard: for every row a batch touched, evaluates its markets, and those that are due by time, in every
// registered universe, and returns what is new, changed and ended.

import { LIMITS } from '../base/model/limits.js';
import type { BetKind, UniverseSpec } from '../base/model/opportunity.js';
import { RowChange } from '../base/model/row.js';
import type { BookQuotes, EventState } from '../base/model/state.js';
import type { Opportunity, PackedNews, PackedUniverseNews } from '../log/delta/opportunity.js';
import type { MarketTypes } from '../rules/markets/market-types.js';
import { type BookFacts, BookList } from './book-list.js';
import { ALL_KINDS, type CandidateLimits } from './candidate.js';
import { CandidateMatcher } from './candidate-matcher.js';
import { DETECTION_LIMITS, widest } from './detection-limits.js';
import { DueQueue } from './due-queue.js';
import { KEEP_UNWATCHED_MS, LifeCycle } from './life-cycle.js';
import { LineFinder } from './line-finder.js';
import { MarketIndex } from './market-index.js';
import type { Market, MarketLine } from './market-line.js';
import { MiddleFinder } from './middle-finder.js';
import { Pace } from './pace.js';
import type { PriceWatcher } from './price-watcher.js';
import {
  Collector,
  Evaluation,
  type EvaluationPass,
  type EvaluationQuestion,
  limitsOf,
  marketsOf,
  policyOf,
} from './question.js';
import { Records } from './records.js';
import { RelevantPrices } from './relevant-prices.js';
import { NOTHING_STORED, type StoredOpportunities, WatchedUniverse } from './watched-universe.js';

export interface DetectorOptions {
  books: BookFacts;
  /** Of the data directory: keys the ids of opportunities and moves. */
  idSecret: string;
  types: MarketTypes;
  /** Watched from the start. */
  universes: readonly UniverseSpec[];
  /** The kinds to look for in them; every kind by default. Questions state their own. */
  kinds?: ReadonlySet<BetKind>;
  /** All of the shard; by default those with prices. */
  events?: () => Iterable<EventState>;
  /** Another reader of the prices; none by default. */
  watcher?: PriceWatcher;
  /** Prices evaluated with one batch for universes registered late. */
  joinPrices?: number;
}

export class Detector {
  readonly #options: DetectorOptions;
  readonly #watcher: PriceWatcher | undefined;
  #books!: BookList;
  #index!: MarketIndex;
  #finder!: LineFinder;
  #middles!: MiddleFinder;
  #relevant!: RelevantPrices;
  #records!: Records;
  #life!: LifeCycle;
  #matcher!: CandidateMatcher;
  readonly #pace = new Pace();
  #due = new DueQueue<MarketLine>();
  readonly #universes: WatchedUniverse[] = [];
  readonly #specs = new Map<string, UniverseSpec>();
  /** The widest limits of all universes. */
  #limits!: CandidateLimits;
  /** The rows that are known since the last reset were noted: of further batches, those that changed are. */
  #noted = false;
  /** Something was evaluated since the last beginning. */
  #begun = false;
  /** Another process's results were followed: nothing is known of what is active now. */
  #followed = false;
  #stored: StoredOpportunities = NOTHING_STORED;
  #keepUnwatchedMs = KEEP_UNWATCHED_MS;
  readonly #joinPrices: number;
  /** The markets not yet evaluated for universes registered late. */
  #pass: { universes: readonly WatchedUniverse[]; markets: Iterator<Market> } | undefined;

  constructor(options: DetectorOptions) {
    this.#options = options;
    this.#watcher = options.watcher;
    this.#joinPrices = options.joinPrices ?? LIMITS.joinPrices.max;
    for (const spec of options.universes) this.#specs.set(spec.key, spec);
    this.reset();
  }

  /** Clears everything but the universes; the rows must follow. */
  reset(stored: StoredOpportunities = NOTHING_STORED, keepUnwatchedMs = KEEP_UNWATCHED_MS): void {
    this.#books = new BookList(this.#options.books);
    this.#index = new MarketIndex(this.#books, this.#options.types);
    this.#finder = new LineFinder(this.#index, this.#books);
    this.#middles = new MiddleFinder(this.#index, this.#books, this.#finder.reference);
    this.#relevant = new RelevantPrices(this.#index, this.#books, this.#finder);
    const { idSecret } = this.#options;
    this.#records = new Records(this.#index, this.#books, this.#finder, this.#middles, idSecret);
    this.#life = new LifeCycle(this.#records.writer, this.#pace);
    this.#matcher = new CandidateMatcher(this.#records, this.#life);
    this.#noted = false;
    this.#stored = stored;
    this.#keepUnwatchedMs = keepUnwatchedMs;
    const { writer: records } = this.#records;
    this.#watcher?.reset({
      ...this.prices,
      reference: this.#finder.reference,
      records,
      life: this.#life,
      idSecret,
      events: this.#options.events ?? (() => this.#index.events.keys()),
    });
    this.#begin();
  }

  /** With what is stored, and every universe. */
  #begin(): void {
    this.#life.reset(this.#stored, this.#keepUnwatchedMs);
    this.#due = new DueQueue();
    this.#pace.clear();
    this.#universes.length = 0;
    this.#pass = undefined;
    this.#begun = false;
    this.#followed = false;
    for (const spec of this.#specs.values()) this.#watch(spec);
    this.#widen();
  }

  /** What its records refer to. */
  get prices(): { index: MarketIndex; books: BookList } {
    return { index: this.#index, books: this.#books };
  }

  /** The next moment (Unix ms) when time alone may change something; possibly too early, never too late. */
  get nextDeadlineMs(): number {
    return Math.min(this.#due.nextMs, this.#pace.nextMs, this.#watcher?.nextDeadlineMs ?? Number.POSITIVE_INFINITY);
  }

  /** Markets of the last evaluation with more lines or middles than are evaluated (middle-finder.ts). */
  get boundedMarkets(): number {
    return this.#middles.bounded;
  }

  /** Watches a universe; it is complete once every market was evaluated for it, some with each batch. */
  register(spec: UniverseSpec): void {
    if (this.#specs.has(spec.key)) return;
    this.#specs.set(spec.key, spec);
    this.#watch(spec);
    this.#widen();
  }

  #watch(spec: UniverseSpec): void {
    const universe = new WatchedUniverse(spec, this.#books, undefined, this.#begun);
    this.#universes.push(universe);
    this.#life.watch(universe);
  }

  drop(key: string): void {
    if (!this.#specs.delete(key)) return;
    const at = this.#universes.findIndex((universe) => universe.key === key);
    const [universe] = this.#universes.splice(at, 1) as [WatchedUniverse];
    for (const markets of this.#index.events.values())
      for (const market of markets.values()) {
        market.opportunities = market.opportunities.filter((live) => live.universe !== universe);
        for (const marketLine of market.marketLines)
          marketLine.opportunities = marketLine.opportunities.filter((live) => live.universe !== universe);
      }
    this.#life.unwatch(universe);
    this.#matcher.clear();
    this.#watcher?.dropped(universe);
    this.#widen();
  }

  /** A batch touched the book's prices of an event. */
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
      if (row.change === RowChange.restated) this.#restate(index.marketLineOf(row.no));
    }
    // Whether a book means a price depends on its others.
    if (watcher !== undefined)
      for (const row of quotes.rows.values())
        if (row.change !== RowChange.none || !this.#noted) watcher.noted(row, quotes);
  }

  /** The event's start, status or liveness changed. */
  touchEvent(event: EventState): void {
    this.#index.refreshModels(event);
    for (const marketLine of this.#index.marketLinesOf(event)) this.#restate(marketLine);
    this.#watcher?.restated(event);
  }

  /** The score, period or clock changed. */
  touchState(event: EventState): void {
    this.#index.refreshModels(event);
  }

  /**
   * Evaluates everything touched and everything due as of `nowMs` (Unix ms); its results are published at `position`.
   * Returns the changes of each universe that has any; the records are valid until the next evaluation.
   */
  evaluate(position: number, nowMs = position / 1000): PackedNews {
    if (this.#followed) this.#beginAfterFollowing();
    // Where the clock was set back, deadlines of before are far ahead, and so are the positions of what is held.
    this.#pace.at(position, nowMs);
    if (this.#pace.setBack) this.#touchAll();
    this.#records.clear();
    this.#middles.bounded = 0;
    for (let marketLine = this.#due.take(nowMs); marketLine !== undefined; marketLine = this.#due.take(nowMs))
      this.#index.touch(marketLine);
    const complete = this.#begun ? this.#join() : this.#joinAtOnce();
    this.#watcher?.evaluate(
      position,
      nowMs,
      this.#universes.filter(({ moves }) => moves),
    );
    this.#evaluateDirty(nowMs);
    for (const universe of complete) {
      universe.complete = true;
      // What was not found again has ended in the meantime.
      for (const one of universe.takeStored()) universe.ended(one);
    }
    for (const universe of this.#universes) universe.fresh = false;
    this.#begun = true;
    this.#noted = true;
    const universes: PackedUniverseNews[] = [];
    for (const universe of this.#life.takeForgotten())
      universes.push({ universe, forgotten: true, put: [], expired: [] });
    for (const universe of this.#universes) {
      this.#life.rejoin(universe);
      const news = universe.takeNews();
      if (news !== undefined) universes.push(news);
    }
    const heldUntilNow = this.#pace.takeOver();
    return { records: this.#records.writer.bytes, universes, ...(heldUntilNow ? { heldUntilNow } : {}) };
  }

  /** In place of evaluate(), where the results are another process's. The next evaluation starts from what is stored. */
  follow(position: number, nowMs: number): void {
    this.#pace.at(position, nowMs);
    this.#watcher?.follow(
      nowMs,
      this.#universes.filter(({ moves }) => moves),
    );
    for (const marketLine of this.#index.dirty) this.#settle(marketLine);
    this.#index.dirty = [];
    this.#noted = true;
    this.#followed = true;
  }

  #beginAfterFollowing(): void {
    for (const markets of this.#index.events.values())
      for (const market of markets.values()) {
        market.opportunities = [];
        for (const marketLine of market.marketLines) {
          marketLine.opportunities = [];
          marketLine.dueMs = Number.POSITIVE_INFINITY;
        }
      }
    this.#watcher?.begin();
    this.#begin();
  }

  /**
   * A question's evaluation, over the prices as of the last batch before each slice. It changes nothing.
   * @param open an answer from its record, with the present as the position of its detection
   */
  evaluation(question: EvaluationQuestion, open: (record: Uint8Array, detectedUs: number) => Opportunity): Evaluation {
    return new Evaluation(() => this.#passOf(question, open));
  }

  #passOf(
    question: EvaluationQuestion,
    open: (record: Uint8Array, detectedUs: number) => Opportunity,
  ): EvaluationPass | undefined {
    const policy = policyOf(question, (name) => this.#books.no(name));
    if (policy === undefined) return undefined;
    const kept = limitsOf(question);
    const universe = new WatchedUniverse({ key: '', books: question.books }, this.#books, kept, false, policy);
    const limits = { ...kept, kinds: new Set([question.kind]) };
    const collector = new Collector(this.#records, question, (record) =>
      open(record, Math.floor(this.#pace.nowMs * 1000)),
    );
    const index = this.#index;
    const detector = this;
    return {
      markets: marketsOf(index, question),
      collector,
      get ended() {
        return detector.#index !== index;
      },
      evaluate: (market) => {
        this.#records.market = market;
        for (const marketLine of market.marketLines)
          this.#finder.evaluate(marketLine, this.#pace.nowMs, [universe], limits, collector);
        this.#middles.evaluate(market, this.#pace.nowMs, [universe], limits, collector);
      },
    };
  }

  /** Whether universes are not complete yet: further evaluations bring them nearer to it. */
  get joining(): boolean {
    return this.#begun && this.#universes.some(({ complete }) => !complete);
  }

  #joinAtOnce(): readonly WatchedUniverse[] {
    const incomplete = this.#universes.filter(({ complete }) => !complete);
    this.#pass = undefined;
    if (incomplete.length > 0) this.#touchAll();
    return incomplete;
  }

  /** Touches the next markets for universes registered late, and returns those for which these are the last. */
  #join(): readonly WatchedUniverse[] {
    this.#pass ??= this.#newPass();
    if (this.#pass === undefined) return [];
    for (let prices = 0; prices < this.#joinPrices; ) {
      const next = this.#pass.markets.next();
      if (next.done) {
        const { universes } = this.#pass;
        this.#pass = undefined;
        return universes.filter((universe) => this.#universes.includes(universe));
      }
      for (const marketLine of next.value.marketLines) {
        this.#index.touch(marketLine);
        prices += marketLine.count * marketLine.sides;
      }
    }
    return [];
  }

  #newPass(): { universes: readonly WatchedUniverse[]; markets: Iterator<Market> } | undefined {
    const universes = this.#universes.filter(({ complete }) => !complete);
    return universes.length === 0 ? undefined : { universes, markets: marketsOf(this.#index, {}) };
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
    for (const marketLine of marketLines) this.#settle(marketLine);
  }

  #settle(marketLine: MarketLine): void {
    marketLine.dirty = false;
    marketLine.restated = false;
    this.#index.prune(marketLine);
  }

  #evaluateMarketLine(marketLine: MarketLine, nowMs: number): void {
    this.#records.market = marketLine.market;
    this.#matcher.begin(marketLine.opportunities, marketLine.restated, marketLine.market.event.no);
    this.#finder.evaluate(marketLine, nowMs, this.#universes, this.#limits, this.#matcher);
    this.#matcher.end();
    if (!this.#matcher.waitsForRoom) this.#relevant.note(marketLine, this.#universes, this.#limits);
    else this.#relevant.forget(marketLine);
    this.#due.put(marketLine, this.#finder.deadlineMs);
  }

  #evaluateMarket(market: Market, nowMs: number): void {
    market.dirty = false;
    const { marketLines } = market;
    // Most markets have one line and so no middle.
    if (marketLines.length < 2 && market.opportunities.length === 0) return;
    this.#records.market = market;
    this.#matcher.begin(
      market.opportunities,
      marketLines.some((marketLine) => marketLine.restated),
      market.event.no,
    );
    this.#middles.evaluate(market, nowMs, this.#universes, this.#limits, this.#matcher);
    this.#matcher.end();
    if (this.#matcher.waitsForRoom || this.#middles.centredByAll) this.#relevant.forgetAll(market);
  }
}
