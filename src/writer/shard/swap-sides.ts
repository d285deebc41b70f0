// Statements of a book that has home and away the other way round than the event, turned to the event's sides.

import { type GameState, SPORT_FIELDS } from '../../base/model/game-state.js';
import type { NormalMarket, NormalQuote, Share } from '../../base/model/normal-message.js';
import type { SplitsDelta } from '../../log/delta/delta.js';
import type { MarketTypes } from '../../rules/markets/market-types.js';
import { swapSelection, swapSide } from '../../rules/markets/sides.js';

type StatedSplits = SplitsDelta['splits'];

/** What is about home is about away: by the market type's rules. A handicap keeps its team's line. */
export function swapMarket(market: NormalMarket, types: MarketTypes): NormalMarket {
  const rules = types.usual(market.type);
  const swapQuote = ([name, type, ...rest]: NormalQuote): NormalQuote => [
    swapSelection(rules, name),
    swapSelection(rules, type),
    ...rest,
  ];
  return { ...market, type: rules.turned, team: swapSide(market.team), quotes: market.quotes.map(swapQuote) };
}

export function swapGameState(state: GameState): GameState {
  const { home_score, away_score, fouls_home, fouls_away, ...rest } = state;
  const swapped: GameState = { ...rest };
  if (away_score !== undefined) swapped.home_score = away_score;
  if (home_score !== undefined) swapped.away_score = home_score;
  if (fouls_away !== undefined) swapped.fouls_home = fouls_away;
  if (fouls_home !== undefined) swapped.fouls_away = fouls_home;
  if (rest.possession !== undefined) swapped.possession = swapSide(rest.possession);
  if (rest.power_play !== undefined) swapped.power_play = swapSide(rest.power_play);
  if (rest.server !== undefined) swapped.server = swapSide(rest.server);
  const sides = swapped as Record<string, unknown>;
  for (const name of SPORT_FIELDS)
    if (name.startsWith('home_')) {
      const other = name.replace('home_', 'away_');
      [sides[name], sides[other]] = [sides[other], sides[name]];
      for (const one of [name, other]) if (sides[one] === undefined) delete sides[one];
    }
  return swapped;
}

export function swapSplits({ spread, moneyline, ...rest }: StatedSplits): StatedSplits {
  return {
    ...rest,
    spread: spread && { awayLine: spread.homeLine, homeLine: spread.awayLine, ...swapShares(spread) },
    moneyline: moneyline && {
      awayOdds: moneyline.homeOdds,
      homeOdds: moneyline.awayOdds,
      ...swapShares(moneyline),
    },
  };
}

function swapShares({ handle, bets }: { handle: Share | null; bets: Share | null }) {
  const swap = (share: Share | null): Share | null =>
    share && { away: share['home'] ?? null, home: share['away'] ?? null };
  return { handle: swap(handle), bets: swap(bets) };
}
