// The price of a selection, as the book states it: American or decimal.
import { type Price, parseAmerican, parseDecimal, priceFromAmerican, priceFromDecimal } from '../model/price.js';
import { NO_AMERICAN } from './fields.js';

/** Notes the rejection of a field of the selection (`''`: of all of it). */
export type Refuse = (field: string, reason: string) => undefined;

/** Undefined, with a rejection noted, if there is no valid price. An American price counts before a decimal one. */
export function readPrice(selection: Record<string, unknown>, refuse: Refuse): Price | undefined {
  const stated = selection['odds_american'];
  if (stated !== undefined && stated !== null) {
    const american = parseAmerican(stated);
    return american === undefined ? refuse('.odds_american', NO_AMERICAN) : priceFromAmerican(american);
  }
  const decimal = parseDecimal(selection['odds_decimal']);
  if (decimal !== undefined) return priceFromDecimal(decimal);
  return refuse('.odds_decimal', 'no price: needs odds_american, or odds_decimal above 1');
}

export function statesNoPrice({ odds_american, odds_decimal }: Record<string, unknown>): boolean {
  return (odds_american ?? odds_decimal ?? null) === null;
}
