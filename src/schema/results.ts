// Shapes of GET /results and of the channel `results`.
import type { Static } from 'typebox';
import { numberOrNull, Type } from '../base/model/json-schema.js';
import { ENDINGS, RESULT_STATUSES, RESULT_WINNERS } from '../base/model/result.js';
import { CursorPagination, instant, listBody } from './envelope.js';
import { eventId, gameFields } from './odds-items.js';
import * as filters from './parameters.js';

const score = (description: string, example: number) => Type.Number({ description, examples: [example] });
const pair = { home_score: score('of the home team', 24), away_score: score('of the away team', 21) };

const Part = Type.Object({
  part: Type.String({
    description: 'as in market types: q1, h2, p3, innings_1_1, set_2; ot, et, pens',
    examples: ['q1'],
  }),
  ...pair,
  final: Type.Optional(Type.Literal(true, { description: 'over, in a game that did not come to its end' })),
  tie_break: Type.Optional(
    Type.Literal(true, { description: 'a tie-break played in place of a set: it counts as one set and one game' }),
  ),
});
const Player = Type.Object({
  player_name: Type.String({ examples: ['LeBron James'] }),
  played: Type.Boolean({ description: 'false: bets on the player are void', examples: [true] }),
  stats: Type.Record(Type.String(), Type.Number(), { description: 'by statistic, as in player market types' }),
});
const Regulation = Type.Object(pair, { description: 'score after regular time, where a source tells it' });
const Stats = Type.Record(Type.String(), Type.Object({ home: Type.Number(), away: Type.Number() }), {
  description: 'corners, cards and other statistics of the game',
});

/** How a game ended, beside its scores. */
const Ending = {
  winner: Type.Optional(
    Type.Enum([...RESULT_WINNERS], {
      description: 'who won where the score does not say; none: no contest, bets are void',
    }),
  ),
  advanced: Type.Optional(Type.Enum(['home', 'away'], { description: 'who goes on to the next round' })),
  ended: Type.Optional(
    Type.Enum([...ENDINGS], {
      description: 'normal: the final score is that of regular time; shortened: called early',
    }),
  ),
  innings: Type.Optional(
    Type.Number({ description: 'innings played; a half where only one side batted', examples: [8.5] }),
  ),
};

/** What a source states of a game, beside which one it is. */
export const StatedScores = {
  status: Type.Enum([...RESULT_STATUSES], { description: 'of the game' }),
  home_score: Type.Optional(score('of the home team, overtime included', 110)),
  away_score: Type.Optional(score('of the away team', 104)),
  parts: Type.Optional(Type.Array(Part)),
  regulation: Type.Optional(Regulation),
  stats: Type.Optional(Stats),
  players: Type.Optional(Type.Array(Player)),
  ...Ending,
  at: Type.Optional(instant('when it was so; a later one of the same source replaces it')),
};

export const Result = Type.Object(
  {
    event_id: eventId,
    ...gameFields,
    event_start_time: instant('scheduled start'),
    status: Type.Enum([...RESULT_STATUSES], { description: 'of the game' }),
    home_score: numberOrNull('of the home team, overtime included; null if not told'),
    away_score: numberOrNull('of the away team'),
    parts: Type.Array(Part, { description: 'scores of single parts, where a source tells them' }),
    regulation: Type.Optional(Regulation),
    stats: Type.Optional(Stats),
    players: Type.Optional(Type.Array(Player)),
    ...Ending,
    source: Type.String({ description: 'whose word it is', examples: ['the-odds-api'] }),
    revision: Type.Integer({ minimum: 1, description: 'rises with every statement that changed the result' }),
    updated_at: instant('when it last changed here'),
  },
  { description: 'what became of a game' },
);
export type Result = Static<typeof Result>;

export const ResultsQuery = Type.Object({
  event_id: filters.event,
  event: filters.event,
  league: filters.league,
  sport: filters.sport,
  date: filters.date,
  status: filters.text(`comma-separated: ${RESULT_STATUSES.join(', ')}`),
  updated_since: filters.text('RFC 3339: only results that changed after it'),
  limit: filters.wholeLimit(50),
  format: filters.listFormat,
  cursor: filters.text('next_cursor of the page before'),
});
export type ResultsQuery = Static<typeof ResultsQuery>;

export const ResultsBody = listBody(Result, {}, CursorPagination);
