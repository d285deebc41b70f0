// Distributions of whole results: a normal cut into integers; Poisson totals and Skellam margins of low-scoring games;
// the negative binomial where counts scatter more than a Poisson's.

import { normalCdf } from './normal.js';

/**
 * P(from <= X <= to), both integers, of a normal with continuity correction: each result covers half a point to either
 * side.
 */
export function normalBetween(from: number, to: number, mean: number, deviation: number): number {
  if (to < from) return 0;
  const low = (from - 0.5 - mean) / deviation;
  const high = (to + 0.5 - mean) / deviation;
  // In the upper tail both values are near 1: mirrored, their difference keeps its precision.
  return low > 0 ? normalCdf(-low) - normalCdf(-high) : normalCdf(high) - normalCdf(low);
}

/** P(X = k) of a Poisson total. */
export function poisson(k: number, mean: number): number {
  if (k < 0) return 0;
  let p = Math.exp(-mean);
  for (let i = 1; i <= k; i++) p *= mean / i;
  return p;
}

/**
 * P(X = from), P(X = from + 1), … into `out`, of a Poisson (`shape` 0) or a negative binomial: each term is computed
 * from the previous one.
 */
export function countTerms(from: number, mean: number, shape: number, out: Float64Array): void {
  const step = mean / (mean + shape);
  let p = shape > 0 ? (shape / (shape + mean)) ** shape : Math.exp(-mean);
  for (let k = 0; k < from + out.length; k++) {
    if (k >= from) out[k - from] = p;
    p *= shape > 0 ? (step * (k + shape)) / (k + 1) : mean / (k + 1);
  }
}

/** P(X <= k) of a Poisson total. */
export function poissonUpTo(k: number, mean: number): number {
  let p = Math.exp(-mean);
  let sum = 0;
  for (let i = 0; i <= k; i++) {
    sum += p;
    p *= mean / (i + 1);
  }
  return sum;
}

/**
 * P(X = k) of a negative binomial with this mean and variance mean + mean^2/shape; a Poisson as the shape grows. Sums
 * of equal parts of a game keep the form, their shapes adding up.
 */
export function negativeBinomial(k: number, mean: number, shape: number): number {
  if (k < 0) return 0;
  const step = mean / (mean + shape);
  let p = (shape / (shape + mean)) ** shape;
  for (let i = 0; i < k; i++) p *= (step * (i + shape)) / (i + 1);
  return p;
}

/** P(X <= k) of a negative binomial. */
export function negativeBinomialUpTo(k: number, mean: number, shape: number): number {
  const step = mean / (mean + shape);
  let p = (shape / (shape + mean)) ** shape;
  let sum = 0;
  for (let i = 0; i <= k; i++) {
    sum += p;
    p *= (step * (i + shape)) / (i + 1);
  }
  return sum;
}

/** P(home - away = margin) of two independent Poisson scores (Skellam 1946). */
export function skellam(margin: number, home: number, away: number): number {
  let scored = Math.max(0, -margin);
  let term = poisson(scored + margin, home) * poisson(scored, away);
  let sum = 0;
  const past = Math.sqrt(home * away);
  while (term > 1e-18 || scored < past) {
    sum += term;
    scored++;
    term *= (home * away) / ((scored + margin) * scored);
  }
  return sum;
}
