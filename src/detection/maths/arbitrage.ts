// Arbitrage and hold of one complete set of mutually exclusive outcomes at the best price of each: everything follows
// from S, the sum of 1/decimal. S below 1 is an arbitrage, above 1 a hold, 1 itself neither.

import { roundDecimal } from '../../base/model/price.js';

/** Decimal prices, the first n entries of a longer array. */
export type Decimals = Float64Array | number[];

/** S this close to 1 is 1: the remainder of sums of 1/d is float noise, far below any profit of interest. */
const EVEN_SUM = 1e-9;

/** The same of a hold in percent: prices after commission are cut off behind ten decimals. */
export const HOLD_NOISE = 100 * EVEN_SUM;

/** Profit (percent) above which an arbitrage is not credible unless proven: nearly always a stale or wrong price. */
const SUSPICIOUS_PROFIT_PERCENT = 10;

/** S = sum of 1/d, unrounded; NaN if a price is missing or invalid, or there are fewer than two. */
export function inverseSum(decimals: Decimals, n: number): number {
  if (!(n >= 2 && n <= decimals.length)) return Number.NaN;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const d = decimals[i]!;
    if (!(d > 1)) return Number.NaN;
    sum += 1 / d;
  }
  return sum;
}

export function isArbitrage(sum: number): boolean {
  return sum < 1 - EVEN_SUM;
}

/** Whether the hold is above 0 and at most `maxHold` percent. */
export function isLowHold(sum: number, maxHold: number): boolean {
  return sum > 1 + EVEN_SUM && holdPercent(sum) <= maxHold + HOLD_NOISE;
}

/** S in percent, as `implied_total` shows it. */
export function impliedTotalPercent(sum: number): number {
  return 100 * sum;
}

/** Return in percent of the total stake, (1/S - 1) x 100, with equal payouts. */
export function profitPercent(sum: number): number {
  return (1 / sum - 1) * 100;
}

/** Whether a profit (percent) is above the credible one. */
export function isSuspiciousProfit(profit: number): boolean {
  return profit > SUSPICIOUS_PROFIT_PERCENT + EVEN_SUM;
}

/** No book offers both sides of a bet below this sum: it shows two of three. */
const OWN_SUM_MIN = 0.97;

/** Whether a book's own two prices of a line (decimal, as stated) must be missing a third side, such as a draw. */
export function missesSide(first: number, second: number): boolean {
  return first + second < OWN_SUM_MIN * first * second;
}

/** Hold in percent, (S - 1) x 100. Some tools show 1 - 1/S instead, which equals h/(1 + h). */
export function holdPercent(sum: number): number {
  return (sum - 1) * 100;
}

/** How much better `decimal` is than the worst price, in points of implied probability (percent). */
export function edgePoints(worstDecimal: number, decimal: number): number {
  return (1 / worstDecimal - 1 / decimal) * 100;
}

/**
 * Stakes in percent of the total for equal payouts, 100 (1/d)/S, with 2 decimals and summing to exactly 100.00: the
 * hundredths lost by rounding down go to the largest remainders, the first of equal ones.
 */
export function stakePercents(decimals: Decimals, n: number, sum: number, out: Decimals): void {
  let left = 10_000;
  for (let i = 0; i < n; i++) {
    const share = Math.floor(10_000 / (decimals[i]! * sum));
    out[i] = share;
    left -= share;
  }
  for (; left > 0; left--) {
    let top = 0;
    let most = -Infinity;
    for (let i = 0; i < n; i++) {
      // After its extra hundredth its remainder is below all others.
      const remainder = 10_000 / (decimals[i]! * sum) - out[i]!;
      if (remainder > most) {
        most = remainder;
        top = i;
      }
    }
    out[top]!++;
  }
  for (let i = 0; i < n; i++) out[i]! /= 100;
}

/** The exact price, or the one with six decimals, whichever pays less: a guaranteed profit holds for both. */
export function sureDecimal(decimal: number): number {
  return Math.min(decimal, roundDecimal(decimal));
}

/**
 * Stakes (percent, 2 decimals) of an arbitrage into `stakes`. False, and not an arbitrage, if S is not below 1 or the
 * rounded stakes and prices would not win on every outcome.
 */
export function arbitrageStakes(decimals: Decimals, n: number, stakes: Decimals): boolean {
  const sum = inverseSum(decimals, n);
  if (!isArbitrage(sum)) return false;
  stakePercents(decimals, n, sum, stakes);
  let total = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < n; i++) {
    total += stakes[i]!;
    least = Math.min(least, stakes[i]! * sureDecimal(decimals[i]!));
  }
  return least > total * (1 + EVEN_SUM);
}
