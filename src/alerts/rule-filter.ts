// A rule's request in the terms of streams: its filter, thresholds and the kind of its opportunities.

import { kindsOf, STREAM_THRESHOLDS } from '../broadcast/subscription.js';
import { DEFAULT_STATE } from '../catalogue/deep-link.js';
import type { Tier } from '../catalogue/types.js';
import type { EngineView } from '../engine/engine-view.js';
import { StreamFilter } from '../filter/stream-filter.js';
import { universeOf } from '../filter/universe.js';
import type { AlertRule } from '../model/alert.js';
import { decimalFromAmerican } from '../model/price.js';
import type { OpportunityRequest } from '../opportunities/stream-source.js';

/** Throws ApiError for unknown names and for books above the tier. */
export function filterOf(
  { table, catalogue }: Pick<EngineView, 'table' | 'catalogue'>,
  tier: Tier,
  { filters }: Pick<AlertRule, 'filters'>,
): StreamFilter {
  const list = (names: readonly string[] | undefined) =>
    names === undefined || names.length === 0 ? undefined : names.join(',');
  const universe = universeOf(catalogue, tier, list(filters.sportsbooks), table.knowsBook);
  return new StreamFilter(table, catalogue, universe, {
    sport: list(filters.sports),
    league: list(filters.leagues),
    market: list(filters.markets),
    event: list(filters.eventIds),
  });
}

export function stateOf({ filters }: Pick<AlertRule, 'filters'>): string {
  return (filters.state ?? DEFAULT_STATE).toLowerCase();
}

/** For a rule of any channel but odds. */
export function askOf(rule: Pick<AlertRule, 'channel' | 'filters'>, filter: StreamFilter): OpportunityRequest {
  const { min_ev, min_profit, max_hold, min_size } = rule.filters;
  return {
    universe: filter.universe,
    kinds: kindsOf(new Set([rule.channel])),
    state: stateOf(rule),
    minEv: min_ev ?? STREAM_THRESHOLDS.minEv,
    minProfit: min_profit ?? STREAM_THRESHOLDS.minProfit,
    maxHold: max_hold ?? STREAM_THRESHOLDS.maxHold,
    minSize: min_size ?? STREAM_THRESHOLDS.minSize,
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
