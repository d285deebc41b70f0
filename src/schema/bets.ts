// Shapes of an account's bets.
import type { Static } from 'typebox';
import {
  BET_GROUPS,
  BET_MODES,
  BET_REJECTIONS,
  BET_STATUSES,
  FILL_BOUNDS,
  HAND_RESULTS,
} from '../base/model/bet-words.js';
import { numberOrNull, orNull, Type } from '../base/model/json-schema.js';
import { LIMITS } from '../base/model/limits.js';
import { BET_RESULTS } from '../rules/grading/grade.js';
import { Commission } from './commission.js';
import { CursorPagination, instant, listBody } from './envelope.js';
import * as filters from './parameters.js';

const textOrNull = (description: string) => orNull(Type.String(), description);
const money = (description: string) => Type.Number({ description, examples: [25] });

/** What a bet is of, in place of odds_id. */
const name = (description: string) => Type.Optional(Type.String({ maxLength: 512, description }));
const description = {
  event_id: name('in place of odds_id, with the next ones: event id'),
  event: name('the same as event_id'),
  market_type: name('market type'),
  market: name('the same as market_type'),
  selection: name('name or type of the selection'),
  selection_type: name('the same as selection'),
  sportsbook: name('sportsbook id'),
  book: name('the same as sportsbook'),
  line: Type.Optional(
    numberOrNull("what was bet, of a row whose main line has moved since; default: the row's, or the book's main line"),
  ),
  player_name: name('markets of a player'),
  team: Type.Optional(Type.Enum(['home', 'away'], { description: 'markets of a team' })),
};

export const NewBet = Type.Object({
  client_id: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'your own id: a bet sent again with it is not recorded again',
    examples: ['bot-1'],
  }),
  odds_id: Type.Optional(
    Type.String({
      maxLength: 32,
      description: 'id of the row; else event_id, market_type, selection and sportsbook say which it is',
      examples: ['1234567890123456789'],
    }),
  ),
  ...description,
  stake: Type.Number({
    exclusiveMinimum: 0,
    maximum: LIMITS.betStake.max,
    description: "in the row's currency, at most two decimals; of a lay the backer's",
    examples: [25],
  }),
  odds_american: Type.Optional(Type.Number({ description: 'the least price of a paper bet, the price of another' })),
  odds_decimal: Type.Optional(
    Type.Number({ exclusiveMinimum: 1, description: 'in place of odds_american', examples: [1.95] }),
  ),
  mode: Type.Enum([...BET_MODES], {
    description: 'paper: filled from what stands in the table; placed: what you did elsewhere, taken as stated',
  }),
  tag: Type.Optional(
    Type.String({ maxLength: 64, description: 'summaries can be grouped by it', examples: ['steam'] }),
  ),
  note: Type.Optional(Type.String({ maxLength: 200, description: 'for yourself' })),
});
export type NewBet = Static<typeof NewBet>;

export const NewBets = Type.Object(
  {
    bets: Type.Array(NewBet, { minItems: 1, maxItems: LIMITS.betsAtOnce.max, description: 'recorded all, or none' }),
  },
  {
    examples: [
      {
        bets: [{ client_id: 'bot-1', odds_id: '4611686018427387904', stake: 25, odds_american: -105, mode: 'paper' }],
      },
    ],
  },
);

export const ChangedBet = Type.Object(
  {
    stake: Type.Optional(
      Type.Number({ exclusiveMinimum: 0, maximum: LIMITS.betStake.max, description: 'at most two decimals' }),
    ),
    odds_american: Type.Optional(Type.Number({ description: 'the price that you got' })),
    odds_decimal: Type.Optional(Type.Number({ exclusiveMinimum: 1, description: 'in place of odds_american' })),
    tag: Type.Optional(orNull(Type.String({ maxLength: 64 }))),
    note: Type.Optional(orNull(Type.String({ maxLength: 200 }))),
    result: Type.Optional(
      orNull(
        Type.Enum([...HAND_RESULTS]),
        'how it ended, whatever results say; null takes that back: the bet is graded by results again',
      ),
    ),
    struck: Type.Optional(
      Type.Boolean({ description: 'true: recorded by mistake, as DELETE does; false: not after all' }),
    ),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    description: 'what is to be changed; of a paper bet tag and note alone',
    examples: [{ stake: 30, odds_american: -110 }],
  },
);
export type ChangedBet = Static<typeof ChangedBet>;

const Fill = Type.Object({
  odds_decimal: Type.Number({ examples: [1.95] }),
  stake: money("in the row's currency"),
  at: instant('when it was filled'),
});

export const AccountBet = Type.Object({
  id: Type.String({ description: 'counted in the account', examples: ['bet_00000001'] }),
  client_id: Type.String({ examples: ['bot-1'] }),
  mode: Type.Enum([...BET_MODES]),
  status: Type.Enum([...BET_STATUSES], {
    description: 'pending: in play, judged when the delay of its book is over; struck: recorded by mistake',
  }),
  reason: orNull(Type.Enum([...BET_REJECTIONS]), 'why it was rejected'),
  fills: Type.Array(Fill),
  stake: money("as asked, in the row's currency"),
  is_lay: Type.Boolean({ description: 'the selection is laid: the stake is the backer’s' }),
  stake_filled: money('of that'),
  exposure: money("what it may lose, in the bankroll's currency: the stake; of a lay stake × (odds - 1)"),
  currency: textOrNull("the row's"),
  limited_by: orNull(
    Type.Enum([...FILL_BOUNDS]),
    'what bounded a paper fill; paper_max: the book states neither limit nor size',
  ),
  odds_id: Type.String(),
  odds_american: Type.Number({ description: 'as asked' }),
  odds_decimal: Type.Number({ description: 'the same' }),
  event_id: textOrNull('event id; null if the row was unknown, as in the next ones'),
  event_name: textOrNull('away @ home'),
  sport: textOrNull('sport id'),
  league: textOrNull('league id'),
  sportsbook: textOrNull('sportsbook id'),
  market_type: textOrNull('market type'),
  selection: textOrNull('name'),
  selection_type: textOrNull('home, away, draw, over, under …'),
  player_name: textOrNull('markets of a player'),
  stat_category: Type.Optional(Type.String({ description: 'the statistic, of a row that has one' })),
  team_name: textOrNull('markets of one team'),
  line: numberOrNull('as it was bet'),
  three_way: Type.Optional(
    Type.Literal(true, { description: 'its book offered a draw in the market: then both teams lose on one' }),
  ),
  commission: Type.Optional(orNull(Commission, 'what its market charged; absent: what its book charges')),
  is_live: Type.Boolean({ description: 'recorded in play' }),
  recorded_at: instant('when it was recorded'),
  judged_at: orNull(instant('pending: when it is judged')),
  tag: textOrNull('yours'),
  note: textOrNull('yours'),
  result: orNull(Type.Enum([...BET_RESULTS]), 'null before it was graded'),
  result_reason: textOrNull(
    'why it is not won or lost; by_hand: you stated it; no_rule from the start: no result can say how it ends',
  ),
  profit: numberOrNull("in the bankroll's currency, net of commission; null while it is open"),
  clv_percent: numberOrNull('closing line value; null where there is none'),
  revision: Type.Integer({ minimum: 0, description: 'of the result it was graded by' }),
  graded_at: orNull(instant('when it was graded last')),
});
export type AccountBet = Static<typeof AccountBet>;

export const BetsSkipped = Type.Integer({
  minimum: 0,
  description: 'lines that were passed over: bets that came to nothing (status rejected or struck)',
});

export const AccountBetsQuery = Type.Object({
  status: Type.Optional(Type.Enum([...BET_STATUSES], { description: 'only these' })),
  tag: Type.Optional(Type.String({ maxLength: 64, description: 'only these' })),
  from: filters.period('recorded from then on'),
  to: filters.period('recorded up to then'),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: LIMITS.betsPage.max,
      description: 'bets of a page; default 100, of a table 1000; all: every bet, with format=ndjson or csv',
      [filters.WHOLE]: true,
    }),
  ),
  cursor: filters.text('next_cursor of the page before'),
  format: Type.Optional(
    Type.Enum(['json', 'csv', 'ndjson'], {
      description: 'csv: a table, which POST /account/bets/csv takes back; ndjson: a line of JSON a bet',
    }),
  ),
});

export const AccountBetsBody = listBody(AccountBet, {}, CursorPagination);

export const BetsSummaryQuery = Type.Object({
  group_by: Type.Enum([...BET_GROUPS], { default: 'sportsbook', description: 'what is summed up' }),
});

const groupFields = {
  bets: Type.Integer({ minimum: 0, description: 'filled ones; rejected and struck ones are left out' }),
  stake: money('staked; of lays by the backers'),
  profit: Type.Number({ description: 'of the settled ones, net of commission' }),
  roi_percent: numberOrNull('profit of what was at risk on the settled ones, voids left out: of lays their liability'),
  clv_percent: numberOrNull('mean closing line value'),
  win_rate: numberOrNull('won of won and lost, 0-1; a half won counts as half a win, a half lost as half a loss'),
  max_drawdown: Type.Number({ minimum: 0, description: 'deepest fall of the profit, in the order of settlement' }),
  open_exposure: money('what the open ones may lose'),
};

const BetGroup = Type.Object({
  group_key: Type.String({ description: 'of the group', examples: ['draftkings'] }),
  ...groupFields,
});

export const BetsSummary = Type.Object({
  groups: Type.Array(BetGroup, {
    description: 'the largest stake first; beyond 1,000 groups the rest together as the last one, `other`',
  }),
  total: Type.Object(groupFields, { description: 'all of them together' }),
  currency: Type.String({ description: 'of all amounts', examples: ['USD'] }),
  cash: Type.Number({ description: 'deposits + profit - what is open' }),
  deposits: numberOrNull('null if none were stated'),
  struck: Type.Integer({ minimum: 0, description: 'bets recorded by mistake' }),
});
export type BetsSummary = Static<typeof BetsSummary>;

export const BankrollBody = Type.Object({
  deposits: orNull(
    Type.Number({ minimum: 0, maximum: LIMITS.betStake.max, examples: [10000] }),
    'all of them together; null takes them back: no bet is beyond the cash then',
  ),
  currency: Type.Optional(
    Type.String({ minLength: 3, maxLength: 3, description: 'ISO 4217; default as it is', examples: ['USD'] }),
  ),
});

export const BankrollItem = Type.Object({
  currency: Type.String({ examples: ['USD'] }),
  deposits: numberOrNull('null if none were stated: no bet is beyond the cash then'),
  cash: Type.Number({ description: 'deposits + profit - open stakes' }),
  open_stakes: Type.Number({ description: 'of bets that are not settled; of lays what they may lose' }),
  profit: Type.Number({ description: 'of those that are' }),
  paper_max: Type.Number({
    description: "what paper bets get of a price whose book states no limit, size or ladder, in the row's currency",
    examples: [100],
  }),
});
export type BankrollItem = Static<typeof BankrollItem>;
