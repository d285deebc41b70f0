// Whether a game began too late for bets on it to stand.

import type { ResultStatus } from '../../base/model/result.js';
import { HOUR_MS } from '../../base/model/time.js';
import { type HouseRules, SAME_DAY } from '../markets/house-rules.js';

/** Of the game of a bet; Unix ms. */
export interface Timing {
  /** The start that stood when the bet was made. */
  readonly betOnMs: number;
  /** As it is known now. */
  readonly startMs: number;
  /** Books say that it is postponed. */
  readonly calledOff: boolean;
  readonly nowMs: number;
  /** The calendar day in the league's home zone. */
  readonly dayOf: (ms: number) => string;
}

/** @param status of the result; null without one */
export function isPostponed(
  { postponed_hours }: HouseRules,
  status: ResultStatus | null,
  { betOnMs, startMs, calledOff, nowMs, dayOf }: Timing,
): boolean {
  // A recording is graded at the end of all time, which is on no day.
  const isLate = (ms: number): boolean => {
    if (ms === Number.POSITIVE_INFINITY) return true;
    return postponed_hours === SAME_DAY ? dayOf(ms) > dayOf(betOnMs) : ms - betOnMs > postponed_hours * HOUR_MS;
  };
  const played = status === 'live' || status === 'final' || status === 'abandoned';
  if (played) return isLate(startMs);
  // Its new start may be early enough, and what is late now cannot begin in time any more.
  return isLate(nowMs) && (status === 'postponed' || calledOff || isLate(startMs));
}
