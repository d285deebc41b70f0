// Whether a book's prices of a line are an opinion about it. An exchange without orders shows prices that nobody means
// (0.99 on both sides), and a few units of stake move them: neither says what a result is worth.
import type { RowDetails } from '../base/model/row-details.js';
import type { MarketLine } from './market-line.js';
import { isOpinionSum, OPINION_STAKE_MIN } from './maths/opinion.js';
import { CELLS, KNOWN, type QuoteColumns } from './quote-columns.js';

/** Whether the column quotes every side of the line, and its prices are an opinion. Their age is not considered. */
export function isOpinion(columns: QuoteColumns, column: number, { sides, market }: MarketLine): boolean {
  const known = columns.known[column]!;
  if ((known & KNOWN.opinion) !== 0) return (known & KNOWN.isOpinion) !== 0;
  const is = computed(columns, column * CELLS, sides, market.player !== null);
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

/** Whether it is known what can be had at a row's price, and that is too little for an opinion. */
export function isShallow({ exchange }: RowDetails): boolean {
  const size = exchange === null ? null : exchange[0];
  return size !== null && size < OPINION_STAKE_MIN;
}

function computed({ decimal, shallow }: QuoteColumns, first: number, sides: number, ofPlayer: boolean): boolean {
  let sum = 0;
  for (let cell = first; cell < first + sides; cell++) {
    if (decimal[cell] === 0 || shallow[cell] === 1) return false;
    sum += 1 / decimal[cell]!;
  }
  return isOpinionSum(sum, ofPlayer);
}
