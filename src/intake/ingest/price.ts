// The price of a selection, as the book states it: American or decimal.
import {
  type Price,
  parseAmerican,
  parseDecimal,
  priceFromAmerican,
  priceFromDecimal,
} from '../../base/model/price.js';
import { NO_AMERICAN } from './fields.js';

const ROUNDED_BY = 0.01;
const ROUNDED_SHARE = 0.01;

/** Notes the rejection of a field of the selection (`''`: of all of it). */
export type Refuse = (field: string, reason: string) => undefined;

/**
 * Undefined, with a rejection noted, if there is no valid price. An American price counts before a decimal one, which must be
 * the same price if it is stated as well.
 */
export function readPrice(selection: Record<string, unknown>, refuse: Refuse): Price | undefined {
  const stated = selection['odds_american'];
  if (stated !== undefined && stated !== null) {
    const american = parseAmerican(stated);
    if (american === undefined) return refuse('.odds_american', NO_AMERICAN);
    const price = priceFromAmerican(american);
    const other = selection['odds_decimal'];
    if (price === undefined || other === undefined || other === null) return price;
    return agrees(parseDecimal(other), price.decimal)
      ? price
      : refuse('.odds_decimal', `another price than odds_american: ${american} is ${Number(price.decimal.toFixed(4))}`);
  }
  const decimal = parseDecimal(selection['odds_decimal']);
  if (decimal !== undefined) return priceFromDecimal(decimal);
  return refuse('.odds_decimal', 'no price: needs odds_american, or odds_decimal above 1 and up to 1000001');
}

/** Formats that a source derives from each other are rounded: decimals to cents, American prices to fives. */
function agrees(stated: number | undefined, decimal: number): boolean {
  return stated !== undefined && Math.abs(stated - decimal) <= ROUNDED_BY + ROUNDED_SHARE * decimal;
}

/** As readPrice(), of a model's selection, which may state its probability instead. */
export function readFairPrice(selection: Record<string, unknown>, refuse: Refuse): Price | undefined {
  const { probability } = selection;
  if (probability === undefined || probability === null) return readPrice(selection, refuse);
  if ((selection['odds_american'] ?? selection['odds_decimal'] ?? null) !== null)
    return refuse('.probability', 'stated beside a price: one of the two');
  if (typeof probability !== 'number' || !(probability > 0 && probability < 1))
    return refuse('.probability', 'not a number above 0 and below 1');
  const price = priceFromDecimal(1 / probability);
  return price ?? refuse('.probability', 'its price is above 1000001');
}

export function statesNoPrice({ odds_american, odds_decimal, probability }: Record<string, unknown>): boolean {
  return (odds_american ?? odds_decimal ?? probability ?? null) === null;
}
