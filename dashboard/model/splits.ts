// Betting splits for the eye: per game and source two sides of three markets, each with its share of tickets and money.
import type { SplitsGame } from '../../src/client/client.js';
import { americanText, lineText } from './odds-format.js';

export interface SplitSide {
  /** Line or odds that it was bet at; '' if the source states none. */
  at: string;
  /** Shares, 0-100; null if unknown. */
  tickets: number | null;
  money: number | null;
  /** By how many points its share of money exceeds that of tickets, where that is much; else 0. */
  more: number;
}

export const SPLIT_MARKETS = ['spread', 'total', 'moneyline'] as const;
export type SplitMarket = (typeof SPLIT_MARKETS)[number];

/** Few large bets are on a side whose money exceeds its tickets by this many points. */
export const MORE_POINTS = 10;

/** The away side (or over), then the home side (or under); undefined if the source has none of the market. */
export function sidesOf(game: SplitsGame, market: SplitMarket): readonly [SplitSide, SplitSide] | undefined {
  const { spread, total, moneyline } = game;
  switch (market) {
    case 'spread':
      if (spread === null) return undefined;
      return [
        side(signed(spread.away_odds), spread.bets_pct?.away, spread.handle_pct?.away),
        side(signed(spread.home_odds), spread.bets_pct?.home, spread.handle_pct?.home),
      ];
    case 'total':
      if (total === null) return undefined;
      return [
        side(total.line === null ? 'over' : `o${total.line}`, total.bets_pct?.over, total.handle_pct?.over),
        side(total.line === null ? 'under' : `u${total.line}`, total.bets_pct?.under, total.handle_pct?.under),
      ];
    case 'moneyline':
      if (moneyline === null) return undefined;
      return [
        side(odds(moneyline.away_odds), moneyline.bets_pct?.away, moneyline.handle_pct?.away),
        side(odds(moneyline.home_odds), moneyline.bets_pct?.home, moneyline.handle_pct?.home),
      ];
  }
}

const signed = (line: number | null): string => lineText(line, 'point_spread');
const odds = (american: number | null): string => (american === null ? '' : americanText(american));

function side(at: string, bets: number | null | undefined, handle: number | null | undefined): SplitSide {
  const tickets = bets == null ? null : Math.round(bets * 100);
  const money = handle == null ? null : Math.round(handle * 100);
  const more = tickets === null || money === null ? 0 : money - tickets;
  return { at, tickets, money, more: more >= MORE_POINTS ? more : 0 };
}
