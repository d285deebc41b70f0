// Expected value, Kelly stake and confidence of one price against a fair probability. Plain numbers in and out.

import { freshSeconds } from '../../base/model/freshness.js';
import { americanFromProbability } from '../../base/model/price.js';

/** EV in percent of the stake: (p d - 1) x 100, `p` the fair probability (0-1), `d` the decimal price. */
export function evPercent(p: number, d: number): number {
  return (p * d - 1) * 100;
}

/**
 * EV in percent if a push with probability `push` returns `onPush` of the stake, all of it as a rule (integer line), and
 * `p` is conditional on no push: (1-u)(p d - 1) x 100 + u (r - 1) x 100. Where all of it is returned the sign is the same
 * as without pushes, the size smaller.
 */
export function evPercentWithPush(p: number, d: number, push: number, onPush = 1): number {
  return (1 - push) * evPercent(p, d) + 100 * push * (onPush - 1);
}

/**
 * Full Kelly stake as a fraction of bankroll, (p d - 1)/(d - 1), never below 0 (Kelly 1956). A push probability does
 * not change it if `p` is conditional on no push.
 */
export function kellyFraction(p: number, d: number): number {
  const edge = p * d - 1;
  return edge > 0 ? edge / (d - 1) : 0;
}

/** The fair probability as American odds, rounded to an integer; NaN outside 0-1. */
export function noVigAmerican(p: number): number {
  return americanFromProbability(p);
}

/** EV (percent) beyond which a larger edge is more likely to be a stale or wrong line. */
const PLAUSIBLE_EV_PERCENT = 8;

/** 0-1: freshness of quotes of this age; 1 at age 0, 1/e at the age from which they are excluded. */
export function freshness(ageSeconds: number, live: boolean): number {
  return Math.exp(-Math.max(0, ageSeconds) / freshSeconds(live));
}

/**
 * 0-100: confidence in a market quoted by this many books, with its oldest quote this many seconds old. Rises with
 * books up to six, falls with age, faster when live.
 */
export function marketConfidence(books: number, ageSeconds: number, live: boolean): number {
  return 100 * Math.sqrt(Math.min(1, Math.max(0, books) / 6)) * freshness(ageSeconds, live);
}

/**
 * 0-100: confidence in an EV row. Falls with age, with the hold of the reference market (fraction, 0.05 is 5 %) and
 * with an EV (percent) too good to be true; rises with books; a sharp reference ranks above a consensus of five books
 * or more, that above one of three or four, and fewer than three score 0. There is no standard for this: the formula is
 * our own, and only its monotonicity is guaranteed.
 */
export function confidenceScore(
  sharp: boolean,
  books: number,
  ageSeconds: number,
  live: boolean,
  referenceHold: number,
  ev: number,
): number {
  const source = sharp ? 1 : books >= 5 ? 0.8 : books >= 3 ? 0.6 : 0;
  const width = 1 / (1 + Math.max(0, referenceHold) / 0.05);
  const plausible = ev <= PLAUSIBLE_EV_PERCENT ? 1 : PLAUSIBLE_EV_PERCENT / ev;
  return marketConfidence(books, ageSeconds, live) * source * width * plausible;
}
