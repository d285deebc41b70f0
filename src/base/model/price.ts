// Prices in American, decimal and probability form. The book's own format is exact and the others are derived from it,
// so -110 stays -110. Sort and compare on `decimal` alone: the American scale has a gap between -100 and +100.

/** One price in its three forms. `probability` is the implied 1/decimal, 0-1, including the book's margin. */
export interface Price {
  american: number;
  decimal: number;
  probability: number;
}

/** Limits within which a price remains a price after rounding to 6 decimals: 1.000001 is -1e8, 1000001 is +1e8. */
const LOWEST_DECIMAL = 1.000001;
const HIGHEST_DECIMAL = 1_000_001;

// Float noise of `d - 1` for decimals read from text; far below half a point of American odds.
const ROUND_SLACK = 1e-12;
/** In units of the last decimal: of large numbers the noise is less than that share of them. */
const LARGEST_SLACK = 1e-3;
/** A double of so many units of its last decimal has hardly any further ones. */
const NOTHING_TO_ROUND = 2 ** 50;

/** By number of decimals: computing the power each time costs more than the rest. */
const SCALES = Array.from({ length: 10 }, (_, places) => 10 ** places);

/** Rounds to `places` decimals (0-9), halves away from zero, never -0. */
export function roundTo(value: number, places: number): number {
  const scale = SCALES[places]!;
  const units = Math.abs(value) * scale;
  if (units > NOTHING_TO_ROUND) return value;
  const scaled = Math.floor(units + Math.min(units * ROUND_SLACK, LARGEST_SLACK) + 0.5) / scale;
  return value < 0 && scaled !== 0 ? -scaled : scaled;
}

/** Decimal odds as served: 6 decimals. */
export function roundDecimal(decimal: number): number {
  return roundTo(decimal, 6);
}

/** Probability (0-1) as served: 6 decimals. Sum first, round after. */
export function roundProbability(probability: number): number {
  return roundTo(probability, 6);
}

/** Whether `decimal` is a valid price: finite, above 1, within the limits. */
export function isDecimalPrice(decimal: number): boolean {
  return decimal >= LOWEST_DECIMAL && decimal <= HIGHEST_DECIMAL;
}

/**
 * Decimal odds of an American price; NaN if it is not a price (|A| < 100, NaN, beyond the limits). One division of
 * integers gives the double nearest to the exact price, the same as its decimal literal: +107 is 2.07. `1 + A/100`
 * rounds twice and misses it for one price in thirty.
 */
export function decimalFromAmerican(american: number): number {
  if (american >= 100) return american <= 1e8 ? (100 + american) / 100 : Number.NaN;
  if (american <= -100) return american >= -1e8 ? (american - 100) / american : Number.NaN;
  return Number.NaN;
}

/** Implied probability (0-1) of an American price, unrounded; NaN if it is not a price. */
export function probabilityFromAmerican(american: number): number {
  if (american >= 100) return american <= 1e8 ? 100 / (american + 100) : Number.NaN;
  if (american <= -100) return american >= -1e8 ? american / (american - 100) : Number.NaN;
  return Number.NaN;
}

/** American odds of a decimal price, rounded to an integer, halves away from zero; NaN if it is not a price. */
export function americanFromDecimal(decimal: number): number {
  if (!isDecimalPrice(decimal)) return Number.NaN;
  if (decimal >= 2) return roundTo((decimal - 1) * 100, 0);
  const favourite = roundTo(100 / (decimal - 1), 0);
  return favourite <= 100 ? 100 : -favourite;
}

/** American odds of a probability (0-1, exclusive): no-vig odds of a fair one. NaN outside. */
export function americanFromProbability(probability: number): number {
  return americanFromDecimal(1 / probability);
}

/** Decimal odds of fractional ones: 5/1 is 6. NaN if either part is not positive. */
export function decimalFromFraction(numerator: number, denominator: number): number {
  if (!(numerator > 0 && denominator > 0)) return Number.NaN;
  const decimal = (numerator + denominator) / denominator;
  return isDecimalPrice(decimal) ? decimal : Number.NaN;
}

/** Price of a book that quotes American odds; -100 becomes 100, the same price. Undefined if it is not a price. */
export function priceFromAmerican(american: number): Price | undefined {
  const decimal = decimalFromAmerican(american);
  if (Number.isNaN(decimal)) return undefined;
  return { american: american === -100 ? 100 : american, decimal, probability: probabilityFromAmerican(american) };
}

/** Price of a book that quotes decimal odds. Undefined if it is not a price. */
export function priceFromDecimal(decimal: number): Price | undefined {
  if (!isDecimalPrice(decimal)) return undefined;
  return { american: americanFromDecimal(decimal), decimal, probability: 1 / decimal };
}

/** Decimal odds are served with six places. */
const SERVED_WITHIN = 0.51e-6;

/**
 * Which of a price's two forms, as they are served, the book stated: the other one is derived and rounded, American odds to
 * whole numbers. 1.905 is served beside -110, which is 1.909091. Of odds like 1.006 there is an American price within the
 * rounding, but so few places are a decimal price's.
 */
export function isAmericanStated(american: number, decimal: number): boolean {
  const exact = decimalFromAmerican(american);
  return exact === decimal || (Math.abs(exact - decimal) < SERVED_WITHIN && roundTo(decimal, 3) !== decimal);
}

const EVEN_MONEY = /^(?:even|evens|ev|evs)$/i;
const SIGNED_NUMBER = /^([+-]?)\s*(\d+(?:\.\d*)?|\.\d+)$/;
const FRACTION = /^(\d+(?:\.\d+)?)\s*\/\s*(\d+(?:\.\d+)?)$/;

// Minus sign, en dash, hyphen, small and full-width hyphen-minus: feeds use all of them for "-".
const MINUS_FORMS = /[\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d]/;

export function plainMinus(text: string): string {
  return text.replace(MINUS_FORMS, '-');
}

/**
 * American odds from a number or text ("-110", "+104", "EVEN", a Unicode minus, surrounding blanks), canonical 100 for
 * -100. Undefined for anything else. "PK" is a line of zero, not a price, and is refused.
 */
export function parseAmerican(value: unknown): number | undefined {
  const american = typeof value === 'number' ? value : typeof value === 'string' ? americanText(value) : Number.NaN;
  if (Number.isNaN(decimalFromAmerican(american))) return undefined;
  return american === -100 ? 100 : american;
}

/**
 * Decimal odds from a number or text ("1.91", "EVEN", "5/1"), unrounded. Undefined for anything else; text with a sign
 * is refused because it is an American price in the wrong field.
 */
export function parseDecimal(value: unknown): number | undefined {
  const decimal = typeof value === 'number' ? value : typeof value === 'string' ? decimalText(value) : Number.NaN;
  return isDecimalPrice(decimal) ? decimal : undefined;
}

function americanText(text: string): number {
  const trimmed = text.trim();
  if (EVEN_MONEY.test(trimmed)) return 100;
  const match = SIGNED_NUMBER.exec(plainMinus(trimmed));
  if (match === null) return Number.NaN;
  return match[1] === '-' ? -Number(match[2]) : Number(match[2]);
}

function decimalText(text: string): number {
  const trimmed = text.trim();
  if (EVEN_MONEY.test(trimmed)) return 2;
  const fraction = FRACTION.exec(trimmed);
  if (fraction !== null) return decimalFromFraction(Number(fraction[1]), Number(fraction[2]));
  const match = SIGNED_NUMBER.exec(trimmed);
  return match !== null && match[1] === '' ? Number(match[2]) : Number.NaN;
}
