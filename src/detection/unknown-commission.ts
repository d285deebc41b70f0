// Unlisted books of which nobody knows what they charge: one whose two prices leave less margin than any bookmaker's is
// likely an exchange, and its prices are worth less than they seem.
import { ownCommission } from '../base/model/row-details.js';
import type { BookList } from './book-list.js';
import type { MarketIndex } from './market-index.js';
import { CELLS } from './quote-columns.js';

/** No bookmaker's two prices have a lower sum of inverses. */
const OWN_SUM_MIN = 1.01;

/** Whether the column's book may charge what is not deducted. */
export function mayCharge(index: MarketIndex, { unknownCommission }: BookList, column: number): boolean {
  const { book, row } = index.columns;
  if (unknownCommission[book[column]!] === 0) return false;
  const first = row[column * CELLS]!;
  const second = row[column * CELLS + 1]!;
  if (first < 0 || second < 0 || row[column * CELLS + 2]! >= 0) return false;
  const [a, b] = [index.row(first), index.row(second)];
  if (ownCommission(a.details) !== undefined || ownCommission(b.details) !== undefined) return false;
  return 1 / a.decimal + 1 / b.decimal < OWN_SUM_MIN;
}
