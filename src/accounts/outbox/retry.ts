// When a failed message is sent again, and when its target is switched off.

import { LIMITS } from '../../base/model/limits.js';

/** Delays (ms) after the first failures; the last one applies to all further ones. */
export const RETRY_MS = [5_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000] as const;
/** A target that accepts nothing while the delays between attempts add up to this long (ms) is switched off. */
export const GIVE_UP_MS = 24 * 3_600_000;

export interface RetrySchedule {
  waitsMs: readonly number[];
  giveUpMs: number;
}

/** @param attempts failures so far, at least 1 @param requestedMs the delay requested by the target, or 0 */
export function waitMs({ waitsMs }: RetrySchedule, attempts: number, requestedMs: number): number {
  const wait = waitsMs[Math.min(attempts, waitsMs.length) - 1]!;
  return Math.max(wait, Math.min(requestedMs, LIMITS.alertRetryAfter.max));
}
