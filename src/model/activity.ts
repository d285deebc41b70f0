// Whether a row can be bet, and its price before the present one, packed into one 32-bit integer for rows, deltas,
// slabs and columns. 0 is a row that can be bet and has had no other price.

const SUSPENDED = 1;
/**
 * The lowest bit is set if the row is suspended; the bits above it hold the previous price in tenths of an American
 * point.
 */
const PRICE_STEP = 2;
const TENTHS = 10;

/** @param previous American odds (at most 1e8 either way), rounded to a tenth; null if unknown */
export function packActivity(active: boolean, previous: number | null): number {
  return (previous === null ? 0 : Math.round(previous * TENTHS) * PRICE_STEP) + (active ? 0 : SUSPENDED);
}

export function isActive(activity: number): boolean {
  return (activity & SUSPENDED) === 0;
}

/** American odds before the last change of price or line; null if unknown. */
export function previousPrice(activity: number): number | null {
  const tenths = activity >> 1;
  return tenths === 0 ? null : tenths / TENTHS;
}
