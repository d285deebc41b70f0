// When a message that was not taken is sent again, and when its target is given up.

import { LIMITS } from '../model/limits.js';

/** Waits (ms) after the first failures; the last one stands for all that follow. */
export const RETRY_MS = [5_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 1_800_000, 3_600_000] as const;
/** A target that takes nothing for so long (ms) is switched off. */
export const GIVE_UP_MS = 24 * 3_600_000;

export interface RetrySchedule {
  waitsMs: readonly number[];
  giveUpMs: number;
}

/** @param attempts failures so far, at least 1 @param askedMs what the target asked for, or 0 */
export function waitMs({ waitsMs }: RetrySchedule, attempts: number, askedMs: number): number {
  const wait = waitsMs[Math.min(attempts, waitsMs.length) - 1]!;
  return Math.max(wait, Math.min(askedMs, LIMITS.alertAskedWait.max));
}
