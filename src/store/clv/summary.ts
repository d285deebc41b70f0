// Closing line value by group: the number of prices above fair, how many could be graded by the close, and how much of
// the edge the close confirmed.

import { getOrInsert } from '../../base/memory/get-or-insert.js';
import type { ClvGrouping } from '../../base/model/bet-words.js';
import { compareText } from '../../base/model/compare.js';
import { formatUs } from '../../base/model/time.js';
import { evPercentWithPush } from '../../detection/maths/ev.js';
import type { BetResult } from '../../rules/grading/grade.js';
import type { ClvGroup } from '../../schema/clv.js';
import type { ClosingPrice } from './fair-prices.js';
import type { SettledBet } from './settler.js';

/** A prediction with its grade. */
export interface Graded {
  sportsbook: string;
  sport: string;
  league: string;
  market: string;
  /** Of the closing reference; of the one at detection if there is none. */
  devigBook: string;
  atUs: number;
  /** Percent; null if the close gives none. */
  clv: number | null;
  /** First seen so shortly before the close that the close is hardly another price. */
  atClose: boolean;
  /** Percent, at detection. */
  ev: number;
  /** After commission. */
  decimalNet: number;
}

/** The same with how it ended. */
export interface JudgedPrediction extends Graded {
  settled: SettledBet;
}

/** EV in percent of the stake by the closing probability, pushes counted as in the EV of a price. */
export function clvPercent(
  { probability, push, onPush }: Pick<ClosingPrice, 'probability' | 'push' | 'onPush'>,
  decimalNet: number,
): number {
  return evPercentWithPush(probability, decimalNet, push, onPush(decimalNet));
}

/** Upper bounds of the bands of `edge`, in percent. */
const EDGES = [1, 2, 3, 5, 10];

/** Largest first. */
export function groupGraded(graded: Iterable<JudgedPrediction>, by: ClvGrouping): ClvGroup[] {
  const groups = new Map<string, JudgedPrediction[]>();
  for (const one of graded) getOrInsert(groups, keyOf(one, by), (): JudgedPrediction[] => []).push(one);
  const summaries = [...groups].map(([key, members]) => summary(key, members));
  return summaries.sort((a, b) => b.total_predictions - a.total_predictions || compareText(a.group_key, b.group_key));
}

function keyOf(one: Graded, by: ClvGrouping): string {
  if (by === 'day') return formatUs(one.atUs).slice(0, 10);
  if (by === 'devig_book') return one.devigBook;
  if (by !== 'edge') return one[by];
  const band = EDGES.findIndex((end) => one.ev < end);
  if (band < 0) return `${EDGES.at(-1)}%+`;
  return `${band === 0 ? 0 : EDGES[band - 1]}-${EDGES[band]}%`;
}

function summary(key: string, members: readonly JudgedPrediction[]): ClvGroup {
  const values = members.flatMap(({ clv, atClose }) => (clv === null || atClose ? [] : [clv])).sort((a, b) => a - b);
  const count = values.length;
  const middle = count >> 1;
  const median = count === 0 ? null : count % 2 === 1 ? values[middle]! : (values[middle - 1]! + values[middle]!) / 2;
  return {
    group_key: key,
    total_predictions: members.length,
    total_graded: count,
    total_at_close: members.filter(({ atClose }) => atClose).length,
    avg_clv_percent: rounded(mean(values)),
    median_clv_percent: rounded(median),
    positive_clv_rate: count === 0 ? null : rounded(values.filter((value) => value > 0).length / count),
    avg_ev_percent: rounded(mean(members.map(({ ev }) => ev))),
    ...endsOf(members),
  };
}

/** Of a bet that ended so: parts of it that were won and lost. */
export const PARTS: Partial<Record<BetResult, readonly [won: number, lost: number]>> = {
  won: [1, 0],
  half_won: [0.5, 0],
  half: [0.5, 0.5],
  half_lost: [0, 0.5],
  lost: [0, 1],
  push: [0, 0],
};

function endsOf(members: readonly JudgedPrediction[]) {
  const ended = members.filter(({ settled }) => PARTS[settled.result] !== undefined);
  let won = 0;
  let lost = 0;
  for (const { settled } of ended) {
    const parts = PARTS[settled.result]!;
    won += parts[0];
    lost += parts[1];
  }
  return {
    total_settled: ended.length,
    win_rate: won + lost === 0 ? null : rounded(won / (won + lost)),
    roi_percent: rounded(mean(ended.map(({ settled }) => (settled.profit_units ?? 0) * 100))),
    roi_error_percent: errorOf(ended),
    expected_roi_percent: rounded(mean(ended.map(({ ev }) => ev))),
  };
}

/** A fair bet of one stake at decimal odds d has the variance d - 1. */
function errorOf(ended: readonly JudgedPrediction[]): number | null {
  if (ended.length === 0) return null;
  const variance = ended.reduce((sum, { decimalNet }) => sum + decimalNet - 1, 0);
  return rounded((100 * Math.sqrt(variance)) / ended.length);
}

function mean(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1e4) / 1e4;
}
