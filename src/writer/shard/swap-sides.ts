// Statements of a book that has home and away the other way round than the event, turned to the event's sides.

import { type GameState, SPORT_FIELDS } from '../../base/model/game-state.js';
import type { NormalMarket, NormalQuote, Share } from '../../base/model/normal-message.js';
import type { EventState } from '../../base/model/state.js';
import type { SplitsDelta } from '../../log/delta/delta.js';
import type { MarketTypes } from '../../rules/markets/market-types.js';
import { namesOutcomes, outcomeName, swapLine, swapSelection, swapSide } from '../../rules/markets/selection-words.js';

type StatedSplits = SplitsDelta['splits'];

/** What is about home is about away: by the market type's rules. A handicap's team keeps its line. */
export function swapMarket(market: NormalMarket, types: MarketTypes): NormalMarket {
  const rules = types.usual(market.type);
  const swapQuote = ([name, type, line, ...rest]: NormalQuote): NormalQuote => [
    swapSelection(rules, name),
    swapSelection(rules, type),
    swapLine(rules, type, line),
    ...rest,
  ];
  return { ...market, type: rules.turned, team: swapSide(market.team), quotes: market.quotes.map(swapQuote) };
}

/** Outcomes of two sides and more have one name for all books, by the event's own teams; the same market if it has none. */
export function nameOutcomes(market: NormalMarket, types: MarketTypes, event: EventState): NormalMarket {
  const rules = types.usual(market.type);
  if (!namesOutcomes(rules, market.quotes)) return market;
  const nameQuote = (quote: NormalQuote): NormalQuote => {
    const name = outcomeName(rules, quote[1], event);
    if (name === undefined || name === quote[0]) return quote;
    const [, ...rest] = quote;
    return [name, ...rest];
  };
  return { ...market, quotes: market.quotes.map(nameQuote) };
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
