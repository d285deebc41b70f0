// The effect of passing time on an opportunity: ages, and the scores that fall with them.

import { freshMs } from '../../base/model/freshness.js';
import type { Opportunity } from '../../log/delta/opportunity.js';
import { freshness } from '../maths/ev.js';

/** Seconds with one decimal; a price seen after `nowMs` counts as seen now. */
export function ageSeconds(seenMs: number, nowMs: number): number {
  return Math.round(Math.max(0, nowMs - seenMs) / 100) / 10;
}

export function isStale(opportunity: Pick<Opportunity, 'live' | 'oldestSeenMs'>, nowMs: number): boolean {
  return nowMs - opportunity.oldestSeenMs > freshMs(opportunity.live);
}

/** The kind's score (0-100, two decimals) as of now; 0 if it has none. */
export function scoreNow(opportunity: Opportunity, nowMs: number): number {
  if (opportunity.score === 0) return 0;
  const fresh = freshness(Math.max(0, nowMs - opportunity.oldestSeenMs) / 1000, opportunity.live);
  return Math.round(opportunity.score * fresh * 100) / 100;
}
