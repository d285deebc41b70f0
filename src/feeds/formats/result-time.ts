// When a result is stated that a file gives without a time.
import { DAY_MS } from '../../model/time.js';

/** After a game's start: by then it is over, and it has not left the table yet. */
export const RESULT_TOLD_AFTER_MS = DAY_MS;
