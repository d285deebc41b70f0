// The query interface of history, whatever the store.
import { ApiError } from '../model/errors.js';
import type { HistoryAnswer, HistoryQuestion, OpeningFields } from './answers.js';
import type { PastAnswer, PastQuestion } from './event-log.js';

export interface LinesQuestion {
  kind: 'opening' | 'closing';
  event: string;
  /** Null means all. */
  books: readonly string[] | null;
  /** Unix µs: what closes later has no closing price yet. */
  nowUs: number;
}

/** Null if history does not know the row or event; `hidden` if the row's book is hidden from the caller. */
export type HistoryReply = HistoryAnswer | { hidden: string } | null;

export interface HistoryQueries {
  history(question: HistoryQuestion): Promise<HistoryReply>;
  /** JSON text of an event's opening or closing prices; null if history does not know it. */
  lines(question: LinesQuestion): Promise<string | null>;
  /** The opening of each row, by odds id; unknown ids are omitted. */
  openings(rows: readonly string[]): Promise<Map<string, OpeningFields>>;
  /** What the table showed at an instant. */
  past(question: PastQuestion): Promise<PastAnswer>;
}

/** For servers without history: throws ApiError not_found if `queries` is absent. */
export function requireHistory<Queries>(queries: Queries | undefined): Queries {
  if (queries === undefined) throw noHistory();
  return queries;
}

export function noHistory(): ApiError {
  return new ApiError('not_found', 'this server keeps no history (--history 0)');
}
