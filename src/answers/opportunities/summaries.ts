// Summaries over a whole filtered list, not over one page.

import { compareText } from '../../base/model/compare.js';
import type { Opportunity, OpportunityOf } from '../../log/delta/opportunity.js';
import type { LowHoldSummary, MiddlesSummary } from '../../schema/opportunities.js';

export function lowHoldSummary(opportunities: readonly Opportunity[]): LowHoldSummary {
  const holds = opportunities.map(({ edge }) => edge);
  return {
    count: holds.length,
    avg_hold: mean(holds),
    min_hold: holds.length === 0 ? null : round(holds.reduce((least, hold) => Math.min(least, hold))),
    by_market: countBy(opportunities, ({ market }) => [market]),
    by_sport: countBy(opportunities, ({ sport }) => [sport]),
  };
}

/** For middles; others are not counted. */
export function middlesSummary(listed: readonly Opportunity[]): MiddlesSummary {
  const opportunities = listed.filter((one) => one.kind === 'middle');
  const count = (test: (middle: OpportunityOf<'middle'>) => boolean): number => opportunities.filter(test).length;
  let best: Opportunity | undefined;
  for (const opportunity of opportunities) if (best === undefined || opportunity.edge > best.edge) best = opportunity;
  return {
    total: opportunities.length,
    positive_ev_count: count(({ edge }) => edge > 0),
    guaranteed_profit_count: count(({ item }) => item.is_guaranteed_profit),
    player_prop_count: count(({ item }) => item.is_player_prop),
    by_sport: countBy(opportunities, ({ sport }) => [sport]),
    by_market: countBy(opportunities, ({ market }) => [market]),
    by_sportsbook: countBy(opportunities, ({ books }) => books),
    avg_middle_size: mean(opportunities.map(({ size }) => size)),
    avg_probability: mean(opportunities.map(({ item }) => item.middle_probability)),
    avg_ev: mean(opportunities.map(({ edge }) => edge)),
    best_ev: best === undefined ? null : { ev: round(best.edge), sport: best.sport, market: best.market },
    has_key_numbers_count: count(({ item }) => item.key_numbers.length > 0),
  };
}

/** Number of items per name; one that names a book twice counts once. */
function countBy(
  opportunities: readonly Opportunity[],
  names: (opportunity: Opportunity) => readonly string[],
): Record<string, number> {
  const counts = new Map<string, number>();
  for (const opportunity of opportunities)
    for (const name of new Set(names(opportunity))) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a, x], [b, y]) => y - x || compareText(a, b)));
}

function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : round(values.reduce((sum, value) => sum + value, 0) / values.length);
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
