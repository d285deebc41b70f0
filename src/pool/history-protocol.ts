// What the front and the thread of history say to each other.
import type { HistoryQuestion } from '../history/answers.js';
import type { LinesQuestion } from '../history/source.js';
import type { Durability } from '../store/shard-env.js';

export interface HistoryThreadData {
  dataDir: string;
  epoch: string;
  /** First position of the data directory. */
  birth: number;
  shards: number;
  durability: Durability;
  days: number;
  bytesMax: number;
}

export type HistoryTask =
  /** Answered once nothing of what the logs hold can be cut away unread. */
  | { kind: 'begin' }
  | { kind: 'history'; question: HistoryQuestion }
  | { kind: 'lines'; question: LinesQuestion }
  | { kind: 'openings'; rows: readonly string[] }
  | { kind: 'close' };

/** What the thread has to say by itself: lines for the log. */
export interface HistoryNote {
  level: 'warn' | 'error';
  fields: object;
  message: string;
}
