// Handicaps, totals, odd and even: a count against a line, in halves of the stake where the line is a quarter. What is not
// over is graded as far as no further play could have changed it.

import type { PairOfScores } from '../../base/model/result.js';
import type { TypeRules } from '../markets/rules.js';
import type { Counted } from './counted.js';
import type { Bounds } from './sets.js';
import {
  type BetQuestion,
  type Grade,
  grade,
  isResult,
  LOST,
  PUSH,
  UNDECIDED,
  ungradeable,
  type Verdict,
  WON,
} from './verdict.js';

type Range = readonly [least: number, most: number];

/** What a distance of exactly 0 pays. */
type Level = 'push' | 'won' | 'lost';

const ENDLESS: Bounds = {
  total: [0, Number.POSITIVE_INFINITY],
  margin: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
};

export function gradeHandicap(question: BetQuestion, counted: Counted): Verdict {
  const { rules, selection, line, threeWay } = question;
  if (line === null) return ungradeable('no_line');
  if (!isResult(selection)) return ungradeable('unknown_selection');
  const from = scoredBefore(question);
  if (from === undefined) return 'score_not_told';
  const [least, most] = marginsOf(counted, from);
  const three = threeWay || rules.sides === 'three' || rules.tie === 'third_side';
  // The draw of a three-way handicap is stated at the home team's line.
  if (selection === 'draw') return exactly([least + line, most + line], 0);
  const range: Range = selection === 'home' ? [least + line, most + line] : [line - most, line - least];
  // A contract has no refund: whoever gives points must win by more.
  const level: Level = three ? 'lost' : rules.tie === 'loses' ? (line > 0 ? 'won' : 'lost') : 'push';
  return gradeRange(range, level, counted.over);
}

function marginsOf({ home, away, over, bounds = ENDLESS }: Counted, from: PairOfScores): Range {
  const before = from.home - from.away;
  const margin = home - away - before;
  return over ? [margin, margin] : [bounds.margin[0] - before, bounds.margin[1] - before];
}

/** What does not count for a bet that was made in play at a book that counts from there; undefined if it is not told. */
function scoredBefore({ rules, house, scored = null, sport }: BetQuestion): PairOfScores | undefined {
  if (rules.rest) return scored ?? undefined;
  const fromBet = sport === 'soccer' && house.handicap.score_from === 'bet';
  return fromBet && scored !== null ? scored : { home: 0, away: 0 };
}

export function gradeTotal(question: BetQuestion, counted: Counted): Grade {
  const { rules, selection, line, team } = question;
  if (rules.subject === 'team' && team === null) return ungradeable('no_team');
  const count = team === null ? counted.home + counted.away : counted[team];
  const most = team === null ? counted.bounds?.total[1] : undefined;
  const least = team === null ? counted.bounds?.total[0] : undefined;
  return gradeCount(
    rules,
    selection,
    line,
    counted.over ? [count, count] : [least ?? count, most ?? Number.POSITIVE_INFINITY],
  );
}

/** Over, under or exactly a line. */
export function gradeCount(rules: TypeRules, selection: string, line: number | null, [least, most]: Range): Grade {
  if (line === null) return ungradeable('no_line');
  if (selection === 'exactly' || selection === 'draw') return exactly([least, most], line);
  if (selection !== 'over' && selection !== 'under') return ungradeable('unknown_selection');
  const range: Range = selection === 'over' ? [least - line, most - line] : [line - most, line - least];
  const level: Level =
    rules.sides === 'three' ? 'lost' : rules.tie === 'loses' ? (selection === 'under' ? 'won' : 'lost') : 'push';
  return gradeRange(range, level, least === most);
}

function exactly([least, most]: Range, number: number): Grade {
  if (least > number || most < number) return LOST;
  return least === most ? WON : UNDECIDED;
}

export function gradeParity(selection: string, { home, away, over }: Counted): Grade {
  if (selection !== 'odd' && selection !== 'even') return ungradeable('unknown_selection');
  if (!over) return UNDECIDED;
  return ((home + away) % 2 === 0) === (selection === 'even') ? WON : LOST;
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
