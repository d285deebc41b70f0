// Shapes of the splits endpoints.
import type { Static, TProperties } from 'typebox';
import { orNull, Type } from '../base/model/json-schema.js';
import { ignoredNames, instant, listBody, Pagination, success, UpdatedAt } from './envelope.js';
import { awayTeam, eventId, homeTeam, leagueId, sportId } from './odds-items.js';
import * as filters from './parameters.js';

export const SPLITS_MARKETS = ['spread', 'total', 'moneyline'] as const;

const share = (example: number) => orNull(Type.Number({ minimum: 0, maximum: 1, examples: [example] }));
const sides = (description: string) => orNull(Type.Object({ away: share(0.42), home: share(0.58) }), description);
const overUnder = (description: string) => orNull(Type.Object({ over: share(0.35), under: share(0.65) }), description);
const number = (description: string, example: number) => orNull(Type.Number({ examples: [example] }), description);

const MONEY = 'share of money, 0-1';
const TICKETS = 'share of tickets, 0-1';
const source = Type.String({ description: 'where the splits come from', examples: ['draftkings'] });
const spread = <Lines extends TProperties>(lines: Lines) =>
  orNull(Type.Object({ ...lines, handle_pct: sides(MONEY), bets_pct: sides(TICKETS) }), 'null if there are none');

const totalAndMoneyline = {
  total: orNull(
    Type.Object({ line: number('the total', 221.5), handle_pct: overUnder(MONEY), bets_pct: overUnder(TICKETS) }),
    'null if there are none',
  ),
  moneyline: orNull(
    Type.Object({
      away_odds: number('American', 130),
      home_odds: number('American', -150),
      handle_pct: sides(MONEY),
      bets_pct: sides(TICKETS),
    }),
    'null if there are none',
  ),
};
const fetchedAt = instant('when the source was read');

export const SplitsGame = Type.Object(
  {
    event_id: eventId,
    sport: sportId,
    league: leagueId,
    sportsbook: source,
    away_team: awayTeam,
    home_team: homeTeam,
    spread: spread({
      away_odds: number('the LINE of the away team, whatever the name says', 3.5),
      home_odds: number('the LINE of the home team, whatever the name says', -3.5),
    }),
    ...totalAndMoneyline,
    fetched_at: fetchedAt,
  },
  { description: 'betting splits of one event at one source' },
);
export type SplitsGame = Static<typeof SplitsGame>;

export const SplitsHistoryEntry = Type.Object(
  {
    book: source,
    ts: fetchedAt,
    timestamp: Type.Number({ description: 'the same in Unix seconds', examples: [1795197600] }),
    spread: spread({
      away_line: number("the away team's line", 3.5),
      home_line: number("the home team's line", -3.5),
    }),
    ...totalAndMoneyline,
    fetched_at: fetchedAt,
  },
  { description: 'betting splits at one time' },
);
export type SplitsHistoryEntry = Static<typeof SplitsHistoryEntry>;

export const SplitsQuery = Type.Object({
  sport: filters.sport,
  league: filters.league,
  sportsbook: filters.text('sources of splits, comma-separated: draftkings, circa'),
  event: filters.event,
  market: Type.Optional(
    Type.Array(Type.Enum([...SPLITS_MARKETS]), { description: 'only events with splits for one of these' }),
  ),
  limit: filters.wholeLimit(100),
  offset: filters.offset(),
  format: filters.listFormat,
});
export type SplitsQuery = Static<typeof SplitsQuery>;

const time = (what: string) =>
  Type.Optional(Type.String({ maxLength: 64, description: `${what}; RFC 3339 or Unix seconds` }));

export const SplitsHistoryQuery = Type.Object({
  event_id: Type.String({ minLength: 1, maxLength: 512, description: 'event id' }),
  sportsbook: filters.text('sources of splits, comma-separated: draftkings, circa'),
  start_time: time('the earliest entry'),
  end_time: time('the latest entry'),
  limit: filters.wholeLimit(100),
  offset: filters.offset(),
  format: filters.listFormat,
});

export const SplitsBody = listBody(SplitsGame);

export const SplitsHistoryBody = Type.Object({
  success,
  data: Type.Array(SplitsHistoryEntry, { description: 'oldest first' }),
  pagination: Pagination,
  meta: Type.Object({
    event_id: eventId,
    count: Type.Integer(),
    total: Type.Integer({ description: 'entries that match, over all pages' }),
    books: Type.Array(Type.String(), { description: 'their sources' }),
    oldest: orNull(instant('the first of them'), 'null if none matches'),
    newest: orNull(instant('the last of them'), 'null if none matches'),
    ...ignoredNames,
    pagination: Pagination,
    updated_at: UpdatedAt,
  }),
  updated_at: UpdatedAt,
});
