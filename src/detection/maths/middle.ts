// Middles: two bets that can both win. The over (or home) leg wins above `low`, the under (or away) leg below `high`,
// both in terms of one counted result; for a spread that is the home margin, low = -home line and high = away line.
// Stakes are those of an arbitrage (arbitrage.ts): both legs pay the same.

import { type LinePair, payout, settleTotal } from '../../rules/grading/settle.js';
import { type Decimals, isArbitrage, stakePercents, sureDecimal } from './arbitrage.js';
import { type ResultModel, resultProbability } from './result-model.js';

/** What `middleProbability` writes: P(both win in full), and P of the results at which one leg does not. */
export const HIT = 0;
export const LOW_END = 1;
export const HIGH_END = 2;

/** The result at which a line pushes or half wins: the integer less than half a point away, else NaN. */
export function partialResult(line: number): number {
  const nearest = Math.round(line);
  return Math.abs(nearest - line) < 0.5 ? nearest + 0 : Number.NaN;
}

/** First and last integer at which both legs win in full; none if last < first. */
export function firstHit(low: number): number {
  return Math.ceil(low + 0.5);
}

export function lastHit(high: number): number {
  return Math.floor(high - 0.5);
}

/** First result on which the first leg is not lost outright, and last one on which the second is not. */
export function reachedFrom(low: number): number {
  return Math.floor(low - 0.5) + 1;
}

export function reachedTo(high: number): number {
  return Math.ceil(high + 0.5) - 1;
}

/**
 * Probabilities of a middle into `out`: [HIT] both legs win, [LOW_END] the result on which the low line pushes (or, for
 * a quarter line, half wins or half loses) while the other leg wins, [HIGH_END] the same for the high line. If both
 * lines meet on one result, both ends have its probability, and `middleReturns` counts it once.
 */
export function middleProbability(
  model: ResultModel,
  low: number,
  high: number,
  centre: number,
  out: Float64Array,
): void {
  let hit = 0;
  for (let x = firstHit(low); x <= lastHit(high); x++) hit += resultProbability(model, x, centre);
  out[HIT] = hit;
  out[LOW_END] = endProbability(model, low, centre);
  out[HIGH_END] = endProbability(model, high, centre);
}

function endProbability(model: ResultModel, line: number, centre: number): number {
  const x = partialResult(line);
  return Number.isNaN(x) ? 0 : resultProbability(model, x, centre);
}

/**
 * Integers strictly between the lines, ascending, into `out`; returns their number (at most what fits). For a spread
 * they are winning margins of the side that must win; if either side may win, each margin occurs once.
 */
export function middleNumbers(pair: LinePair, low: number, high: number, out: Float64Array): number {
  let from = Math.floor(low) + 1;
  let to = Math.ceil(high) - 1;
  if (pair === 'spread' && to <= 0) [from, to] = [-to, -from];
  else if (pair === 'spread' && from < 0) [from, to] = [0, Math.max(to, -from)];
  let count = 0;
  for (let x = from; x <= to && count < out.length; x++) out[count++] = x + 0;
  return count;
}

/** What `middleReturns` writes, all in percent of the total stake: expected value, worst and best result. */
export const EXPECTED = 0;
export const WORST = 1;
export const BEST = 2;

/**
 * Returns of a middle at decimal prices `first` (over, home) and `second` with equal payouts, s = (1/d)/S, from the
 * results that differ from a miss: a miss returns 1/S - 1, a hit 2/S - 1, an end where leg j pushes 1/S + s_j - 1.
 * `chances` is the output of `middleProbability`. A worst result above 0 is a guaranteed profit.
 */
export function middleReturns(
  low: number,
  high: number,
  first: number,
  second: number,
  chances: Float64Array,
  out: Float64Array,
): void {
  const sum = 1 / first + 1 / second;
  const miss = 1 / sum - 1;
  const hit = 2 / sum - 1;
  const canHit = lastHit(high) >= firstHit(low);
  let expected = miss + chances[HIT]! * (hit - miss);
  let worst = miss;
  let best = canHit ? hit : miss;
  const lowEnd = partialResult(low);
  const highEnd = partialResult(high);
  for (let end = LOW_END; end <= HIGH_END; end++) {
    const x = end === LOW_END ? lowEnd : highEnd;
    if (Number.isNaN(x) || (end === HIGH_END && x === lowEnd)) continue;
    const back =
      payout(settleTotal('over', low, x), first) / first + payout(settleTotal('under', high, x), second) / second;
    const net = back / sum - 1;
    expected += chances[end]! * (net - miss);
    worst = Math.min(worst, net);
    best = Math.max(best, net);
  }
  out[EXPECTED] = 100 * expected;
  out[WORST] = 100 * worst;
  out[BEST] = 100 * best;
}

/**
 * The worst and the best result into `out` ([WORST] and [BEST], percent of the total stake) with rounded stakes
 * (percent) and prices: they differ from those of equal payouts by the rounding.
 */
export function printedReturns(
  low: number,
  high: number,
  decimals: Decimals,
  stakes: Decimals,
  out: Float64Array,
): void {
  const first = sureDecimal(decimals[0]!);
  const second = sureDecimal(decimals[1]!);
  let worst = Number.POSITIVE_INFINITY;
  let best = Number.NEGATIVE_INFINITY;
  // A result of each kind: below both lines, at the low one, between them, at the high one, above both.
  const hit = firstHit(low) <= lastHit(high) ? firstHit(low) : Number.NaN;
  for (const x of [Math.floor(low) - 1, partialResult(low), hit, partialResult(high), Math.ceil(high) + 1]) {
    if (Number.isNaN(x)) continue;
    const back =
      stakes[0]! * payout(settleTotal('over', low, x), first) +
      stakes[1]! * payout(settleTotal('under', high, x), second);
    worst = Math.min(worst, back);
    best = Math.max(best, back);
  }
  const staked = stakes[0]! + stakes[1]!;
  out[WORST] = 100 * (worst / staked - 1);
  out[BEST] = 100 * (best / staked - 1);
}

/** Rounded down, as it is guaranteed; less than a ten-millionth of a percent below a step counts as the step. */
export function percentBelow(value: number): number {
  return Math.floor(value * 1e4 + 1e-3) / 1e4 + 0;
}

const decimals = new Float64Array(2);
const stakes = new Float64Array(2);
const returns = new Float64Array(3);

/** Whether every result wins with the stakes as printed. */
export function winsAlways(low: number, high: number, first: number, second: number): boolean {
  const sum = 1 / first + 1 / second;
  if (!isArbitrage(sum)) return false;
  decimals[0] = first;
  decimals[1] = second;
  stakePercents(decimals, 2, sum, stakes);
  printedReturns(low, high, decimals, stakes, returns);
  return percentBelow(returns[WORST]!) > 0;
}

/** Hit probability (percent) at which a middle breaks even, 100 (S - 1); 0 where it cannot lose. */
export function breakEvenPercent(sum: number): number {
  return Math.max(0, 100 * (sum - 1));
}

/** The inputs of a middle's quality. */
export interface MiddleQuality {
  /** Percent of the total stake. */
  expectedValue: number;
  /** 0-1. */
  probability: number;
  /** Percent. */
  breakEven: number;
  hasKeyNumber: boolean;
  /** Points between the lines. */
  size: number;
  mainLines: boolean;
  /** 0-1, as `freshness` of ev.ts gives it. */
  freshness: number;
}

/**
 * 0-100: quality of a middle. Rises with EV, with probability over break-even, with a key number inside, with size,
 * with both lines being main ones and with freshness. There is no standard for this: the formula is our own, and only
 * its range and monotonicity are guaranteed.
 */
export function qualityScore(middle: MiddleQuality): number {
  const value = 1 / (1 + Math.exp(-middle.expectedValue / 3));
  const needed = middle.breakEven / 100;
  const odds = needed > 0 ? middle.probability / (middle.probability + needed) : 1;
  const size = Math.max(0, middle.size) / (Math.max(0, middle.size) + 2);
  const score = 45 * value + 25 * odds + 12 * size + (middle.hasKeyNumber ? 10 : 0) + (middle.mainLines ? 8 : 0);
  return score * Math.max(0, Math.min(1, middle.freshness));
}
