// What the calculators compute, with the same functions as the ticket and the server.
import { DEVIG_METHODS, type DevigMethod } from '../../src/base/model/devig-method.js';
import { fairBy } from './fair.js';
import type { OddsFormat } from './odds-format.js';
import { parsePrice } from './price-input.js';
import { type Bet, equalReturns, type Plan, splitRest } from './stakes.js';

/**
 * Prices separated by spaces, semicolons or slashes (`-110 / +105`, `1.95 2.05`); undefined if one of them is none. To who
 * reads fractions `10/11` is one.
 */
export function parsePrices(text: string, format?: OddsFormat): number[] | undefined {
  const between = format === 'fractional' ? /[\s;]+|(?<!\d)\/|\/(?!\d)/ : /[\s;/]+/;
  const parts = text.split(between).filter(Boolean);
  const prices = parts.map((part) => parsePrice(part, format));
  return parts.length > 0 && prices.every((price) => price !== undefined) ? (prices as number[]) : undefined;
}

const betAt = (decimal: number, more: Partial<Bet> = {}): Bet => ({
  ...{ decimal, commission: null, rate: 1, cap: null, isFree: false, boostPercent: 0 },
  ...more,
});

/** Cents, whatever the profile rounds to: a calculator is asked for the exact answer. */
const CENTS = 0.01;

/** Prices of which exactly one wins, and what they cost together. */
export function arbitrage(prices: readonly number[], total: number): Plan {
  return equalReturns(
    prices.map((price) => betAt(price)),
    { bankroll: total, rounding: CENTS },
  );
}

/** A bet that stands, and what to stake on the other outcomes so that every result makes the same. */
export function hedge(stake: number, price: number, others: readonly number[]): Plan {
  const bets = [price, ...others].map((one) => betAt(one));
  return splitRest(
    bets,
    bets.map((_, i) => (i === 0 ? stake : undefined)),
    { rounding: CENTS },
  );
}

/** A free bet at the first price, and the money that turns it into cash at the others. */
export function freeBet(value: number, price: number, others: readonly number[]): Plan {
  const bets = [betAt(price, { isFree: true }), ...others.map((one) => betAt(one))];
  return splitRest(
    bets,
    bets.map((_, i) => (i === 0 ? value : undefined)),
    { rounding: CENTS },
  );
}

/** Decimal odds of bets that must all win. */
export function parlay(prices: readonly number[]): number {
  return prices.reduce((product, price) => product * price, 1);
}

/** Percent: below 0 the prices are an arbitrage. */
export function holdOf(prices: readonly number[]): number {
  return (prices.reduce((sum, price) => sum + 1 / price, 0) - 1) * 100;
}

export interface FairPrices {
  method: DevigMethod;
  /** Probability of each outcome, 0-1. */
  fair: readonly number[];
}

/** By every method that gives an answer for these prices, beside each other. */
export function fairByAll(prices: readonly number[]): FairPrices[] {
  const implied = prices.map((price) => 1 / price);
  return DEVIG_METHODS.flatMap((method) => {
    const fair = fairBy(method, implied);
    return fair === undefined ? [] : [{ method, fair }];
  });
}
