// Follows the change log: applies each committed delta in the order of positions to the table and calls the listeners.
// After a shard thread's death it reads from the log what was committed but never delivered.
import { DELTA_VERSION, type Delta } from '../delta/delta.js';
import { NO_NEWS, type PackedNews } from '../delta/opportunity.js';
import { diagnosticChannels } from '../diagnostics/channels.js';
import { openNews } from '../kinds/news.js';
import { messageOfDelta } from '../pool/log-message.js';
import type { LogBatch } from '../pool/protocol.js';
import type { ShardEnv } from '../store/shard-env.js';
import { cutPosition, decodeDelta, readLog } from '../store/shard-reader.js';
import { RecordedRows } from '../table/recorded-rows.js';
import type { OddsTable } from '../table/table.js';
import type { DeltaListener } from './delta-listener.js';

const EXPIRE_EVERY_US = 10_000_000;
const NO_CHANGES = {
  version: DELTA_VERSION,
  events: [],
  dropped: [],
  books: [],
  blob: new Uint8Array(0),
  splits: [],
  futures: [],
};

export class Follower {
  readonly #table: OddsTable;
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
   * @param head the table's position; that of each shard if they differ
   * @param source source of these deltas, on diagnostics channels
   */
  constructor(
    table: OddsTable,
    envs: readonly ShardEnv[],
    head: number | readonly number[],
    retentionSeconds: number,
    source: object,
  ) {
    this.#table = table;
    this.#envs = envs;
    this.#source = source;
    this.#rows = envs.map((_, shard) => new RecordedRows(table, shard));
    this.#applied = envs.map((_, shard) => (typeof head === 'number' ? head : head[shard]!));
    this.#retentionUs = retentionSeconds * 1e6;
  }

  /** Last position applied of a shard. */
  appliedOf(shard: number): number {
    return this.#applied[shard] ?? 0;
  }

  listen(listener: DeltaListener): void {
    this.#listeners.push(listener);
  }

  /**
   * If there is no information on opportunities, the log's own entry says which of them ended. Returns the delta's
   * shard.
   */
  deliver({ delta: bytes, news }: Pick<LogBatch, 'delta' | 'news'>): number {
    const delta = decodeDelta(bytes);
    const applied = this.#table.apply(delta);
    if (news.universes.length > 0) delta.opportunities = openNews(news, this.#rows[delta.shard]!);
    this.#applied[delta.shard] = delta.position;
    this.#expire(delta.position);
    for (const listener of this.#listeners) listener(applied, delta);
    if (diagnosticChannels.tableDelta.hasSubscribers) this.#publish(delta, bytes.length);
    return delta.shard;
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

  /** Changes of opportunities only; the table already has the rows. */
  deliverNews(position: number, shard: number, news: PackedNews): void {
    const delta: Delta = { ...NO_CHANGES, position, shard, opportunities: openNews(news, this.#rows[shard]!) };
    for (const listener of this.#listeners) listener({ position, books: [], events: [] }, delta);
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
  missed(shard: number, upTo: number, after = this.#applied[shard]!): LogBatch[] {
    const missed: LogBatch[] = [];
    // This thread may still have a view of the store from before the last commit.
    this.#envs[shard]!.root.resetReadTxn();
    for (const { position, bytes } of readLog(this.#envs[shard]!, after, upTo)) {
      const delta = Uint8Array.from(bytes);
      missed.push({ position, message: messageOfDelta(position, shard, delta), delta, news: NO_NEWS });
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
