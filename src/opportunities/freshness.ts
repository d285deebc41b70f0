// What the passing of time does to an opportunity between two looks at it: ages, and scores that fall with them.
import { freshness } from '../detect/maths/ev.js';
import type { Opportunity, OpportunityKind } from '../detect/opportunity.js';

/** Ages (s) above which prices are not to be trusted: before the start, and in play. */
export const STALE_SECONDS = { prematch: 300, live: 60 } as const;

/** The score of each kind that falls with age. */
export const SCORE_FIELD: Record<OpportunityKind, string | null> = {
  ev: 'confidence_score',
  arbitrage: null,
  middle: 'quality_score',
  low_hold: 'confidence',
};

/** Seconds with one decimal; a price seen after `nowMs` is of now. */
export function ageSeconds(seenMs: number, nowMs: number): number {
  return Math.round(Math.max(0, nowMs - seenMs) / 100) / 10;
}

export function isStale(opportunity: Pick<Opportunity, 'live' | 'oldestSeenMs'>, nowMs: number): boolean {
  const limit = opportunity.live ? STALE_SECONDS.live : STALE_SECONDS.prematch;
  return nowMs - opportunity.oldestSeenMs > limit * 1000;
}

/** The kind's score (0-100, two decimals) as of now; 0 where it has none. */
export function scoreOf(opportunity: Opportunity, nowMs: number): number {
  const field = SCORE_FIELD[opportunity.kind];
  if (field === null) return 0;
  const fresh = freshness(Math.max(0, nowMs - opportunity.oldestSeenMs) / 1000, opportunity.live);
  return Math.round((opportunity.item[field] as number) * fresh * 100) / 100;
}
