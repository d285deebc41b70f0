// Amounts are whole cents; what must be rounded is rounded half to even, so that many roundings do not add up.

/** The nearest whole number; of two the even one. */
export function halfEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  // Products of cents and rates are exact to a few units in the last place.
  if (Math.abs(rest - 0.5) < 1e-9 * Math.max(1, Math.abs(value))) return below % 2 === 0 ? below : below + 1;
  return Math.round(value);
}

/** Undefined if the amount has fractions of a cent, or is not above zero. */
export function centsOf(amount: number): number | undefined {
  const cents = Math.round(amount * 100);
  return cents > 0 && Math.abs(amount * 100 - cents) < 1e-6 ? cents : undefined;
}

export function amountOf(cents: number): number {
  return cents / 100;
}
