// What can be asked of history, whoever keeps it.
import type { HistoryAnswer, HistoryQuestion, OpeningFields } from './answers.js';

export interface LinesQuestion {
  kind: 'opening' | 'closing';
  event: string;
  /** Null is all. */
  books: readonly string[] | null;
  /** Unix µs: what closes later has no closing price yet. */
  nowUs: number;
}

/** Null where history knows nothing of the row or event; `hidden` where the row is of a book that is not to be told of. */
export type HistoryReply = HistoryAnswer | { hidden: string } | null;

export interface HistorySource {
  history(question: HistoryQuestion): Promise<HistoryReply>;
  /** JSON text of an event's opening or closing prices; null where history knows nothing of it. */
  lines(question: LinesQuestion): Promise<string | null>;
  /** The opening of each row, by odds id; those that are not known are left out. */
  openings(rows: readonly string[]): Promise<Map<string, OpeningFields>>;
}
