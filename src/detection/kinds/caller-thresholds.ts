// A caller's thresholds, in numbers.

import { ApiError } from '../../base/model/errors.js';
import { DEFAULT_CURRENCY, isCurrency, type Rates } from '../../base/model/money.js';
import type { Opportunity } from '../../log/delta/opportunity.js';

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
  /** Lowest maximum stake, in `currency`; 0: any. An unknown maximum passes. */
  minStake: number;
  currency: string;
  rates: Rates;
  /** Only what no result of a game that is played breaks. */
  guaranteed: boolean;
  /** Include what rests on a distribution that nobody measured. */
  assumed: boolean;
}

/** The fields that limits use. */
export type Measured = Pick<Opportunity, 'kind' | 'edge' | 'size' | 'suspicious' | 'terms'>;

export const DEFAULT_LIMITS: Limits = {
  minEv: 2,
  maxEv: Number.POSITIVE_INFINITY,
  minProfit: 0.5,
  maxHold: 5,
  minMiddleEv: 0,
  minSize: 0.5,
  suspicious: false,
  minStake: 0,
  currency: DEFAULT_CURRENCY,
  rates: {},
  guaranteed: false,
  assumed: false,
};

/** A caller's words about what can be staked, as limits. Throws invalid_request for an unknown currency. */
export function stakedOf(stated: {
  min_stake?: number | undefined;
  currency?: string | undefined;
  guaranteed?: boolean | undefined;
  include_assumed?: boolean | undefined;
}): Pick<Limits, 'minStake' | 'currency' | 'guaranteed' | 'assumed'> {
  const currency = stated.currency?.toUpperCase() ?? DEFAULT_LIMITS.currency;
  if (!isCurrency(currency)) throw new ApiError('invalid_request', `currency: there is no currency ${currency}`);
  return {
    minStake: stated.min_stake ?? DEFAULT_LIMITS.minStake,
    currency,
    guaranteed: stated.guaranteed ?? DEFAULT_LIMITS.guaranteed,
    assumed: stated.include_assumed ?? DEFAULT_LIMITS.assumed,
  };
}
