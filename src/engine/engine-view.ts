// What a server needs of an engine, whether it runs in the same process (engine.ts) or is followed from another one
// (following-engine.ts).
import type { Catalogue } from '../catalogue/catalogue.js';
import type { Tier } from '../catalogue/types.js';
import type { Opportunity } from '../delta/opportunity.js';
import type { EvaluationQuestion } from '../detect/question.js';
import type { FeedInfo } from '../feeds/feed-watch.js';
import type { Clock } from '../model/clock.js';
import type { BatchReceipt } from '../model/normal-message.js';
import type { UniverseSpec } from '../model/opportunity.js';
import type { DataDirectory } from '../store/data-directory.js';
import type { OddsTable } from '../table/table.js';
import type { DeltaListener } from './delta-listener.js';

/** What was taken of one caller's messages. */
export interface IngestAnswer extends BatchReceipt {
  /** Messages of which nothing could be read. */
  unread: number;
  /** A table at this position shows it. */
  position: number;
}

/** Where this process stands among those that share one log. */
export interface ClusterState {
  /** `all` where engine and front are one. */
  role: 'engine' | 'front' | 'all';
  /** The name of the process that writes the log; null where there is none. */
  writer: string | null;
  /** Of the table. */
  position: number;
  /** How far the table is behind the writer; 0 in the writer itself. */
  lagMs: number;
  /** Front processes that are alive, this one included where it is one. */
  fronts: number;
}

/** The change log's place and the stores it and the rest is read from. */
export type StoreView = Pick<DataDirectory, 'path' | 'epoch' | 'createdPosition' | 'beganEmpty' | 'envs' | 'unsafe'>;

export interface EngineView {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly table: OddsTable;
  readonly directory: StoreView;
  /** Quotes waiting for each shard; none are known of another process. */
  readonly queueDepths: readonly number[];
  /** Position of the oldest change still in the log. */
  readonly oldestPosition: number;
  readonly cluster: ClusterState;
  /** Of another process's engine: the feeds it takes odds from, as it said last. */
  readonly feeds?: readonly FeedInfo[];
  start(): void;
  /** Lets time pass now, instead of at the next tick of the clock. */
  tick(): void;
  /**
   * Takes raw messages (docs/api.md); settles when everything readable in them is committed and every reader of this
   * process shows it. Throws ApiError ingest_queue_full, storage_full or unavailable.
   * @param sinceMs monotonicMs at which reading them began
   */
  ingest(raw: readonly unknown[], sinceMs?: number): Promise<IngestAnswer>;
  /** Settles when what is alive in the universe has been delivered to the listeners, as news with `whole` by shard. */
  ensureUniverse(spec: UniverseSpec): Promise<void>;
  /** Lets a universe go that nobody uses; those of the tiers stay. */
  dropUniverse(key: string): void;
  /** Opportunities that no universe keeps, best first. */
  evaluate(question: EvaluationQuestion): Promise<Opportunity[]>;
  /** The table a tier reads: Free reads the one that is late. */
  tableFor(tier: Tier): OddsTable;
  /** No other process follows the log: a position beyond the table's is one that nobody was ever told. */
  readonly alone: boolean;
  /** Position of the table a tier reads. */
  positionFor(tier: Tier): number;
  /** Called for every delta, in the order of positions, after the table has applied it. */
  onDelta(listener: DeltaListener): void;
  close(): Promise<void>;
}
