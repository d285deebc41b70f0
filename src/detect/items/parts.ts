// Parts shared by the items of every kind.

import type { Commission } from '../../model/commission.js';
import { eventHead } from '../../model/event-head.js';
import { roundDecimal, roundProbability, roundTo } from '../../model/price.js';
import type { Row } from '../../model/row.js';
import { stakeMax } from '../../model/row-details.js';
import type { BookQuotes, EventState } from '../../model/state.js';
import type { Market } from '../market-line.js';

/** One price of an item. */
export interface Leg {
  row: Row;
  quotes: BookQuotes;
  book: string;
  owner: number;
  /** Decimal odds after commission. */
  net: number;
  commission: Commission | null;
  /** Unix ms. */
  seenMs: number;
  alternate: boolean;
  /** The selection is laid: the stake is the liability. */
  lay: boolean;
  deepLink: string | null;
}

/** Percentages have four decimals, scores two. */
export function percent(value: number): number {
  return roundTo(value, 4) + 0;
}

export function score(value: number): number {
  return roundTo(Math.max(0, Math.min(100, value)), 2) + 0;
}

export function eventName(event: EventState): string {
  return `${event.away} @ ${event.home}`;
}

/** Assigned instead of begun by a spread, which takes four times as long in V8 of Node 20. */
export function eventFields(event: EventState, market: string) {
  return Object.assign(eventHead(event, eventName(event)), { market_type: market });
}

export function propFields(market: Market, row: Row) {
  return {
    is_player_prop: market.player !== null,
    player_name: row.player,
    stat_category: row.stat,
    ...teamField(market, row),
  };
}

/** For markets of one team: whose total it is. */
export function teamField({ event }: Market, { team }: Row): { team_name?: string } {
  return team === null ? {} : { team_name: event[team] };
}

/** The price as the book states it, and after commission. */
export function priceFields({ row, net, commission }: Leg) {
  const probability = impliedProbability(row);
  return {
    odds_american: row.american,
    odds_decimal: roundDecimal(row.decimal),
    odds_decimal_net: roundDecimal(net),
    implied_probability: probability,
    probability,
    commission,
  };
}

export const NET_OF_COMMISSION = 'NET_OF_COMMISSION';

/** Warnings common to every kind. */
export function commissionWarning(legs: readonly Leg[]): string[] {
  return legs.some((leg) => leg.commission !== null) ? [NET_OF_COMMISSION] : [];
}

/**
 * The maximum stake on the leg, in its book's currency; null if the book states none. The size of a lay is what backers
 * may stake, and the stake is the liability.
 */
export function legStakeMax({ row, lay }: Leg): number | null {
  const most = stakeMax(row.details);
  return most === null ? null : centsBelow(lay ? most * (row.decimal - 1) : most);
}

/**
 * The greatest total stake at which no side's share exceeds that side's maximum, in the books' currency; null if no
 * side states one. `shares` may be in any unit.
 */
export function totalStakeMax(most: readonly (number | null)[], shares: readonly number[]): number | null {
  let whole = 0;
  for (const share of shares) whole += share;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < most.length; i++) {
    const limit = most[i]!;
    if (limit !== null && shares[i]! > 0) least = Math.min(least, (limit * whole) / shares[i]!);
  }
  return Number.isFinite(least) ? centsBelow(least) : null;
}

/** Rounded down, as it is guaranteed; less than a ten-thousandth of a cent below a cent counts as that cent. */
function centsBelow(money: number): number {
  return Math.floor(money * 100 + 1e-4) / 100;
}

export function impliedProbability(row: Row): number {
  return roundProbability(1 / row.decimal);
}

export function sameOwner(legs: readonly Leg[]): boolean {
  return legs.some((leg, i) => legs.some((other, j) => j < i && other.owner === leg.owner));
}
