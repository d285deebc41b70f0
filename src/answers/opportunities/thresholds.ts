// Whether an opportunity meets a caller's thresholds: the same rule for REST and streams.

import { maxStakeIn, type StakeTerms } from '../../base/model/stake-terms.js';
import type { Limits, Measured } from '../../detection/kinds/caller-thresholds.js';
import { KINDS } from '../../detection/kinds/kinds.js';

/**
 * Whether the opportunity meets the limits with this edge (percent) and these terms, possibly earlier ones. An unknown
 * edge (NaN) meets them.
 */
export function meets(opportunity: Measured, edge: number, limits: Limits, terms = opportunity.terms): boolean {
  if (!Number.isNaN(edge) && !canBeStaked(terms, limits)) return false;
  return KINDS[opportunity.kind].meets(opportunity, edge, limits);
}

function canBeStaked({ sure, assumed, caps }: StakeTerms, limits: Limits): boolean {
  const { guaranteed, minStake, currency, rates } = limits;
  if ((guaranteed && !sure) || (assumed && !limits.assumed)) return false;
  if (minStake <= 0) return true;
  const most = maxStakeIn(caps, currency, rates) ?? null;
  return most === null || most >= minStake;
}
