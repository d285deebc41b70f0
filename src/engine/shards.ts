// The shards of an engine: their threads, the queues of messages for them while this process writes the log, and the
// universes watched in them.

import { setImmediate, setTimeout } from 'node:timers/promises';
import { AccountQueue } from '../accounts/account-queue.js';
import type { Caller } from '../accounts/key-record.js';
import { diagnosticChannels } from '../base/diagnostics/diagnostic-channels.js';
import { type Clock, monotonicMs } from '../base/model/clock.js';
import { ApiError, noWriter } from '../base/model/errors.js';
import { LIMITS } from '../base/model/limits.js';
import type { EngineLog } from '../base/model/log.js';
import type { AwaitedGame, EventRef } from '../base/model/normal-message.js';
import type { UniverseSpec } from '../base/model/opportunity.js';
import { endWhereGivenUp } from '../base/model/storage-error.js';
import { startUniverses } from '../detection/detection-limits.js';
import { bestOf, type EvaluationQuestion } from '../detection/question.js';
import { addRejections } from '../intake/ingest/fields.js';
import { type NormaliseContext, normaliseAllSteps } from '../intake/ingest/normalise.js';
import { UnmatchedNotes } from '../intake/ingest/unknown-names.js';
import { type Control, soleQueue } from '../log/control/control.js';
import { ControlQueue } from '../log/control/control-queue.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import type { DataDirectory } from '../store/data-directory.js';
import type { OddsTable } from '../tables/table.js';
import type { OpportunityTable } from '../tables/universe-opportunities.js';
import type { LogBatch } from '../writer/pool/protocol.js';
import { type Journal, Replication } from '../writer/pool/replication.js';
import { PositionSequencer, ShardQueues } from '../writer/pool/shard-queues.js';
import { ShardThread } from '../writer/pool/shard-thread.js';
import type { Retention } from '../writer/pool/shard-writer.js';
import type { EngineOptions, Evaluated, IngestAnswer, IngestOptions } from './engine-options.js';
import { RecordedRuns, type RecordedRunsOptions, type RunPlayer } from './recorded-runs.js';

const TICK_MS = 250;

/** The engine they are of, whose tables may not be filled yet. */
export interface ShardsEngine {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly directory: DataDirectory;
  readonly control: Control;
  readonly table: OddsTable;
  readonly opportunities: OpportunityTable;
  readonly delayed: { readonly position: number };
  readonly awaited: ((ref: EventRef) => AwaitedGame | undefined) | undefined;
  follow(batch: LogBatch): void;
  reached(position: number): void;
  missed(shard: number, upTo: number): LogBatch[];
}

export class Shards {
  readonly #engine: ShardsEngine;
  readonly #options: EngineOptions;
  readonly retention: Retention;
  readonly #threads: ShardThread[];
  /** Undefined while another machine writes the log. */
  #queues: ShardQueues | undefined;
  /** Settles when nothing of the terms before is under way. */
  #ended: Promise<unknown> = Promise.resolve();
  #batches: Omit<RecordedRunsOptions, 'context' | 'notes'> | undefined;
  /** Watched by every shard from its start. */
  readonly #permanent: ReadonlySet<string>;
  /** Watched besides. */
  readonly #universes = new Set<string>();
  readonly #normaliseContext: NormaliseContext;
  readonly #readings = new MessageReader();
  /** Callers' questions: each costs as much as thousands of batches. Those of all fronts wait in this one queue. */
  readonly #evaluations = new AccountQueue({
    running: LIMITS.evaluations.max,
    ofAccount: LIMITS.evaluationsOfAccount.max,
    waiting: LIMITS.evaluationsWaiting.max,
    waitingOfAccount: LIMITS.evaluationsWaitingOfAccount.max,
    timeMs: LIMITS.evaluationTime.max,
  });
  readonly unmatchedNotes: UnmatchedNotes;
  #ticker: NodeJS.Timeout | undefined;

  /** Starts the threads, which read their stores. */
  constructor(options: EngineOptions, engine: ShardsEngine) {
    const { catalogue, clock, directory } = engine;
    this.#options = options;
    this.#engine = engine;
    this.retention = options.retention;
    this.#permanent = new Set(startUniverses(catalogue).map(({ key }) => key));
    this.unmatchedNotes = new UnmatchedNotes(() => clock.now());
    this.#normaliseContext = {
      awaited: (ref) => engine.awaited?.(ref),
      catalogue,
      clock,
      leagueOfEvent: (id) => engine.table.events.get(id),
      takesSimulated: () => directory.takesSimulated(),
      unmatched: this.unmatchedNotes,
    };
    this.#threads = directory.envs.map(
      (_, shard) =>
        new ShardThread(
          {
            shard,
            dataDir: options.dataDir,
            catalogue: catalogue.data,
            durability: options.durability,
            retention: options.retention,
            idSecret: directory.idSecret,
          },
          () => engine.delayed.position,
          options.log,
        ),
    );
  }

  get missingThreads(): readonly number[] {
    return this.#threads.flatMap(({ shard, alive }) => (alive ? [] : shard));
  }

  get hangingThreads(): readonly number[] {
    return this.#threads.flatMap(({ shard, hangs }) => (hangs ? shard : []));
  }

  /** Settles when the shards' threads have begun; rejects if one failed at its start. */
  async begun(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.begun));
  }

  /** As `begun`: and have read their stores. */
  async serving(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.serving));
  }

  /** Starts the clock ticks: starts of games, and whatever else time alone changes. */
  start(): void {
    if (!this.#options.recorded) this.#ticker = setInterval(() => this.tick(), TICK_MS);
  }

  tick(): void {
    this.#queues?.tick();
  }

  /** Settles when nothing is under way. */
  async idle(): Promise<void> {
    await this.#queues?.idle();
  }

  /** Accepts messages from now on, at positions after `head`. @param journal of a log that several machines share */
  lead(head: number, journal?: Journal): void {
    const engine = this.#engine;
    const { clock } = engine;
    const { queueQuotesMax, log, recorded } = this.#options;
    const store = engine.directory.control;
    const positions = new PositionSequencer(clock, Math.max(head, store.position), (byMs) =>
      log.warn(
        { seconds: Math.round(byMs / 1_000) },
        'the clock was set back: what was polled before what is stored of its book changes nothing',
      ),
    );
    const replication = journal && new Replication(journal);
    const reached = (position: number): void => engine.reached(position);
    const queue = new ControlQueue({ store, clock, positions, log: replication, reached });
    // In a recording's time positions are the same in every run, whenever usage is stored.
    engine.control.lead(recorded === true ? soleQueue(store, clock, () => engine.table.position) : queue);
    this.#batches = {
      threads: this.#threads,
      positions,
      deliver: (batch) => engine.follow(batch),
      missed: (shard, upTo) => engine.missed(shard, upTo),
      reached,
      onThreadLost: threadLost(log),
      source: engine,
    };
    this.#queues = new ShardQueues({ ...this.#batches, queueQuotesMax, replication });
  }

  async ingest(
    raw: readonly unknown[],
    { sinceMs = monotonicMs(), strict = false, sender = '', account, onRead }: IngestOptions = {},
  ): Promise<IngestAnswer> {
    const context = account === undefined ? this.#normaliseContext : { account, ...this.#normaliseContext };
    const reading = this.#readings.read(sender, normaliseAllSteps(raw, context, strict), onRead);
    const { messages, rejected, unread, unknown } = reading instanceof Promise ? await reading : reading;
    const { ingestRead } = diagnosticChannels;
    if (ingestRead.hasSubscribers)
      ingestRead.publish({
        source: this.#engine,
        messages: raw.length,
        ms: monotonicMs() - sinceMs,
        unknown: unknown.counts,
      });
    if (this.#queues === undefined) throw noWriter();
    const { joined = [], rejected: refused, ...counts } = await this.#queues.submit(messages);
    this.unmatchedNotes.joined(joined);
    addRejections(rejected, refused);
    this.unmatchedNotes.refused(raw, rejected);
    return { rejected, unread, position: this.#engine.table.position, unknown: unknown.lists, ...counts };
  }

  /** Of a recording's player. */
  recordedRuns(player: RunPlayer): RecordedRuns {
    if (this.#batches === undefined) throw noWriter();
    return new RecordedRuns({ ...this.#batches, context: this.#normaliseContext, notes: this.unmatchedNotes }, player);
  }

  /** The next moment (Unix ms) when time alone may change something; possibly too early. */
  get nextDeadlineMs(): number {
    return Math.min(...this.#threads.map((thread) => thread.nextDeadlineMs));
  }

  /**
   * Watches the opportunities of a set of books; settles when the table of opportunities has its active ones of every
   * shard. Rejects with ApiError `unavailable` where another machine writes and while a shard has no thread, `storage_full`
   * while one has no room; the tiers' own universes wait for it.
   */
  async ensureUniverse(spec: UniverseSpec): Promise<void> {
    const { key } = spec;
    if (!this.#permanent.has(key) && !this.#universes.has(key)) {
      this.#universes.add(key);
      for (const thread of this.#threads)
        thread.registerUniverse({ ...spec, fromPosition: this.#engine.table.position });
    }
    while (!this.isWatched(key)) {
      if (this.#queues === undefined) throw noWriter();
      // Registered with the next batch of each shard; an idle one is sent an empty batch.
      this.#queues.tick();
      await this.#queues.idle();
      if (this.isWatched(key)) return;
      if (!this.#permanent.has(key)) this.#refuseToWait();
      // A thread that was just replaced answers later.
      await setTimeout(TICK_MS, undefined, { ref: false });
    }
  }

  /** Throws if what is asked of the shards would wait for longer than a moment. */
  #refuseToWait(): void {
    if (this.missingThreads.length > 0)
      throw new ApiError('unavailable', 'a shard could not be started and is tried again', { retryAfter: 1 });
    if (this.#threads.some(({ isFull }) => isFull))
      throw new ApiError('storage_full', 'a shard has no room for what it finds', { retryAfter: 5 });
  }

  /** Accepts nothing any more; settles when nothing is under way, also of before an earlier call. */
  async stepDown(): Promise<void> {
    const queues = this.#queues;
    this.#queues = undefined;
    this.#universes.clear();
    for (const thread of this.#threads) thread.dropUniverses();
    this.#ended = Promise.all([this.#ended, queues?.idle(), this.#engine.control.stepDown()]);
    await this.#ended;
  }

  /**
   * Makes a shard commit a batch of the log's writer, by its delta, without showing it; returns why it could not, else
   * null. Rejects if its thread died.
   */
  async fold(shard: number, delta: Uint8Array): Promise<string | null> {
    const thread = this.#threads[shard];
    if (thread === undefined) throw new Error(`the log has a batch for shard ${shard}, which there is not`);
    const { failure, release } = await thread.fold(delta);
    release();
    return failure;
  }

  isWatched(key: string): boolean {
    const isKnown = this.#permanent.has(key) || this.#universes.has(key);
    return isKnown && this.#threads.every((thread) => thread.isReady(key));
  }

  dropUniverse(key: string): void {
    if (this.#universes.delete(key)) for (const thread of this.#threads) thread.dropUniverse(key);
  }

  evaluate(question: EvaluationQuestion, caller: Caller): Promise<Evaluated> {
    return this.#evaluations.run(caller, (end) => this.#evaluate(question, end));
  }

  /** In every shard. */
  async #evaluate(question: EvaluationQuestion, end: AbortController): Promise<Evaluated> {
    const from = this.#engine.table.position;
    const shards = this.#threads.map((thread) =>
      thread
        .evaluate(question, async () => this.#queues?.idleIn(thread.shard), end.signal)
        .catch((error: unknown) => {
          // The others have nothing to go on for.
          end.abort(error);
          return undefined;
        }),
    );
    const found = (await Promise.all(shards)).filter((each) => each !== undefined);
    end.signal.throwIfAborted();
    const opportunities = bestOf(found.map((each) => each.opportunities));
    for (const one of opportunities)
      one.detectedUs = Math.min(one.detectedUs, this.#engine.opportunities.detectedUs(one.id));
    const prices = found.reduce((sum, each) => sum + each.prices, 0);
    return { opportunities, from, to: this.#engine.table.position, prices };
  }

  get queueDepths(): number[] {
    return this.#queues?.depths ?? [];
  }

  /** Terminates a shard's thread as a crash would (tests of recovery). */
  async kill(shard: number): Promise<void> {
    await this.#threads[shard]?.kill();
  }

  /** The tables could not be filled: the threads do not outlive that. */
  end(): void {
    for (const thread of this.#threads) void thread.end();
  }

  /** Once it is idle. */
  async close(): Promise<void> {
    clearInterval(this.#ticker);
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

/** What is done when a batch failed with its thread: the operator is told, unless he was already. */
function threadLost(log: EngineLog): (shard: number, error: unknown) => void {
  return (shard, error) => {
    // What is said of a thread that could not be started is said once, not of every batch.
    if (error instanceof ApiError) return;
    log.error({ shard, err: error }, 'a batch failed with its thread, and is tried again once');
    endWhereGivenUp(error);
  };
}

// Messages are read in turns of a few milliseconds, as everybody is answered on the same thread. Those of one sender are
// read one after the other, so that their order stays.

const TURN_MS = LIMITS.requestsTurn.max;

export class MessageReader {
  /** The last of each sender that has one under way. */
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #nowMs: () => number;

  constructor(nowMs = monotonicMs) {
    this.#nowMs = nowMs;
  }

  /**
   * The result at once if that takes no longer than a turn and nothing of the sender is under way.
   * @param onRead called with what it took in later turns
   */
  read<Result>(
    sender: string,
    steps: Generator<void, Result>,
    onRead?: (ms: number) => void,
  ): Result | Promise<Result> {
    const before = this.#last.get(sender);
    if (before === undefined) {
      const done = this.#turn(steps);
      if (done !== undefined) return done.value;
    }
    const reading = this.#inTurns(steps, before, onRead);
    const settled = reading.then(
      () => undefined,
      () => undefined,
    );
    this.#last.set(sender, settled);
    void settled.then(() => {
      if (this.#last.get(sender) === settled) this.#last.delete(sender);
    });
    return reading;
  }

  async #inTurns<Result>(
    steps: Generator<void, Result>,
    before: Promise<unknown> | undefined,
    onRead: ((ms: number) => void) | undefined,
  ): Promise<Result> {
    await before;
    let ms = 0;
    try {
      for (;;) {
        await setImmediate();
        const fromMs = this.#nowMs();
        const done = this.#turn(steps);
        ms += this.#nowMs() - fromMs;
        if (done !== undefined) return done.value;
      }
    } finally {
      onRead?.(ms);
    }
  }

  /** Undefined if there is more to do. */
  #turn<Result>(steps: Generator<void, Result>): { value: Result } | undefined {
    const untilMs = this.#nowMs() + TURN_MS;
    do {
      const step = steps.next();
      if (step.done) return step;
    } while (this.#nowMs() < untilMs);
    return undefined;
  }
}
