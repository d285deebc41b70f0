// Which results return a stake: a number that is the line, and a tie where the market has two sides and no third.
import { HOUSE_TIES } from '../rules/markets/house-rules.js';
import { GAME } from '../rules/markets/parts.js';
import type { CandidateLimits } from './candidate.js';
import { EDGE_NOISE } from './detection-limits.js';
import type { MarketLine } from './market-line.js';

/** The margin or total on which a bet at this line pushes; NaN if there is none. A quarter line returns half next to it. */
export function pushLine({ market: { shape }, sides, x }: MarketLine): number {
  if (shape.pairing === 'handicap' || shape.pairing === 'total') return shape.rules.tie === 'loses' ? Number.NaN : x;
  return shape.pairing === 'winner' && sides === 2 && shape.ties ? 0 : Number.NaN;
}

/** Whether the whole stake may be returned. */
export function mayPush(marketLine: MarketLine): boolean {
  return Number.isInteger(pushLine(marketLine));
}

/** Whether it is a two-way winner of a game, whose tie books settle in different ways. */
export function isTieOfGame({ market: { shape }, sides }: Pick<MarketLine, 'market' | 'sides'>): boolean {
  return sides === 2 && shape.ties && shape.rules.part === GAME;
}

const REFUNDED = HOUSE_TIES.indexOf('push');
const LOST = HOUSE_TIES.indexOf('loses');

/** What a unit staked at a price brings back on a tie, by its book's rule: half of a win, or half the stake at full odds. */
export function paidOnTie(tie: number, decimal: number): number {
  return tie === REFUNDED ? 1 : tie === LOST ? 0 : decimal / 2;
}

/**
 * What a price's EV must be without the push (percent). A push probability reduces an edge without changing its sign, so
 * that most prices are decided without it; a limit below 0 may be met only with the push, and any limit with a tie that
 * pays half of a win.
 */
export function evMinWithoutPush(marketLine: MarketLine, { minEv }: CandidateLimits): number {
  if (marketLine.oddTies) return Number.NEGATIVE_INFINITY;
  const line = pushLine(marketLine);
  const canPush = marketLine.market.pushModel !== undefined && !Number.isNaN(line) && !Number.isInteger(line + 0.5);
  return minEv < 0 && canPush ? Number.NEGATIVE_INFINITY : Math.min(0, minEv) - EDGE_NOISE;
}
