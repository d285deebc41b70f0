// The four kinds of opportunities as served: REST items, stream payloads, CSV columns and MCP results alike.

import type { Static } from 'typebox';
import { DEVIG_METHODS } from '../base/model/devig-method.js';
import { orNull, Type } from '../base/model/json-schema.js';
import { WARNING_CODES } from '../base/model/warnings.js';
import { Commission } from './commission.js';
import { instant } from './envelope.js';
import { GameState } from './events.js';
import { feedIds } from './odds-items.js';

const number = (description: string) => Type.Number({ description });
/**
 * Null only with `stake`, where it cannot be had: what detection makes, and what is sent without, always has a number, and
 * its type says so.
 */
const had = (description: string) =>
  orNull(number(`${description}; null with a stake that cannot be had`)) as unknown as ReturnType<typeof number>;
const stake = Type.Optional(
  number("only with stake: what to stake here, in the book's currency; of a lay the liability"),
);
const text = (description: string) => Type.String({ description });

const line = orNull(number('points, goals, …; null if the market has none'));
const american = number('American odds');
const decimal = number('decimal odds');
const net = number('decimal odds after the commission of the book: what the opportunity is computed with');
const commission = orNull(Commission, "the book's commission; null if it has none");
const deepLink = orNull(text('URL of the bet at the sportsbook; null if it has no deep links'));
const oddsId = text('id of the price in /odds');
const maxStake = orNull(
  number(
    "maximum stake at the price, in the book's currency: the lower of the row's size and max_bet; null if unknown",
  ),
);
const maxTotal = orNull(
  number('greatest stake in all, in the currency asked for; null if no side states a limit or a rate is missing'),
);
const currency = Type.String({ description: "ISO 4217 code of the book's stakes and limits", examples: ['USD'] });
const exceptions = Type.Array(
  Type.Object({
    result: text('tie, retirement, shortened, overtime_draw, super_over; a total (7) or a margin (home by 3, draw)'),
    profit_percent: number('the least of the total stake, with the stakes as printed'),
  }),
  { description: 'results of a played game on which it makes something else than it prints' },
);

const ages = {
  possibly_stale: Type.Boolean({ description: 'older than 300 s before the start, 60 s in play' }),
  oldest_odds_age_seconds: number('age of the oldest price in it, seconds'),
};
const warnings = Type.Array(Type.Enum([...WARNING_CODES]), {
  description: 'reservations; GET /warnings says what each means',
});
const detectedAt = instant("when it was first detected in the caller's book universe");

/** For an opportunity or a move. */
export const eventFields = {
  event_id: text('{league}_{home}_{away}_{date}'),
  event_name: text('{away_team} @ {home_team}'),
  sport: text('sport id'),
  league: text('league id'),
  home_team: text('display name'),
  away_team: text('display name'),
  start_time: orNull(instant('scheduled start')),
  is_live: Type.Boolean({ description: 'true while the game is in play' }),
  market_type: text('market type, as in /odds'),
};

const prop = {
  is_player_prop: Type.Boolean({ description: 'true for bets on a player' }),
  player_name: orNull(text('player props only')),
  stat_category: orNull(text('player props only')),
  team_name: Type.Optional(text('team totals only: the team')),
};

const alternate = { is_alternate_line: Type.Boolean({ description: 'true if a side is not at the main line' }) };

/** The last fields of every item but that of a low hold. */
const rest = { ...prop, ...alternate, ...ages, warnings, detected_at: detectedAt };

const hashId = text('16 lowercase hex, of what it is and not of its prices; the same as hash_id');
const identity = { id: hashId, hash_id: text('the same as id') };

export const EvOpportunity = Type.Object(
  {
    ...identity,
    game_id: text('the same as event_id'),
    ...eventFields,
    game: text('the same as event_name'),
    market: text('the same as market_type'),
    selection: text('team, Over, Under, Draw, or as the book calls it'),
    line,
    sportsbook: text('sportsbook id'),
    odds_american: american,
    odds_decimal: decimal,
    odds_decimal_net: net,
    commission,
    currency,
    implied_probability: number('1 / odds_decimal, 0-1; fair_probability is the fair one'),
    probability: number('the same as implied_probability'),
    ev_percentage: had('expected profit in percent of the stake, pushes included'),
    fair_probability: number('fair probability, 0-1; if pushes are possible, given that there is none'),
    no_vig_odds: number('the fair probability as American odds'),
    kelly_percent: number('full Kelly stake in percent of bankroll'),
    kelly_fraction: number('full Kelly stake as a fraction of bankroll'),
    max_stake: maxTotal,
    proposed_stake: Type.Optional(
      number(
        'only with bankroll: the stake that, with those of all other matches, lets it grow most; below a confidence_score of 80 at most 2 % of the bankroll, open bets on the price included; in `currency` of the request',
      ),
    ),
    confidence_score: Type.Number({ minimum: 0, maximum: 100, description: 'trust in the edge, 0-100' }),
    book_count: Type.Integer({ minimum: 0, description: 'books with a fresh price for the selection' }),
    market_width: orNull(number('hold of the reference market, percent')),
    devig_method: Type.Enum([...DEVIG_METHODS], { description: 'how the margin was removed from the reference' }),
    sharp_book: text('sportsbook the fair price comes from, or consensus'),
    odds_id: oddsId,
    external_event_id: orNull(text("the book's own id of the event; null if it states none")),
    market_id: orNull(text("the book's own id of the market; null if its feed tells none")),
    selection_id: orNull(
      text("the book's own id of the selection; at exchanges else exchange_token_id; null if its feed tells none"),
    ),
    player_id: orNull(text("player props only: the player's name as [a-z0-9-]+")),
    deep_link: deepLink,
    arb_available: Type.Boolean({ description: 'true if the selection is a leg of an arbitrage' }),
    arb_profit: orNull(number('profit of that arbitrage in percent; null without one')),
    ...rest,
  },
  { description: 'a price better than fair' },
);
export type EvOpportunity = Static<typeof EvOpportunity>;

export const ArbitrageLeg = Type.Object({
  sportsbook: text('sportsbook id'),
  selection: text('team, Over, Under, Draw, or as the book calls it'),
  selection_type: text('home, away, draw, over, under, …'),
  line,
  odds_american: american,
  odds_decimal: decimal,
  odds_decimal_net: net,
  commission,
  currency,
  implied_probability: number('1 / odds_decimal, 0-1'),
  probability: number('the same as implied_probability'),
  stake_percent: number('share of the total stake in percent; the legs sum to 100.00; of a lay the liability'),
  is_lay: Type.Optional(
    Type.Literal(true, { description: 'the selection is laid at odds_decimal; odds_decimal_net is per liability' }),
  ),
  lay_stake_percent: Type.Optional(number("lays: the backer's stake, in percent of the total stake")),
  stake,
  max_stake: maxStake,
  odds_id: oddsId,
  ...feedIds,
  last_seen_at: instant('poll that last showed the price'),
  deep_link: deepLink,
});
export type ArbitrageLeg = Static<typeof ArbitrageLeg>;

export const ArbitrageOpportunity = Type.Object(
  {
    ...identity,
    ...eventFields,
    line,
    profit_percent: had('profit in percent of the total stake, whatever the result'),
    implied_total: number('sum of 1 / odds_decimal_net of the legs in percent; below 100'),
    max_stake: maxTotal,
    exceptions,
    legs: Type.Array(ArbitrageLeg, {
      minItems: 2,
      maxItems: 3,
      description: 'one per side, or a back and a lay of one selection',
    }),
    game_state: orNull(GameState),
    ...rest,
  },
  { description: 'prices of different books that together win on every result' },
);
export type ArbitrageOpportunity = Static<typeof ArbitrageOpportunity>;

export const MiddleSide = Type.Object({
  book: text('sportsbook id'),
  selection: text('team, Over or Under'),
  line: number('points, goals, …'),
  odds_american: american,
  odds_decimal: decimal,
  odds_probability: number('1 / odds_decimal, 0-1'),
  odds: Type.Object({
    american,
    decimal,
    decimal_net: net,
    probability: number('1 / decimal, 0-1'),
    implied_probability: number('the same as probability'),
    fair_probability: number('0-1, without margin'),
  }),
  commission,
  currency,
  stake_percent: number('share of the total stake in percent'),
  stake,
  max_stake: maxStake,
  odds_id: oddsId,
  ...feedIds,
  odds_age_seconds: number('age of the price, seconds'),
  deep_link: deepLink,
});
export type MiddleSide = Static<typeof MiddleSide>;

const otherBooks = Type.Optional(
  Type.Array(Type.Object({ book: text('sportsbook id'), odds: american }), {
    description: "the caller's other books that offer this side at its line, best first, as of sending",
  }),
);

export const MiddleOpportunity = Type.Object(
  {
    ...identity,
    ...eventFields,
    side1: MiddleSide,
    side2: MiddleSide,
    alt_side1: otherBooks,
    alt_side2: otherBooks,
    max_stake: maxTotal,
    exceptions,
    middle_size: number('distance between the two lines, points'),
    middle_numbers: Type.Array(Type.Integer(), {
      description: 'results at which both sides win, ascending; for spreads the margin of the side that must win',
    }),
    middle_probability: number('probability that both sides win, 0-1'),
    expected_value: had('expected profit in percent of the total stake'),
    roi_percentage: had('the same as expected_value'),
    worst_case_loss: had(
      'profit on the worst result in percent of the total stake, with the stakes as printed; negative is a loss',
    ),
    best_case_profit: had('profit on the best result in percent of the total stake, with the stakes as printed'),
    break_even_percent: number('chance of the middle at which the expected value is 0, percent'),
    is_guaranteed_profit: Type.Boolean({
      description: 'true if every result wins, with the stakes as shown and after commission',
    }),
    guaranteed_roi: orNull(number('worst_case_loss if is_guaranteed_profit, otherwise null')),
    is_team_total: Type.Boolean({ description: 'true for totals of one team; team_name says whose' }),
    odds_age_seconds: number('the same as oldest_odds_age_seconds'),
    key_numbers: Type.Array(Type.Integer(), { description: 'the most frequent results in middle_numbers' }),
    key_number_probability: number('probability of one of the key numbers, 0-1'),
    market_overround: number('sum of 1 / decimal_net of the two prices; 1.05 is 5 % over'),
    quality_score: Type.Number({ minimum: 0, maximum: 100, description: 'how good a middle it is, 0-100' }),
    ...rest,
  },
  { description: 'two lines with results between them at which both bets win' },
);
export type MiddleOpportunity = Static<typeof MiddleOpportunity>;

export const LowHoldSide = Type.Object({
  selection: text('team, Over, Under, Draw'),
  books: Type.Array(Type.String(), { description: 'sportsbooks with the best price' }),
  line,
  odds: Type.Object({
    american,
    decimal,
    decimal_net: net,
    implied_probability: number('1 / decimal, 0-1'),
    probability: number('the same as implied_probability'),
    fair_probability: number('0-1, without margin'),
  }),
  commission,
  currency,
  stake,
  max_stake: orNull(
    number('maximum stake at the price, in that currency, over all of its books together; null if unknown'),
  ),
  deep_links: Type.Record(Type.String(), Type.String(), {
    description: 'sportsbook id → URL of the bet; books without one are left out',
  }),
});
export type LowHoldSide = Static<typeof LowHoldSide>;

export const LowHoldOpportunity = Type.Object(
  {
    ...identity,
    ...eventFields,
    line,
    hold_percentage: had('(sum of 1 / decimal_net of the best prices - 1) in percent; above 0'),
    max_stake: maxTotal,
    exceptions,
    side1: LowHoldSide,
    side2: LowHoldSide,
    side3: orNull(LowHoldSide),
    all_books: Type.Array(Type.String(), { description: 'sportsbooks of all sides' }),
    confidence: Type.Number({ minimum: 0, maximum: 100, description: 'trust in the prices, 0-100' }),
    game_state: orNull(GameState),
    ...prop,
    ...alternate,
    odds_age_seconds: number('age of the stalest odds, seconds'),
    warnings,
    possibly_stale: ages.possibly_stale,
    detected_at: detectedAt,
  },
  { description: 'a market whose best prices together have almost no margin' },
);
export type LowHoldOpportunity = Static<typeof LowHoldOpportunity>;
