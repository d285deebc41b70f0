// Shapes of the event endpoints. An event's books and markets are limited to the caller's book universe.

import type { Static, TSchema } from 'typebox';
import { orNull, Type } from '../base/model/json-schema.js';
import { EVENT_STATUSES } from '../base/model/normal-message.js';
import { instant } from './envelope.js';
import * as filters from './parameters.js';
import { bothWays, EVENT_SORTS } from './parameters.js';

const number = (description: string, example: number) =>
  Type.Optional(Type.Number({ description, examples: [example] }));
const text = (description: string, example: string) => Type.Optional(Type.String({ description, examples: [example] }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description, examples: [true] }));
const pair = <Name extends string>(name: Name, description: string, example: number) => ({
  [`home_${name}`]: number(`${description}: the home side's`, example),
  [`away_${name}`]: number(`${description}: the away side's`, example),
});

/** The fields of a game's state that only some sports have: all optional. */
export const sportState = {
  inning: number('baseball: the inning', 7),
  inning_half: text('baseball: top or bottom', 'top'),
  outs: number('baseball: outs of the half inning', 2),
  balls: number('baseball: of the batter', 3),
  strikes: number('baseball: of the batter', 2),
  on_first: flag('baseball: a runner is on first base'),
  on_second: flag('baseball: a runner is on second base'),
  on_third: flag('baseball: a runner is on third base'),
  down: number('American football: the down', 3),
  distance: number('American football: yards to go', 7),
  yard_line: number('American football: where the ball is, as the source counts', 35),
  ...pair('timeouts', 'timeouts left', 2),
  current_set: number('sets: the one that is played', 2),
  ...pair('sets', 'sets won', 1),
  ...pair('games', 'tennis: games of the set', 4),
  home_points: text("tennis: points of the game, the home side's", '40'),
  away_points: text("tennis: points of the game, the away side's", 'AD'),
  server: text('who serves: home or away', 'home'),
  is_tie_break: flag('tennis: the game is a tie-break'),
  ...pair('red_cards', 'soccer: red cards', 1),
  ...pair('yellow_cards', 'soccer: yellow cards', 2),
  ...pair('corners', 'soccer: corners', 5),
  ...pair('shots', 'shots on goal', 8),
  ...pair('wickets', 'cricket: wickets lost', 4),
  ...pair('overs', 'cricket: overs faced', 17.3),
};

const nullable = <T extends TSchema>(schema: T) => Type.Optional(orNull(schema));

export const GameState = Type.Object(
  {
    home_score: nullable(Type.Number({ description: "the home team's score" })),
    away_score: nullable(Type.Number({ description: "the away team's score" })),
    score_home: nullable(Type.Number({ description: 'the same as home_score' })),
    score_away: nullable(Type.Number({ description: 'the same as away_score' })),
    period: nullable(Type.String({ description: 'quarter, half, inning, set, … as the source names it' })),
    clock: nullable(Type.String({ description: "the period's clock" })),
    score_type: nullable(Type.String({ description: 'what the scores count' })),
    possession: nullable(Type.String({ description: 'home or away' })),
    is_timeout: nullable(Type.Boolean()),
    fouls_home: nullable(Type.Number()),
    fouls_away: nullable(Type.Number()),
    power_play: nullable(Type.String()),
    last_play: nullable(Type.String()),
    ...sportState,
  },
  { description: 'score and progress of the game, as far as a source states them' },
);
export type GameState = Static<typeof GameState>;

/** With whose game it is, under the names of /gamestate too. */
const EventGameState = Type.Object(
  {
    ...GameState.properties,
    home_team: Type.String({ description: 'display name' }),
    away_team: Type.String({ description: 'display name' }),
    sport: Type.String({ description: 'sport id' }),
    league: Type.String({ description: 'league id' }),
    is_live: Type.Boolean({ description: 'true while the game is in play' }),
    game_period: nullable(Type.String({ description: 'the same as period' })),
    game_clock: nullable(Type.String({ description: 'the same as clock' })),
    primary_book: orNull(Type.String(), 'the source furthest in the game'),
    book_count: Type.Integer({ minimum: 0, description: 'sources with a state of the game' }),
  },
  { description: 'score and progress of the game, as far as a source states them' },
);

const common = {
  id: Type.String({ description: 'the same as event_id' }),
  event_id: Type.String({ description: '{league}_{home}_{away}_{date}; never changes' }),
  external_ids: Type.Record(Type.String(), Type.String(), {
    description: "sportsbook id → the book's own id of the event",
  }),
  sport: Type.String({ description: 'sport id' }),
  league: Type.String({ description: 'league id' }),
  home_team: Type.String({ description: 'display name' }),
  away_team: Type.String({ description: 'display name' }),
  event_name: Type.String({ description: '{away_team} @ {home_team}' }),
  start_time: instant('scheduled start'),
  status: Type.Enum([...EVENT_STATUSES], { description: 'as stated by the books, otherwise by its start' }),
  is_live: Type.Boolean({ description: 'true while the game is in play' }),
  book_count: Type.Integer({ minimum: 0, description: 'books with odds for it' }),
};

export const Event = Type.Object(
  {
    ...common,
    markets: Type.Array(Type.String(), { description: 'market types with odds' }),
    books: Type.Array(Type.String(), { description: 'ids of the books with odds' }),
    game_state: Type.Optional(EventGameState),
  },
  { description: 'an event with the names of its markets and books' },
);
export type Event = Static<typeof Event>;

export const EventBook = Type.Object({
  id: Type.String({ description: 'sportsbook id' }),
  name: Type.String({ description: 'display name' }),
  market_count: Type.Integer({ minimum: 1, description: 'market types it prices for the event' }),
  last_update: instant('newest poll with one of its prices for the event'),
});
export type EventBook = Static<typeof EventBook>;

const selectionCount = Type.Integer({
  minimum: 1,
  description: 'selections, each line separately; one with prices of several books counts once',
});
const bookCount = Type.Integer({ minimum: 1, description: 'books that price it' });

export const EventDetail = Type.Object(
  {
    ...common,
    markets: Type.Array(
      Type.Object({
        type: Type.String({ description: 'market type' }),
        selection_count: selectionCount,
        book_count: bookCount,
      }),
      { description: 'market types with odds' },
    ),
    books: Type.Array(EventBook, { description: 'books with odds' }),
    game_state: Type.Optional(EventGameState),
  },
  { description: 'an event with the counts of each book and market type' },
);
export type EventDetail = Static<typeof EventDetail>;

export const EventMarket = Type.Object(
  {
    type: Type.String({ description: 'market type' }),
    market_type: Type.String({ description: 'the same as type' }),
    selection_count: selectionCount,
    book_count: bookCount,
    selections: Type.Array(
      Type.Object({
        name: Type.String({ description: 'team, Over, Under, Draw, or as the book calls it' }),
        type: Type.String({ description: 'home, away, draw, over, under, …' }),
        line: Type.Optional(Type.Number({ description: 'points, goals, …; absent if the selection has none' })),
        player_name: Type.Optional(Type.String({ description: 'player props only' })),
        stat_category: Type.Optional(Type.String({ description: 'player props only' })),
        team_name: Type.Optional(Type.String({ description: 'team totals only: the team' })),
        book_count: bookCount,
      }),
    ),
  },
  { description: 'a market type of one event with its selections' },
);
export type EventMarket = Static<typeof EventMarket>;

export const EventsQuery = Type.Object({
  sport: filters.sport,
  league: filters.league,
  sportsbook: filters.sportsbook,
  live: filters.live,
  has_score: Type.Optional(Type.Boolean({ description: 'true only events with a score, false only those without' })),
  date: filters.date,
  team: filters.team,
  q: filters.q,
  sort: Type.Optional(
    Type.Enum(bothWays(EVENT_SORTS), { description: 'default time (the start); a leading - means descending' }),
  ),
  limit: filters.wholeLimit(50),
  format: filters.listFormat,
  offset: filters.offset(),
});
export type EventsQuery = Static<typeof EventsQuery>;

export const EventQuery = Type.Object({ sportsbook: filters.sportsbook });
export const EventMarketsQuery = Type.Object({ sportsbook: filters.sportsbook, market: filters.market });
