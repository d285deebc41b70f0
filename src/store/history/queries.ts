// Questions to history beside those of answers.ts, and what is said where there is none.
import { ApiError } from '../../base/model/errors.js';
import type { HistoryAnswer } from './answers.js';

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

/** For servers without history: throws ApiError not_found if `queries` is absent. */
export function requireHistory<Queries>(queries: Queries | undefined): Queries {
  if (queries === undefined) throw noHistory();
  return queries;
}

export function noHistory(): ApiError {
  return new ApiError('not_found', 'this server keeps no history (--history 0)');
}
