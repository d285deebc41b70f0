// The engine (docs/project/architecture.md): feeds push into the intake, shards commit, deltas come back in the log's
// order.

import { setTimeout } from 'node:timers/promises';
import type { Caller } from '../accounts/caller.js';
import { diagnosticChannels } from '../base/diagnostics/diagnostic-channels.js';
import { type Clock, monotonicMs } from '../base/model/clock.js';
import { ApiError, noWriter } from '../base/model/errors.js';
import type { EngineLog } from '../base/model/log.js';
import type { AwaitedGame, EventRef } from '../base/model/normal-message.js';
import type { UniverseSpec } from '../base/model/opportunity.js';
import { endWhereGivenUp } from '../base/model/storage-error.js';
import type { EvaluationQuestion } from '../detection/question.js';
import { startUniverses } from '../detection/start-universes.js';
import { type NormaliseContext, normaliseAllSteps } from '../intake/ingest/normalise.js';
import { UnmatchedNotes } from '../intake/ingest/unmatched.js';
import { Control, soleQueue } from '../log/control/control.js';
import { CONTROL_SHARD, type ControlAnswer, ControlQueue, type ControlRequest } from '../log/control/control-queue.js';
import { DELTA_VERSION } from '../log/delta/delta.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import { loadCatalogue } from '../rules/catalogue/load.js';
import { isDelayed } from '../rules/catalogue/tiers.js';
import type { Tier } from '../rules/catalogue/types.js';
import { type DataDirectory, openDataDirectory } from '../store/data-directory.js';
import { DelayedStore } from '../store/delayed-store.js';
import type { DelayedTable } from '../tables/delayed/delayed-table.js';
import type { DeltaListener } from '../tables/delta-listener.js';
import type { OpportunityTable } from '../tables/opportunity-table.js';
import type { OddsTable } from '../tables/table.js';
import { Intake } from '../writer/pool/intake.js';
import { PositionSequencer } from '../writer/pool/position-sequencer.js';
import type { LogBatch } from '../writer/pool/protocol.js';
import { type Journal, Replication } from '../writer/pool/replication.js';
import { ShardThread } from '../writer/pool/shard-thread.js';
import type { Retention } from '../writer/pool/shard-writer.js';
import type { EngineOptions, NodeFacts } from './engine-options.js';
import type { ClusterState, EngineView, IngestAnswer, IngestOptions } from './engine-view.js';
import { type Evaluated, evaluateIn, evaluationQueue } from './evaluations.js';
import type { Follower } from './follower.js';
import { MessageReader } from './message-reader.js';
import { nodeName } from './node-name.js';
import { openTables, type Tables } from './open-tables.js';
import { RecordedRuns, type RecordedRunsOptions, type RunPlayer } from './recorded-runs.js';

const TICK_MS = 250;

export class Engine implements EngineView {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly table: OddsTable;
  readonly opportunities: OpportunityTable;
  readonly directory: DataDirectory;
  readonly control: Control;
  readonly retention: Retention;
  readonly #options: EngineOptions;
  /** Undefined while another machine writes the log. */
  #intake: Intake | undefined;
  #batches: Omit<RecordedRunsOptions, 'context' | 'notes'> | undefined;
  readonly #threads: ShardThread[];
  readonly #follower: Follower;
  /** Watched by every shard from its start. */
  protected readonly permanent: ReadonlySet<string>;
  /** Watched besides. */
  readonly #universes = new Set<string>();
  readonly #normaliseContext: NormaliseContext;
  readonly #readings = new MessageReader();
  /** A game that bets wait for, if it is the one that a result refers to: the table may have forgotten it. */
  awaited: ((ref: EventRef) => AwaitedGame | undefined) | undefined;
  readonly delayed: DelayedTable;
  /** Directory of the delayed table's store. */
  readonly delayedStore: DelayedStore;
  readonly #node: NodeFacts;
  readonly #evaluations = evaluationQueue();
  readonly unmatchedNotes = new UnmatchedNotes(() => this.clock.now());
  readonly unmatched = async () => this.unmatchedNotes.list();
  #reached = 0;
  #ticker: NodeJS.Timeout | undefined;

  /** Opens (or creates) the data directory, starts the shards and fills the table from disk. */
  constructor(options: EngineOptions) {
    this.catalogue = loadCatalogue(options.catalogueDir, options.money);
    this.clock = options.clock;
    this.retention = options.retention;
    this.directory = openDirectory(options);
    this.delayedStore = new DelayedStore(options.dataDir);
    this.control = new Control(this.directory.control, (request) => this.forwardControl(request));
    // The threads read their stores while this thread fills the table from the same files.
    this.#threads = this.directory.envs.map(
      (_, shard) =>
        new ShardThread(
          {
            shard,
            dataDir: options.dataDir,
            catalogue: this.catalogue.data,
            durability: options.durability,
            retention: options.retention,
            idSecret: this.directory.idSecret,
          },
          () => this.delayed.position,
          options.log,
        ),
    );
    const { table, opportunities, delayed, follower } = this.#openTables(options);
    this.table = table;
    this.opportunities = opportunities;
    this.delayed = delayed;
    this.#follower = follower;
    this.permanent = new Set(startUniverses(this.catalogue).map(({ key }) => key));
    this.#options = options;
    if (options.standby !== true) this.#intake = this.#newIntake(table.position, undefined);
    this.#node = options.node ?? { role: 'all', writer: nodeName(), fronts: 0 };
    this.#normaliseContext = {
      awaited: (ref) => this.awaited?.(ref),
      catalogue: this.catalogue,
      clock: this.clock,
      leagueOfEvent: (id) => this.table.events.get(id),
      realOnly: !this.directory.simulated,
      unmatched: this.unmatchedNotes,
    };
  }

  /** The threads do not outlive a store that cannot be read. */
  #openTables({ clock, delaySeconds = 60, retention, log, standby = false }: EngineOptions): Tables {
    const { catalogue, directory, delayedStore } = this;
    try {
      return openTables({
        ...{ catalogue, directory, delayedStore, clock, delaySeconds, log },
        logSeconds: retention.logSeconds,
        follows: standby,
        reached: () => this.#reached,
        source: this,
      });
    } catch (error) {
      for (const thread of this.#threads) void thread.end();
      throw error;
    }
  }

  #newIntake(head: number, journal: Journal | undefined): Intake {
    const { clock, queueQuotesMax, log } = this.#options;
    const store = this.directory.control;
    const positions = new PositionSequencer(clock, Math.max(head, store.position));
    const replication = journal && new Replication(journal);
    const reached = (position: number): void => this.reached(position);
    const queue = new ControlQueue({ store, clock, positions, log: replication, reached });
    // In a recording's time positions are the same in every run, whenever usage is stored.
    this.control.lead(this.#options.recorded === true ? soleQueue(store, clock, () => this.table.position) : queue);
    this.#batches = {
      threads: this.#threads,
      positions,
      deliver: (batch) => this.follow(batch),
      missed: (shard, upTo) => this.#follower.missed(shard, upTo),
      reached,
      onThreadLost: threadLost(log),
      source: this,
    };
    return new Intake({ ...this.#batches, queueQuotesMax, replication });
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
    if (!this.#options.recorded) this.#ticker = setInterval(() => this.#intake?.tick(), TICK_MS);
    this.delayed.start();
  }

  /**
   * As in EngineView. Throws ApiError ingest_queue_full, storage_full or unavailable; nothing of the messages is
   * acknowledged then.
   */
  async ingest(
    raw: readonly unknown[],
    { sinceMs = monotonicMs(), strict = false, sender = '', account, onRead }: IngestOptions = {},
  ): Promise<IngestAnswer> {
    const context = account === undefined ? this.#normaliseContext : { ...this.#normaliseContext, account };
    const reading = this.#readings.read(sender, normaliseAllSteps(raw, context, strict), onRead);
    const { messages, rejected, unread, unknown } = reading instanceof Promise ? await reading : reading;
    const { ingestRead } = diagnosticChannels;
    if (ingestRead.hasSubscribers)
      ingestRead.publish({ source: this, messages: raw.length, ms: monotonicMs() - sinceMs, unknown: unknown.counts });
    if (this.#intake === undefined) throw noWriter();
    const { joined = [], ...receipt } = await this.#intake.submit(messages);
    this.unmatchedNotes.joined(joined);
    rejected.push(...receipt.rejected);
    this.unmatchedNotes.refused(raw, rejected);
    return { ...receipt, rejected, unread, position: this.table.position, unknown: unknown.lists };
  }

  /** Of a recording's player. */
  recordedRuns(player: RunPlayer): RecordedRuns {
    if (this.#batches === undefined) throw noWriter();
    return new RecordedRuns({ ...this.#batches, context: this.#normaliseContext, notes: this.unmatchedNotes }, player);
  }

  /** As tick(); settles when what that changes is committed and shown. */
  async passTime(): Promise<void> {
    // A batch under way has an earlier time.
    await this.#intake?.idle();
    this.tick();
    await this.#intake?.idle();
    this.delayed.advance();
  }

  /** The next moment (Unix ms) when time alone may change something; possibly too early. */
  get nextDeadlineMs(): number {
    return Math.min(...this.#threads.map((thread) => thread.nextDeadlineMs));
  }

  tick(): void {
    this.#intake?.tick();
    this.delayed.advance();
  }

  /**
   * Watches the opportunities of a set of books; settles when the table of opportunities has its active ones of every
   * shard. Rejects with ApiError `unavailable` where another machine writes, and while a shard has no thread; the tiers'
   * own universes wait for it.
   */
  async ensureUniverse(spec: UniverseSpec, _?: Caller): Promise<void> {
    const { key } = spec;
    if (!this.permanent.has(key) && !this.#universes.has(key)) {
      this.#universes.add(key);
      for (const thread of this.#threads) thread.registerUniverse({ ...spec, fromPosition: this.table.position });
    }
    while (!this.isWatched(key)) {
      if (this.#intake === undefined) throw noWriter();
      // Registered with the next batch of each shard; an idle one is sent an empty batch.
      this.#intake.tick();
      await this.#intake.idle();
      if (this.isWatched(key)) return;
      if (this.missingThreads.length > 0 && !this.permanent.has(key))
        throw new ApiError('unavailable', 'a shard could not be started and is tried again', { retryAfter: 1 });
      // A thread that was just replaced answers later.
      await setTimeout(TICK_MS, undefined, { ref: false });
    }
  }

  /** Accepts messages from now on, as the writer of a log that several machines share; positions are after `head`. */
  lead(head: number, journal: Journal): void {
    this.#intake = this.#newIntake(head, journal);
  }

  /** Accepts nothing any more; settles when nothing is under way. */
  async stepDown(): Promise<void> {
    const intake = this.#intake;
    this.#intake = undefined;
    this.#universes.clear();
    for (const thread of this.#threads) thread.dropUniverses();
    await Promise.all([intake?.idle(), this.control.stepDown()]);
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

  /** Position up to which everything of the shard is shown. */
  shown(shard: number): number {
    return shard === CONTROL_SHARD ? this.directory.control.position : this.#follower.appliedOf(shard);
  }

  /** Shows a committed batch. In the order of positions. */
  follow(batch: LogBatch): void {
    this.#options.onBatch?.(batch);
    this.#follower.deliver(batch.delta);
  }

  isWatched(key: string): boolean {
    const isKnown = this.permanent.has(key) || this.#universes.has(key);
    return isKnown && this.#threads.every((thread) => thread.isReady(key));
  }

  dropUniverse(key: string): void {
    if (this.#universes.delete(key)) for (const thread of this.#threads) thread.dropUniverse(key);
  }

  evaluate(question: EvaluationQuestion, caller: Caller): Promise<Evaluated> {
    return this.#evaluations.run(caller, (end) => this.#evaluate(question, end));
  }

  async #evaluate(question: EvaluationQuestion, end: AbortController): Promise<Evaluated> {
    const from = this.table.position;
    const idleIn = async (shard: number): Promise<void> => this.#intake?.idleIn(shard);
    const found = await evaluateIn(this.#threads, idleIn, question, end);
    for (const one of found.opportunities)
      one.detectedUs = Math.min(one.detectedUs, this.opportunities.detectedUs(one.id));
    return { ...found, from, to: this.table.position };
  }

  /** Where another process writes the log. */
  protected forwardControl(_: ControlRequest): Promise<ControlAnswer> {
    return Promise.reject(noWriter());
  }

  /** The table a tier reads: Free reads the delayed one. */
  tableFor(tier: Tier): OddsTable {
    return isDelayed(tier) ? this.delayed.table : this.table;
  }

  get alone(): boolean {
    return this.#options.node === undefined;
  }

  positionFor(tier: Tier): number {
    return isDelayed(tier) ? this.delayed.position : this.table.position;
  }

  reachedFor(tier: Tier): number {
    return isDelayed(tier) ? this.delayed.position : Math.max(this.table.position, this.#reached);
  }

  /** Everything up to a position is shown, whether it changed anything or not. In the order of positions. */
  reached(position: number): void {
    this.#reached = position;
  }

  onDelta(listener: DeltaListener): void {
    this.#follower.listen(listener);
  }

  get queueDepths(): number[] {
    return this.#intake?.depths ?? [];
  }

  get oldestPosition(): number {
    return this.table.tombstones.completeFrom;
  }

  get cluster(): ClusterState {
    const { role, writer, fronts } = this.#node;
    return { role, writer, position: this.table.position, lagMs: 0, fronts };
  }

  /** Terminates a shard's thread as a crash would (tests of recovery). */
  async killShard(shard: number): Promise<void> {
    await this.#threads[shard]?.kill();
  }

  /** Finishes what is queued, flushes and closes. */
  async close(): Promise<void> {
    clearInterval(this.#ticker);
    await Promise.all([this.#intake?.idle(), this.control.close()]);
    await Promise.all(this.#threads.map((thread) => thread.close()));
    await this.delayed.close();
    await this.directory.close();
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

/** Opens (or creates) an engine's data directory, and says in the log what its operator must know of it. */
function openDirectory({ dataDir, workers, clock, log, ...options }: EngineOptions): DataDirectory {
  const directory = openDataDirectory(dataDir, workers, clock, {
    durability: options.durability,
    simulated: options.simulated ?? false,
    ofCluster: options.standby === true,
    named: options.named,
    onUpgraded: (from) =>
      log.warn(
        { from, to: DELTA_VERSION },
        'the data directory was upgraded: earlier releases of overround cannot open it any more',
      ),
    onRewriting: (shard, bytes) =>
      log.warn({ shard, bytes }, 'the disk refused to flush this file: it is written again before the start'),
    onUnsafe: (shard, err) =>
      log.error({ shard, err }, 'the disk refused a checkpoint: losing power now would lose more than a second'),
    onSafe: (shard) => log.info({ shard }, 'the disk takes checkpoints again'),
  });
  if (directory.fellBack)
    log.warn({ epoch: directory.epoch }, 'the machine lost power: the store is as of its last checkpoint');
  if (directory.shards !== workers)
    log.warn(
      { shards: directory.shards, workers },
      'the data directory was made with another number of workers and keeps it',
    );
  return directory;
}
