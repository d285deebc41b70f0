// Prices as people type them: what has a sign is American, a plain number what the viewer's format makes of it.
import { decimalFromAmerican, isDecimalPrice, parseAmerican, parseDecimal } from '../../src/base/model/price.js';
import type { OddsFormat } from './odds-format.js';

export interface StatedPrice {
  decimal: number;
  /** Where it was stated so. */
  american?: number;
}

/** Said of what is none. */
export const NO_PRICE = 'A price is +105, -110, 2.05, 10/11 or 52.4 %.';

/** Probabilities need their sign from here on. */
const PLAIN_MAX = 10;
const GROUPED = /^[+\-\u2212]?\d{1,3}(?:,\d{3})+$/;
const SIGNED = /^[+\-\u2010-\u2013\u2212\ufe63\uff0d]/;
const PERCENT = /^(\d+(?:\.\d+)?)\s*%$/;

/** `+105`, `-110`, `2.05`, `10/11`, `EVEN` or `52.4 %`; undefined if it is no price, or could be two. */
export function readPrice(text: string, format: OddsFormat = 'american'): StatedPrice | undefined {
  const given = text.trim();
  if (GROUPED.test(given)) {
    // `+1,200` is one price, and `1,200` two.
    return SIGNED.test(given) ? americanPrice(given.replaceAll(',', '')) : undefined;
  }
  const plain = given.replace(',', '.');
  const percent = PERCENT.exec(plain)?.[1];
  if (percent !== undefined) return decimalPrice(100 / Number(percent));
  if (SIGNED.test(plain)) return americanPrice(plain);
  if (format === 'american' && Number(plain) >= 100) return americanPrice(plain);
  // To who reads percents `52.4` is a probability, or long odds.
  if (format === 'probability' && Number(plain) >= PLAIN_MAX) return undefined;
  return decimalPrice(parseDecimal(plain));
}

/** Its decimal odds. */
export function parsePrice(text: string, format?: OddsFormat): number | undefined {
  return readPrice(text, format)?.decimal;
}

function americanPrice(text: string): StatedPrice | undefined {
  const american = parseAmerican(text);
  return american === undefined ? undefined : { american, decimal: decimalFromAmerican(american) };
}

function decimalPrice(decimal: number | undefined): StatedPrice | undefined {
  return decimal === undefined || !isDecimalPrice(decimal) ? undefined : { decimal };
}
