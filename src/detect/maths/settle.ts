// How a bet is graded on an integer result, and which two lines may be paired. The grade of a leg is one number: 1 won,
// 0.5 half won and half refunded, 0 refunded, -0.5 half refunded and half lost, -1 lost.

export type Side = 'home' | 'away' | 'draw' | 'over' | 'under';

/** Grade from the distance by which a bet beats its line (negative: misses it). Quarter lines halve the stake. */
function gradeOf(distance: number): number {
  if (!Number.isInteger(4 * distance)) return distance > 0 ? 1 : -1;
  return Math.max(-1, Math.min(1, 2 * distance)) + 0;
}

/** A spread: the line is the side's own signed handicap, the result the home team's margin. */
export function settleSpread(side: 'home' | 'away', line: number, homeMargin: number): number {
  return gradeOf(side === 'home' ? homeMargin + line : line - homeMargin);
}

/** A total of any kind (game, team, player): over or under `line` on the counted result. */
export function settleTotal(side: 'over' | 'under', line: number, result: number): number {
  return gradeOf(side === 'over' ? result - line : line - result);
}

/** A moneyline. With two ways a tie refunds; with three it is the draw's win. */
export function settleMoneyline(side: 'home' | 'away' | 'draw', ways: 2 | 3, homeMargin: number): number {
  if (homeMargin === 0) return side === 'draw' ? 1 : ways === 2 ? 0 : -1;
  if (side === 'draw') return -1;
  return homeMargin > 0 === (side === 'home') ? 1 : -1;
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

/** Which two lines of one market are paired: the handicaps of home and away, or over and under one number. */
export type LinePair = 'spread' | 'total';

/**
 * Whether two lines are two sides of one bet: for a spread home h and away w with h + w = 0 (home -3.5, away +3.5; +0
 * is -0), for a total the same number over and under.
 */
export function complementary(pair: LinePair, firstLine: number, secondLine: number): boolean {
  return lineGap(pair, firstLine, secondLine) === 0;
}

/**
 * Whether no result makes both bets lose: h + w >= 0, or under >= over. Also, if one half-loses the other then wins at
 * least as much. Anything else has a gap and is never an arbitrage, even with S below 1.
 */
export function coversEveryResult(pair: LinePair, firstLine: number, secondLine: number): boolean {
  return lineGap(pair, firstLine, secondLine) >= 0;
}

/**
 * By how much two lines overlap, in points: the size of the middle. h + w for home and away of a spread; under - over
 * for a total, whose over line comes first. Negative: a gap.
 */
export function lineGap(pair: LinePair, firstLine: number, secondLine: number): number {
  return pair === 'spread' ? firstLine + secondLine : secondLine - firstLine;
}
