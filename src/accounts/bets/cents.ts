// Amounts are whole cents; what must be rounded is rounded half to even, so that many roundings do not add up.

/** The nearest whole number; of two the even one. */
export function halfEven(value: number): number {
  if (Number.isInteger(value)) return value;
  const below = Math.floor(value);
  // Products of cents and rates are exact to a few units in the last place.
  if (Math.abs(value - below - 0.5) < Math.max(1e-9, 8 * Number.EPSILON * Math.abs(value)))
    return below % 2 === 0 ? below : below + 1;
  return Math.round(value);
}

/** Cents with what is less than one, in whole millionths: sums of them are exact, whatever is added and taken off again. */
export interface ExactCents {
  /** Rounded down. */
  readonly cents: number;
  readonly millionths: number;
}

const MILLION = 1e6;

/** To the nearest millionth. */
export function exactOf(cents: number): ExactCents {
  const below = Math.floor(cents);
  return carried(below, Math.round((cents - below) * MILLION));
}

export function plus(a: ExactCents, b: ExactCents): ExactCents {
  return carried(a.cents + b.cents, a.millionths + b.millionths);
}

export function minus(a: ExactCents, b: ExactCents): ExactCents {
  return carried(a.cents - b.cents, a.millionths - b.millionths);
}

/** Half to even. */
export function roundedCents({ cents, millionths }: ExactCents): number {
  const up = 2 * millionths > MILLION || (2 * millionths === MILLION && cents % 2 !== 0);
  return up ? cents + 1 : cents;
}

function carried(cents: number, millionths: number): ExactCents {
  const carry = Math.floor(millionths / MILLION);
  return { cents: cents + carry, millionths: millionths - carry * MILLION };
}

/** Undefined if the amount has fractions of a cent, or is not above zero. */
export function centsOf(amount: number): number | undefined {
  const cents = Math.round(amount * 100);
  return cents > 0 && Math.abs(amount * 100 - cents) < 1e-6 ? cents : undefined;
}

export function amountOf(cents: number): number {
  return cents / 100;
}
