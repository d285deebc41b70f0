// Arbitrage and low hold, as served: the best price of every side of one line.

import type { ArbitrageItem, LowHoldItem } from '../../delta/opportunity.js';
import { roundDecimal, roundProbability, roundTo } from '../../model/price.js';
import { formatMs } from '../../model/time.js';
import type { Market } from '../market-line.js';
import { impliedTotalPercent, inverseSum, profitPercent, stakePercents } from '../maths/arbitrage.js';
import { marketConfidence } from '../maths/ev.js';
import {
  commissionWarning,
  eventFields,
  eventName,
  impliedProbability,
  type Leg,
  legStakeMax,
  NET_OF_COMMISSION,
  percent,
  priceFields,
  propFields,
  sameOwner,
  score,
  teamField,
  totalStakeMax,
} from './parts.js';

export function arbitrageItem(market: Market, legs: readonly Leg[], id: string, suspicious: boolean): ArbitrageItem {
  const decimals = legs.map((leg) => leg.net);
  const sum = inverseSum(decimals, legs.length);
  const stakes = decimals.map(() => 0);
  stakePercents(decimals, legs.length, sum, stakes);
  const most = legs.map(legStakeMax);
  const first = legs[0]!.row;
  return {
    id,
    hash_id: id,
    ...eventFields(market.event, market.marketType),
    line: first.line,
    profit_percent: percent(profitPercent(sum)),
    implied_total: percent(impliedTotalPercent(sum)),
    max_stake: totalStakeMax(most, stakes),
    legs: legs.map((leg, i) => ({
      sportsbook: leg.book,
      selection: leg.row.selection,
      selection_type: leg.row.selectionType,
      line: leg.row.line,
      ...priceFields(leg),
      stake_percent: stakes[i]!,
      ...layFields(leg, stakes[i]!),
      max_stake: most[i]!,
      odds_id: leg.row.id,
      last_seen_at: formatMs(leg.seenMs),
      deep_link: leg.deepLink,
    })),
    game_state: market.event.state,
    ...propFields(market, first),
    is_alternate_line: legs.some((leg) => leg.alternate),
    warnings: [...arbitrageWarnings(market, legs, suspicious), ...commissionWarning(legs)],
  };
}

/** The stake of a lay is its liability; an exchange needs the backer's stake, which is this share of the total. */
function layFields({ lay, row }: Leg, liabilityPercent: number): { is_lay?: true; lay_stake_percent?: number } {
  if (!lay) return {};
  return { is_lay: true, lay_stake_percent: percent(liabilityPercent / (row.decimal - 1)) };
}

function arbitrageWarnings(market: Market, legs: readonly Leg[], suspicious: boolean): string[] {
  const warnings: string[] = [];
  if (suspicious) warnings.push('SUSPICIOUS_PROFIT');
  if (legs.some(({ lay }) => lay)) warnings.push('LAY_LEG');
  if (sameOwner(legs)) warnings.push('SAME_OWNER');
  const { line } = legs[0]!.row;
  // On the number both bets are refunded: no loss, and no profit either.
  if (market.shape.model !== undefined && line !== null && Number.isInteger(line)) warnings.push('PUSH_POSSIBLE');
  return warnings;
}

/**
 * `sides` contain every book tied at the side's best price, the first listed book first, and `books` those of each side in
 * turn. `complete`: number of books with every side fresh.
 */
export function lowHoldItem(
  market: Market,
  sides: readonly (readonly Leg[])[],
  books: readonly string[],
  id: string,
  hold: number,
  complete: number,
): LowHoldItem {
  const sum = 1 + hold / 100;
  const { event } = market;
  const first = sides[0]![0]!.row;
  const third = sides[2];
  const most = sides.map(sideStakeMax);
  let alternate = false;
  let commission = false;
  for (const legs of sides) {
    if (legs[0]!.alternate) alternate = true;
    for (const leg of legs) if (leg.commission !== null) commission = true;
  }
  // Written out instead of composed of parts: most published opportunities are low holds.
  return {
    id,
    hash_id: id,
    event_id: event.id,
    event_name: eventName(event),
    sport: event.sport,
    league: event.league,
    home_team: event.home,
    away_team: event.away,
    start_time: formatMs(event.startMs),
    is_live: event.live,
    market_type: market.marketType,
    line: first.line,
    hold_percentage: percent(hold),
    max_stake: totalStakeMax(most, sides.map(shareOf)),
    side1: sideOf(sides[0]!, sum, most[0]!),
    side2: sideOf(sides[1]!, sum, most[1]!),
    side3: third === undefined ? null : sideOf(third, sum, most[2]!),
    all_books: books.filter(isFirst),
    confidence: score(marketConfidence(complete, 0, event.live)),
    game_state: event.state,
    is_player_prop: market.player !== null,
    player_name: first.player,
    stat_category: first.stat,
    ...teamField(market, first),
    is_alternate_line: alternate,
    warnings: commission ? [NET_OF_COMMISSION] : [],
  };
}

const isFirst = (book: string, i: number, books: readonly string[]): boolean => books.indexOf(book) === i;

const shareOf = (legs: readonly Leg[]): number => 1 / legs[0]!.net;

/** Sum over all books tied at the price; null if one of them states none. */
function sideStakeMax(legs: readonly Leg[]): number | null {
  let sum = 0;
  for (const leg of legs) {
    const most = legStakeMax(leg);
    if (most === null) return null;
    sum += most;
  }
  return roundTo(sum, 2);
}

function sideOf(legs: readonly Leg[], sum: number, most: number | null): LowHoldItem['side1'] {
  const { row, net, commission } = legs[0]!;
  const links: Record<string, string | null> = {};
  for (const leg of legs) links[leg.book] = leg.deepLink;
  const probability = impliedProbability(row);
  return {
    selection: row.selection,
    books: legs.map(({ book }) => book),
    line: row.line,
    odds: {
      american: row.american,
      decimal: roundDecimal(row.decimal),
      decimal_net: roundDecimal(net),
      implied_probability: probability,
      probability,
      // Multiplicative devig of the best prices themselves.
      fair_probability: roundProbability(1 / net / sum),
    },
    commission,
    max_stake: most,
    deep_links: links,
  };
}
