// Whether a book's prices of a line are an opinion about it. An exchange without orders shows prices that nobody means
// (0.99 on both sides), and a few units of stake move them: neither says what a result is worth.
import type { MarketLine } from './market-line.js';
import { CELLS, KNOWN, type QuoteColumns } from './quote-columns.js';

/** The book's own hold at the line, as a fraction: the sum of its inverse prices, less 1. */
const HOLD = { least: -0.03, most: 0.15, mostOfPlayers: 0.25 } as const;
/** Where sizes are known: the stake that can be had on each side, in the book's currency. */
export const OPINION_STAKE_MIN = 20;
/** Smaller differences are float noise. */
const NOISE = 1e-9;

/** Whether the column quotes every side of the line, and its prices are an opinion. Their age is not considered. */
export function isOpinion(columns: QuoteColumns, column: number, { sides, market }: MarketLine): boolean {
  const known = columns.known[column]!;
  if ((known & KNOWN.opinion) !== 0) return (known & KNOWN.isOpinion) !== 0;
  const is = computed(columns, column * CELLS, sides, market.player === null ? HOLD.most : HOLD.mostOfPlayers);
  columns.known[column] = known | KNOWN.opinion | (is ? KNOWN.isOpinion : 0);
  return is;
}

/**
 * Whether the book means the price in a cell: all its prices of the line are an opinion, or it does not quote every side
 * and enough can be had at this one.
 */
export function isMeant(columns: QuoteColumns, cell: number, marketLine: MarketLine): boolean {
  const column = Math.floor(cell / CELLS);
  if (columns.decimal[cell] === 0) return false;
  for (let side = column * CELLS; side < column * CELLS + marketLine.sides; side++)
    if (columns.decimal[side] === 0) return columns.shallow[cell] === 0;
  return isOpinion(columns, column, marketLine);
}

function computed({ decimal, shallow }: QuoteColumns, first: number, sides: number, most: number): boolean {
  let sum = 0;
  for (let cell = first; cell < first + sides; cell++) {
    if (decimal[cell] === 0 || shallow[cell] === 1) return false;
    sum += 1 / decimal[cell]!;
  }
  const hold = sum - 1;
  return hold >= HOLD.least - NOISE && hold <= most + NOISE;
}
