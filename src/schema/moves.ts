// Moves as served, and the parameters of their list.

import type { Static } from 'typebox';
import { orNull, Type } from '../base/model/json-schema.js';
import { instant } from './envelope.js';
import { OFFSET_MAX } from './opportunities.js';
import { eventFields } from './opportunities-items.js';
import * as filters from './parameters.js';
import { bothWays, OPPORTUNITY_SORTS } from './parameters.js';

const KINDS = ['steam', 'drop', 'line', 'reverse'] as const;
const text = (description: string) => Type.String({ description });
const line = (description: string) => orNull(Type.Number(), `${description}; null if the market has none`);
const probability = (description: string) =>
  orNull(Type.Number(), `${description}: implied probability (0-1), mean over the books; null for moves of a line`);

export const Move = Type.Object(
  {
    id: text('16 lowercase hex, of what moved and when that began'),
    kind: Type.Enum([...KINDS], {
      description:
        'steam: several books move an outcome in the same direction at once; drop: a price changed by a lot; line: the consensus main line moved; reverse: a steam or line move against most bets',
    }),
    direction: Type.Enum(['up', 'down'], {
      description: 'up: the selection became more likely, its price shorter, or the line moved towards it',
    }),
    ...eventFields,
    start_time: orNull(instant('scheduled start'), 'null where unknown'),
    player_name: orNull(Type.String(), 'player props only'),
    stat_category: orNull(Type.String(), 'player props only'),
    team_name: orNull(Type.String(), 'markets of one team only'),
    selection: text('team, Over, Under, Draw, or as the book calls it'),
    selection_type: text('as in /odds'),
    line_from: line("the selection's line before"),
    line_to: line("the selection's present line; different from the earlier one only in moves of a line"),
    probability_from: probability('before'),
    probability_to: probability('now'),
    books: Type.Array(
      Type.Object({
        book: text('sportsbook id'),
        from: Type.Number({ description: 'American odds before; for moves of a line, the line' }),
        to: Type.Number({ description: 'the present value' }),
        at: instant('when it last moved, as odds_changed_at'),
      }),
      { description: 'the books that moved, in order of time' },
    ),
    laggards: Type.Array(
      Type.Object({
        book: text('sportsbook id'),
        odds: Type.Number({ description: 'American odds of the selection' }),
        odds_decimal: Type.Number(),
        line: line('its line'),
        edge_percent: orNull(
          Type.Number(),
          'expected value in percent of the stake, after commission, against the fair price of the books that moved; null where that is not known',
        ),
        odds_id: text('id of the price in /odds'),
      }),
      { description: 'books that have not followed yet, best edge first' },
    ),
    started_at: instant('when the first of the books began to move'),
    last_moved_at: instant('when the last of them moved'),
    detected_at: instant("when it was first detected in the caller's book universe"),
  },
  { description: 'the move, the books that made it, and those that have not followed' },
);

export type Move = Static<typeof Move>;

export const MovesQuery = Type.Object({
  sport: filters.sport,
  league: filters.league,
  sportsbook: filters.text('sportsbook ids, comma-separated: moves among these books alone; default all of the tier'),
  market: filters.market,
  event: filters.event,
  live: filters.live,
  team: filters.team,
  kind: filters.text(`kinds, comma-separated: ${KINDS.join(', ')}; default all`),
  laggard: filters.text('sportsbook ids, comma-separated: moves of all books that one of these has not followed'),
  min_edge: Type.Optional(
    Type.Number({ description: 'lowest edge of the best laggard (of those that laggard names), percent' }),
  ),
  sort: Type.Optional(
    Type.Enum(bothWays(OPPORTUNITY_SORTS.move), {
      description: 'default -detected_at, newest first; edge: of the best laggard; with - in front descending',
    }),
  ),
  limit: filters.wholeLimit(50),
  offset: filters.offset(OFFSET_MAX),
  format: filters.listFormat,
});
export type MovesQuery = Static<typeof MovesQuery>;
