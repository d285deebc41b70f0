// The prices of an opportunity, as the books state them (decimal, before any commission).
import type { Opportunity } from '../../log/delta/opportunity.js';

/** Of the item itself, its legs or its sides, whichever it has; a move has none of its own. */
export function pricesOf({ item }: Pick<Opportunity, 'item'>): number[] {
  if ('legs' in item) return item.legs.map(({ odds_decimal }) => odds_decimal);
  if ('odds_decimal' in item) return [item.odds_decimal];
  if (!('side1' in item)) return [];
  const { side1, side2 } = item;
  const third = 'side3' in item ? item.side3 : null;
  return (third === null ? [side1, side2] : [side1, side2, third]).map(({ odds }) => odds.decimal);
}

export function longestPrice(opportunity: Pick<Opportunity, 'item'>): number {
  return Math.max(...pricesOf(opportunity));
}
