// The query interface of closing line value, whatever stores the history.

import type { ClvGrouping } from '../model/clv-grouping.js';
import type { Bet, NoGrade } from './grader.js';
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

export interface GradedBet extends Omit<Bet, 'atUs'> {
  closing: { american: number; decimal: number; probability: number | null; devigBook: string | null } | null;
  clv: number | null;
  reason: NoGrade | null;
}

export interface ClvSource {
  clv(question: ClvQuestion): Promise<ClvGroup[]>;
  /** How bets ended, in their order. */
  settleBets(bets: readonly StatedBet[], nowMs: number): Promise<SettledBet[]>;
  /** In the order of the bets. */
  gradeBets(bets: readonly Bet[], nowUs: number): Promise<GradedBet[]>;
}
