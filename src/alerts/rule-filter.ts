// A rule's request in the terms of streams: its filter, thresholds and the kind of its opportunities.

import type { OpportunityRequest } from '../answers/opportunities/views.js';
import type { AlertRule } from '../base/model/alert.js';
import { ApiError } from '../base/model/errors.js';
import { decimalFromAmerican } from '../base/model/price.js';
import { kindsOf, thresholdsOf } from '../broadcast/subscription.js';
import type { Engine } from '../engine/engine.js';
import { DEFAULT_STATE } from '../rules/catalogue/deep-link.js';
import type { Tier } from '../rules/catalogue/types.js';
import { filterOfLists, type StreamFilter } from '../tables/filter/stream-filter.js';
import { universeOf } from '../tables/filter/universe.js';

/** Throws ApiError for unknown names and for books above the tier. */
export function filterOf(
  { table, catalogue }: Pick<Engine, 'table' | 'catalogue'>,
  { tier, account }: { tier: Tier; account: string },
  { filters }: Pick<AlertRule, 'filters'>,
): StreamFilter {
  return filterOfLists({ table, catalogue }, tier, filters, account);
}

/** The books that a move must have left behind; null if it may be any. Throws ApiError as filterOf() does. */
export function laggardsOf(
  { table, catalogue }: Pick<Engine, 'table' | 'catalogue'>,
  { tier, account }: { tier: Tier; account: string },
  { filters }: Pick<AlertRule, 'filters'>,
): ReadonlySet<string> | null {
  if (filters.laggards === undefined) return null;
  const { requested, unknown } = universeOf(catalogue, tier, filters.laggards.join(','), table.knowsBook, account);
  if (unknown.length > 0) throw new ApiError('invalid_request', `laggards: unknown ${unknown.join(', ')}`);
  return new Set(requested);
}

export function stateOf({ filters }: Pick<AlertRule, 'filters'>): string {
  return (filters.state ?? DEFAULT_STATE).toLowerCase();
}

/** For a rule of any channel but odds. */
export function requestOf(rule: Pick<AlertRule, 'channel' | 'filters'>, filter: StreamFilter): OpportunityRequest {
  return {
    universe: filter.universe,
    kinds: kindsOf(new Set([rule.channel])),
    state: stateOf(rule),
    ...thresholdsOf(rule.filters),
    hasEvent: (event) => filter.hasEvent(event),
    hasMarket: (market) => filter.hasMarket(market),
    shared: { events: filter.applied.event },
  };
}

/** Bounds of the decimal price, from American ones that may be missing. */
export function priceBounds({ filters }: Pick<AlertRule, 'filters'>): [least: number, most: number] {
  const { min_odds: least, max_odds: most } = filters;
  return [
    least === undefined ? 0 : decimalFromAmerican(least),
    most === undefined ? Number.POSITIVE_INFINITY : decimalFromAmerican(most),
  ];
}
