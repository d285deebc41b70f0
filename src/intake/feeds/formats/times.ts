// Times that files do not state.
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../base/model/time.js';

/** When a result is stated, after a game's start: by then it is over, and it has not left the table yet. */
export const RESULT_TOLD_AFTER_MS = DAY_MS;

/** When a price closed (both Unix ms). */
export function closeBefore(startMs: number): number {
  return startMs - MINUTE_MS;
}

/** After which time no game of the sport is played on, whatever extra time, penalties and breaks it had. */
const OVER_AFTER_MS: Readonly<Record<string, number>> = {
  soccer: 4 * HOUR_MS,
  handball: 4 * HOUR_MS,
  rugby: 4 * HOUR_MS,
  basketball: 5 * HOUR_MS,
  football: 6 * HOUR_MS,
  hockey: 6 * HOUR_MS,
  // Tests and matches of the counties take five days, and may have a day of rest.
  cricket: 7 * DAY_MS,
};

/** Whether a game of the sport is over, so long after its start; matches that dusk or rain interrupt go on the next day. */
export function isSurelyOver(sport: string, sinceStartMs: number): boolean {
  return sinceStartMs >= (OVER_AFTER_MS[sport] ?? DAY_MS);
}
