// What `market` filters mean: exact types the aliases main, spread, total and props (specification, "Market category
// aliases"), and the names of other services.
import { typesMeant } from './aliases.js';
import type { MarketTypes } from './market-types.js';
import { GAME, splitPart } from './parts.js';

/** Of the types that are pushed by the name of an alias, too: else no filter would reach them. */
const CATEGORIES: Readonly<Record<string, readonly string[]>> = {
  main: ['moneyline', 'point_spread', 'total_points'],
  spread: ['point_spread', 'puck_line', 'run_line', 'set_handicap', 'spread'],
  total: ['total_points', 'total_goals', 'total_runs', 'total_games', 'total_rounds', 'team_total', 'total'],
};
const PROPS = 'props';

/** In a form that a message to another thread can carry. */
export interface MarketFilter {
  readonly exact: readonly string[];
  /** Every market about a player. */
  readonly props: boolean;
}

/** The given names that mean no known type: neither themselves nor as a category or alias. */
export function unknownMarkets(names: readonly string[], isKnown: (type: string) => boolean): string[] {
  return names.filter((name) => {
    const { exact, props } = expandMarkets([name]);
    return !props && exact.length > 0 && !exact.some((type) => isKnown(type) || isKnown(wholeGame(type)));
  });
}

/** The type of the whole game, for one of a part of it. */
function wholeGame(type: string): string {
  const { base, part } = splitPart(type);
  return part === GAME ? type : base;
}

/**
 * Aliases and exact types may be mixed; case and surrounding blanks are ignored. No names: a filter that passes
 * nothing.
 */
export function expandMarkets(names: readonly string[]): MarketFilter {
  const exact = new Set<string>();
  let props = false;
  for (const name of names) {
    const key = name.trim().toLowerCase();
    if (key === PROPS) props = true;
    else if (Object.hasOwn(CATEGORIES, key)) for (const type of CATEGORIES[key]!) exact.add(type);
    else if (key !== '') for (const type of typesMeant(key)) exact.add(type);
  }
  return { exact: [...exact], props };
}

/** Whether a market type passes. */
export function marketTest({ exact, props }: MarketFilter, types: MarketTypes): (type: string) => boolean {
  const named = new Set(exact);
  return props ? (type) => named.has(type) || types.usual(type).subject === 'player' : (type) => named.has(type);
}
