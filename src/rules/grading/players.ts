// A player's statistics: as they are told, or as they follow from others that are.
import type { GameResult, PlayerResult } from '../../base/model/result.js';

/** Sums of others. */
const SUMS: Readonly<Record<string, readonly string[]>> = {
  points_rebounds_assists: ['points', 'rebounds', 'assists'],
  points_rebounds: ['points', 'rebounds'],
  points_assists: ['points', 'assists'],
  rebounds_assists: ['rebounds', 'assists'],
  blocks_steals: ['blocks', 'steals'],
  rush_reception_yds: ['rush_yds', 'reception_yds'],
  pass_rush_yds: ['pass_yds', 'rush_yds'],
  batter_hits_runs_rbis: ['batter_hits', 'batter_runs_scored', 'batter_rbis'],
};
/** Questions of yes and no, by the statistic that must be at least 1. */
const AT_LEAST_ONE: Readonly<Record<string, string>> = {
  goal_scorer_anytime: 'goals',
  try_scorer_anytime: 'tries',
  to_receive_card: 'cards',
  to_receive_red_card: 'red_cards',
};
/** A double-double counts how many of these reach ten. */
const DOUBLES: Readonly<Record<string, number>> = { double_double: 2, triple_double: 3, quadruple_double: 4 };
const DOUBLES_OF = ['points', 'rebounds', 'assists', 'blocks', 'steals'] as const;
const TEN = 10;

/** Names may be those of members that every object has. */
function own<Value>(of: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}

export function playerOf({ players }: GameResult, name: string): PlayerResult | undefined {
  return own(players, name);
}

/** In a part of the game: `points_q1`. Undefined if it is not told. */
export function playerStatistic({ stats }: PlayerResult, statistic: string, part: string | null): number | undefined {
  const told = (name: string): number | undefined => own(stats, part === null ? name : `${name}_${part}`);
  const itself = told(statistic);
  if (itself !== undefined) return itself;
  const one = own(AT_LEAST_ONE, statistic);
  if (one !== undefined) return told(one);
  const doubles = own(DOUBLES, statistic);
  if (doubles !== undefined) {
    const values = DOUBLES_OF.map(told);
    const reached = values.filter((value) => value !== undefined && value >= TEN).length;
    if (reached >= doubles) return 1;
    return values.includes(undefined) ? undefined : 0;
  }
  let sum = 0;
  for (const name of own(SUMS, statistic) ?? [statistic]) {
    const value = told(name);
    if (value === undefined) return undefined;
    sum += value;
  }
  return sum;
}
