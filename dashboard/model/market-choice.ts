// The markets a board can show: the three that every sport has under its own names, and every type with odds.

import { BoundedMap } from '../../src/base/memory/bounded-map.js';
import { getOrInsert } from '../../src/base/memory/get-or-insert.js';
import type { MarketType } from '../../src/client/client.js';
import { deriveRules } from '../../src/rules/markets/derive.js';
import type { DeclaredRules } from '../../src/rules/markets/rules.js';

const rules = new BoundedMap<string, DeclaredRules>(1_000);

/** What a market type's name implies. */
export function rulesOf(type: string): DeclaredRules {
  return getOrInsert(rules, type, () => deriveRules(type));
}

/** Name → market types: the same market in different sports. */
export const COMMON_MARKETS: Readonly<Record<string, readonly string[]>> = {
  moneyline: ['moneyline'],
  spread: ['point_spread', 'puck_line', 'run_line', 'set_handicap'],
  total: ['total_points', 'total_goals', 'total_runs', 'total_games', 'total_rounds'],
};

export interface MarketChoice {
  id: string;
  name: string;
  group: 'main' | 'more' | 'players';
}

/** Market types of a choice. */
export function typesOf(market: string): readonly string[] {
  return Object.hasOwn(COMMON_MARKETS, market) ? COMMON_MARKETS[market]! : [market];
}

/** The available choices: common ones and the chosen one always, others if there are odds of them. */
export function marketChoices(markets: readonly MarketType[], sport: string, chosen: string): MarketChoice[] {
  const common = new Set(Object.values(COMMON_MARKETS).flat());
  const others = markets
    .filter(({ id, event_count, sports }) => {
      return !common.has(id) && (id === chosen || (event_count > 0 && (sport === '' || sports.includes(sport))));
    })
    .map(({ id, name, subject }): MarketChoice => ({ id, name, group: subject === 'player' ? 'players' : 'more' }));
  return [
    { id: 'moneyline', name: 'Moneyline', group: 'main' },
    { id: 'spread', name: 'Spread', group: 'main' },
    { id: 'total', name: 'Total', group: 'main' },
    ...others,
  ];
}
