// The messages between the front and the history thread.
import type { CatalogueData } from '../../rules/catalogue/file-schema.js';
import type { Prediction } from '../../store/clv/prediction.js';
import type { AskedHistory } from '../../store/clv/queries.js';
import type { Durability } from '../../store/shard-env.js';

export interface HistoryThreadData {
  dataDir: string;
  epoch: string;
  /** First position of the data directory. */
  createdPosition: number;
  shards: number;
  durability: Durability;
  catalogue: CatalogueData;
  days: number;
  bytesMax: number;
  /** Sources of results, the most trusted first. */
  resultSources: readonly string[];
  /** RecordedPositions, for the shards' threads. */
  recorded: SharedArrayBuffer;
}

export type HistoryTask =
  | AskedHistory
  /** Predictions, as they are detected. */
  | { kind: 'predict'; predictions: readonly Prediction[] }
  | { kind: 'close' };

/** Messages of the thread itself: lines for the log. */
export interface HistoryNote {
  level: 'warn' | 'error';
  fields: object;
  message: string;
}
