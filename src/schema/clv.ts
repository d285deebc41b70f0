// Shapes of closing line value.

import type { Static } from 'typebox';
import { CLV_GROUPS } from '../base/model/bet-words.js';
import { numberOrNull, orNull, Type } from '../base/model/json-schema.js';
import { LIMITS } from '../base/model/limits.js';
import { BET_RESULTS } from '../rules/grading/grade.js';
import { instant } from './envelope.js';
import { eventId } from './odds-items.js';
import * as filters from './parameters.js';

export const BETS_MAX = LIMITS.betsGraded.max;

export const ClvQuery = Type.Object({
  group_by: Type.Enum([...CLV_GROUPS], {
    default: 'sportsbook',
    description: 'grouping; day is that of the detection in UTC, edge a range of edges',
  }),
  from: filters.period('detected from then on'),
  to: filters.period('detected up to then'),
  sport: filters.sport,
  league: filters.league,
  sportsbook: filters.sportsbook,
  against: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'the book, or the model of your own, whose closing prices are the fair ones; default the sharp book’s, else the consensus',
    }),
  ),
  devig_book: filters.text('books behind the fair price at the close, comma-separated; consensus is one of them'),
});

const textOrNull = orNull(Type.String());

export const ClvGroup = Type.Object({
  group_key: Type.String({ examples: ['draftkings'] }),
  total_predictions: Type.Integer({
    minimum: 0,
    description: 'detected prices above fair, each counted once at its first price',
  }),
  total_graded: Type.Integer({
    minimum: 0,
    description: 'those that the close could grade; those of the last five minutes before it are left out',
  }),
  total_at_close: Type.Integer({
    minimum: 0,
    description: 'those first seen in the last five minutes before the close',
  }),
  avg_clv_percent: numberOrNull('(closing no-vig probability * net decimal odds - 1) * 100'),
  median_clv_percent: numberOrNull('median of the same'),
  positive_clv_rate: numberOrNull('share of the graded above 0, 0-1'),
  avg_ev_percent: numberOrNull('edge when they were detected, of all'),
  total_settled: Type.Integer({ minimum: 0, description: 'those whose games have a result; voids are left out' }),
  win_rate: numberOrNull('won ones of those won and lost, 0-1; half won and half lost count half'),
  roi_percent: numberOrNull('profit of equal stakes on the settled, net of commission'),
  roi_error_percent: numberOrNull(
    'standard error of roi_percent: how far chance alone moves it, at the odds of the settled',
  ),
  expected_roi_percent: numberOrNull('edge when they were detected, of the settled'),
});
export type ClvGroup = Static<typeof ClvGroup>;

export const PredictionsQuery = Type.Object({
  event: Type.String({
    minLength: 1,
    maxLength: 8_192,
    description: `event ids, comma-separated, at most ${LIMITS.predictedEvents.max}`,
    [filters.LIST]: true,
  }),
  market: filters.text('market types, comma-separated'),
  id: filters.text('ids of opportunities, comma-separated'),
  sport: filters.sport,
  league: filters.league,
  sportsbook: filters.sportsbook,
  limit: filters.wholeLimit(100, 1_000),
  format: filters.listFormat,
});

export const Clv = Type.Object({
  date_range: Type.Object({
    from: orNull(instant('as asked')),
    to: orNull(instant('as asked')),
  }),
  groups: Type.Array(ClvGroup, { description: 'the largest first' }),
});
export type Clv = Static<typeof Clv>;

const name = (description: string) => Type.Optional(Type.String({ maxLength: 512, description }));

const Bet = Type.Object({
  odds_id: name('id of the row; else event, market, selection and sportsbook are needed'),
  event: name('event id'),
  event_id: name('the same as event'),
  market: name('market type'),
  market_type: name('the same as market'),
  selection: name('name or type of the selection'),
  selection_type: name('the same as selection'),
  sportsbook: name('sportsbook id'),
  book: name('the same as sportsbook'),
  player_name: name('markets of a player'),
  team: Type.Optional(Type.Enum(['home', 'away'], { description: 'markets of a team' })),
  line: Type.Optional(numberOrNull('as it was bet')),
  odds_american: Type.Optional(
    Type.Number({ description: "as it was bet; default: the row's price at that time", examples: [-105] }),
  ),
  odds_decimal: Type.Optional(
    Type.Number({ exclusiveMinimum: 1, description: 'in place of odds_american', examples: [1.95] }),
  ),
  at: Type.Optional(
    Type.String({
      format: 'date-time',
      maxLength: 64,
      description: 'when it was bet; RFC 3339. Default: before the close; the price is needed then',
    }),
  ),
  stake: Type.Optional(Type.Number({ description: 'not needed' })),
});

export const BetsBody = Type.Object(
  {
    bets: Type.Array(Bet, { minItems: 1, maxItems: BETS_MAX, description: 'bets to grade' }),
    devig_book: filters.devigBook,
  },
  { examples: [{ bets: [{ odds_id: '4611686018427387904', odds_american: -105, at: '2026-11-20T18:00:00Z' }] }] },
);

const closed = {
  closing_odds_american: numberOrNull('closing price of the same bet'),
  closing_odds_decimal: numberOrNull('the same as decimal odds'),
  closing_no_vig_probability: numberOrNull('fair probability at the close, 0-1'),
  devig_book: orNull(Type.String(), 'book whose prices it is based on, or consensus'),
  clv_percent: numberOrNull('(closing no-vig probability * net decimal odds - 1) * 100'),
};

/** A price above fair: as it was detected, as it closed, and how it ended. */
export const Prediction = Type.Object(
  {
    id: Type.String({ description: 'of the opportunity' }),
    odds_id: Type.String({ description: 'id of the row' }),
    event_id: eventId,
    market_type: Type.String({ examples: ['moneyline'] }),
    selection: Type.String({ examples: ['Boston Celtics'] }),
    player_name: textOrNull,
    team_name: textOrNull,
    sportsbook: Type.String({ examples: ['draftkings'] }),
    line: numberOrNull('as it was detected'),
    odds_decimal_net: Type.Number({ description: 'first price above fair, after commission', examples: [1.95] }),
    ev_percentage: Type.Number({ description: 'edge of that price', examples: [3.1] }),
    detected_at: instant('when it was detected'),
    ...closed,
    result: Type.Enum([...BET_RESULTS], { description: 'of a bet at that price' }),
    result_reason: orNull(Type.String(), 'why it is not won or lost'),
    profit_units: numberOrNull('profit per unit staked, net of commission; null while it is open'),
    revision: Type.Integer({ minimum: 0, description: 'of the result; 0 if there is none' }),
  },
  { description: 'a price above fair and what became of it' },
);
export type Prediction = Static<typeof Prediction>;

export const BetGrade = Type.Object({
  odds_id: textOrNull,
  event_id: textOrNull,
  market_type: textOrNull,
  selection: textOrNull,
  sportsbook: textOrNull,
  line: numberOrNull('as it was bet'),
  odds_american: numberOrNull('as it was bet'),
  ...closed,
  reason: Type.Optional(
    Type.Enum(['unknown_bet', 'not_closed', 'no_price', 'in_play', 'no_closing_line', 'no_reference'], {
      description: 'reason why there is no value',
    }),
  ),
});
export type BetGrade = Static<typeof BetGrade>;
