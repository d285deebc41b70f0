// Parts that the items of every kind share.
import { formatMs } from '../../ingest/time.js';
import { roundDecimal, roundProbability, roundTo } from '../../odds/price.js';
import type { BookQuotes, EventState, Row } from '../../shard/state.js';
import type { Group } from '../market-index.js';

/** One price that takes part. */
export interface Leg {
  row: Row;
  quotes: BookQuotes;
  book: string;
  owner: number;
  /** Unix ms. */
  seenMs: number;
  alternate: boolean;
  deepLink: string | null;
}

/** Percentages and scores print with four and two decimals. */
export function percent(value: number): number {
  return roundTo(value, 4) + 0;
}

export function score(value: number): number {
  return roundTo(Math.max(0, Math.min(100, value)), 2) + 0;
}

export function eventName(event: EventState): string {
  return `${event.away} @ ${event.home}`;
}

export function eventFields(event: EventState, market: string) {
  return {
    event_id: event.id,
    event_name: eventName(event),
    sport: event.sport,
    league: event.league,
    home_team: event.home,
    away_team: event.away,
    start_time: formatMs(event.startMs),
    is_live: event.live,
    market_type: market,
  };
}

export function propFields(group: Group, row: Row) {
  return {
    is_player_prop: group.player !== null,
    player_name: row.player,
    stat_category: row.stat,
  };
}

export function priceFields(row: Row) {
  return { odds_american: row.american, odds_decimal: roundDecimal(row.decimal) };
}

export function impliedProbability(row: Row): number {
  return roundProbability(1 / row.decimal);
}

export function sameOwner(legs: readonly Leg[]): boolean {
  return legs.some((leg, i) => legs.some((other, j) => j < i && other.owner === leg.owner));
}
