// How the rows of a market are paired, and by which distribution its results fall between two lines.

import { BoundedMap } from '../base/memory/bounded-map.js';
import { getOrInsert } from '../base/memory/get-or-insert.js';
import { LIMITS } from '../base/model/limits.js';
import type { RuledMarket } from '../rules/grading/house-exceptions.js';
import type { TypeRules } from '../rules/markets/rules.js';
import type { Pairing } from '../rules/markets/sides.js';
import { type ResultModel, resultModel, resultProbability } from './maths/result-model.js';

export interface MarketShape {
  readonly rules: TypeRules;
  readonly sport: string;
  readonly pairing: Pairing;
  /** Set if results between two lines have a probability: middles are looked for. */
  readonly model: ResultModel | undefined;
  /** The distribution whose result is the line, or a tie, where stakes are returned; undefined if none is known. */
  readonly pushModel: ResultModel | undefined;
  /** Of a winner: a game may end level, and a bet on two sides is returned then, or as its book's rules say. */
  readonly ties: boolean;
}

const shapes = new BoundedMap<TypeRules, Map<string, MarketShape>>(LIMITS.marketTypes.max);

/** The same object for the same market: what is cached by model is then shared by all its markets. */
export function marketShape(rules: TypeRules, pairing: Pairing, sport: string, league: string): MarketShape {
  const known = getOrInsert(shapes, rules, () => new BoundedMap<string, MarketShape>(LIMITS.marketTypes.max));
  return getOrInsert(known, `${sport}|${league}|${pairing}`, () => shapeOf(rules, pairing, sport, league));
}

function shapeOf(rules: TypeRules, pairing: Pairing, sport: string, league: string): MarketShape {
  const pair = pairing === 'handicap' ? 'spread' : pairing === 'total' ? 'total' : undefined;
  const own = pair === undefined && pairing !== 'winner' ? undefined : resultModel(rules, sport, league);
  const model = own?.pair === pair ? own : undefined;
  const ties = pairing === 'winner' && rules.tie === 'push';
  // A distribution that is deliberately wide says nothing about ties, nor does that of games which are played on where a
  // league's may end level.
  const margin =
    ties && own !== undefined && own.family !== 'wide' && resultProbability(own, 0, 0) > 0 ? own : undefined;
  return {
    rules,
    sport,
    pairing,
    model,
    pushModel: margin ?? model,
    ties,
  };
}

/** Whether a side with this line belongs to the market line at `x`. */
export function staysAt(pairing: Pairing, side: number, line: number | null, x: number): boolean {
  switch (pairing) {
    case 'total':
      return line === x;
    case 'handicap':
      return line !== null && (side === 0 ? 0 - line : line) === x;
    default:
      return line === null;
  }
}

/** The parts of a shape that house rules ask for. */
export function ruledMarket({ sport, pairing, ties, rules }: MarketShape, sides: number): RuledMarket {
  const { part, subject, tie } = rules;
  return { sport, pairing, ties, sides, rules: { sides: rules.sides, part, subject, tie } };
}
