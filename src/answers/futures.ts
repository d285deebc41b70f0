// GET /futures and GET /futures/odds, within the caller's book universe.

import { compareText } from '../base/model/compare.js';
import { roundDecimal, roundProbability } from '../base/model/price.js';
import { formatMs } from '../base/model/time.js';
import type { FutureDelta } from '../log/delta/delta.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import type { FuturesQuery } from '../schema/futures.js';
import { knownNames, requestedLeagues, requestedSports } from '../tables/filter/requested-names.js';
import type { Universe } from '../tables/filter/universe.js';
import type { FutureMarket, FuturesBoard } from '../tables/futures.js';

/** Markets that a book of the universe lists, by id. */
export function listFutures(
  catalogue: Catalogue,
  board: FuturesBoard,
  universe: Universe,
  { future_type, limit, offset, ...narrowing }: FuturesQuery,
) {
  const { markets, unknown } = narrowed(catalogue, board.all(), narrowing);
  const items = [];
  let total = 0;
  for (const market of markets) {
    const listed = listings(market, universe);
    const newest = newestOf(listed);
    if (newest === undefined || (future_type !== undefined && newest.future.futureType !== future_type)) continue;
    if (total >= offset && items.length < limit) items.push(futureItem(market, listed, newest));
    total++;
  }
  return { items, total, unknown: [...universe.unknown, ...unknown] };
}

/** Prices of the market in the universe, if it is of the sport and league: by selection, line and book. */
export function futuresOdds(
  catalogue: Catalogue,
  market: FutureMarket,
  universe: Universe,
  { limit, offset, ...narrowing }: Pick<FuturesQuery, 'sport' | 'league' | 'limit' | 'offset'>,
) {
  const { markets, unknown } = narrowed(catalogue, [market], narrowing);
  const rows = markets.flatMap((each) => marketOdds(each, universe));
  return {
    items: rows.slice(offset, offset + limit),
    total: rows.length,
    unknown: [...universe.unknown, ...unknown],
  };
}

/** Those of the sports and leagues, and the names without a match. */
function narrowed(
  catalogue: Catalogue,
  markets: readonly FutureMarket[],
  { sport, league }: Pick<FuturesQuery, 'sport' | 'league'>,
): { markets: readonly FutureMarket[]; unknown: string[] } {
  const known = knownNames(() => markets);
  const sports = requestedSports(catalogue, known, sport);
  const leagues = requestedLeagues(catalogue, known, league);
  const passing = markets.filter(
    (market) => (leagues.ids?.has(market.league) ?? true) && (sports.ids?.has(market.sport) ?? true),
  );
  return { markets: passing, unknown: [...sports.unknown, ...leagues.unknown] };
}

function marketOdds(market: FutureMarket, universe: Universe) {
  const listed = listings(market, universe);
  const newest = newestOf(listed);
  if (newest === undefined) return [];
  const rows = listed.flatMap((entry) =>
    entry.future.quotes.map(([selection, line, american, decimal]) => ({
      selection,
      sportsbook: entry.book,
      odds_american: american,
      odds_decimal: roundDecimal(decimal),
      odds_probability: roundProbability(1 / decimal),
      probability: roundProbability(1 / decimal),
      ...(line === null ? {} : { line }),
      future_type: newest.future.futureType,
      future_market_id: market.id,
      future_market_name: newest.future.displayName,
      sport: market.sport,
      league: market.league,
      event_start_time: entry.future.eventStartMs === null ? null : formatMs(entry.future.eventStartMs),
      timestamp: formatMs(entry.polledMs),
    })),
  );
  return rows.sort(
    (a, b) =>
      compareText(a.selection, b.selection) || (a.line ?? 0) - (b.line ?? 0) || compareText(a.sportsbook, b.sportsbook),
  );
}

function listings(market: FutureMarket, universe: Universe): FutureDelta[] {
  return [...market.books.values()].filter(({ book }) => universe.allows(book));
}

/** The listing that gives the market its name: the newest. */
function newestOf(listed: readonly FutureDelta[]): FutureDelta | undefined {
  return listed.reduce<FutureDelta | undefined>(
    (newest, entry) => (newest === undefined || entry.polledMs > newest.polledMs ? entry : newest),
    undefined,
  );
}

function futureItem(market: FutureMarket, listed: readonly FutureDelta[], { future }: FutureDelta) {
  const selections = new Set(listed.flatMap((entry) => entry.future.quotes.map(([name, line]) => `${name}|${line}`)));
  return {
    market_id: market.id,
    display_name: future.displayName,
    sport: market.sport,
    league: market.league,
    future_type: future.futureType,
    selection_count: selections.size,
    books_available: listed.map(({ book }) => book).sort(),
  };
}
