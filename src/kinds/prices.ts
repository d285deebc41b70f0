// The prices of an opportunity, as the books state them (decimal, before any commission).
import type { Opportunity } from '../delta/opportunity.js';

interface Priced {
  odds_decimal?: number;
  odds?: { decimal: number };
}

interface Parts extends Priced {
  legs?: readonly Priced[];
  side1?: Priced | null;
  side2?: Priced | null;
  side3?: Priced | null;
}

/** Of the item itself, its legs or its sides, whichever it has; at least one. */
export function pricesOf({ item }: Pick<Opportunity, 'item'>): number[] {
  const { legs = [], side1, side2, side3 } = item as Parts;
  const prices: number[] = [];
  for (const part of [item as Priced, ...legs, side1, side2, side3]) {
    const price = part?.odds_decimal ?? part?.odds?.decimal;
    if (price !== undefined) prices.push(price);
  }
  return prices;
}

export function longestPrice(opportunity: Pick<Opportunity, 'item'>): number {
  return Math.max(...pricesOf(opportunity));
}
