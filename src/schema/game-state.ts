// Shapes of the game-state endpoints.

import type { Static } from 'typebox';
import { orNull, Type } from '../base/model/json-schema.js';
import { objectBody } from './envelope.js';
import { sportState } from './events.js';
import { awayTeam, homeTeam, leagueId, sportId } from './odds-items.js';
import * as filters from './parameters.js';

const text = (description: string, example: string) => orNull(Type.String({ examples: [example] }), description);
const number = (description: string, example: number) => orNull(Type.Number({ examples: [example] }), description);

export const GameStateItem = Type.Object(
  {
    home_team: homeTeam,
    away_team: awayTeam,
    sport: sportId,
    league: leagueId,
    is_live: Type.Boolean({ description: 'true while the game is in play', examples: [true] }),
    home_score: number("the home team's score", 54),
    away_score: number("the away team's score", 51),
    score_home: number('the same as home_score', 54),
    score_away: number('the same as away_score', 51),
    game_period: text('quarter, half, inning, set, … as the source names it', 'Q3'),
    period: text('the same as game_period', 'Q3'),
    game_clock: text("the period's clock", '07:12'),
    clock: text('the same as game_clock', '07:12'),
    score_type: text('what the scores count', 'points'),
    possession: text('home or away', 'home'),
    is_timeout: orNull(Type.Boolean({ examples: [false] }), 'null if no source states it'),
    fouls_home: number('null if no source states it', 3),
    fouls_away: number('null if no source states it', 5),
    power_play: text('who has it', 'away'),
    last_play: text('as the source states it', 'three-pointer made'),
    ...sportState,
    primary_book: text('the source furthest in the game; what it leaves out comes from the others', 'draftkings'),
    book_count: Type.Integer({ minimum: 0, description: 'sources with a state of the game', examples: [2] }),
    stale: Type.Optional(
      Type.Literal(true, { description: 'present if the game is live and its primary book was silent for 60 s' }),
    ),
  },
  { description: 'score and progress of one game' },
);
export type GameStateItem = Static<typeof GameStateItem>;

const States = Type.Record(Type.String(), GameStateItem, { description: 'event id → state' });

export const GameStateSportsBody = objectBody(
  Type.Object(
    {
      sports: Type.Array(
        Type.Object({
          sport: sportId,
          event_count: Type.Integer({
            minimum: 1,
            description: 'games with a state that have not ended',
            examples: [4],
          }),
        }),
      ),
    },
    { additionalProperties: States, description: 'beside `sports` each of them by its id: event id → state' },
  ),
);

export const GameStateBody = objectBody(States);

export const GameStateQuery = Type.Object({ league: filters.league, live: filters.live });
export const GameStateParams = Type.Object({ sport: sportId });
