// How a bet is graded on an integer result. The grade of a leg is one number: 1 won, 0.5 half won and half refunded,
// 0 refunded, -0.5 half refunded and half lost, -1 lost.

/** Grade from the distance by which a bet beats its line (negative: misses it). Quarter lines halve the stake. */
export function gradeOf(distance: number): number {
  if (!Number.isInteger(4 * distance)) return distance > 0 ? 1 : -1;
  return Math.max(-1, Math.min(1, 2 * distance)) + 0;
}

/**
 * Over or under `line` on a counted result: a total of a game, team or player. A spread is the same on the home team's
 * margin: home at `h` is over -h, away at `a` is under a.
 */
export function settleTotal(side: 'over' | 'under', line: number, result: number): number {
  return gradeOf(side === 'over' ? result - line : line - result);
}

/** Part of the stake that won (0-1). */
export function wonFraction(grade: number): number {
  return Math.max(0, grade);
}

/** Part of the stake that is returned unchanged (0-1). */
export function refundedFraction(grade: number): number {
  return 1 - Math.abs(grade);
}

/** Payout of a stake of 1 at this decimal price, stake included. */
export function payout(grade: number, decimal: number): number {
  return wonFraction(grade) * decimal + refundedFraction(grade);
}

/** What the two lines of a middle are: the handicaps of home and away, or an over and an under. */
export type LinePair = 'spread' | 'total';
