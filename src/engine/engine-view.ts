// What a server needs of an engine, whether it runs in the same process (engine.ts) or is followed from another one
// (following-engine.ts).
import type { Caller } from '../accounts/caller.js';
import type { Clock } from '../base/model/clock.js';
import type { BatchReceipt } from '../base/model/normal-message.js';
import type { UniverseSpec } from '../base/model/opportunity.js';
import type { Unmatched } from '../base/model/unmatched.js';
import type { EvaluationQuestion } from '../detection/question.js';
import type { FeedInfo } from '../intake/feeds/feed-watch.js';
import type { UnknownLists } from '../intake/ingest/unknown-names.js';
import type { UnmatchedNotes } from '../intake/ingest/unmatched.js';
import type { Control } from '../log/control/control.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import type { Tier } from '../rules/catalogue/types.js';
import type { DataDirectory } from '../store/data-directory.js';
import type { DelayedTable } from '../tables/delayed/delayed-table.js';
import type { DeltaListener } from '../tables/delta-listener.js';
import type { OpportunityTable } from '../tables/opportunity-table.js';
import type { OddsTable } from '../tables/table.js';
import type { Evaluated } from './evaluations.js';

/** The result of one caller's messages. */
export interface IngestAnswer extends BatchReceipt {
  /** Messages of which nothing was valid. */
  unread: number;
  /** Position at which a table shows them. */
  position: number;
  /** Names in them that the catalogue does not know. */
  unknown: UnknownLists;
}

export interface IngestOptions {
  /** monotonicMs at which reading the messages began; now by default. */
  sinceMs?: number;
  /** A message with a name that the catalogue does not know is rejected. */
  strict?: boolean;
  /** Messages of the same sender are taken in the order of the calls, also where one is read in several turns. */
  sender?: string;
  /** Who pushes them; none of a feed's. */
  account?: string | undefined;
  /** With the milliseconds that reading took in later turns, if it did. */
  onRead?: (ms: number) => void;
}

/** The role of this process among those that share one log. */
export interface ClusterState {
  /** `all` if engine and front are one. */
  role: 'engine' | 'front' | 'all';
  /** The name of the process that writes the log; null if there is none. */
  writer: string | null;
  /** Of the table. */
  position: number;
  /** How far the table is behind the writer; 0 in the writer itself. */
  lagMs: number;
  /** Live front processes, including this one if it is a front. */
  fronts: number;
}

/** The change log's position and the stores it and the rest are read from. */
export type StoreView = Pick<
  DataDirectory,
  | 'path'
  | 'idSecret'
  | 'control'
  | 'epoch'
  | 'createdPosition'
  | 'beganEmpty'
  | 'simulated'
  | 'envs'
  | 'unsafe'
  | 'hasPosition'
>;

export interface EngineView {
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly table: OddsTable;
  readonly opportunities: OpportunityTable;
  readonly directory: StoreView;
  /** What processes share besides odds. */
  readonly control: Control;
  /** Quotes waiting for each shard; empty if it is another process's engine. */
  readonly queueDepths: readonly number[];
  /** Position of the oldest change still in the log. */
  readonly oldestPosition: number;
  readonly cluster: ClusterState;
  /** If the engine is in another process: the last reported state of its feeds. */
  readonly feeds?: readonly FeedInfo[];
  /** Shards that refuse their messages because no thread could be started for them; absent in other processes. */
  readonly missingThreads?: readonly number[];
  /** Shards whose threads have not answered for long; absent in other processes. */
  readonly hangingThreads?: readonly number[];
  start(): void;
  /** Lets time pass now, instead of at the next clock tick. */
  tick(): void;
  /**
   * Accepts raw messages (docs/guides/feeds-and-ingest.md); settles when everything valid in them is committed and every reader of this
   * process shows it. Throws ApiError ingest_queue_full, storage_full or unavailable.
   */
  ingest(raw: readonly unknown[], options?: IngestOptions): Promise<IngestAnswer>;
  /** What met nothing since the writer's start. */
  unmatched(): Promise<Unmatched[]>;
  /** The same, where it is noted; absent in other processes. */
  readonly unmatchedNotes?: UnmatchedNotes;
  /**
   * Settles when the table of opportunities has the universe's active ones. `caller`: whose use it is counted as where another process computes it; it rejects with `rate_limited` then.
   */
  ensureUniverse(spec: UniverseSpec, caller?: Caller): Promise<void>;
  /** Whether the table of opportunities has a universe's active ones now: they may stop being kept up to date. */
  isWatched(key: string): boolean;
  /** Releases a universe that nobody uses; those of the tiers stay. */
  dropUniverse(key: string): void;
  /**
   * Opportunities that no universe retains: other methods for the fair price, lower thresholds. Rejects with ApiError
   * `rate_limited` if the account has too many under way, `unavailable` if there is no time for it.
   */
  evaluate(question: EvaluationQuestion, caller: Caller): Promise<Evaluated>;
  /** The table a tier reads: Free reads the delayed one. */
  tableFor(tier: Tier): OddsTable;
  /** What the Free tier reads. */
  readonly delayed: Pick<DelayedTable, 'table' | 'futures'>;
  /** No other process follows the log: a position beyond the table's was never sent to anyone. */
  readonly alone: boolean;
  /** Position of the table a tier reads. */
  positionFor(tier: Tier): number;
  /** Position up to which that table shows everything: past its own if nothing has changed since. */
  reachedFor(tier: Tier): number;
  /** Called for every delta, in the order of positions, after the table has applied it. */
  onDelta(listener: DeltaListener): void;
  close(): Promise<void>;
}
