// Resolves names of sports, leagues and market types in requests, for REST and streams alike: ids, aliases, and names
// that only the table knows.

import { ApiError } from '../../base/model/errors.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { expandMarkets, type MarketFilter, marketTest, unknownMarkets } from '../../rules/markets/categories.js';
import type { RequestedParameters } from '../../schema/parameters.js';
import type { OddsTable } from '../table.js';
import { splitList } from './universe.js';

/** Ids; null means all. `unknown`: the names without a match. */
export interface RequestedNames {
  ids: ReadonlySet<string> | null;
  unknown: string[];
}

/** Names in the data that are not in the catalogue. */
export interface KnownNames {
  hasSport(id: string): boolean;
  hasLeague(id: string): boolean;
}

/** Sports and leagues of anything listed: events of the table, markets of futures. */
export function knownNames(listed: () => Iterable<{ sport: string; league: string }>): KnownNames {
  const has = (name: 'sport' | 'league', id: string): boolean => {
    for (const one of listed()) if (one[name] === id) return true;
    return false;
  };
  return { hasSport: (id) => has('sport', id), hasLeague: (id) => has('league', id) };
}

export const namesOf = (table: OddsTable): KnownNames => knownNames(() => table.events.ordered());

export function requestedSports(catalogue: Catalogue, known: KnownNames, sport: string | undefined): RequestedNames {
  if (sport === undefined) return { ids: null, unknown: [] };
  const { sports, unknown } = catalogue.sportsMatching(splitList(sport));
  const seen = unknown.filter((name) => known.hasSport(name));
  return { ids: new Set([...sports, ...seen]), unknown: unknown.filter((name) => !seen.includes(name)) };
}

export function requestedLeagues(catalogue: Catalogue, known: KnownNames, league: string | undefined): RequestedNames {
  if (league === undefined) return { ids: null, unknown: [] };
  const ids = new Set<string>();
  const unknown: string[] = [];
  for (const name of splitList(league)) {
    const id = catalogue.leagueOf(name)?.id ?? name.toLowerCase();
    ids.add(id);
    if (catalogue.league(id) === undefined && !known.hasLeague(id)) unknown.push(name);
  }
  return { ids, unknown };
}

export interface RequestedMarkets {
  has(market: string): boolean;
  /** The names that neither the catalogue nor the table has a type for. */
  unknown: string[];
}

/** Aliases, families and exact types, mixed. */
export function requestedMarkets(catalogue: Catalogue, table: OddsTable, market: string): RequestedMarkets {
  const names = splitList(market);
  const isKnown = (type: string) => catalogue.marketType(type) !== undefined || table.markets.find(type) >= 0;
  return { unknown: unknownMarkets(names, isKnown), has: marketTest(expandMarkets(names), catalogue.types) };
}

/** In a form that a message to history's thread can carry; each null means all. */
export interface RecordedNames {
  sports: string[] | null;
  leagues: string[] | null;
  markets: MarketFilter | null;
  unknown: string[];
}

/** What history is asked for: it may know what is not in the table any more, so unknown names are looked for as well. */
export function requestedOfHistory(
  catalogue: Catalogue,
  table: OddsTable,
  { sport, league, market }: { sport?: string | undefined; league?: string | undefined; market?: string | undefined },
): RecordedNames {
  const known = namesOf(table);
  const sports = requestedSports(catalogue, known, sport);
  const leagues = requestedLeagues(catalogue, known, league);
  const unknownTypes = market === undefined ? [] : requestedMarkets(catalogue, table, market).unknown;
  return {
    sports: sports.ids === null ? null : [...sports.ids, ...sports.unknown],
    leagues: leagues.ids === null ? null : [...leagues.ids],
    markets: market === undefined ? null : expandMarkets(splitList(market)),
    unknown: [...sports.unknown, ...leagues.unknown, ...unknownTypes],
  };
}

// What was ignored in a request, for `meta` of every answer: names without a match, unknown parameters.

/** Empty lists are omitted. */
export interface IgnoredNames {
  unknown?: readonly string[];
  ignored?: readonly string[];
}

const NOTHING: IgnoredNames = Object.freeze({});

/** Throws ApiError `invalid_request` for an unknown name if the request is strict. */
export function ignoredNames(
  unknown: readonly string[],
  { ignored, strict }: Pick<RequestedParameters, 'ignored' | 'strict'>,
): IgnoredNames {
  if (strict && unknown.length > 0)
    throw new ApiError('invalid_request', `${unknown.join(', ')}: no such name, and the request is strict`);
  if (unknown.length === 0 && ignored.length === 0) return NOTHING;
  return { ...(unknown.length > 0 ? { unknown } : {}), ...(ignored.length > 0 ? { ignored } : {}) };
}
