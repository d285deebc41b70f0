// Grades of bets by their sides, and when two lines leave no result on which both lose: what detection's stakes and
// profits are compared with.
import { settleTotal } from '../../../src/rules/grading/settle.js';

/** A spread: the line is the side's own signed handicap, the result the home team's margin. */
export function settleSpread(side: 'home' | 'away', line: number, homeMargin: number): number {
  return side === 'home' ? settleTotal('over', -line, homeMargin) : settleTotal('under', line, homeMargin);
}

/** A moneyline. With two ways a tie refunds; with three it is the draw's win. */
export function settleMoneyline(side: 'home' | 'away' | 'draw', ways: 2 | 3, homeMargin: number): number {
  if (homeMargin === 0) return side === 'draw' ? 1 : ways === 2 ? 0 : -1;
  if (side === 'draw') return -1;
  return homeMargin > 0 === (side === 'home') ? 1 : -1;
}

/** Lower end of the first leg's window: the over line, or minus the home handicap (never -0). */
export function windowLow(pair: 'spread' | 'total', firstLine: number): number {
  return pair === 'spread' ? 0 - firstLine : firstLine;
}

/**
 * By how much two lines overlap, in points: the size of the middle. For home and away of a spread the sum of the
 * handicaps, for over and under of a total their difference. Negative: a gap.
 */
export function lineGap(pair: 'spread' | 'total', firstLine: number, secondLine: number): number {
  return secondLine - windowLow(pair, firstLine);
}

/** Whether no result makes both bets lose. */
export function coversEveryResult(pair: 'spread' | 'total', firstLine: number, secondLine: number): boolean {
  return lineGap(pair, firstLine, secondLine) >= 0;
}
