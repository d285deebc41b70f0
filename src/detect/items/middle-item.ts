// A middle, as it is served: two lines with results between them at which both bets win.
import { roundDecimal, roundProbability, roundTo } from '../../model/price.js';
import type { Group } from '../market-index.js';
import { inverseSum, stakePercents } from '../maths/arbitrage.js';
import {
  alwaysProfits,
  BEST,
  breakEvenPercent,
  EXPECTED,
  keyNumberProbability,
  middleNumbers,
  middleReturns,
  qualityScore,
  WORST,
} from '../maths/middle.js';
import { type ResultModel, resultProbability } from '../maths/result-model.js';
import type { ResultTable } from '../result-tables.js';
import {
  commissionWarning,
  eventFields,
  impliedProbability,
  type Leg,
  percent,
  propFields,
  sameOwner,
  score,
} from './parts.js';

const NUMBERS_MAX = 64;
/** Results further below a line than this have no probability worth counting. */
const TAIL = 120;

export function middleItem(
  group: Group,
  legs: readonly [Leg, Leg],
  id: string,
  low: number,
  high: number,
  table: ResultTable,
): Record<string, unknown> {
  const { model, centre } = table;
  const [first, second] = legs;
  const decimals = [first.net, second.net];
  const sum = inverseSum(decimals, 2);
  const stakes = [0, 0];
  stakePercents(decimals, 2, sum, stakes);
  const chances = new Float64Array(3);
  const returns = new Float64Array(3);
  table.middle(low, high, chances);
  middleReturns(low, high, decimals[0]!, decimals[1]!, chances, returns);
  const inside = new Float64Array(NUMBERS_MAX);
  const numbers = [...inside.subarray(0, middleNumbers(model.pair, low, high, inside))];
  const keys = numbers.filter((number) => model.keyNumbers.includes(number));
  const probability = chances[0]!;
  const breakEven = breakEvenPercent(sum);
  const expected = percent(returns[EXPECTED]!);
  return {
    id,
    hash_id: id,
    ...eventFields(group.event, group.market),
    side1: sideOf(first, passChance(model, low, centre), stakes[0]!),
    side2: sideOf(second, 1 - passChance(model, high, centre), stakes[1]!),
    middle_size: roundTo(high - low, 2),
    middle_numbers: numbers,
    middle_probability: roundProbability(probability),
    expected_value: expected,
    roi_percentage: expected,
    worst_case_loss: percent(returns[WORST]!),
    best_case_profit: percent(returns[BEST]!),
    break_even_percent: percent(breakEven),
    is_guaranteed_profit: returns[WORST]! > 0 && alwaysProfits(low, high, decimals, stakes),
    key_numbers: keys,
    key_number_probability: roundProbability(keyNumberProbability(model, low, high, centre)),
    market_overround: roundProbability(sum),
    quality_score: score(
      qualityScore({
        expectedValue: returns[EXPECTED]!,
        probability,
        breakEven,
        hasKeyNumber: keys.length > 0,
        size: high - low,
        mainLines: !first.alternate && !second.alternate,
        freshness: 1,
      }),
    ),
    ...propFields(group, first.row),
    is_alternate_line: first.alternate || second.alternate,
    warnings: [...warningsOf(group, legs, model), ...commissionWarning(legs)],
  };
}

function sideOf(leg: Leg, fair: number, stake: number): Record<string, unknown> {
  const { row } = leg;
  const probability = impliedProbability(row);
  return {
    book: leg.book,
    selection: row.selection,
    line: row.line,
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
    odds_id: row.id,
    deep_link: leg.deepLink,
  };
}

/** P(result passes the line), given that the stake does not come back. */
function passChance(model: ResultModel, line: number, centre: number): number {
  let below = 0;
  const from = model.pair === 'total' ? 0 : Math.ceil(line) - TAIL;
  for (let x = from; x < line; x++) below += resultProbability(model, x, centre);
  const on = Number.isInteger(line) ? resultProbability(model, line, centre) : 0;
  return on < 1 ? Math.max(0, Math.min(1, 1 - below / (1 - on))) : 0;
}

function warningsOf(group: Group, legs: readonly Leg[], model: ResultModel): string[] {
  const warnings: string[] = [];
  if (sameOwner(legs)) warnings.push('SAME_OWNER');
  if (model.family === 'wide') warnings.push('ASSUMED_DISTRIBUTION');
  // In play, and nobody says how much is left: results scatter less than this reckons with.
  if (group.event.live && model === group.shape.model) warnings.push('WHOLE_GAME_DISTRIBUTION');
  return warnings;
}
