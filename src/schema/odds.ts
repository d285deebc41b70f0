// Shapes of the odds endpoints.
import Type from 'typebox';
import * as filters from './filters.js';

export const OddsQuery = Type.Object({
  sportsbook: filters.sportsbook,
  sport: filters.sport,
  league: filters.league,
  market: filters.market,
  event: filters.event,
  event_id: filters.text('the same as event'),
  live: filters.live,
  is_live: Type.Optional(Type.Boolean({ description: 'the same as live' })),
  sort: filters.text('a field to sort by, with - in front for descending'),
  fields: filters.text('names of the fields to include, comma-separated'),
  min_odds: filters.minOdds,
  max_odds: filters.maxOdds,
  group_by: Type.Optional(
    Type.Union([Type.Literal('event')], { description: 'event: the rows of the page under their events' }),
  ),
  state: filters.state,
  limit: filters.limit(50),
  offset: filters.offset(),
  cursor: filters.text('next_cursor of the page before; goes before offset'),
});

export const EventOddsQuery = Type.Object({
  sportsbook: filters.sportsbook,
  market: filters.market,
  limit: filters.limit(50),
  offset: filters.offset(),
});
