// Parameters and summaries of the opportunity endpoints.

import type { Static } from 'typebox';
import { DEVIG_METHODS } from '../base/model/devig-method.js';
import { orNull, Type } from '../base/model/json-schema.js';
import { LIMITS } from '../base/model/limits.js';
import { DEFAULT_STATE } from '../rules/catalogue/deep-link.js';
import { instant } from './envelope.js';
import * as filters from './parameters.js';
import { bothWays, OPPORTUNITY_SORTS } from './parameters.js';

/** Largest offset of a page. */
export const OFFSET_MAX = LIMITS.listOffset.max;

const percent = (description: string) => Type.Optional(Type.Number({ description: `${description}, percent` }));
const percentOr = (fallback: number, description: string) =>
  Type.Number({ default: fallback, description: `${description}, percent` });
const oneOf = <const T extends string>(values: readonly T[], description: string) =>
  Type.Optional(Type.Enum<T[]>([...values], { description }));

const stake = Type.Optional(
  Type.Number({
    exclusiveMinimum: 0,
    maximum: 1e12,
    examples: [100],
    description:
      'a total stake in `currency`: prices, profit and stakes are those of taking the levels of the ladders for it, and max_stake is the greatest at which the threshold holds; a profit is null (STAKE_TOO_LARGE) where it cannot be had',
  }),
);

const at = Type.Optional(
  Type.String({
    format: 'date-time',
    maxLength: 64,
    description:
      'RFC 3339, of a recording that is served alone: the instant that the answer must be of, which is the one that the recording stands at (seek it first); meta.as_of',
  }),
);

const common = {
  sport: filters.sport,
  league: filters.league,
  sportsbook: filters.text('sportsbook ids, comma-separated: opportunities among these alone; default all of the tier'),
  market: filters.market,
  event: filters.event,
  live: filters.live,
  state: Type.String({ pattern: '^[A-Za-z]{2}$', default: DEFAULT_STATE, description: 'US state code for deep links' }),
  limit: filters.wholeLimit(50),
  offset: filters.offset(OFFSET_MAX),
  ...filters.staked,
  stake,
  format: filters.listFormat,
  at,
};

const maxOddsAge = Type.Optional(Type.Number({ minimum: 0, description: 'maximum age of the oldest price, seconds' }));
const dateRange = oneOf(
  ['today', 'tomorrow', 'week'],
  "day of the start in the league's home time zone; week: today and the six days after",
);
const more = {
  team: filters.team,
  max_odds_age: maxOddsAge,
  date_range: dateRange,
  min_odds: Type.Optional(Type.Number({ description: 'of all legs, American' })),
  max_odds: Type.Optional(Type.Number({ description: 'of all legs, American' })),
};
const sorts = (kind: keyof typeof OPPORTUNITY_SORTS, directions: string) =>
  oneOf(
    bothWays(OPPORTUNITY_SORTS[kind]),
    `${directions}; odds, probability: the longest; timestamp: the stalest; - descending`,
  );

export const EvQuery = Type.Object({
  ...common,
  sportsbook: filters.text(
    'sportsbook ids, comma-separated: prices of these alone, and the same fair prices as without it; default all of the tier',
  ),
  ...more,
  min_ev: percentOr(0, 'lowest EV; may be negative'),
  max_ev: percent('highest EV'),
  min_market_width: percent('narrowest market (hold of the reference)'),
  max_market_width: percent('widest market (hold of the reference)'),
  sort: sorts('ev', 'default -ev, highest first'),
  devig: oneOf(DEVIG_METHODS, 'how the margin is taken out of the reference; default power'),
  devig_book: filters.devigBook,
  bankroll: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 1e12,
      description:
        'in `currency`, the stakes of your open bets (/account/bets) included: proposes a stake for each of all matches together, as proposed_stake, beside those bets; at most 2 % of it on a price with a confidence_score below 80',
    }),
  ),
  kelly: Type.Optional(
    Type.Number({
      minimum: 0.01,
      maximum: 1,
      description: 'with bankroll: share of the full Kelly stakes; default 0.25',
    }),
  ),
  max_event: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 100,
      description: 'with bankroll: most at stake on one event, open bets included, percent of it; default 5',
    }),
  ),
  max_book: Type.Optional(
    Type.Number({
      exclusiveMinimum: 0,
      maximum: 100,
      description: 'with bankroll: most at stake at one sportsbook, open bets included, percent of it; default 50',
    }),
  ),
});
export type EvQuery = Static<typeof EvQuery>;

export const ArbitrageQuery = Type.Object({
  ...common,
  ...more,
  min_profit: percentOr(0.5, 'lowest profit'),
  group: oneOf(['best'], 'best: only the best of each event'),
  sort: sorts('arbitrage', 'default profit, highest first with - and without'),
  include_suspicious: Type.Boolean({
    default: false,
    description: 'true: also profits above 10 %, which are rarely real',
  }),
});
export type ArbitrageQuery = Static<typeof ArbitrageQuery>;

const middles = {
  ...common,
  ...more,
  min_ev: percentOr(0, 'lowest expected value'),
  min_size: Type.Number({ default: 0.5, minimum: 0, description: 'smallest distance between the lines, points' }),
};

export const MiddlesQuery = Type.Object({
  ...middles,
  sort: sorts('middle', 'default quality; it, ev, probability (of the middle) and middle_size highest first'),
});
export type MiddlesQuery = Static<typeof MiddlesQuery>;

const { limit: _limit, offset: _offset, format: _format, state: _state, stake: _stake, ...middlesFilters } = middles;
export const MiddlesSummaryQuery = Type.Object(middlesFilters);
export type MiddlesSummaryQuery = Static<typeof MiddlesSummaryQuery>;

export const MiddleQuery = Type.Object({
  sportsbook: common.sportsbook,
  min_ev: middles.min_ev,
  min_size: middles.min_size,
  state: common.state,
  currency: filters.staked.currency,
  stake,
  at,
});

export const LowHoldQuery = Type.Object({
  ...common,
  ...more,
  max_hold: percentOr(5, 'highest hold'),
  sort: sorts('low_hold', 'default hold, lowest first'),
});
export type LowHoldQuery = Static<typeof LowHoldQuery>;

const counts = (of: string) => Type.Record(Type.String(), Type.Integer(), { description: `${of} → count` });
const nullableNumber = (description: string) => orNull(Type.Number({ description }));

export const PortfolioSummary = Type.Object(
  {
    bankroll: Type.Number(),
    currency: Type.String({ description: 'of the amounts' }),
    kelly: Type.Number({ description: 'share of the full Kelly stakes' }),
    considered: Type.Integer({ description: 'matches that the stakes are for, over all pages' }),
    left_out: Type.Integer({ description: 'further matches, the ones with the least growth, which get no stake' }),
    open_stakes: Type.Number({ description: 'what your open bets (/account/bets) have at stake, which was counted' }),
    stake: Type.Number({ description: 'sum of the proposed stakes' }),
    expected_profit: Type.Number(),
    expected_growth_percent: Type.Number({ description: 'of the bankroll, geometric: what the proposed stakes add' }),
  },
  { description: 'only with bankroll' },
);

export const LowHoldSummary = Type.Object(
  {
    count: Type.Integer({ minimum: 0 }),
    avg_hold: nullableNumber('percent; null if there are none'),
    min_hold: nullableNumber('percent; null if there are none'),
    by_market: counts('market type'),
    by_sport: counts('sport id'),
  },
  { description: 'over all matches, not only the page' },
);
export type LowHoldSummary = Static<typeof LowHoldSummary>;

export const MiddlesSummary = Type.Object(
  {
    total: Type.Integer({ minimum: 0 }),
    positive_ev_count: Type.Integer({ minimum: 0, description: 'those with an expected value above 0' }),
    guaranteed_profit_count: Type.Integer({ minimum: 0, description: 'those that lose on no result' }),
    player_prop_count: Type.Integer({ minimum: 0 }),
    by_sport: counts('sport id'),
    by_market: counts('market type'),
    by_sportsbook: counts('sportsbook id'),
    avg_middle_size: nullableNumber('points; null if there are none'),
    avg_probability: nullableNumber('0-1; null if there are none'),
    avg_ev: nullableNumber('percent; null if there are none'),
    best_ev: orNull(
      Type.Object({
        ev: Type.Number({ description: 'percent' }),
        sport: Type.String(),
        market: Type.String({ description: 'market type' }),
      }),
    ),
    has_key_numbers_count: Type.Integer({ minimum: 0, description: 'those with a key number inside' }),
  },
  { description: 'counts of the matching middles' },
);
export type MiddlesSummary = Static<typeof MiddlesSummary>;

/** Meta of every opportunity list in addition to the common fields. */
export const asOfMeta = Type.Optional(instant('only with at: the instant that the answer is of'));

export const sourceMeta = {
  as_of: asOfMeta,
  source: Type.String({
    description: 'the universe of the list: the live odds of a set of books (live/pro, live/all, live/a,b)',
  }),
  books: orNull(Type.Array(Type.String()), 'the books of that set; null means every book'),
  position: Type.Integer({ description: 'position in the change log up to which changes are included' }),
  evaluated_to: Type.Optional(
    Type.Integer({
      description:
        'only if evaluated for this request: each item is exact as of a position from `position` to this one; equal: all of one state',
    }),
  ),
  filters: Type.Record(Type.String(), Type.Unknown(), {
    description: 'the parameters as applied, null if not given',
  }),
};
