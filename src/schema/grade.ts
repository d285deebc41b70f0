// Shapes of POST /grade.

import type { Static } from 'typebox';
import { numberOrNull, orNull, Type } from '../base/model/json-schema.js';
import { BET_RESULTS, GRADE_REASONS } from '../rules/grading/grade.js';
import { BETS_MAX } from './clv.js';

const name = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 512, description, examples: [example] }));

/** Documents a bet; each is read for itself, so that a malformed one does not refuse the others. */
export const GradedBetInput = Type.Object({
  odds_id: name('id of the row; else the next ones say what was bet', '1234567890123456789'),
  event_id: name('event id', 'nba_celtics_lakers_2026-11-20'),
  event: name('the same as event_id', 'nba_celtics_lakers_2026-11-20'),
  market_type: name('market type', 'point_spread'),
  market: name('the same as market_type', 'point_spread'),
  selection_type: name('home, away, draw, over, under …', 'home'),
  selection: name('in place of selection_type: the name', 'Boston Celtics'),
  line: Type.Optional(numberOrNull("as it was bet; default the row's")),
  player_name: name('markets of a player', 'LeBron James'),
  team: name('markets of a team: home or away', 'home'),
  scored: Type.Optional(
    Type.Union([Type.Object({ home: Type.Number(), away: Type.Number() }), Type.Null()], {
      description: 'the score at which it was made, for handicaps that count from there (point_spread_rest)',
      examples: [{ home: 1, away: 0 }],
    }),
  ),
  sportsbook: name('sportsbook id', 'draftkings'),
  book: name('the same as sportsbook', 'draftkings'),
  odds_american: Type.Optional(
    Type.Number({ description: "as it was bet; default the row's last price", examples: [-105] }),
  ),
  odds_decimal: Type.Optional(Type.Number({ description: 'in place of odds_american', examples: [1.95] })),
  at: name(
    'when it was bet, as in POST /clv: tells whose an `odds_id` was that has become another player’s of the same name',
    '2026-11-20T18:00:00Z',
  ),
  stake: Type.Optional(Type.Number({ description: 'not needed: profits are per unit staked', examples: [100] })),
});
export type GradedBetInput = Static<typeof GradedBetInput>;

export const GradeBody = Type.Object({
  bets: Type.Array(
    Type.Unknown({
      description:
        'odds_id, or event_id, market_type, selection and what else says what was bet; sportsbook, odds_american or odds_decimal',
    }),
    {
      minItems: 1,
      maxItems: BETS_MAX,
      description: 'bets to grade; one that cannot be read is ungradeable among the others',
      examples: [
        [
          {
            event_id: 'nba_celtics_lakers_2026-11-20',
            market_type: 'point_spread',
            selection_type: 'home',
            line: -3.5,
            sportsbook: 'draftkings',
            odds_american: -110,
          },
        ],
      ],
    },
  ),
});

export const GradeItem = Type.Object({
  result: Type.Enum([...BET_RESULTS], { description: 'how the bet ended; pending while it may still end otherwise' }),
  reason: orNull(Type.Enum([...GRADE_REASONS, 'unknown_bet', 'no_price', 'malformed']), 'why it is not won or lost'),
  profit_units: numberOrNull('profit per unit staked, net of commission; null while it is not settled'),
  return_units: numberOrNull('what a unit staked returns, net of commission'),
  revision: Type.Integer({
    minimum: 0,
    description: 'of the result it was graded by; a corrected result has a higher one',
  }),
});
export type GradeItem = Static<typeof GradeItem>;
