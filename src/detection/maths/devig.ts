// Removes a book's margin from its prices: implied probabilities of one complete market in, fair ones out. Hot path:
// plain loops over the first n entries, results into the caller's array, nothing allocated.

import type { DevigMethod } from '../../base/model/devig-method.js';
import { normalCdf, normalDensity, normalQuantile } from './normal.js';

/** Sum of the first n implied probabilities; NaN if one is invalid (missing, <= 0, >= 1) or n < 2. */
export function booksum(r: Probabilities, n: number): number {
  if (!(n >= 2 && n <= r.length)) return Number.NaN;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const p = r[i]!;
    if (!(p > 0 && p < 1)) return Number.NaN;
    sum += p;
  }
  return sum;
}

/**
 * Fair probabilities (0-1) of a complete market of one book, from its implied ones `r` = 1/decimal, into `out`, a
 * separate array. They sum to 1, except for `worst_case`: the least of multiplicative, additive, power and Shin for
 * each outcome, to be used for the bet side alone. A book without margin (sum <= 1) is only normalised.
 *
 * Returns false, with `out` undefined, if there are fewer than two outcomes, a side is missing (NaN, 0) or invalid, or the
 * method would give an outcome zero or less (additive in a large market, and with it worst_case).
 */
export function devig(method: DevigMethod, r: Probabilities, n: number, out: Probabilities): boolean {
  const sum = booksum(r, n);
  if (Number.isNaN(sum)) return false;
  if (sum <= 1) return multiplicative(r, n, sum, out);
  switch (method) {
    case 'multiplicative':
      return multiplicative(r, n, sum, out);
    case 'additive':
      return additive(r, n, sum, out);
    case 'power':
      powers(r, n, out);
      return true;
    case 'shin':
      // With two outcomes Shin's closed form is the additive one.
      return n === 2 ? additive(r, n, sum, out) : shin(r, n, sum, out);
    case 'odds_ratio':
      return oddsRatio(r, n, out);
    case 'probit':
      return probit(r, n, out);
    case 'worst_case':
      return worstCase(r, n, sum, out);
  }
}

/** p = r/B. */
function multiplicative(r: Probabilities, n: number, sum: number, out: Probabilities): boolean {
  for (let i = 0; i < n; i++) out[i] = r[i]! / sum;
  return true;
}

/** p = r - (B-1)/n. */
function additive(r: Probabilities, n: number, sum: number, out: Probabilities): boolean {
  const share = (sum - 1) / n;
  for (let i = 0; i < n; i++) {
    const p = r[i]! - share;
    if (p <= 0) return false;
    out[i] = p;
  }
  return true;
}

function shin(r: Probabilities, n: number, sum: number, out: Probabilities): boolean {
  const z = shinInsiderShare(r, n, sum);
  for (let i = 0; i < n; i++) out[i] = shinProbability(r[i]!, z, sum);
  return true;
}

/** p = r/(c + r - c r). */
function oddsRatio(r: Probabilities, n: number, out: Probabilities): boolean {
  const c = oddsRatioConstant(r, n);
  for (let i = 0; i < n; i++) {
    const p = r[i]!;
    out[i] = p / (c + p - c * p);
  }
  return true;
}

/** p = Phi(Phi^-1(r) - c). */
function probit(r: Probabilities, n: number, out: Probabilities): boolean {
  for (let i = 0; i < n; i++) out[i] = normalQuantile(r[i]!);
  const c = probitShift(out, n);
  for (let i = 0; i < n; i++) out[i] = normalCdf(out[i]! - c);
  return true;
}

function worstCase(r: Probabilities, n: number, sum: number, out: Probabilities): boolean {
  const share = (sum - 1) / n;
  const z = shinInsiderShare(r, n, sum);
  powers(r, n, out);
  for (let i = 0; i < n; i++) {
    const p = r[i]!;
    if (p - share <= 0) return false;
    out[i] = Math.min(p / sum, p - share, out[i]!, shinProbability(p, z, sum));
  }
  return true;
}

// The one unknown of each devig method: found by Newton steps safeguarded by a bracket or convexity, or in closed form
// for two outcomes. All take implied probabilities r (0-1) with a booksum B > 1 and allocate nothing.

/** Implied or fair probabilities of one market, the first n entries of a longer array. */
export type Probabilities = Float64Array | number[];

const STEPS_MAX = 200;
// Newton squares the error: once a step is this small, the remaining error is below double precision.
const LAST_STEP = 1e-10;

/** A Halley step of at most this leaves an error, its cube, below double precision. */
const LAST_CUBING_STEP = 2e-5;
/** |x| up to which the terms of e^x to the fourth power are exact in double precision. */
const SERIES_MAX = 1e-3;

let logs = new Float64Array(16);

/**
 * r^k with sum r^k = 1 (Clarke, Kovalchik, Ingram 2017) into `out`; returns k. ln sum r^k is convex in k and nearly a
 * straight line (exactly one for equal prices): Halley's method from k = 1, where the powers are r itself, converges in
 * two or three steps, and the last step is so small that a series applies it to the powers. If Halley's step is too
 * large Newton's is taken, which never passes the root from below.
 */
export function powers(r: Probabilities, n: number, out: Probabilities): number {
  if (n > logs.length) logs = new Float64Array(2 * n);
  for (let i = 0; i < n; i++) {
    out[i] = r[i]!;
    logs[i] = Math.log(r[i]!);
  }
  let k = 1;
  for (let step = 0; step < STEPS_MAX; step++) {
    const move = powerStep(n, out);
    k += move;
    if (Math.abs(move) <= LAST_CUBING_STEP && raisedBySeries(n, move, out)) return k;
    for (let i = 0; i < n; i++) out[i] = Math.exp(k * logs[i]!);
  }
  return k;
}

/** From the powers of some k towards the k whose powers sum to 1. */
function powerStep(n: number, powers: Probabilities): number {
  let sum = 0;
  let first = 0;
  let second = 0;
  for (let i = 0; i < n; i++) {
    const log = logs[i]!;
    const weighted = powers[i]! * log;
    sum += powers[i]!;
    first += weighted;
    second += weighted * log;
  }
  const slope = first / sum;
  const newton = -Math.log(sum) / slope;
  // The second derivative of the logarithm of a sum of powers: the variance of the logarithms.
  const bend = second / sum - slope * slope;
  const halley = newton / (1 + (newton * bend) / (2 * slope));
  return halley > 0 === newton > 0 && Math.abs(halley) <= 2 * Math.abs(newton) ? halley : newton;
}

/** r^(k + move) from r^k; false, with nothing changed, if the series would not be exact. */
function raisedBySeries(n: number, move: number, powers: Probabilities): boolean {
  for (let i = 0; i < n; i++) if (move * logs[i]! > SERIES_MAX || move * logs[i]! < -SERIES_MAX) return false;
  for (let i = 0; i < n; i++) {
    const x = move * logs[i]!;
    powers[i] = powers[i]! * (1 + x * (1 + x * (1 / 2 + x * (1 / 6 + x / 24))));
  }
  return true;
}

/**
 * Shin's z, the share of insider money (Shin 1992, 1993; Jullien and Salanie 1994), 0 <= z < 1. Closed form for two
 * outcomes; else Newton on sum p(z) = 1, which decreases in z, with bisection if a step leaves the bracket.
 */
export function shinInsiderShare(r: Probabilities, n: number, booksum: number): number {
  if (n === 2) {
    const d2 = (r[0]! - r[1]!) ** 2;
    return ((booksum - 1) * (d2 - booksum)) / (booksum * (d2 - 1));
  }
  let low = 0;
  let high = 1;
  let z = 0;
  for (let step = 0; step < STEPS_MAX; step++) {
    let excess = -1;
    let slope = 0;
    for (let i = 0; i < n; i++) {
      const p = shinProbability(r[i]!, z, booksum);
      excess += p;
      slope -= (p - p * p) / (2 * (1 - z) * p + z);
    }
    if (excess > 0) low = z;
    else high = z;
    let next = z - excess / slope;
    if (!(next >= low && next <= high)) next = (low + high) / 2;
    const move = Math.abs(next - z);
    z = next;
    if (move <= LAST_STEP) break;
  }
  return z;
}

/** Shin's fair probability for a given z: the root of (1-z) p^2 + z p = r^2/B in the form that is stable for all z. */
function shinProbability(r: number, z: number, booksum: number): number {
  const q = (r * r) / booksum;
  return (2 * q) / (z + Math.sqrt(z * z + 4 * (1 - z) * q));
}

/**
 * c with sum r/(c + r - c r) = 1 (Cheung 2015), c >= 1. Closed form for two outcomes: the product of the odds against.
 * Else Newton from 1; the sum is convex and falling in c.
 */
export function oddsRatioConstant(r: Probabilities, n: number): number {
  if (n === 2) return Math.sqrt((r[0]! * r[1]!) / ((1 - r[0]!) * (1 - r[1]!)));
  let c = 1;
  for (let step = 0; step < STEPS_MAX; step++) {
    let excess = -1;
    let slope = 0;
    for (let i = 0; i < n; i++) {
      const against = (1 - r[i]!) / r[i]!;
      const p = 1 / (1 + c * against);
      excess += p;
      slope -= against * p * p;
    }
    const move = excess / slope;
    c -= move;
    if (Math.abs(move) <= LAST_STEP * c) break;
  }
  return c;
}

/**
 * c with sum Phi(x - c) = 1, where `quantiles` holds x = Phi^-1(r). Midpoint for two outcomes; else bracketed Newton:
 * the root lies between 0 and the shift that brings even n times the favourite down to 1.
 */
function probitShift(quantiles: Probabilities, n: number): number {
  if (n === 2) return (quantiles[0]! + quantiles[1]!) / 2;
  let top = quantiles[0]!;
  for (let i = 1; i < n; i++) if (quantiles[i]! > top) top = quantiles[i]!;
  let low = 0;
  let high = top - normalQuantile(1 / n);
  let c = 0;
  for (let step = 0; step < STEPS_MAX; step++) {
    let excess = -1;
    let slope = 0;
    for (let i = 0; i < n; i++) {
      const x = quantiles[i]! - c;
      excess += normalCdf(x);
      slope -= normalDensity(x);
    }
    if (excess > 0) low = c;
    else high = c;
    let next = c - excess / slope;
    if (!(next >= low && next <= high)) next = (low + high) / 2;
    const move = Math.abs(next - c);
    c = next;
    if (move <= LAST_STEP) break;
  }
  return c;
}
