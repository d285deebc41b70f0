// What the front and a shard's thread say to each other.

import type { CatalogueData } from '../catalogue/types.js';
import type { UniverseNews } from '../delta/opportunity.js';
import type { EvaluationQuestion } from '../detect/question.js';
import type { ShardTimes } from '../diagnostics/channels.js';
import type { BatchReceipt } from '../model/normal-message.js';
import type { UniverseSpec } from '../model/opportunity.js';
import type { Durability } from '../store/shard-env.js';
import type { Retention } from '../store/shard-writer.js';
import type { PackedNews } from './packed-news.js';

export interface ShardThreadData {
  shard: number;
  dataDir: string;
  catalogue: CatalogueData;
  durability: Durability;
  retention: Retention;
  /** Of the CommitGuard: the thread is only ended outside of its transactions. */
  guard: SharedArrayBuffer;
}

export type ShardTask =
  /**
   * `batch`: an encoded BatchInput. `memory`: of an answer that was read, for
   * the next one: it goes to and fro. `readTo`: the log is not cut past it, which somebody still reads.
   */
  | {
      kind: 'apply';
      batch: Uint8Array | null;
      position: number;
      universes: UniverseTask | null;
      memory: ArrayBuffer | null;
      readTo: number;
    }
  | { kind: 'evaluate'; question: EvaluationQuestion }
  | { kind: 'close' };

/** The universes a shard is to watch beyond those it starts with: all of them, so that a new thread catches up. */
export interface UniverseTask {
  /** Rises with every change of the set. */
  version: number;
  /** `since`: version at which it was registered, so that one let go and asked for again starts anew. */
  specs: readonly { spec: UniverseSpec; since: number }[];
}

/** Goes over behind the batch's LogMessage, which is not there where nothing changed (codec.ts: a pair). */
export interface ShardAnswer {
  receipts: BatchReceipt[];
  /** Version of the universes the shard watches; 0 where it was never told of any. */
  universes: number;
  /** Markets with more lines or middles than are looked at. */
  boundedMarkets: number;
  /** Set where the store had no room: nothing of the batch was taken. */
  failure: string | null;
  /** Not given where the batch failed. */
  times?: ShardTimes;
}

/** A committed batch: the message it leaves the process in, and what this process reads of it. */
export interface LogBatch {
  position: number;
  /** Encoded LogMessage. */
  message: Uint8Array;
  /** Encoded Delta, already in the log. */
  delta: Uint8Array;
  /** Opportunities: what the delta's readers are to find in it. */
  news: UniverseNews[];
}

export interface AppliedBatch extends ShardAnswer {
  /** Null where nothing changed. */
  batch: LogBatch | null;
  /** To be called when the batch is read: its memory is gone then. */
  release(): void;
}

export interface EvaluationAnswer {
  opportunities: PackedNews;
}
