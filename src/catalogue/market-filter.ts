// The category aliases of `market` filters (specification, "Market category aliases").

const MARKET_ALIASES: Record<string, readonly string[]> = {
  main: ['moneyline', 'point_spread', 'total_points'],
  spread: ['point_spread', 'puck_line', 'run_line', 'set_handicap'],
  total: ['total_points', 'total_goals', 'total_runs', 'total_games', 'total_rounds', 'team_total'],
};

export interface MarketFilter {
  exact: Set<string>;
  prefixes: string[];
}

/**
 * Aliases and exact types may be mixed; case and surrounding blanks are ignored. No names: a filter that passes
 * nothing.
 */
export function expandMarkets(names: readonly string[]): MarketFilter {
  const exact = new Set<string>();
  const prefixes = new Set<string>();
  for (const name of names) {
    const key = name.trim().toLowerCase();
    if (key === 'props') prefixes.add('player_');
    else if (Object.hasOwn(MARKET_ALIASES, key)) for (const type of MARKET_ALIASES[key]!) exact.add(type);
    else if (key !== '') exact.add(key);
  }
  return { exact, prefixes: [...prefixes] };
}

export function marketMatches(filter: MarketFilter, marketType: string): boolean {
  return filter.exact.has(marketType) || filter.prefixes.some((prefix) => marketType.startsWith(prefix));
}
