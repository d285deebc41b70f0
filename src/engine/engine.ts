// The engine of a process (docs/project/architecture.md): tables that follow the log and, where the shards are in this
// process, their queues. What only the writer of the log can do is requested of it where that is another process.

import type { Caller } from '../accounts/key-record.js';
import { diagnosticChannels } from '../base/diagnostics/diagnostic-channels.js';
import type { Clock } from '../base/model/clock.js';
import { noWriter } from '../base/model/errors.js';
import type { EngineLog } from '../base/model/log.js';
import type { AwaitedGame, EventRef } from '../base/model/normal-message.js';
import type { UniverseSpec } from '../base/model/opportunity.js';
import type { Unmatched } from '../base/model/unmatched.js';
import { openNews } from '../detection/kinds/recorded-opportunity.js';
import type { EvaluationQuestion } from '../detection/question.js';
import type { FeedInfo } from '../intake/feeds/feed-watch.js';
import { Control } from '../log/control/control.js';
import { CONTROL_SHARD } from '../log/control/control-queue.js';
import { type Delta, decodeDelta, type OpenDelta } from '../log/delta/delta.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import { loadCatalogue } from '../rules/catalogue/load.js';
import { isDelayed } from '../rules/catalogue/tiers.js';
import type { Tier } from '../rules/catalogue/types.js';
import { type DataDirectory, openDataDirectory } from '../store/data-directory.js';
import { DelayedStore } from '../store/delayed-store.js';
import { type ShardEnv, STORE_VERSION } from '../store/shard-env.js';
import { cutPosition, readLog } from '../store/shard-reader.js';
import { DelayedTable } from '../tables/delayed/delayed-table.js';
import { loadTables } from '../tables/load.js';
import { RecordedRows } from '../tables/recorded-rows.js';
import { type DeltaListener, OddsTable } from '../tables/table.js';
import { OpportunityTable } from '../tables/universe-opportunities.js';
import type { LogBatch } from '../writer/pool/protocol.js';
import {
  type EngineOptions,
  type Evaluated,
  type FrontOptions,
  type IngestAnswer,
  type IngestOptions,
  type NodeFacts,
  nodeName,
  type RemoteWriter,
} from './engine-options.js';
import type { RecordedRuns, RunPlayer } from './recorded-runs.js';
import { Shards } from './shards.js';

export class Engine {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly directory: DataDirectory;
  /** Directory of the delayed table's store. */
  readonly delayedStore: DelayedStore;
  /** What processes share besides odds. */
  readonly control: Control;
  readonly table: OddsTable;
  readonly opportunities: OpportunityTable;
  /** What the Free tier reads. */
  readonly delayed: DelayedTable;
  readonly follower: Follower;
  /** Undefined in a front. */
  readonly shards: Shards | undefined;
  readonly #remote: RemoteWriter | undefined;
  readonly #node: NodeFacts;
  /** No other process follows the log: a position beyond the table's was never sent to anyone. */
  readonly alone: boolean;
  readonly #onBatch: ((batch: LogBatch) => void) | undefined;
  /** A game that bets wait for, if it is the one that a result refers to: the table may have forgotten it. */
  awaited: ((ref: EventRef) => AwaitedGame | undefined) | undefined;
  #reached = 0;

  /** Opens (or creates) the data directory and starts the shards, if they are in this process; fills the tables. */
  constructor(options: EngineOptions | FrontOptions) {
    const { catalogueDir, money, clock, delaySeconds = 60, log, node } = options;
    const own = 'dataDir' in options ? options : undefined;
    this.catalogue = loadCatalogue(catalogueDir, money);
    this.clock = clock;
    const { directory, delayedStore, logSeconds } = 'dataDir' in options ? storesOf(options) : options;
    this.directory = directory;
    this.delayedStore = delayedStore;
    this.control = new Control(directory.control, (request) =>
      this.#remote === undefined ? Promise.reject(noWriter()) : this.#remote.runControl(request),
    );
    // The threads read their stores while this thread fills the tables from the same files.
    this.shards = own && new Shards(own, this);
    try {
      const { catalogue } = this;
      const tables = openTables({
        ...{ catalogue, directory, delayedStore, clock, delaySeconds, logSeconds, log },
        readOnly: own === undefined,
        follows: own === undefined || own.standby === true,
        reached: () => this.#reached,
        source: this,
      });
      this.table = tables.table;
      this.opportunities = tables.opportunities;
      this.delayed = tables.delayed;
      this.follower = tables.follower;
    } catch (error) {
      this.shards?.end();
      throw error;
    }
    this.#onBatch = own?.onBatch;
    this.#node = node ?? { role: 'all', writer: nodeName(), leads: true, lagMs: 0, fronts: 0 };
    this.#remote = options.remote?.(this.catalogue);
    this.alone = node === undefined;
    if (own?.standby !== true) this.shards?.lead(this.table.position);
  }

  start(): void {
    this.shards?.start();
    this.delayed.start();
    this.#remote?.start();
  }

  /** Lets time pass now, instead of at the next clock tick. */
  tick(): void {
    this.shards?.tick();
    this.delayed.advance();
  }

  /** As tick(); settles when what that changes is committed and shown. */
  async passTime(): Promise<void> {
    // A batch under way has an earlier time.
    await this.shards?.idle();
    this.tick();
    await this.shards?.idle();
    this.delayed.advance();
  }

  /** The next moment (Unix ms) when time alone may change something; possibly too early. */
  get nextDeadlineMs(): number {
    return this.shards?.nextDeadlineMs ?? Number.POSITIVE_INFINITY;
  }

  /** The shards, while the log is written here; or who writes it. */
  get #writer(): Shards | RemoteWriter {
    return this.#node.leads ? this.shards! : this.#remote!;
  }

  /**
   * Accepts raw messages (docs/guides/feeds-and-ingest.md); settles when everything valid in them is committed and every
   * reader of this process shows it. Throws ApiError ingest_queue_full, storage_full or unavailable; nothing of the
   * messages is acknowledged then.
   */
  ingest(raw: readonly unknown[], options?: IngestOptions): Promise<IngestAnswer> {
    return this.#writer.ingest(raw, options);
  }

  /** Of a recording's player. */
  recordedRuns(player: RunPlayer): RecordedRuns {
    if (this.shards === undefined) throw noWriter();
    return this.shards.recordedRuns(player);
  }

  /** What met nothing since the start: where messages come to a front, the writer's. */
  async unmatched(): Promise<Unmatched[]> {
    return this.shards?.unmatchedNotes.list() ?? (await this.#remote!.unmatched());
  }

  /**
   * Settles when the table of opportunities has the universe's active ones. Rejects with ApiError `unavailable` where
   * there is no writer.
   * @param caller whose use it is counted as where another process computes it: it rejects with `rate_limited` then
   */
  async ensureUniverse(spec: UniverseSpec, caller?: Caller): Promise<void> {
    for (;;) {
      const writer = this.#writer;
      try {
        return await writer.ensureUniverse(spec, caller);
      } catch (error) {
        if (writer === this.#writer) throw error;
      }
    }
  }

  /** Whether the table of opportunities has a universe's active ones now: they may stop being kept up to date. */
  isWatched(key: string): boolean {
    return this.#writer.isWatched(key);
  }

  /** Releases a universe that nobody uses; those of the tiers stay. */
  dropUniverse(key: string): void {
    this.#remote?.dropUniverse(key);
    this.shards?.dropUniverse(key);
  }

  /**
   * Opportunities that no universe retains: other methods for the fair price, lower thresholds. Rejects with ApiError
   * `rate_limited` if the account has too many under way, `unavailable` if there is no time for it.
   */
  evaluate(question: EvaluationQuestion, caller: Caller): Promise<Evaluated> {
    return (this.shards ?? this.#remote!).evaluate(question, caller);
  }

  /** Position up to which everything of the shard is shown. */
  shown(shard: number): number {
    return shard === CONTROL_SHARD ? this.directory.control.position : this.follower.appliedOf(shard);
  }

  /** Shows a committed batch. In the order of positions. */
  follow(batch: LogBatch): void {
    this.#onBatch?.(batch);
    this.follower.deliver(batch.delta);
  }

  missed(shard: number, upTo: number): LogBatch[] {
    return this.follower.missed(shard, upTo);
  }

  /** Everything up to a position is shown, whether it changed anything or not. In the order of positions. */
  reached(position: number): void {
    this.#reached = position;
    this.#remote?.reached(position);
  }

  /** Called for every delta, in the order of positions, after the tables have applied it. */
  onDelta(listener: DeltaListener): void {
    this.follower.listen(listener);
  }

  /** The table a tier reads: Free reads the delayed one. */
  tableFor(tier: Tier): OddsTable {
    return isDelayed(tier) ? this.delayed.table : this.table;
  }

  /** Position of the table a tier reads. */
  positionFor(tier: Tier): number {
    return isDelayed(tier) ? this.delayed.position : this.table.position;
  }

  /** Position up to which that table shows everything: past its own if nothing has changed since. */
  reachedFor(tier: Tier): number {
    return isDelayed(tier) ? this.delayed.position : Math.max(this.table.position, this.#reached);
  }

  /** Whether the log has a batch or a command of this position. */
  knows(position: number): boolean {
    return this.directory.hasPosition(position) || this.control.store.hasChange(position);
  }

  /** Quotes waiting for each shard; empty if it is another process's engine. */
  get queueDepths(): readonly number[] {
    return this.shards?.queueDepths ?? [];
  }

  /** Position of the oldest change still in the log. */
  get oldestPosition(): number {
    return this.table.tombstones.completeFrom;
  }

  /** With the position of the table. */
  get cluster(): NodeFacts & { readonly position: number } {
    const { role, leads, writer, lagMs, fronts } = this.#node;
    return { role, leads, writer, lagMs, fronts, position: this.table.position };
  }

  /** If feeds run in another process: the last reported state of them. */
  get feeds(): readonly FeedInfo[] | undefined {
    return this.#node.feeds;
  }

  /** Finishes what is queued, flushes and closes. */
  async close(): Promise<void> {
    await Promise.all([this.#remote?.close(), this.shards?.idle(), this.control.close()]);
    await this.shards?.close();
    await this.delayed.close();
    await this.directory.close();
  }
}

function storesOf(options: EngineOptions): Pick<FrontOptions, 'directory' | 'delayedStore' | 'logSeconds'> {
  const directory = openDirectory(options);
  return { directory, delayedStore: new DelayedStore(options.dataDir), logSeconds: options.retention.logSeconds };
}

/** Opens (or creates) an engine's data directory, and says in the log what its operator must know of it. */
function openDirectory({ dataDir, workers, clock, log, ...options }: EngineOptions): DataDirectory {
  const directory = openDataDirectory(dataDir, workers, clock, {
    durability: options.durability,
    simulated: options.simulated,
    ofCluster: options.standby === true,
    named: options.named,
    onUpgraded: (from) =>
      log.warn(
        { from, to: STORE_VERSION },
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

const EXPIRE_EVERY_US = 10_000_000;

/**
 * Follows the change log: applies each committed delta in the order of positions to the tables and calls the listeners.
 * After a shard thread's death it reads from the log what was committed but never delivered.
 */
export class Follower {
  readonly #table: OddsTable;
  readonly #opportunities: OpportunityTable;
  readonly #envs: readonly ShardEnv[];
  readonly #source: object;
  /** Of each shard. */
  readonly #rows: readonly RecordedRows[];
  readonly #listeners: DeltaListener[] = [];
  /** Last position applied of each shard. */
  readonly #applied: number[];
  readonly #retentionUs: number;
  #expiredUs = 0;

  /**
   * @param tables.source source of these deltas, on diagnostics channels
   * @param head position of each shard
   */
  constructor(
    { table, opportunities, source }: { table: OddsTable; opportunities: OpportunityTable; source: object },
    envs: readonly ShardEnv[],
    head: readonly number[],
    retentionSeconds: number,
  ) {
    this.#table = table;
    this.#opportunities = opportunities;
    this.#envs = envs;
    this.#source = source;
    this.#rows = envs.map((_, shard) => new RecordedRows(table, shard));
    this.#applied = [...head];
    this.#retentionUs = retentionSeconds * 1e6;
  }

  /** Last position applied of a shard. */
  appliedOf(shard: number): number {
    return this.#applied[shard] ?? 0;
  }

  listen(listener: DeltaListener): void {
    this.#listeners.push(listener);
  }

  /** Shows an encoded delta, the next one of its shard, and returns it. */
  deliver(bytes: Uint8Array): Delta {
    const delta = decodeDelta(bytes);
    this.show(delta, bytes.length);
    return delta;
  }

  show(delta: Delta, bytes: number): void {
    const { shard, position } = delta;
    const applied = this.#table.apply(delta);
    const open: OpenDelta = { ...delta, opportunities: openNews(delta.opportunities, this.#rows[shard]!) };
    this.#opportunities.apply(open);
    this.#applied[shard] = position;
    this.#expire(position);
    for (const listener of this.#listeners) listener(applied, open);
    if (diagnosticChannels.tableDelta.hasSubscribers) this.#publish(delta, bytes);
  }

  #publish({ shard, position, books }: Delta, bytes: number): void {
    let rowsWritten = 0;
    let rowsRemoved = 0;
    for (const [, , , , gone, rows] of books) {
      rowsRemoved += gone.length;
      rowsWritten += rows.length;
    }
    const source = this.#source;
    diagnosticChannels.tableDelta.publish({ source, shard, position, bytes, rowsWritten, rowsRemoved });
  }

  /**
   * What all shards have committed up to a position and was not delivered, in order. Undefined if a log no longer
   * contains all of it.
   */
  missedOfAll(upTo: number): LogBatch[] | undefined {
    for (const [shard, env] of this.#envs.entries()) {
      env.root.resetReadTxn();
      if (cutPosition(env) > this.appliedOf(shard)) return undefined;
    }
    return this.#envs.flatMap((_, shard) => this.missed(shard, upTo)).sort((a, b) => a.position - b.position);
  }

  /** What the shard has committed up to a position without delivering it; later commits are delivered by themselves. */
  missed(shard: number, upTo: number): LogBatch[] {
    const missed: LogBatch[] = [];
    // This thread may still have a view of the store from before the last commit.
    this.#envs[shard]!.root.resetReadTxn();
    for (const { position, bytes } of readLog(this.#envs[shard]!, this.#applied[shard]!, upTo)) {
      missed.push({ position, delta: Uint8Array.from(bytes) });
    }
    return missed;
  }

  /** Removals are remembered exactly as long as the log remembers changes. */
  #expire(position: number): void {
    if (position - this.#expiredUs < EXPIRE_EVERY_US) return;
    this.#expiredUs = position;
    let oldest = position - this.#retentionUs;
    for (const env of this.#envs) oldest = Math.max(oldest, cutPosition(env));
    this.#table.tombstones.expire(oldest);
  }
}

interface TablesOptions {
  catalogue: Catalogue;
  directory: DataDirectory;
  delayedStore: DelayedStore;
  /** Another process writes the stores. */
  readOnly: boolean;
  /** The stores may have more of one shard than of another: what is missing is in the log that is followed. */
  follows: boolean;
  clock: Clock;
  /** How far behind the Free tier's table is. */
  delaySeconds: number;
  logSeconds: number;
  log: EngineLog;
  /** Position up to which everything is shown, if that is past the table's. */
  reached(): number;
  /** Source of the deltas, on diagnostics channels. */
  source: object;
}

/**
 * The tables of a process, filled from the stores of its data directory, and what applies the log to them. Throws
 * StorageDamaged if a store cannot be read.
 */
export function openTables(options: TablesOptions) {
  const { catalogue, directory, delayedStore, readOnly, follows, reached, source, ...rest } = options;
  const { envs, createdPosition, fellBack } = directory;
  const table = new OddsTable(catalogue);
  const opportunities = new OpportunityTable();
  const { position, shards } = loadTables(table, opportunities, envs);
  table.position = Math.max(position, createdPosition);
  // Before its first position the directory has nothing that could have been removed.
  table.tombstones.completeFrom = Math.max(table.tombstones.completeFrom, createdPosition);
  const delayed = new DelayedTable({
    ...rest,
    catalogue,
    envs,
    store: delayedStore,
    readOnly,
    keepBook: (book) => catalogue.tierAllows('free', book),
    completeTo: () => (follows && reached() < position ? Math.min(...shards) : Math.max(table.position, reached())),
    createdPosition,
    fellBack,
  });
  const follower = new Follower({ table, opportunities, source }, envs, shards, rest.logSeconds);
  return { table, opportunities, delayed, follower };
}
