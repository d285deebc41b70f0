// How many rules an account may have, and how often they look.
import type { Tier } from '../catalogue/types.js';

/** Rules an account may have; none below. */
export const ALERT_RULES_MAX: Readonly<Partial<Record<Tier, number>>> = { pro: 10, sharp: 50, enterprise: 500 };

export const ALERT_TIMES = {
  /** Rules look this often, and wait so long for more of a burst before they tell of its beginning. */
  lookMs: 250,
  groupMs: 500,
  /** Ends and places are stored this often where nothing else is (ms). */
  noteEveryMs: 2_000,
  /** A rule that cannot be watched now is tried again after so long (ms). */
  retryMs: 5_000,
} as const;
