// Shapes of the futures endpoints.
import type { Static } from 'typebox';
import { orNull, Type } from '../base/model/json-schema.js';
import { instant, listBody } from './envelope.js';
import { american, bookId, decimal, leagueId, probability, sportId } from './odds-items.js';
import * as filters from './parameters.js';

const futureType = Type.Enum(['TEAM', 'PLAYER', 'OVER_UNDER', 'YES_NO'], {
  description: 'kind of its selections',
  examples: ['TEAM'],
});
const marketId = Type.String({
  description: '{league}_{market}: unique over all leagues',
  examples: ['nba_championship_winner'],
});
const displayName = Type.String({ description: 'display name', examples: ['NBA Championship Winner'] });

export const Future = Type.Object(
  {
    market_id: marketId,
    display_name: displayName,
    sport: sportId,
    league: leagueId,
    future_type: futureType,
    selection_count: Type.Integer({ minimum: 0, description: 'different selections over all books', examples: [30] }),
    books_available: Type.Array(bookId, { description: "books of the caller's universe that list it" }),
  },
  { description: 'a futures market' },
);
export type Future = Static<typeof Future>;

export const FutureOdds = Type.Object(
  {
    selection: Type.String({ description: 'team, player, Over, …', examples: ['Boston Celtics'] }),
    sportsbook: bookId,
    odds_american: american,
    odds_decimal: decimal,
    odds_probability: probability,
    probability,
    line: Type.Optional(
      Type.Number({ description: 'wins, points, …; only if the selection has one', examples: [52.5] }),
    ),
    future_type: futureType,
    future_market_id: marketId,
    future_market_name: displayName,
    sport: sportId,
    league: leagueId,
    event_start_time: orNull(instant('when it is decided or begins'), 'as stated by the book; null if it states none'),
    timestamp: instant('poll with this price'),
  },
  { description: "one book's price of one selection of a future" },
);
export type FutureOdds = Static<typeof FutureOdds>;

export const FuturesQuery = Type.Object({
  sport: filters.sport,
  league: filters.league,
  sportsbook: filters.sportsbook,
  future_type: Type.Optional(
    Type.Enum(['TEAM', 'PLAYER', 'OVER_UNDER', 'YES_NO'], { description: 'only of this type' }),
  ),
  limit: filters.wholeLimit(50),
  offset: filters.offset(),
  format: filters.listFormat,
});
export type FuturesQuery = Static<typeof FuturesQuery>;

export const FutureOddsQuery = Type.Object({
  future_id: Type.String({ minLength: 1, maxLength: 256, description: 'market_id of GET /futures' }),
  sport: filters.sport,
  league: filters.league,
  sportsbook: filters.sportsbook,
  limit: filters.wholeLimit(200),
  offset: filters.offset(),
  format: filters.listFormat,
});

export const FuturesBody = listBody(Future);
export const FutureOddsBody = listBody(FutureOdds);
