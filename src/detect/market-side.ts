// How the rows of a market are paired, and by which distribution its results fall between two lines.
import type { TypeRules } from '../markets/rules.js';
import type { Pairing } from '../markets/sides.js';
import { BoundedMap } from '../memory/bounded-map.js';
import { getOrInsert } from '../memory/get-or-insert.js';
import { LIMITS } from '../model/limits.js';
import { type ResultModel, resultModel, resultProbability } from './maths/result-model.js';

export interface MarketShape {
  readonly rules: TypeRules;
  readonly pairing: Pairing;
  /** Set if results between two lines have a probability: middles are looked for. */
  readonly model: ResultModel | undefined;
  /** The distribution whose result is the line, or a tie, where stakes are returned; undefined if none is known. */
  readonly pushModel: ResultModel | undefined;
  /** Of a winner: a game may be tied, and a bet on two sides is returned then. */
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
  // A distribution that is deliberately wide says nothing about ties.
  const margin = pairing === 'winner' && rules.tie === 'push' && own?.family !== 'wide' ? own : undefined;
  return {
    rules,
    pairing,
    model,
    pushModel: margin ?? model,
    ties: pairing === 'winner' && rules.tie === 'push' && (margin === undefined || resultProbability(margin, 0, 0) > 0),
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
