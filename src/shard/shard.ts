// A shard: the state of the leagues it owns, and the step from a batch of messages to a committed delta. It runs in a
// worker thread; the store is passed in, so that the same code serves live operation, tests and backtests.

import type { Catalogue } from '../catalogue/catalogue.js';
import type { Delta, SplitsDelta } from '../delta/delta.js';
import type { Opportunity, UniverseNews } from '../delta/opportunity.js';
import { Detector } from '../detect/detector.js';
import { REMEMBER_MS } from '../detect/life-cycle.js';
import type { EvaluationQuestion } from '../detect/question.js';
import type { KnownUniverses, Remembered, RememberedChanges } from '../detect/remembered.js';
import { startUniverses } from '../detect/start-universes.js';
import { Interner } from '../memory/interner.js';
import { LIMITS } from '../model/limits.js';
import type { BatchReceipt, NormalMessage } from '../model/normal-message.js';
import type { UniverseSpec } from '../model/opportunity.js';
import { RowChange } from '../model/row.js';
import { ShardRowNumbers } from '../model/shard-row.js';
import type { BookQuotes, EventState } from '../model/state.js';
import type { MoveChanges, StoredMove } from '../moves/move.js';
import type { Moves } from '../moves/moves.js';
import { applyMessage } from './apply.js';
import type { ApplyContext, ShardState } from './apply-context.js';
import { applyExtras } from './apply-extras.js';
import { DeltaBuilder, rowDeepLink } from './delta-builder.js';
import { expireSilent } from './expire.js';
import { FreeNumbers } from './free-numbers.js';
import { sameGameState, settleEvent, settleGameState } from './liveness.js';
import { EventIndex } from './match.js';

/** A batch's changes for the store, as the shard's own objects. */
export interface Commit {
  position: number;
  delta: Delta;
  events: Iterable<EventState>;
  dropped: readonly EventState[];
  books: Iterable<BookQuotes>;
  /** The members of `books` whose set of rows or fixed parts changed. */
  restructured: ReadonlySet<BookQuotes>;
  state: ShardState;
  /** What must be remembered of opportunities. */
  opportunities: RememberedChanges;
  /** Active moves, if moves are enabled. */
  moves: MoveChanges | null;
}

export interface ShardStore {
  /** Loads the state from disk. */
  load(state: ShardState): void;
  /** Opportunities known to earlier runs. */
  remembered(): Iterable<Remembered>;
  /** The universes that knew them; none by default. */
  universes?(): KnownUniverses;
  /** Moves that were active; none by default. */
  moves?(): Iterable<StoredMove>;
  /** The newest splits of every event and source; none by default. */
  latestSplits?(): Iterable<SplitsDelta>;
  /** How long a universe that nobody watches is remembered (ms): as long as the log can lead a reader back to it. */
  readonly rememberMs?: number;
  /**
   * Returns once a batch that changed nothing may be acknowledged; commit() waits for that itself. Throws
   * CommitRefused.
   */
  mayCommit?(): void;
  /** Writes the batch and its log entry in one transaction and returns the encoded delta. Throws StorageFull, CommitRefused. */
  commit(commit: Commit): Uint8Array;
}

/**
 * Replaces the store if nothing is stored and no delta is read: none is built, which is most of the cost of a commit.
 */
export interface NoStore {
  /** The batch's events with new statements, and those that were removed. */
  applied(change: Pick<Commit, 'events' | 'dropped'>): void;
}

export interface BatchResult {
  /** Encoded Delta, or null if nothing at all changed, and if there is no store. */
  delta: Uint8Array | null;
  /**
   * Opportunities that appeared, changed or ended; if there are any there is a delta (with a store). They are not in
   * its bytes.
   */
  news: UniverseNews[];
  receipts: BatchReceipt[];
}

const SWEEP_EVERY_MS = 60_000;

export class Shard {
  readonly #catalogue: Catalogue;
  readonly #store: ShardStore | NoStore;
  readonly #builder: DeltaBuilder;
  readonly #detector: Detector;
  readonly #moves: Moves | undefined;
  /** Called as each stage of a batch ends. */
  onStage: ((ended: 'applied' | 'detected' | 'committed') => void) | undefined;
  #state: ShardState;
  readonly #rowNumbers = new FreeNumbers();
  /** Serial of the last message before the batch: rows with a later mark were seen in it. */
  #seenAfter = 0;
  #nextDeadlineMs = 0;
  #nextSweepMs = 0;

  /**
   * @param universes whose opportunities are watched from the start
   * @param moves no moves are detected if absent
   */
  constructor(
    no: number,
    catalogue: Catalogue,
    store: ShardStore | NoStore,
    universes: readonly UniverseSpec[] = startUniverses(catalogue),
    moves?: Moves,
  ) {
    this.#moves = moves;
    this.#catalogue = catalogue;
    this.#store = store;
    this.#builder = new DeltaBuilder(no, catalogue);
    this.#detector = new Detector({
      books: {
        bookOrder: (book) => catalogue.bookOrder(book),
        ownerOf: (book) => catalogue.ownerOf(book),
        commissionOf: (book) => catalogue.commissionOf(book),
        isSharp: (book) => catalogue.book(book)?.isSharp === true,
      },
      deepLink: (row, quotes) => rowDeepLink(row, quotes, catalogue),
      universes,
      ...(moves === undefined ? {} : { watcher: moves }),
    });
    this.#state = this.#emptyState();
    this.reload();
  }

  /** Markets of the last batch with more lines or middles than are evaluated. */
  get boundedMarkets(): number {
    return this.#detector.boundedMarkets;
  }

  get rowCount(): number {
    return this.#state.rowCount;
  }

  /** Clears memory and reads the store again: at the start, and after a failed commit. */
  reload(): void {
    this.#state = this.#emptyState();
    const store = this.#store;
    if ('load' in store) store.load(this.#state);
    if ('load' in store) this.#detector.reset(store.remembered(), store.universes?.(), store.rememberMs);
    else this.#detector.reset([]);
    if ('load' in store)
      this.#moves?.load(store.moves?.() ?? [], store.latestSplits?.() ?? [], store.rememberMs ?? REMEMBER_MS);
    const used = new Set<number>();
    for (const event of this.#state.events.values())
      for (const quotes of event.books.values()) {
        for (const row of quotes.rows.values()) used.add(row.no);
        this.#detector.touchBook(quotes);
      }
    this.#nextDeadlineMs = 0;
    this.#rowNumbers.reset(used);
  }

  /**
   * Applies a batch as of `position` (Unix µs), lets time pass up to `nowMs` (Unix ms; before the position's time if the
   * clock was set back), and commits both as one delta. An empty batch is a clock tick. If anything fails, memory is read
   * again from the store and the error goes to the caller: no part of the batch is left for the next one to commit.
   */
  apply(messages: readonly NormalMessage[], position: number, nowMs = position / 1000): BatchResult {
    try {
      return this.#apply(messages, position, nowMs);
    } catch (error) {
      this.#builder.reset();
      this.reload();
      throw error;
    }
  }

  #apply(messages: readonly NormalMessage[], position: number, nowMs: number): BatchResult {
    const context: ApplyContext = { catalogue: this.#catalogue, state: this.#state, position };
    const receipts: BatchReceipt[] = [];
    this.#seenAfter = this.#state.serial;
    for (const message of messages) {
      const receipt = applyMessage(message, context);
      applyExtras(message, context, this.#builder, receipt);
      receipts.push(receipt);
    }
    this.#passTime(nowMs);
    this.onStage?.('applied');
    const done = this.#finish(position, nowMs);
    this.onStage?.('committed');
    return { ...done, receipts };
  }

  /** Watches the opportunities of a further set of books; its complete state comes with the next batch. */
  registerUniverse(spec: UniverseSpec): void {
    this.#detector.register(spec);
  }

  dropUniverse(key: string): void {
    this.#detector.drop(key);
  }

  /** Opportunities that no universe retains, over the prices as of the last batch. */
  evaluate(question: EvaluationQuestion): Opportunity[] {
    return this.#detector.answer(question);
  }

  /** The next moment (Unix ms) when time alone may change something; possibly too early, never too late. */
  get nextDeadlineMs(): number {
    return Math.min(this.#nextDeadlineMs, this.#detector.nextDeadlineMs);
  }

  /** Starts that are reached, and games that are long over. */
  #passTime(nowMs: number): void {
    if (nowMs >= this.#nextDeadlineMs) {
      this.#nextDeadlineMs = Number.POSITIVE_INFINITY;
      for (const event of this.#state.events.values())
        if (event.deadlineMs <= nowMs) this.#state.dirtyEvents.add(event);
        else this.#nextDeadlineMs = Math.min(this.#nextDeadlineMs, event.deadlineMs);
    }
    if (nowMs >= this.#nextSweepMs) {
      this.#nextSweepMs = nowMs + SWEEP_EVERY_MS;
      expireSilent(this.#state, nowMs);
    }
  }

  #finish(position: number, nowMs: number): { delta: Uint8Array | null; news: UniverseNews[] } {
    const state = this.#state;
    for (const event of state.dirtyEvents) this.#settle(event, position, nowMs);
    const dropped: EventState[] = [];
    for (const event of state.dirtyEvents) if (event.dropping) dropped.push(event);
    for (const event of dropped) {
      state.events.remove(event);
      state.dirtyEvents.delete(event);
    }
    if (this.#moves !== undefined) for (const splits of this.#builder.splits) this.#moves.noteSplits(splits);
    for (const quotes of state.dirtyBooks) this.#detector.touchBook(quotes);
    const news = this.#detector.evaluate(position, nowMs);
    this.onStage?.('detected');
    const store = this.#store;
    if ('applied' in store) {
      this.#detector.takeChanges();
      this.#moves?.takeChanges();
      store.applied({ events: state.dirtyEvents, dropped });
      this.#clearDirt(this.#builder.discard(state));
      return { delta: null, news };
    }
    const built = this.#builder.build(position, state, dropped, news, this.#seenAfter);
    if (built === null) {
      store.mayCommit?.();
      this.#clearDirt([]);
      return { delta: null, news };
    }
    const bytes = store.commit({
      position,
      delta: built.delta,
      events: state.dirtyEvents,
      dropped,
      books: state.dirtyBooks,
      restructured: built.restructured,
      state,
      opportunities: this.#detector.takeChanges(),
      moves: this.#moves?.takeChanges() ?? null,
    });
    this.#clearDirt(built.freed);
    return { delta: bytes, news };
  }

  /** Settles start, status, liveness and score; where rows show a difference, every row of the event is restated. */
  #settle(event: EventState, position: number, nowMs: number): void {
    const wasLive = event.live;
    const { state, books } = settleGameState(event);
    const moved = !sameGameState(event.state, state);
    if (moved) {
      event.state = state;
      event.dirty = true;
    }
    if (books.join() !== (event.stateBooks ?? []).join()) {
      event.stateBooks = books;
      event.dirty = true;
    }
    const different = settleEvent(event, nowMs);
    this.#nextDeadlineMs = Math.min(this.#nextDeadlineMs, event.deadlineMs);
    if (!different) {
      if (moved) this.#detector.touchState(event);
      return;
    }
    event.dirty = true;
    this.#detector.touchEvent(event);
    for (const quotes of event.books.values()) {
      if (quotes.rows.size > 0) this.#state.dirtyBooks.add(quotes);
      for (const row of quotes.rows.values()) {
        if (event.live !== wasLive) row.changedUs = position;
        if (row.change < RowChange.restated) row.change = RowChange.restated;
        row.updatedPosition = position;
      }
    }
  }

  #clearDirt(freed: readonly number[]): void {
    const state = this.#state;
    for (const quotes of state.dirtyBooks) {
      quotes.removed = null;
      quotes.fixedPartsDirty = false;
    }
    for (const event of state.dirtyEvents) event.dirty = false;
    state.dirtyBooks.clear();
    state.dirtyEvents.clear();
    state.dirtyLeaguePolls.clear();
    // Only now: a number freed and reused within one delta would be ambiguous.
    for (const no of freed) this.#rowNumbers.giveBack(no);
  }

  #emptyState(): ShardState {
    return {
      events: new EventIndex(),
      leaguePolls: new Map(),
      bookNames: [],
      rowCount: 0,
      numbers: new ShardRowNumbers(),
      texts: new Interner(LIMITS.sharedTexts.max),
      serial: 0,
      nextEventNo: 1,
      allocateRowNo: () => this.#rowNumbers.take(),
      dirtyEvents: new Set(),
      dirtyBooks: new Set(),
      dirtyLeaguePolls: new Set(),
    };
  }
}
