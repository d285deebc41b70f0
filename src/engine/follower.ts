// Follows the change log: takes each committed delta in the order of positions, applies it to the table, tells the
// listeners. After a shard thread's death it reads from the log what was committed but never told.
import type { UniverseNews } from '../model/opportunity.js';
import type { ShardEnv } from '../store/shard-env.js';
import { cutPosition, decodeDelta, readLog } from '../store/shard-reader.js';
import type { OddsTable } from '../table/table.js';
import type { DeltaListener, EngineObserver } from './observer.js';

const EXPIRE_EVERY_US = 10_000_000;

export class Follower {
  readonly #table: OddsTable;
  readonly #envs: readonly ShardEnv[];
  readonly #observe: EngineObserver | undefined;
  readonly #listeners: DeltaListener[] = [];
  /** Last position applied of each shard. */
  readonly #applied: number[];
  readonly #retentionUs: number;
  #expiredUs = 0;

  constructor(
    table: OddsTable,
    envs: readonly ShardEnv[],
    head: number,
    retentionSeconds: number,
    observe: EngineObserver | undefined,
  ) {
    this.#table = table;
    this.#envs = envs;
    this.#observe = observe;
    this.#applied = envs.map(() => head);
    this.#retentionUs = retentionSeconds * 1e6;
  }

  listen(listener: DeltaListener): void {
    this.#listeners.push(listener);
  }

  /** `news` are the delta's opportunities; the log keeps only their ends. Answers the delta's shard. */
  deliver(bytes: Uint8Array, news: UniverseNews[]): number {
    const delta = decodeDelta(bytes);
    if (news.length > 0) delta.opportunities = news;
    const applied = this.#table.apply(delta);
    this.#applied[delta.shard] = delta.position;
    this.#expire(delta.position);
    for (const listener of this.#listeners) listener(applied, delta);
    this.#observe?.delivered(delta, bytes.length);
    return delta.shard;
  }

  /** What the shard has committed up to a position without its being delivered; what came after is told by itself. */
  missed(shard: number, upTo: number): Uint8Array[] {
    const missed: Uint8Array[] = [];
    // This thread may still hold a view of the store from before the last commit.
    this.#envs[shard]!.root.resetReadTxn();
    for (const { bytes } of readLog(this.#envs[shard]!, this.#applied[shard]!, upTo))
      missed.push(Uint8Array.from(bytes));
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
