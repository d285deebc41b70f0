// A middle, as served: two lines with results between them at which both bets win.

import { feedIdFields } from '../../base/model/feed-ids.js';
import { DEFAULT_CURRENCY } from '../../base/model/money.js';
import { MIDDLE_NUMBER, RECORD_FLAG } from '../../base/model/opportunity-record.js';
import { roundDecimal, roundProbability, roundTo } from '../../base/model/price.js';
import type { Warning } from '../../base/model/warnings.js';
import type { MiddleItem, MiddleItemSide } from '../../log/delta/opportunity.js';
import type { MiddleOpportunity } from '../../schema/opportunities-items.js';
import type { OpportunitySort } from '../../schema/parameters.js';
import { inverseSum, stakePercents } from '../maths/arbitrage.js';
import { KEY_MARGINS, KEY_TOTALS } from '../maths/key-numbers.js';
import { BEST, breakEvenPercent, middleNumbers, percentBelow, printedReturns, WORST } from '../maths/middle.js';
import {
  type Composing,
  columnsOfEach,
  EVENT_COLUMNS,
  edge,
  type Kind,
  PRICE_SORTS,
  PROP_COLUMNS,
  type SortKey,
} from './kind.js';
import { evenCaps, legCaps, ruleExceptions, settlementWarnings, totalStake } from './money.js';
import {
  ageSeconds,
  commissionWarning,
  eventFields,
  impliedProbability,
  type Leg,
  legStakeMax,
  percent,
  propFields,
  sameOwner,
  scoreNow,
} from './parts.js';

const NUMBERS = 64;
const inside = new Float64Array(NUMBERS);
const returns = new Float64Array(3);

function middleItem({ id, market, sides, record: { numbers: facts }, score, money, has }: Composing): MiddleItem {
  const legs = sides.map(([leg]) => leg!);
  const [first, second] = legs as [Leg, Leg];
  // Where the windows of the two legs begin and end, in terms of the counted result.
  const low = facts[MIDDLE_NUMBER.low]!;
  const high = facts[MIDDLE_NUMBER.high]!;
  const decimals = [first.net, second.net];
  const sum = inverseSum(decimals, 2);
  const stakes = [0, 0];
  stakePercents(decimals, 2, sum, stakes);
  printedReturns(low, high, decimals, stakes, returns);
  const worst = percentBelow(returns[WORST]!);
  const isSpread = has(RECORD_FLAG.spread);
  const numbers = [...inside.subarray(0, middleNumbers(isSpread ? 'spread' : 'total', low, high, inside))];
  const keyNumbers = isSpread ? KEY_MARGINS : KEY_TOTALS;
  const expected = percent(facts[MIDDLE_NUMBER.edge]!);
  const total = totalStake(legCaps(legs, stakes), DEFAULT_CURRENCY, money.rates);
  return {
    id,
    hash_id: id,
    ...eventFields(market.event, market.marketType),
    side1: sideOf(first, facts[MIDDLE_NUMBER.fairFirst]!, stakes[0]!),
    side2: sideOf(second, facts[MIDDLE_NUMBER.fairSecond]!, stakes[1]!),
    max_stake: total.amount,
    // What is refunded or half won on a number is in the worst and the best result.
    exceptions: ruleExceptions(legs, stakes, money.ruled),
    middle_size: roundTo(high - low, 2),
    middle_numbers: numbers,
    middle_probability: roundProbability(facts[MIDDLE_NUMBER.p]!),
    expected_value: expected,
    roi_percentage: expected,
    worst_case_loss: worst,
    best_case_profit: percent(returns[BEST]!),
    break_even_percent: percent(breakEvenPercent(sum)),
    is_guaranteed_profit: worst > 0 && !has(RECORD_FLAG.breaks),
    key_numbers: has(RECORD_FLAG.keyNumbers) ? numbers.filter((number) => keyNumbers.includes(number)) : [],
    key_number_probability: roundProbability(facts[MIDDLE_NUMBER.keyChance]!),
    market_overround: roundProbability(sum),
    quality_score: score,
    ...propFields(market, first.row),
    is_alternate_line: first.row.alternate || second.row.alternate,
    warnings: [
      ...warningsOf(legs, has),
      ...settlementWarnings(legs, money),
      ...commissionWarning(legs),
      ...total.warnings,
    ],
  };
}

function sideOf(leg: Leg, fair: number, stake: number): MiddleItemSide {
  const { row } = leg;
  const probability = impliedProbability(row);
  const decimal = roundDecimal(row.decimal);
  const side = {
    book: leg.book,
    selection: row.selection,
    // Only lines make middles.
    line: row.line!,
    // As rows and other opportunities name them, beside the object.
    odds_american: row.american,
    odds_decimal: decimal,
    odds_probability: probability,
    odds: {
      american: row.american,
      decimal,
      decimal_net: roundDecimal(leg.net),
      probability,
      implied_probability: probability,
      fair_probability: roundProbability(fair),
    },
    commission: leg.commission,
    currency: leg.rules.currency,
    stake_percent: stake,
    max_stake: legStakeMax(leg),
    odds_id: row.id,
    deep_link: leg.deepLink,
  };
  return leg.ids === null ? side : Object.assign(side, feedIdFields(leg.ids));
}

function warningsOf(legs: readonly Leg[], has: Composing['has']): Warning[] {
  const warnings: Warning[] = [];
  if (sameOwner(legs)) warnings.push('SAME_OWNER');
  // The probabilities are based on prices of single sides.
  if (has(RECORD_FLAG.oneSided)) warnings.push('ONE_SIDED_PRICES');
  if (has(RECORD_FLAG.assumed)) warnings.push('ASSUMED_DISTRIBUTION');
  // In play, with an unknown remaining time: results vary less than the model assumes.
  if (has(RECORD_FLAG.wholeGame)) warnings.push('WHOLE_GAME_DISTRIBUTION');
  return warnings;
}

const SIDE_COLUMNS =
  'book selection line odds.american odds.decimal odds.decimal_net odds.fair_probability stake_percent external_event_id market_id selection_id odds_age_seconds deep_link';

export const MIDDLE: Kind<MiddleItem> = {
  size: ({ numbers }) => roundTo(numbers[MIDDLE_NUMBER.high]! - numbers[MIDDLE_NUMBER.low]!, 2),
  compose: middleItem,
  isSure: (has) => has(RECORD_FLAG.sure) && !has(RECORD_FLAG.breaks),
  caps: evenCaps,
  servedFields: {
    guaranteed_roi: null,
    is_team_total: false,
    odds_age_seconds: 0,
    oldest_odds_age_seconds: 0,
    possibly_stale: false,
    detected_at: '',
  },
  serve: (item, { nowMs, age, possibly_stale, detected_at, score, seenMs, link }): MiddleOpportunity => {
    const served = (side: MiddleItemSide, seen: number | undefined) => ({
      ...side,
      odds_age_seconds: seen === undefined ? age : ageSeconds(seen, nowMs),
      deep_link: link(side.book, side.deep_link),
    });
    return {
      ...item,
      quality_score: score,
      side1: served(item.side1, seenMs[0]),
      side2: served(item.side2, seenMs[1]),
      guaranteed_roi: item.is_guaranteed_profit ? item.worst_case_loss : null,
      is_team_total: item.team_name !== undefined,
      odds_age_seconds: age,
      oldest_odds_age_seconds: age,
      possibly_stale,
      detected_at,
    };
  },
  meets: ({ size }, edge, { minMiddleEv, minSize }) => !(edge < minMiddleEv) && !(size < minSize),
  mayMeet: (_least, most, { minMiddleEv }) => most >= minMiddleEv,
  sorts: {
    ...PRICE_SORTS,
    quality: scoreNow,
    ev: edge,
    profit: edge,
    probability: ({ item }) => (item as MiddleItem).middle_probability,
    middle_size: ({ size }) => size,
  } satisfies Record<OpportunitySort['middle'], SortKey>,
  bestFirst: ['quality', 'ev', 'profit', 'probability', 'middle_size'],
  defaultSort: 'quality',
  better: { key: edge, descending: true },
  csv: `${EVENT_COLUMNS} ${columnsOfEach(['side1', 'side2'], SIDE_COLUMNS)} middle_size middle_numbers middle_probability expected_value worst_case_loss best_case_profit break_even_percent is_guaranteed_profit key_numbers quality_score ${PROP_COLUMNS} oldest_odds_age_seconds warnings detected_at`.split(
    ' ',
  ),
  linkAt: ({ side1, side2 }, book) =>
    [side1, side2].find((side) => side.book === book && side.deep_link !== null)?.deep_link ?? null,
};
