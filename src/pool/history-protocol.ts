// The messages between the front and the history thread.
import type { CatalogueData } from '../catalogue/types.js';
import type { Bet } from '../clv/grader.js';
import type { Prediction } from '../clv/prediction.js';
import type { ClvQuestion, PredictionsQuestion } from '../clv/queries.js';
import type { StatedBet } from '../clv/settler.js';
import type { HistoryQuestion } from '../history/answers.js';
import type { PastQuestion } from '../history/event-log.js';
import type { LinesQuestion } from '../history/queries.js';
import type { Durability } from '../store/shard-env.js';

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
  | { kind: 'history'; question: HistoryQuestion }
  | { kind: 'lines'; question: LinesQuestion }
  | { kind: 'openings'; rows: readonly string[] }
  | { kind: 'past'; question: PastQuestion }
  /** Predictions, as they are detected. */
  | { kind: 'predict'; predictions: readonly Prediction[] }
  | { kind: 'clv'; question: ClvQuestion }
  | { kind: 'predictions'; question: PredictionsQuestion }
  | { kind: 'bets'; bets: readonly Bet[]; nowUs: number }
  | { kind: 'settle'; bets: readonly StatedBet[]; nowMs: number }
  | { kind: 'close' };

/** Messages of the thread itself: lines for the log. */
export interface HistoryNote {
  level: 'warn' | 'error';
  fields: object;
  message: string;
}
