// What a graded bet returns, per unit staked.

import type { OUTCOMES, Outcome } from '../../base/model/result.js';
import { BET_RESULTS, type BetResult, type Grade } from './grade.js';

export interface Returns {
  /** Null while it is not settled. */
  profit_units: number | null;
  return_units: number | null;
}

const OF_OUTCOME: Readonly<Record<(typeof OUTCOMES)[number], Grade>> = {
  won: { result: 'won', reason: null, won: 1, refunded: 0 },
  lost: { result: 'lost', reason: null, won: 0, refunded: 0 },
  half: { result: 'half', reason: null, won: 0.5, refunded: 0 },
  void: { result: 'void', reason: null, won: 0, refunded: 1 },
};

export function gradeOfOutcome(outcome: Outcome): Grade {
  if (typeof outcome !== 'number') return OF_OUTCOME[outcome];
  return { result: 'half', reason: 'settled_at_value', won: outcome, refunded: 0 };
}

const OPEN: ReadonlySet<BetResult> = new Set(['pending', 'ungradeable']);
export const SETTLED: ReadonlySet<BetResult> = new Set(BET_RESULTS.filter((result) => !OPEN.has(result)));

const LAID: Partial<Record<BetResult, BetResult>> = {
  won: 'lost',
  lost: 'won',
  half_won: 'half_lost',
  half_lost: 'half_won',
};

/** How laying a selection ended on which a bet ended so. */
export function laidResult(result: BetResult): BetResult {
  return LAID[result] ?? result;
}

/**
 * Commission is of net winnings: what a price after commission pays too little where a share of the same bet loses.
 * @param winnings of the share that wins, after commission
 * @param kept keptOf()
 */
export function overcharged(winnings: number, lost: number, kept: number): number {
  return (1 - kept) * Math.min(winnings / kept, lost);
}

/**
 * Of laying the selection, per unit of the backer's stake.
 * @param turnedNet decimal price after commission for a unit of the liability
 * @param liability per unit of the backer's stake: the stated decimal price less 1
 * @param kept keptOf()
 */
export function laidReturns(
  { result, won, refunded }: Grade,
  turnedNet: number,
  liability: number,
  kept: number,
): Returns {
  if (OPEN.has(result)) return { profit_units: null, return_units: null };
  const [winnings, loss] = [(1 - won - refunded) * (turnedNet - 1) * liability, won * liability];
  const profit = winnings - loss + overcharged(winnings, loss, kept);
  return { profit_units: profit, return_units: 1 + profit };
}

/**
 * @param decimalNet decimal price after commission, which a bet that does not win does not pay
 * @param kept keptOf()
 */
export function returnsOf({ result, won, refunded }: Grade, decimalNet: number, kept: number): Returns {
  if (OPEN.has(result)) return { profit_units: null, return_units: null };
  const back = overcharged(won * (decimalNet - 1), 1 - won - refunded, kept);
  const returned = won * decimalNet + refunded + back;
  return { profit_units: returned - 1, return_units: returned };
}
