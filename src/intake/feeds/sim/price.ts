// From a fair probability to the price a book shows: its margin, its grid, its format.
import { americanFromDecimal } from '../../../base/model/price.js';

/** `cent`: every American price. `nickel`: multiples of five. `decimal`: European prices with two decimals. */
export type Grid = 'cent' | 'nickel' | 'decimal';

/** Minimum overround after rounding to the grid: no book offers an arbitrage against itself. */
const OVERROUND_MIN = 1.003;

export function logit(p: number): number {
  return Math.log(p / (1 - p));
}

export function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/**
 * Implied probabilities of all sides of one market: the fair ones shifted by `offset` (log odds, towards the first
 * side) and each raised by `margin` (log odds). With three sides the middle one is the draw and is not shifted.
 */
export function withMargin(fair: readonly number[], offset: number, margin: number): number[] {
  const last = fair.length - 1;
  const seen = fair.map((p, i) => logistic(logit(p) + (i === 0 ? offset : i === last ? -offset : 0)));
  // Two sides still sum to 1; three may not, and the difference would reduce the margin.
  const sum = seen.reduce((a, b) => a + b, 0);
  return seen.map((p) => logistic(logit(p / sum) + margin));
}

/** Margin in log odds that gives an even two-way market this overround (1.045 …). */
export function marginOf(overround: number): number {
  return logit(overround / 2);
}

/**
 * The prices (American, or decimal on that grid) of the implied probabilities; a market never goes below OVERROUND_MIN.
 */
export function toGrid(implied: readonly number[], grid: Grid): number[] {
  let prices = implied.map((q) => gridPrice(q, grid, false));
  if (overround(prices, grid) < OVERROUND_MIN) prices = implied.map((q) => gridPrice(q, grid, true));
  return prices;
}

/** Sum of the implied probabilities of prices of one grid. */
export function overround(prices: readonly number[], grid: Grid): number {
  let sum = 0;
  for (const price of prices)
    sum += grid === 'decimal' ? 1 / price : price > 0 ? 100 / (price + 100) : price / (price - 100);
  return sum;
}

/** `against` rounds to the bettor's disadvantage instead of to the nearest price. */
function gridPrice(q: number, grid: Grid, against: boolean): number {
  const decimal = 1 / q;
  if (grid === 'decimal') return decimalPrice(decimal, against);
  const american = decimal >= 2 ? (decimal - 1) * 100 : -100 / (decimal - 1);
  const step = americanStep(Math.abs(american), grid);
  const price = against ? Math.floor(american / step) * step : Math.round(american / step) * step;
  // Between -100 and +100 there is no price.
  if (price < 100 && price > -100) return against ? -100 - step : 100;
  return price === -100 ? 100 : price;
}

function americanStep(size: number, grid: Grid): number {
  const least = grid === 'cent' ? 1 : 5;
  if (size < 200) return least;
  if (size < 500) return grid === 'cent' ? 2 : 10;
  if (size < 1_000) return grid === 'cent' ? 5 : 25;
  return 50;
}

function decimalPrice(decimal: number, against: boolean): number {
  const step = decimal < 3 ? 0.01 : decimal < 6 ? 0.05 : decimal < 12 ? 0.1 : 0.5;
  const steps = against ? Math.floor(decimal / step) : Math.round(decimal / step);
  return Math.max(1.01, Math.round(steps * step * 100) / 100);
}

/** American odds of a price of the grid. */
export function asAmerican(price: number, grid: Grid): number {
  return grid === 'decimal' ? americanFromDecimal(price) : price;
}
