// Whether a row can be bet, and the price before its present one, as one 32-bit integer: what rows, deltas, slabs and
// columns keep of both. 0 is a row that can be bet and has had no other price.

const SUSPENDED = 1;
/** The lowest bit says whether the row is suspended; above it stands the price, in tenths of an American point. */
const PRICE_STEP = 2;
const TENTHS = 10;

/** @param previous American odds (at most 1e8 either way), kept to a tenth; null where none is known */
export function packActivity(active: boolean, previous: number | null): number {
  return (previous === null ? 0 : Math.round(previous * TENTHS) * PRICE_STEP) + (active ? 0 : SUSPENDED);
}

export function isActive(activity: number): boolean {
  return (activity & SUSPENDED) === 0;
}

/** American odds before the last change of price or line; null where none is known. */
export function previousPrice(activity: number): number | null {
  const tenths = activity >> 1;
  return tenths === 0 ? null : tenths / TENTHS;
}
