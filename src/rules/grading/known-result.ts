// The grade of a bet by what is known of a result: who won, by how much, how many were counted. What of it is known is told
// by its callers; handicaps and totals are graded in halves of the stake where the line is a quarter, and what is not over
// as far as no further play could change it.

import type { MarketRules } from '../markets/rules.js';
import { hasThirdSideAt, isThirdSide } from '../markets/sides.js';
import { type Grade, grade, isResult, LOST, PUSH, UNDECIDED, ungradeable, type Winner, WON } from './verdict.js';

/** What a count or a margin is at least and at most: the same where it is known. */
export type Range = readonly [least: number, most: number];

/** The bet, as far as a result decides it. */
export interface AskedSide {
  readonly rules: Pick<MarketRules, 'sides' | 'tie'>;
  readonly selection: string;
  /** Whether its book offers a draw in the market. */
  readonly threeWay: boolean;
}

/** What a distance of exactly 0 pays. */
type Level = 'push' | 'won' | 'lost';

/** Whether a draw is a selection of its own, on which both teams lose. */
export function hasThirdSide({ rules, selection, threeWay }: AskedSide): boolean {
  return threeWay || rules.sides === 'three' || rules.tie === 'third_side' || selection === 'draw';
}

/** @param tie of a bet on one of two sides, where the market type does not say that it loses */
export function gradeSide(asked: AskedSide, winner: Winner, tie: Grade = PUSH): Grade {
  const { rules, selection } = asked;
  if (!isResult(selection)) return ungradeable('unknown_selection');
  if (winner !== 'draw' || selection === 'draw') return winner === selection ? WON : LOST;
  return hasThirdSide(asked) || rules.tie === 'loses' ? LOST : tie;
}

/** A handicap, by the home team's margin. The draw of a three-way one is stated at the home team's line. */
export function gradeMargin(asked: AskedSide, line: number | null, [least, most]: Range, over = true): Grade {
  const { rules, selection } = asked;
  if (line === null) return ungradeable('no_line');
  if (!isResult(selection)) return ungradeable('unknown_selection');
  if (selection === 'draw') return exactly([least + line, most + line], 0);
  const range: Range = selection === 'home' ? [least + line, most + line] : [line - most, line - least];
  // A contract has no refund: whoever gives points must win by more.
  const level = hasThirdSide(asked) ? 'lost' : rules.tie === 'loses' ? (line > 0 ? 'won' : 'lost') : 'push';
  return gradeRange(range, level, over);
}

/** Over, under or exactly a line: a book's whole numbers are of three sides where it offers `exactly`. */
export function gradeCount(
  { rules, selection, threeWay = false }: Omit<AskedSide, 'threeWay'> & { readonly threeWay?: boolean },
  line: number | null,
  [least, most]: Range,
): Grade {
  if (line === null) return ungradeable('no_line');
  if (isThirdSide(selection)) return exactly([least, most], line);
  if (selection !== 'over' && selection !== 'under') return ungradeable('unknown_selection');
  const range: Range = selection === 'over' ? [least - line, most - line] : [line - most, line - least];
  const three = rules.sides === 'three' || (threeWay && hasThirdSideAt('total', line));
  const level = three ? 'lost' : rules.tie === 'loses' ? (selection === 'under' ? 'won' : 'lost') : 'push';
  return gradeRange(range, level, least === most);
}

function exactly([least, most]: Range, number: number): Grade {
  if (least > number || most < number) return LOST;
  return least === most ? WON : UNDECIDED;
}

/**
 * By how much a bet beats its line, at least and at most.
 * @param over otherwise a half that may still end either way is refunded
 */
function gradeRange([least, most]: Range, level: Level, over: boolean): Grade {
  // A quarter line is two bets of half the stake each. Contracts and three-way lines are one.
  const quarter = level === 'push' && isQuarter(least === Number.NEGATIVE_INFINITY ? most : least);
  let won = 0;
  let refunded = 0;
  let open = false;
  for (const shift of quarter ? [-0.25, 0.25] : [0, 0]) {
    const [low, high] = [paid(least + shift, level), paid(most + shift, level)];
    if (low !== high) open = true;
    if (low === high && low === 1) won += 0.5;
    else if (low !== high || low === 0) refunded += 0.5;
  }
  const reason = open ? 'abandoned' : null;
  if (won === 1) return WON;
  if (won === 0.5) return grade('half_won', 0.5, 0.5, over ? null : 'abandoned');
  if (refunded === 1) return open ? UNDECIDED : PUSH;
  return refunded === 0.5 ? grade('half_lost', 0, 0.5, reason) : LOST;
}

const isQuarter = (distance: number): boolean => Number.isInteger(4 * distance) && !Number.isInteger(2 * distance);

function paid(distance: number, level: Level): -1 | 0 | 1 {
  if (distance === 0) return level === 'push' ? 0 : level === 'won' ? 1 : -1;
  return distance > 0 ? 1 : -1;
}
