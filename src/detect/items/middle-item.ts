// A middle, as served: two lines with results between them at which both bets win.
import type { MiddleItem, MiddleItemSide } from '../../delta/opportunity.js';
import { roundDecimal, roundProbability, roundTo } from '../../model/price.js';
import type { Market } from '../market-line.js';
import { inverseSum, stakePercents } from '../maths/arbitrage.js';
import { BEST, breakEvenPercent, middleNumbers, printedReturns, qualityScore, WORST } from '../maths/middle.js';
import type { ResultTable } from '../result-tables.js';
import {
  commissionWarning,
  eventFields,
  impliedProbability,
  type Leg,
  legStakeMax,
  percent,
  propFields,
  sameOwner,
  score,
  totalStakeMax,
} from './parts.js';

const NUMBERS = 64;
const inside = new Float64Array(NUMBERS);
const returns = new Float64Array(3);

export interface MiddleFacts {
  /** Where the windows of the two legs begin and end, in terms of the counted result. */
  low: number;
  high: number;
  /** Percent of the total stake. */
  expected: number;
  /** Probability that both legs win. */
  probability: number;
  table: ResultTable;
  /** No book showed both sides of a line: the probabilities are based on prices of single sides. */
  oneSided: boolean;
}

export function middleItem(market: Market, legs: readonly [Leg, Leg], id: string, facts: MiddleFacts): MiddleItem {
  const { low, high, probability, table } = facts;
  const { model } = table;
  const [first, second] = legs;
  const decimals = [first.net, second.net];
  const sum = inverseSum(decimals, 2);
  const stakes = [0, 0];
  stakePercents(decimals, 2, sum, stakes);
  printedReturns(low, high, decimals, stakes, returns);
  const worst = percentBelow(returns[WORST]!);
  const numbers = [...inside.subarray(0, middleNumbers(model.pair, low, high, inside))];
  const keys = model.keyNumbers.length === 0 ? [] : numbers.filter((number) => model.keyNumbers.includes(number));
  const breakEven = breakEvenPercent(sum);
  const expected = percent(facts.expected);
  return {
    id,
    hash_id: id,
    ...eventFields(market.event, market.marketType),
    side1: sideOf(first, table.passes(low), stakes[0]!),
    side2: sideOf(second, 1 - table.passes(high), stakes[1]!),
    max_stake: totalStakeMax(legs.map(legStakeMax), stakes),
    middle_size: roundTo(high - low, 2),
    middle_numbers: numbers,
    middle_probability: roundProbability(probability),
    expected_value: expected,
    roi_percentage: expected,
    worst_case_loss: worst,
    best_case_profit: percent(returns[BEST]!),
    break_even_percent: percent(breakEven),
    is_guaranteed_profit: worst > 0,
    key_numbers: keys,
    key_number_probability: roundProbability(table.keyNumbers(low, high)),
    market_overround: roundProbability(sum),
    quality_score: score(
      qualityScore({
        expectedValue: facts.expected,
        probability,
        breakEven,
        hasKeyNumber: keys.length > 0,
        size: high - low,
        mainLines: !first.alternate && !second.alternate,
        freshness: 1,
      }),
    ),
    ...propFields(market, first.row),
    is_alternate_line: first.alternate || second.alternate,
    warnings: [...warningsOf(market, legs, facts), ...commissionWarning(legs)],
  };
}

function sideOf(leg: Leg, fair: number, stake: number): MiddleItemSide {
  const { row } = leg;
  const probability = impliedProbability(row);
  return {
    book: leg.book,
    selection: row.selection,
    // Only lines make middles.
    line: row.line!,
    odds: {
      american: row.american,
      decimal: roundDecimal(row.decimal),
      decimal_net: roundDecimal(leg.net),
      probability,
      implied_probability: probability,
      fair_probability: roundProbability(fair),
    },
    commission: leg.commission,
    stake_percent: stake,
    max_stake: legStakeMax(leg),
    odds_id: row.id,
    deep_link: leg.deepLink,
  };
}

/** Rounded down, as it is guaranteed; less than a ten-millionth of a percent below a step counts as the step. */
function percentBelow(value: number): number {
  return Math.floor(value * 1e4 + 1e-3) / 1e4 + 0;
}

function warningsOf(market: Market, legs: readonly Leg[], { table: { model }, oneSided }: MiddleFacts): string[] {
  const warnings: string[] = [];
  if (sameOwner(legs)) warnings.push('SAME_OWNER');
  if (oneSided) warnings.push('ONE_SIDED_PRICES');
  if (model.family === 'wide') warnings.push('ASSUMED_DISTRIBUTION');
  // In play, with an unknown remaining time: results vary less than the model assumes.
  if (market.event.live && model === market.shape.model) warnings.push('WHOLE_GAME_DISTRIBUTION');
  return warnings;
}
