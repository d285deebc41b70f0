// Shapes of the odds endpoints.

import type { Static } from 'typebox';
import { numberOrNull, Type } from '../base/model/json-schema.js';
import * as filters from './parameters.js';

const format = Type.Enum(['json', 'csv', 'ndjson'], {
  default: 'json',
  description:
    'csv: the rows as a table with a heading, ndjson: a line of JSON a row; total and next_cursor are HTTP headers then',
});

const where = {
  sportsbook: filters.sportsbook,
  sport: filters.sport,
  league: filters.league,
  market: filters.market,
  event: filters.event,
  live: filters.live,
};

/** The answer of an earlier instant, from history. */
const at = Type.Optional(
  Type.String({
    format: 'date-time',
    maxLength: 64,
    description:
      'RFC 3339: the answer as it was then (Pro back to 24 h, Sharp 7 days, Enterprise all that is kept), without last_seen_at and volume_24h (empty in CSV), not with include=depth; meta.as_of',
  }),
);

const rowSearch = {
  team: filters.team,
  date: filters.date,
  q: filters.q,
  sort: filters.rowSort,
  fields: filters.text('names of the fields to include, comma-separated; in /odds `opening` and `depth` mean include'),
  min_odds: filters.minOdds,
  max_odds: filters.maxOdds,
};

export const OddsQuery = Type.Object({
  ...where,
  at,
  is_active: filters.isActive,
  is_main_line: filters.isMainLine,
  is_stale_pregame_price: filters.isStalePregame,
  ...rowSearch,
  include: filters.include,
  group_by: Type.Optional(Type.Enum(['event'], { description: 'event: groups the rows of the page by event' })),
  state: filters.state,
  limit: filters.wholeLimit(50, 500),
  offset: filters.offset(),
  cursor: filters.text('next_cursor of the previous page; goes before offset'),
  format,
});
export type OddsQuery = Static<typeof OddsQuery>;

export const EventOddsQuery = Type.Object({
  at,
  sportsbook: filters.sportsbook,
  market: filters.market,
  state: filters.state,
  is_active: filters.isActive,
  include: filters.include,
  limit: filters.wholeLimit(50),
  offset: filters.offset(),
  format: filters.listFormat,
});
export type EventOddsQuery = Static<typeof EventOddsQuery>;

export const BestQuery = Type.Object({
  ...where,
  at,
  is_main_line: filters.isMainLine,
  is_stale_pregame_price: filters.isStalePregame,
  team: filters.team,
  date: filters.date,
  q: filters.q,
  sort: filters.rowSort,
  min_odds: Type.Optional(Type.Number({ description: 'lowest best price, American' })),
  max_odds: Type.Optional(Type.Number({ description: 'highest best price, American' })),
  state: filters.state,
  limit: filters.wholeLimit(50),
  offset: filters.offset(5_000),
  format: Type.Enum(['json', 'csv', 'ndjson'], {
    default: 'json',
    description:
      'csv: a table with a heading, without the other books; ndjson: a line of JSON a row; the total is an HTTP header then',
  }),
});
export type BestQuery = Static<typeof BestQuery>;

export const ComparisonQuery = Type.Object({
  at,
  event: Type.String({ description: 'event id', maxLength: 512, minLength: 1 }),
  market: filters.market,
  sportsbook: filters.sportsbook,
  state: filters.state,
});
export type ComparisonQuery = Static<typeof ComparisonQuery>;

export const BatchBody = Type.Object(
  {
    event_ids: Type.Array(Type.String({ maxLength: 512 }), {
      minItems: 1,
      maxItems: 100,
      description: 'event ids, at most as many as the tier allows (10, 10, 50, 50, 100)',
    }),
    sportsbook: Type.Optional(Type.String({ maxLength: 8_192, description: 'sportsbook id; default all of the tier' })),
    market: Type.Optional(Type.String({ maxLength: 8_192, description: 'market type; default all' })),
    state: filters.state,
  },
  { examples: [{ event_ids: ['nba_lakers_celtics_2026-11-20'], market: 'main' }] },
);

export const DeltaQuery = Type.Object({
  since: Type.String({
    format: 'date-time',
    maxLength: 64,
    description: 'server_time of the previous answer (or of /odds); RFC 3339. The answer has strictly later changes',
  }),
  sportsbook: filters.sportsbook,
  sport: filters.sport,
  league: filters.league,
  market: filters.market,
  event: filters.event,
  live: Type.Boolean({
    default: false,
    description:
      'false: games that have not begun (once they begin their rows are in removed), true: games in play. Follow each by itself, from /odds with the same live',
  }),
  is_active: filters.isActive,
  ...rowSearch,
  sort: filters.text(
    'as in /odds; server_time stays where it was until the last page then: ask for the next page by offset, not by since',
  ),
  state: filters.state,
  limit: filters.limit(50),
  offset: filters.offset(),
});

/** What a stake on one price would be filled at. */
export const ExecutableQuery = Type.Object({
  odds_id: Type.String({ description: 'id of a row' }),
  stake: Type.Number({
    exclusiveMinimum: 0,
    maximum: 1e12,
    examples: [250],
    description: "in the row's currency; of a lay the backers'",
  }),
});

export const Executable = Type.Object(
  {
    odds_id: Type.String({ description: 'as requested' }),
    sportsbook: Type.String({ description: 'sportsbook id' }),
    currency: Type.String({ description: 'ISO 4217 code of the stakes' }),
    stake: Type.Number({ description: 'as requested' }),
    odds_decimal_average: numberOrNull('average price over what is filled; null if nothing can be staked'),
    odds_decimal_worst: numberOrNull('price of the last level taken; null if nothing can be staked'),
    stake_filled: Type.Number({ description: 'how much of the stake the levels take, within max_bet' }),
    levels: Type.Integer({ minimum: 0, description: 'levels taken' }),
  },
  { description: 'taking the ladder of a row' },
);
export type Executable = Static<typeof Executable>;
