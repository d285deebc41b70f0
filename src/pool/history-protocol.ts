// What the front and the thread of history say to each other.
import type { CatalogueData } from '../catalogue/types.js';
import type { Bet } from '../clv/grader.js';
import type { Prediction } from '../clv/prediction.js';
import type { ClvQuestion } from '../clv/source.js';
import type { HistoryQuestion } from '../history/answers.js';
import type { LinesQuestion } from '../history/source.js';
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
}

export type HistoryTask =
  /** Answered once nothing of what the logs hold can be cut away unread. */
  | { kind: 'begin' }
  | { kind: 'history'; question: HistoryQuestion }
  | { kind: 'lines'; question: LinesQuestion }
  | { kind: 'openings'; rows: readonly string[] }
  /** What was detected, as it happens. */
  | { kind: 'predict'; predictions: readonly Prediction[] }
  | { kind: 'clv'; question: ClvQuestion }
  | { kind: 'bets'; bets: readonly Bet[]; nowUs: number }
  | { kind: 'close' };

/** What the thread has to say by itself: lines for the log. */
export interface HistoryNote {
  level: 'warn' | 'error';
  fields: object;
  message: string;
}
