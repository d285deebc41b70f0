// The query interface of closing line value, whatever stores the history.

import type { ClvGrouping } from '../model/clv-grouping.js';
import type { Bet, NoGrade } from './grader.js';
import type { Prediction } from './prediction.js';
import type { SettledBet, StatedBet } from './settler.js';
import type { ClvGroup } from './summary.js';

export interface ClvQuestion {
  groupBy: ClvGrouping;
  /** Time of detection, Unix µs, both inclusive. */
  fromUs: number;
  toUs: number;
  /** Null means all, as in the next. */
  sports: readonly string[] | null;
  leagues: readonly string[] | null;
  books: readonly string[] | null;
  devigBooks: readonly string[] | null;
  nowUs: number;
}

export interface PredictionsQuestion {
  events: readonly string[];
  /** Ids of opportunities; null means all, as in the next. */
  ids: readonly string[] | null;
  markets: readonly string[] | null;
  sports: readonly string[] | null;
  leagues: readonly string[] | null;
  books: readonly string[] | null;
  /** How many of the newest are graded. */
  limit: number;
  nowUs: number;
}

export interface PredictionsAnswer {
  /** The newest first. */
  predictions: GradedPrediction[];
  /** How many there are without the limit. */
  total: number;
}

/** A price above fair: as it was detected, as it closed, and how it ended. */
export interface GradedPrediction extends Prediction {
  player: string | null;
  closing: ClosedAt | null;
  clv: number | null;
  settled: SettledBet;
}

export interface ClosedAt {
  american: number;
  decimal: number;
  /** Fair, 0-1; null if there is none, as its source. */
  probability: number | null;
  devigBook: string | null;
}

export interface GradedBet extends Omit<Bet, 'atUs'> {
  closing: ClosedAt | null;
  clv: number | null;
  reason: NoGrade | null;
}

export interface ClvQueries {
  clv(question: ClvQuestion): Promise<ClvGroup[]>;
  predictions(question: PredictionsQuestion): Promise<PredictionsAnswer>;
  /** How bets ended, in their order. */
  settleBets(bets: readonly StatedBet[], nowMs: number): Promise<SettledBet[]>;
  /** In the order of the bets. */
  gradeBets(bets: readonly Bet[], nowUs: number): Promise<GradedBet[]>;
}
