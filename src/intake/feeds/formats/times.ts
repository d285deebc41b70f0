// Times that files do not state.
import { DAY_MS, MINUTE_MS } from '../../../base/model/time.js';

/** When a result is stated, after a game's start: by then it is over, and it has not left the table yet. */
export const RESULT_TOLD_AFTER_MS = DAY_MS;

/** When a price closed (both Unix ms). */
export function closeBefore(startMs: number): number {
  return startMs - MINUTE_MS;
}
