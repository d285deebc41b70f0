// Sports, leagues and market types as people ask for them, in REST and streams alike: ids, aliases, and what only the
// table knows.
import type { Catalogue } from '../catalogue/catalogue.js';
import type { OddsTable } from '../table/table.js';
import { splitList } from './universe.js';

/** Ids; null is all. `unknown`: the names nothing is called. */
export interface AskedNames {
  ids: ReadonlySet<string> | null;
  unknown: string[];
}

export function askedSports(catalogue: Catalogue, table: OddsTable, sport: string | undefined): AskedNames {
  if (sport === undefined) return { ids: null, unknown: [] };
  const { sports, unknown } = catalogue.sportsMatching(splitList(sport));
  const seen = unknown.filter((name) => hasSport(table, name));
  return { ids: new Set([...sports, ...seen]), unknown: unknown.filter((name) => !seen.includes(name)) };
}

export function askedLeagues(catalogue: Catalogue, table: OddsTable, league: string | undefined): AskedNames {
  if (league === undefined) return { ids: null, unknown: [] };
  const ids = new Set<string>();
  const unknown: string[] = [];
  for (const name of splitList(league)) {
    const id = catalogue.leagueOf(name)?.id ?? name.toLowerCase();
    ids.add(id);
    if (catalogue.league(id) === undefined && !hasLeague(table, id)) unknown.push(name);
  }
  return { ids, unknown };
}

export function hasSport(table: OddsTable, id: string): boolean {
  return table.events.ordered().some((event) => event.sport === id);
}

function hasLeague(table: OddsTable, id: string): boolean {
  return table.events.ordered().some((event) => event.league === id);
}

export interface AskedMarkets {
  has(market: string): boolean;
  /** Types named as such: neither aliases nor families. */
  exact: ReadonlySet<string>;
}

/** Aliases, families and exact types, mixed. */
export function askedMarkets(catalogue: Catalogue, market: string): AskedMarkets {
  const { exact, prefixes } = catalogue.expandMarkets(splitList(market));
  return { exact, has: (name) => exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix)) };
}
