// Follows the change log: applies each committed delta in the order of positions to the tables and calls the listeners.
// After a shard thread's death it reads from the log what was committed but never delivered.

import { diagnosticChannels } from '../base/diagnostics/diagnostic-channels.js';
import type { Clock } from '../base/model/clock.js';
import type { EngineLog } from '../base/model/log.js';
import { openNews } from '../detection/kinds/news.js';
import { decodeDelta } from '../log/delta/codec.js';
import type { Delta, OpenDelta } from '../log/delta/delta.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import type { DataDirectory } from '../store/data-directory.js';
import type { DelayedStore } from '../store/delayed-store.js';
import type { ShardEnv } from '../store/shard-env.js';
import { cutPosition, readLog } from '../store/shard-reader.js';
import { DelayedTable } from '../tables/delayed/delayed-table.js';
import type { DeltaListener } from '../tables/delta-listener.js';
import { loadTables } from '../tables/load.js';
import { OpportunityTable } from '../tables/opportunity-table.js';
import { RecordedRows } from '../tables/recorded-rows.js';
import { OddsTable } from '../tables/table.js';
import type { LogBatch } from '../writer/pool/protocol.js';

const EXPIRE_EVERY_US = 10_000_000;

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
