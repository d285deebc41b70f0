// A caller's thresholds by kind, in numbers: the same rule for REST and streams.

import type { Opportunity } from '../delta/opportunity.js';
import { SUSPICIOUS_PROFIT_PERCENT } from '../detect/maths/arbitrage.js';

export interface Limits {
  /** Percent, as the next five. */
  minEv: number;
  maxEv: number;
  minProfit: number;
  maxHold: number;
  /** Lowest expected value of a middle. */
  minMiddleEv: number;
  /** Points. */
  minSize: number;
  /** Include arbitrages above the credible profit. */
  suspicious: boolean;
}

/** The fields that limits use. */
export type Measured = Pick<Opportunity, 'kind' | 'edge' | 'size' | 'suspicious'>;

export const DEFAULT_LIMITS: Limits = {
  minEv: 2,
  maxEv: Number.POSITIVE_INFINITY,
  minProfit: 0.5,
  maxHold: 5,
  minMiddleEv: 0,
  minSize: 0.5,
  suspicious: false,
};

/**
 * Whether the opportunity meets the limits with this edge (percent), possibly an earlier one. An unknown edge (NaN)
 * meets them.
 */
export function meets(opportunity: Measured, edge: number, limits: Limits): boolean {
  switch (opportunity.kind) {
    case 'ev':
      return !(edge < limits.minEv) && !(edge > limits.maxEv);
    case 'arbitrage':
      return !(edge < limits.minProfit) && (limits.suspicious || !isSuspicious(opportunity, edge));
    case 'middle':
      return !(edge < limits.minMiddleEv) && !(opportunity.size < limits.minSize);
    case 'low_hold':
      return !(edge <= 0) && !(edge > limits.maxHold);
    case 'move':
      return true;
  }
}

function isSuspicious(opportunity: Measured, edge: number): boolean {
  return edge === opportunity.edge ? opportunity.suspicious : edge > SUSPICIOUS_PROFIT_PERCENT;
}

/** False if no opportunity of the kind meets the limits with any edge between two (percent, both included). */
export function mayMeet(kind: Opportunity['kind'], least: number, most: number, limits: Limits): boolean {
  switch (kind) {
    case 'ev':
      return most >= limits.minEv && least <= limits.maxEv;
    case 'arbitrage':
      return most >= limits.minProfit;
    case 'middle':
      return most >= limits.minMiddleEv;
    case 'low_hold':
      return most > 0 && least <= limits.maxHold;
    case 'move':
      return true;
  }
}
