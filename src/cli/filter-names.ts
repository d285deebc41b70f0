// Names of leagues, sports, books and market types in the filters of commands, as requests have them: ids and what other
// services call them.
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import { NearestNames } from '../rules/catalogue/nearest-names.js';
import { unknownMarkets } from '../rules/markets/categories.js';

export interface FilterNames {
  league?: string[] | undefined;
  sport?: string[] | undefined;
  sportsbook?: string[] | undefined;
  market?: string[] | undefined;
}

/** Ids that the catalogue may lack. */
export interface RecordedNames {
  hasLeague(id: string): boolean;
  hasSport(id: string): boolean;
  hasBook(id: string): boolean;
  hasMarket(type: string): boolean;
}

export interface UnknownFilterName {
  name: string;
  /** `league nbaa (nearest: nba)` */
  told: string;
}

/** The names that neither the catalogue knows nor what is recorded. */
export function unknownFilterNames(
  { league = [], sport = [], sportsbook = [], market = [] }: FilterNames,
  catalogue: Catalogue,
  recorded?: RecordedNames,
): UnknownFilterName[] {
  const near = new NearestNames(catalogue);
  const { sports: _, unknown: sports } = catalogue.sportsMatching(sport);
  const told = (what: string, name: string, nearest: readonly string[]): UnknownFilterName => ({
    name,
    told: `${what} ${name}${nearest.length > 0 ? ` (nearest: ${nearest.join(', ')})` : ''}`,
  });
  const isLeague = (name: string) =>
    catalogue.leagueOf(name) !== undefined || recorded?.hasLeague(name.toLowerCase()) === true;
  const isBook = (id: string) => catalogue.isKnownBook(id) || recorded?.hasBook(id) === true;
  const isMarket = (type: string) => catalogue.marketType(type) !== undefined || recorded?.hasMarket(type) === true;
  return [
    ...league.filter((name) => !isLeague(name)).map((name) => told('league', name, near.leagues(name))),
    ...sports.filter((name) => recorded?.hasSport(name) !== true).map((name) => told('sport', name, near.sports(name))),
    ...sportsbook
      .filter((name) => !isBook(catalogue.bookId(name)))
      .map((name) => told('sportsbook', name, near.books(name))),
    ...unknownMarkets(market, isMarket).map((name) => told('market type', name, near.markets(name))),
  ];
}
