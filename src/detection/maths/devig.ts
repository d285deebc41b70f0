// Removes a book's margin from its prices: implied probabilities of one complete market in, fair ones out. Hot path:
// plain loops over the first n entries, results into the caller's array, nothing allocated.

import type { DevigMethod } from '../../base/model/devig-method.js';
import {
  oddsRatioConstant,
  type Probabilities,
  powers,
  probitShift,
  shinInsiderShare,
  shinProbability,
} from './devig-solvers.js';
import { normalCdf, normalQuantile } from './normal.js';

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
