// The markets a board can show: the three that every sport has under its own names, and every type with odds.

import { BoundedMap } from '../../src/base/memory/bounded-map.js';
import { getOrInsert } from '../../src/base/memory/get-or-insert.js';
import type { MarketType } from '../../src/client/client.js';
import { expandMarkets } from '../../src/rules/markets/categories.js';
import { MarketTypes } from '../../src/rules/markets/market-types.js';
import type { TypeRules } from '../../src/rules/markets/rules.js';

/** Until the server's are known, what the names imply. */
let types = new MarketTypes();

/** From now on these are the rules of market types. */
export function declareMarkets(markets: readonly MarketType[]): void {
  types = new MarketTypes(markets);
}

/** What the server's entry of a market type says, in one sport; else what its name implies. */
export function rulesOf(type: string, sport = ''): TypeRules {
  return types.of(type, sport);
}

/** The markets that every sport has, by the names that the server has for them in all sports. */
const COMMON_MARKETS = ['moneyline', 'spread', 'total'] as const;
export type CommonMarket = (typeof COMMON_MARKETS)[number];

export interface MarketChoice {
  id: string;
  name: string;
  group: 'main' | 'more' | 'players';
}

const meant = new BoundedMap<string, readonly string[]>(1_000);

/** Market types of a choice: what its name means as the server's filter. */
export function typesOf(market: string): readonly string[] {
  return getOrInsert(meant, market, () => expandMarkets([market]).exact);
}

/** Those of a common choice that are about the game as a whole: one in each game. */
export function gameTypesOf(market: CommonMarket): readonly string[] {
  return typesOf(market).filter((type) => rulesOf(type).subject === 'game');
}

/** The available choices: common ones and the chosen one always, others if there are odds of them. */
export function marketChoices(markets: readonly MarketType[], sport: string, chosen: string): MarketChoice[] {
  const common = new Set(COMMON_MARKETS.flatMap(gameTypesOf));
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
