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
