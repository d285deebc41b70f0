// Prices of contracts, order books of a venue, and the ladder of an outcome, made of one or more books that offer the same
// bet.

import type { Depth, Level } from '../../../base/model/depth.js';
import { LIMITS } from '../../../base/model/limits.js';
import { roundDecimal } from '../../../base/model/price.js';

// Prices as the probability of a contract that pays 1, and fractional counts, in decimal text. Both are parsed into
// integer millionths: sums and differences of levels are then exact, and an empty level is exactly 0.

export const MICROS = 1_000_000;
/** Above it integer millionths are no longer exact. */
const EXACT_MICROS = Number.MAX_SAFE_INTEGER;

const DECIMAL = /^(-?)(\d{1,15})?(?:\.(\d{0,18}))?$/;

/**
 * Integer millionths of a decimal text or number ("0.29" is 290000); undefined if it is not a number, or finer than
 * that.
 */
export function parseMicros(value: unknown): number | undefined {
  const text = typeof value === 'number' && Number.isFinite(value) ? plainText(value) : value;
  if (typeof text !== 'string') return undefined;
  const match = DECIMAL.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  if (fraction.length > 6 && /[1-9]/.test(fraction.slice(6))) return undefined;
  const micros = Number(whole) * MICROS + Number(fraction.slice(0, 6).padEnd(6, '0'));
  if (micros > EXACT_MICROS) return undefined;
  return sign === '-' && micros !== 0 ? -micros : micros;
}

/** Without an exponent; venues' JSON numbers are short. */
function plainText(value: number): string {
  const text = String(value);
  return text.includes('e') ? value.toFixed(6) : text;
}

/** Whether it can be a price: above 0 and below 1. An absent side is stated as 0 or 1. */
export function isPriceMicros(micros: number): boolean {
  return micros > 0 && micros < MICROS;
}

/** Decimal odds of a price: the double nearest to 1 / p. */
export function decimalOfMicros(priceMicros: number): number {
  return MICROS / priceMicros;
}

/** The stake that buys this many contracts at a price, to the millionth, in the venue's currency. */
export function moneyOfMicros(priceMicros: number, countMicros: number): number {
  return Math.round((priceMicros / MICROS) * countMicros) / MICROS;
}

// One side of an order book: the amount at each price, and the prices in order. Prices and amounts are integers in
// millionths.

/** A side with more prices than this is invalid. */
const LEVELS_MAX = LIMITS.bookLevels.max;

export class Levels {
  readonly #counts = new Map<number, number>();
  /** The best one last: most changes are near it. */
  readonly #prices: number[] = [];
  /** 1 if higher prices are better, -1 if lower ones are. */
  readonly #sign: 1 | -1;

  /** `lowest`: asks, where the lowest is the best; `highest`: bids. */
  constructor(best: 'lowest' | 'highest') {
    this.#sign = best === 'highest' ? 1 : -1;
  }

  get size(): number {
    return this.#counts.size;
  }

  /** The best price, null if the side is empty. */
  get best(): number | null {
    return this.#prices.at(-1) ?? null;
  }

  get bestCount(): number {
    const { best } = this;
    return best === null ? 0 : this.#counts.get(best)!;
  }

  countAt(price: number): number {
    return this.#counts.get(price) ?? 0;
  }

  /** The best prices, at most `most` of them, each with its amount. */
  *top(most: number): Iterable<readonly [price: number, count: number]> {
    for (let i = this.#prices.length - 1; i >= 0 && i >= this.#prices.length - most; i--)
      yield [this.#prices[i]!, this.#counts.get(this.#prices[i]!)!];
  }

  clear(): void {
    this.#counts.clear();
    this.#prices.length = 0;
  }

  /** Sets the total amount at a price; 0 removes the level. False if the side has too many levels. */
  set(price: number, count: number): boolean {
    if (count <= 0) {
      if (this.#counts.delete(price)) this.#prices.splice(this.#placeOf(price), 1);
      return true;
    }
    if (!this.#counts.has(price)) {
      if (this.#counts.size >= LEVELS_MAX) return false;
      this.#prices.splice(this.#placeOf(price), 0, price);
    }
    this.#counts.set(price, count);
    return true;
  }

  /** Where a price is, or belongs. */
  #placeOf(price: number): number {
    let from = 0;
    let to = this.#prices.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#prices[middle]! - price) * this.#sign < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** Parts of the venue's currency that sizes are rounded to. */
const MILLIONTHS = 1e6;

/** Offers of one side, each list in any order: offers at equal odds are added up. At most `most` levels, best first. */
function merged(
  lists: readonly (readonly Level[])[],
  best: 'highest' | 'lowest',
  most: number,
  parts: number,
): Level[] {
  const sizes = new Map<number, number>();
  for (const list of lists)
    for (const [decimal, size] of list) {
      const rounded = roundDecimal(decimal);
      sizes.set(rounded, (sizes.get(rounded) ?? 0) + size);
    }
  const sign = best === 'highest' ? -1 : 1;
  const levels = [...sizes].map(([decimal, size]): Level => [decimal, Math.round(size * parts) / parts]);
  return levels
    .sort(([a], [b]) => (a - b) * sign)
    .filter(([, size]) => size > 0)
    .slice(0, most);
}

/**
 * Null if there are no offers. Books of their own may cross each other: what could be laid below the best price to back is
 * left out, as an order book never shows it.
 */
export function ladderOf(
  backs: readonly (readonly Level[])[],
  lays: readonly (readonly Level[])[],
  most: number,
  parts = MILLIONTHS,
): Depth | null {
  const back = merged(backs, 'highest', most, parts);
  const best = back[0]?.[0] ?? 0;
  const open = lays.map((list) => list.filter(([decimal]) => roundDecimal(decimal) >= best));
  const lay = merged(open, 'lowest', most, parts);
  return back.length === 0 && lay.length === 0 ? null : { back, lay };
}

/** Prices of contracts as odds: the asks of a contract are offers to back it, its bids offers to lay it. */
export function oddsOf(levels: Iterable<readonly [priceMicros: number, countMicros: number]>): Level[] {
  const odds: Level[] = [];
  for (const [price, count] of levels) odds.push([decimalOfMicros(price), moneyOfMicros(price, count)]);
  return odds;
}

/** The best levels of a side as odds. */
export function topOdds(levels: Levels, most: number): Level[] {
  return oddsOf(levels.top(most));
}

/**
 * In a market of two, laying at L for a backer's stake s equals backing the other at L / (L - 1) for s (L - 1): the same
 * from either side.
 */
export function turned([decimal, size]: Level): Level {
  return [decimal / (decimal - 1), size * (decimal - 1)];
}

export function sameLadder(a: Depth | null, b: Depth | null): boolean {
  if (a === null || b === null) return a === b;
  return sameSide(a.back, b.back) && sameSide(a.lay, b.lay);
}

function sameSide(a: readonly Level[], b: readonly Level[]): boolean {
  return a.length === b.length && a.every(([decimal, size], i) => decimal === b[i]![0] && size === b[i]![1]);
}
