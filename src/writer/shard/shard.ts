// A shard: the state of the leagues it owns, and the step from a batch of messages to a committed delta. It runs in a
// worker thread; the store is passed in, so that the same code serves live operation, tests and backtests.

import { Interner } from '../../base/memory/detached-text.js';
import { OPEN_ID_SECRET } from '../../base/model/identity.js';
import { LIMITS } from '../../base/model/limits.js';
import type { BatchReceipt, NormalMessage } from '../../base/model/normal-message.js';
import type { UniverseSpec } from '../../base/model/opportunity.js';
import { present } from '../../base/model/present.js';
import type { ResultRecord } from '../../base/model/result.js';
import { type Row, RowChange } from '../../base/model/row.js';
import { ShardRowNumbers } from '../../base/model/shard-row.js';
import type { BookQuotes, EventState } from '../../base/model/state.js';
import { DAY_MS, HOUR_MS } from '../../base/model/time.js';
import { startUniverses } from '../../detection/detection-limits.js';
import { Detector } from '../../detection/detector.js';
import { composed, openNews, openRecord } from '../../detection/kinds/recorded-opportunity.js';
import type { Moves } from '../../detection/moves/moves.js';
import type { Evaluation, EvaluationQuestion } from '../../detection/question.js';
import type { StoredOpportunities } from '../../detection/watched-universe.js';
import { addRejection } from '../../intake/ingest/fields.js';
import { type Delta, decodeDelta, type SplitsDelta } from '../../log/delta/delta.js';
import type { PackedNews, UniverseNews } from '../../log/delta/opportunity.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { applyMessage } from './apply.js';
import { DeltaBuilder } from './delta-builder.js';
import { DeltaFold } from './fold.js';
import { sameGameState, settleEvent, settleGameState } from './liveness.js';
import { EventIndex, isSwapped } from './match.js';
import { Results } from './results.js';
import { FreeNumbers, ShardRows } from './shard-rows.js';
import { type ApplyContext, BookNumbers, forget, KnownFutures, type ShardState, UsedNames } from './shard-state.js';
import { swapSplits } from './swap-sides.js';

/** A batch's changes for the store, as the shard's own objects. */
export interface Commit {
  position: number;
  delta: Delta;
  /** The delta encoded, where it is known. */
  bytes?: Uint8Array;
  events: Iterable<EventState>;
  dropped: readonly EventState[];
  books: Iterable<BookQuotes>;
  /** The members of `books` whose set of rows or fixed parts changed. */
  restructured: ReadonlySet<BookQuotes>;
  state: ShardState;
}

export interface ShardStore {
  /** Loads the state from disk. */
  load(state: ShardState): void;
  /** Opportunities as of the last commit; none by default. */
  readonly opportunities?: StoredOpportunities;
  /** The newest splits of every event and source; none by default. */
  latestSplits?(): Iterable<SplitsDelta>;
  /** What became of games; nothing by default. */
  results?(): Iterable<ResultRecord>;
  /** How long results are stored after their game's start (ms); a week by default. */
  readonly resultsMs?: number;
  /** Sources of results whose words are kept before others', where a game has too many; none by default. */
  readonly resultSources?: readonly string[];
  /** How long a universe that nobody watches is remembered (ms): as long as the log can lead a reader back to it. */
  readonly keepUnwatchedMs?: number;
  /** Makes room for a batch. Throws StorageFull. */
  prepare(commit: Commit): PreparedCommit;
}

export interface PreparedCommit {
  /** The delta, encoded. */
  bytes: Uint8Array;
  /** Writes the batch and its log entry in one transaction. Throws StorageFull. */
  commit(): void;
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
   * Opportunities that appeared, changed or ended, as in the delta. Its records are valid until the next batch.
   */
  news: PackedNews;
  receipts: BatchReceipt[];
}

export interface ApplyOptions {
  /** New games and their rows that are taken; there are no receipts of messages behind one that has more. */
  newMax?: number | undefined;
  /** It is not committed before commitHeld(), and nothing else is applied before that or undoHeld(). */
  hold?: boolean;
}

const SWEEP_EVERY_MS = 60_000;
/** How long results are stored by default. */
export const RESULTS_MS = 7 * DAY_MS;

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
  readonly #results: Results;
  /** While another process's deltas are followed. */
  #fold: DeltaFold | undefined;
  /** A batch that is applied and not committed. */
  #held: { position: number; commit(): void } | undefined;
  /** Serial of the last message before the batch: rows with a later mark were seen in it. */
  #seenAfter = 0;
  #nextDeadlineMs = 0;
  #nextSweepMs = 0;

  /**
   * @param universes whose opportunities are watched from the start
   * @param moves no moves are detected if absent
   * @param options.joinPrices prices evaluated with one batch for universes registered late
   * @param options.idSecret of the data directory: keys the ids of opportunities and moves
   */
  constructor(
    no: number,
    catalogue: Catalogue,
    store: ShardStore | NoStore,
    universes: readonly UniverseSpec[] = startUniverses(catalogue),
    moves?: Moves,
    { joinPrices, idSecret = OPEN_ID_SECRET }: { joinPrices?: number; idSecret?: string } = {},
  ) {
    this.#moves = moves;
    this.#catalogue = catalogue;
    this.#results = new Results(catalogue, 'load' in store ? store.resultSources : undefined);
    this.#store = store;
    this.#builder = new DeltaBuilder(no, catalogue);
    this.#detector = new Detector({
      books: catalogue,
      idSecret,
      types: catalogue.types,
      universes,
      events: () => this.#state.events.values(),
      ...present({ watcher: moves, joinPrices }),
    });
    this.#state = this.#emptyState();
    this.reload();
  }

  /** Whether empty batches would bring universes nearer to being complete. */
  get joining(): boolean {
    return this.#detector.joining;
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
    this.#fold = undefined;
    this.#held = undefined;
    const store = this.#store;
    if ('load' in store) store.load(this.#state);
    this.#results.load(('load' in store ? store.results?.() : undefined) ?? [], this.#state);
    if ('load' in store) {
      this.#detector.reset(store.opportunities, store.keepUnwatchedMs);
      for (const splits of store.latestSplits?.() ?? []) this.#moves?.noteSplits(splits);
    } else this.#detector.reset();
    for (const event of this.#state.events.values())
      for (const quotes of event.books.values()) this.#detector.touchBook(quotes);
    this.#goOnAlone();
  }

  /** What only a shard that applies messages itself needs to know. */
  #goOnAlone(): void {
    this.#rowNumbers.reset(rowNumbers(this.#state.events.values()));
    this.#nextDeadlineMs = 0;
    this.#fold = undefined;
  }

  /**
   * Applies a batch as of `position` (Unix µs), lets time pass up to `nowMs` (Unix ms; before the position's time if the
   * clock was set back), and commits both as one delta. An empty batch is a clock tick. If anything fails, memory is read
   * again from the store and the error goes to the caller.
   */
  apply(
    messages: readonly NormalMessage[],
    position: number,
    nowMs = position / 1000,
    options: ApplyOptions = {},
  ): BatchResult {
    if (this.#held !== undefined) throw new Error('the batch before is neither committed nor undone');
    if (this.#fold !== undefined) this.#goOnAlone();
    return this.#whole(() => this.#apply(messages, position, nowMs, options));
  }

  /** Commits what apply() held at a position; false if it holds nothing of that. */
  commitHeld(position: number): boolean {
    const held = this.#held;
    if (held?.position !== position) return false;
    this.#held = undefined;
    this.#whole(held.commit);
    return true;
  }

  /** Undoes what apply() held. */
  undoHeld(): void {
    if (this.#held === undefined) return;
    this.#builder.reset();
    this.reload();
  }

  /** Commits another process's batch, by its encoded delta. If that fails, memory is read again from the store. */
  fold(bytes: Uint8Array): void {
    this.#whole(() => this.#follow(bytes));
  }

  /** No part of a batch that failed is left for the next one to commit. */
  #whole<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      this.#builder.reset();
      this.reload();
      throw error;
    }
  }

  #apply(
    messages: readonly NormalMessage[],
    position: number,
    nowMs: number,
    { newMax = Number.POSITIVE_INFINITY, hold = false }: ApplyOptions,
  ): BatchResult {
    const context: ApplyContext = { catalogue: this.#catalogue, state: this.#state, position, room: newMax };
    const receipts: BatchReceipt[] = [];
    this.#seenAfter = this.#state.serial;
    for (const message of messages) {
      const receipt = applyMessage(message, context);
      receipts.push(receipt);
      // What else it says comes with the rest of its games, and what others say after it.
      if (receipt.rest !== undefined) break;
      applyExtras(message, context, this.#builder, receipt);
      this.#results.apply(message, context, receipt);
    }
    this.#passTime(nowMs);
    this.onStage?.('applied');
    const done = this.#finish(position, nowMs, hold);
    this.onStage?.('committed');
    return { receipts, ...done };
  }

  #follow(bytes: Uint8Array): void {
    const delta = decodeDelta(bytes);
    const { position, splits } = delta;
    const { dirtyEvents: events, dirtyBooks: books } = this.#state;
    this.#fold ??= new DeltaFold(this.#state, this.#results);
    const { dropped, restructured, moved, scored } = this.#fold.apply(delta);
    for (const stated of splits) this.#moves?.noteSplits(stated);
    for (const quotes of books) this.#detector.touchBook(quotes);
    for (const event of moved) this.#detector.touchEvent(event);
    for (const event of scored) this.#detector.touchState(event);
    this.#detector.follow(position, position / 1000);
    for (const { rows } of books) for (const row of rows.values()) row.change = RowChange.none;
    const store = this.#store;
    if ('applied' in store) store.applied({ events, dropped });
    else store.prepare({ position, delta, bytes, events, dropped, books, restructured, state: this.#state }).commit();
    this.#clearDirt([]);
  }

  /** Watches the opportunities of a further set of books; it is complete with one of the next batches. */
  registerUniverse(spec: UniverseSpec): void {
    this.#detector.register(spec);
  }

  dropUniverse(key: string): void {
    this.#detector.drop(key);
  }

  /** Of opportunities that no universe retains: to be run between batches. */
  evaluation(question: EvaluationQuestion): Evaluation {
    return this.#detector.evaluation(question, (record, detectedUs) =>
      composed(openRecord(this.#rows, record, 0, detectedUs, detectedUs, question.method)!),
    );
  }

  /** A batch's opportunities as they are now, before the next batch. */
  open(news: PackedNews): UniverseNews[] {
    return openNews(news, this.#rows);
  }

  get #rows(): ShardRows {
    return new ShardRows(this.#detector.prices, this.#catalogue, () => this.#state.events.values());
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
      const keptMs = ('load' in this.#store ? this.#store.resultsMs : undefined) ?? RESULTS_MS;
      this.#results.expire(nowMs - keptMs, this.#state);
    }
  }

  #finish(position: number, nowMs: number, hold: boolean): { delta: Uint8Array | null; news: PackedNews } {
    const state = this.#state;
    for (const event of state.dirtyEvents) this.#settle(event, position, nowMs);
    const dropped: EventState[] = [];
    for (const event of state.dirtyEvents) if (event.dropping) dropped.push(event);
    for (const event of dropped) {
      this.#results.noteGone(event);
      forget(state, event);
    }
    if (this.#moves !== undefined) for (const splits of this.#builder.splits) this.#moves.noteSplits(splits);
    for (const quotes of state.dirtyBooks) this.#detector.touchBook(quotes);
    const news = this.#detector.evaluate(position, nowMs);
    this.onStage?.('detected');
    const store = this.#store;
    if ('applied' in store) {
      store.applied({ events: state.dirtyEvents, dropped });
      this.#clearDirt(this.#builder.discard(state));
      return { delta: null, news };
    }
    const results = this.#results.takeChanges();
    const built = this.#builder.build(position, state, dropped, news, this.#seenAfter, results);
    if (built === null) {
      this.#clearDirt([]);
      return { delta: null, news };
    }
    const { delta, restructured, freed } = built;
    const { bytes, commit } = store.prepare({
      position,
      delta,
      events: state.dirtyEvents,
      dropped,
      books: state.dirtyBooks,
      restructured,
      state,
    });
    this.#held = {
      position,
      commit: () => {
        commit();
        this.#clearDirt(freed);
      },
    };
    if (!hold) this.commitHeld(position);
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
    const told = this.#results.endOf(event.id);
    // It is on again by who called it off.
    if (event.told === 'postponed' && told === null) event.calledOffMs = undefined;
    event.told = told;
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
        if (event.live !== wasLive) {
          row.changedUs = position;
          row.pregame = event.live && row.change !== RowChange.added && !movedInPlay(row, quotes);
        }
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
      quotes.deepened = null;
      quotes.movedLive = null;
      quotes.restated = false;
      quotes.moved = false;
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
      books: new BookNumbers(),
      names: new UsedNames(this.#catalogue),
      futures: new KnownFutures(),
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

/** Whether its price moved with this batch, and in play: its book says so, or showed it after the start. */
function movedInPlay(row: Row, { movedLive, live, status, event }: BookQuotes): boolean {
  return movedLive?.has(row) === true && ((live ?? status === 'live') || row.seenMs >= event.startMs);
}

// Removes games that are long over and on which every book has been silent for long. Measured from the last message
// received, not from recorded times, so that a replay of old polls is not removed while it plays.

const AFTER_START_MS = 36 * HOUR_MS;
const SILENCE_MS = 24 * HOUR_MS;

function expireSilent(state: ShardState, nowMs: number): void {
  for (const event of state.events.values()) {
    if (event.startMs > nowMs - AFTER_START_MS || event.createdPosition / 1000 > nowMs - SILENCE_MS) continue;
    let silent = true;
    for (const quotes of event.books.values()) if (quotes.appliedUs / 1000 > nowMs - SILENCE_MS) silent = false;
    if (!silent) continue;
    for (const quotes of event.books.values()) {
      if (quotes.rows.size === 0) continue;
      quotes.removed ??= new Map();
      for (const [key, row] of quotes.rows) {
        quotes.removed.set(key, row);
        state.names.countRow(row, -1);
      }
      state.rowCount -= quotes.rows.size;
      quotes.rows.clear();
      state.dirtyBooks.add(quotes);
    }
    event.dropping = true;
    state.dirtyEvents.add(event);
  }
}

function* rowNumbers(events: Iterable<EventState>): Iterable<number> {
  for (const { books } of events) for (const { rows } of books.values()) for (const { no } of rows.values()) yield no;
}

/**
 * Splits and futures of a message: they have no rows in the odds table and go into the delta; splits of a source that
 * swaps home and away are swapped back.
 */
function applyExtras(
  message: NormalMessage,
  context: ApplyContext,
  builder: DeltaBuilder,
  receipt: BatchReceipt,
): void {
  const { state, catalogue } = context;
  for (const { path, eventId, league, sport, home, away, startMs, ...splits } of message.splits) {
    const ref = state.events.known({ eventId, league, sport, home, away, startMs }, catalogue);
    const event = state.events.referred(ref, splits.source, message.polledUs, catalogue);
    if (event === undefined) {
      addRejection(receipt.rejected, path, 'unknown event: splits follow odds of the same game');
      continue;
    }
    builder.addSplits({
      eventId: event.id,
      league: event.league,
      sport: event.sport,
      home: event.home,
      away: event.away,
      splits: isSwapped(event, ref, catalogue) ? swapSplits(splits) : splits,
    });
    receipt.accepted++;
  }
  for (const future of message.futures) {
    const entry = { book: message.book, polledMs: Math.floor(message.polledUs / 1000), future };
    builder.addFuture(entry);
    state.futures.take(entry);
    receipt.accepted += future.quotes.length;
  }
  for (const forgotten of state.futures.overflow()) builder.addFuture(forgotten);
}
