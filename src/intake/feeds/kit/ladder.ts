// The ladder of an outcome, made of one or more order books that offer the same bet.
import type { Depth, Level } from '../../../base/model/depth.js';
import { roundDecimal } from '../../../base/model/price.js';
import type { Levels } from './levels.js';
import { decimalOfMicros, moneyOfMicros } from './probability-price.js';

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
