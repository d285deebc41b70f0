// Shapes of history: changes and candles of rows, opening and closing prices.

import type { Static } from 'typebox';
import { DEVIG_METHODS } from '../base/model/devig-method.js';
import { orNull, Type } from '../base/model/json-schema.js';
import { LIMITS } from '../base/model/limits.js';
import { CursorPagination, instant, listBody } from './envelope.js';
import {
  american,
  betFields,
  bookId,
  decimal,
  eventId,
  gameFields,
  isActive,
  isIndicative,
  isMainLine,
  leagueId,
  line,
  Opening,
  oddsId,
  probability,
  sportId,
} from './odds-items.js';
import * as filters from './parameters.js';

/** Names of the candle lengths, in seconds. */
export const INTERVALS = { '1m': 60, '5m': 300, '1h': 3_600 } as const;
export const POINTS_MAX = LIMITS.historyPoints.max;

const eventParameter = Type.String({ description: 'event id', maxLength: 512, minLength: 1 });

export const HistoryQuery = Type.Object({
  odds_id: filters.text('id of one row, which every other filter must match as well'),
  event: filters.text('event ids, comma-separated; one alone needs no from'),
  sport: filters.sport,
  league: filters.league,
  market: filters.market,
  sportsbook: filters.sportsbook,
  selection: filters.text('name or type of a selection'),
  line: Type.Optional(Type.Number({ description: 'only the time in which the row was at this line' })),
  from: filters.period('changes from then on; needed without odds_id or one event: then of all games'),
  to: filters.period('changes up to then; default now'),
  interval: Type.Optional(
    Type.Enum(Object.keys(INTERVALS) as (keyof typeof INTERVALS)[], {
      description: 'candles of this length instead of every change',
    }),
  ),
  include: Type.Optional(
    Type.Enum(['removals'], {
      description:
        'removals: each time at which the book took a row down, counted as a point; not with line, interval or format=csv',
    }),
  ),
  limit: Type.Integer({
    minimum: 1,
    maximum: POINTS_MAX,
    default: 1_000,
    description: `points per page, over all rows, 1 to ${POINTS_MAX}; all: every point of a row or an event in one answer, with format=ndjson or csv, which counts as a request for each 200 begun`,
    [filters.WHOLE]: true,
  }),
  format: Type.Optional(
    Type.Enum(['json', 'csv', 'ndjson'], {
      description: 'csv: a table with a heading, a line a point; ndjson: a line of JSON a row; default json',
    }),
  ),
  cursor: filters.text('next_cursor of the previous page'),
});

const isLive = Type.Boolean({ description: 'true while the game was in play' });
const at = instant("when the price changed: the row's odds_changed_at at that time");

export const HistoryPoint = Type.Object({
  at,
  odds_american: american,
  odds_decimal: decimal,
  line,
  is_live: isLive,
  is_active: isActive,
  indicative: isIndicative,
});

const prices = { open: decimal, high: decimal, low: decimal, close: decimal };

export const Candle = Type.Object({
  at: instant('when the candle begins'),
  ...prices,
  american: Type.Object(
    { open: american, high: american, low: american, close: american },
    { description: 'the same prices as American odds' },
  ),
  line,
  changes: Type.Integer({ minimum: 1, description: 'changes in it; candles without any are omitted' }),
  is_live: isLive,
  is_active: isActive,
  indicative: isIndicative,
});

const who = {
  odds_id: oddsId,
  sportsbook: bookId,
  ...betFields,
  team: Type.Optional(Type.Enum(['home', 'away'], { description: 'team totals only: the team' })),
};

const game = { event_id: eventId, sport: sportId, league: leagueId };

/** What says in a table of points which row each is of. */
export const PointOf = Type.Object({ ...game, ...who, is_alternate_line: Type.Boolean() });

export const HistoryRow = Type.Object({
  ...game,
  ...who,
  is_alternate_line: Type.Boolean(),
  line,
  opening: Opening,
  removed_at: orNull(instant('when the book took it down'), 'null while the book lists it'),
  points: Type.Union([Type.Array(HistoryPoint), Type.Array(Candle)], {
    description: 'in the order of time; with interval candles',
  }),
  removals: Type.Optional(
    Type.Array(instant('when the book took the row down'), { description: 'with include=removals' }),
  ),
});
export type HistoryRow = Static<typeof HistoryRow>;

const total = Type.Optional(
  Type.Integer({ minimum: 0, description: 'points that match, over all pages; absent of more than one game' }),
);

export const HistoryBody = listBody(
  HistoryRow,
  {
    count: Type.Integer({ minimum: 0, description: 'points of this page' }),
    total,
    from: instant('beginning of the time covered'),
    to: instant('end of the time covered: of all games it may be earlier than asked, if not all of it is stored yet'),
    clamped: Type.Optional(
      Type.Literal(true, { description: 'from was earlier than the tier allows, and was moved to that limit' }),
    ),
    gaps: Type.Optional(
      Type.Array(Type.Object({ from: instant('after it'), to: instant('up to it') }), {
        description: 'times in which changes were missed, because the log was cut before they were read',
      }),
    ),
  },
  Type.Object({ ...CursorPagination.properties, total }),
);

export const LinesQuery = Type.Object({
  event_id: eventParameter,
  sportsbook: filters.sportsbook,
});

export const ClosingDayQuery = Type.Object({
  date: Type.String({ format: 'date', description: 'UTC day of the start: YYYY-MM-DD', examples: ['2026-11-20'] }),
  sport: Type.String({ minLength: 1, maxLength: 80, description: 'sport id', examples: ['basketball'] }),
  league: Type.String({ minLength: 1, maxLength: 80, description: 'league id', examples: ['nba'] }),
  sportsbook: filters.sportsbook,
  devig: Type.Enum([...DEVIG_METHODS], {
    default: 'power',
    description: 'how the margin is taken out of each book',
  }),
});

const ClosedLine = Type.Object({
  odds_id: oddsId,
  ...betFields,
  team: who.team,
  line,
  is_main_line: isMainLine,
  odds_american: american,
  odds_decimal: decimal,
  indicative: isIndicative,
  implied_probability: probability,
  no_vig_probability: Type.Union([Type.Number(), Type.Null()], {
    description: "without the book's own margin, 0-1; null if it has not all sides",
    examples: [0.5],
  }),
});

export const ClosingDay = Type.Object({
  date: Type.String({ description: 'as asked', examples: ['2026-11-20'] }),
  sport: sportId,
  league: leagueId,
  events: Type.Array(
    Type.Object({
      event_id: eventId,
      ...gameFields,
      event_start_time: instant('start of the game'),
      first_captured_at: instant('the earliest of its prices'),
      books: Type.Array(
        Type.Object({
          book: bookId,
          captured_at: instant('the latest of its prices'),
          lines: Type.Array(ClosedLine),
        }),
      ),
    }),
    { description: 'games of which a book has closed, by start' },
  ),
  total_events: Type.Integer({ minimum: 0 }),
  total_lines: Type.Integer({ minimum: 0, description: 'prices of all games and books' }),
});
export type ClosingDay = Static<typeof ClosingDay>;

const BookLine = Type.Object({
  ...who,
  line: Type.Optional(Type.Number({ examples: [-3.5] })),
  is_alternate_line: Type.Boolean(),
  odds_american: american,
  odds_decimal: decimal,
  indicative: isIndicative,
  captured_at: instant('when the price became this one'),
});

export const EventLines = Type.Object({
  event_id: eventId,
  ...gameFields,
  event_start_time: instant('start of the game'),
  captured_at: orNull(instant('the latest of the prices'), 'null if there is none yet'),
  books: Type.Record(Type.String(), Type.Array(BookLine), { description: 'by sportsbook id' }),
});
export type EventLines = Static<typeof EventLines>;
