// Whether a row can be bet, whether its price was only traded, whether it is from before the game, and its price before
// the present one, packed into one 32-bit integer for rows, deltas, slabs and columns. 0 is a row that can be bet and has
// had no other price.

const SUSPENDED = 1;
/**
 * The lowest bit is set if the row is suspended; the bits above it hold the previous price in tenths of an American
 * point.
 */
const PRICE_STEP = 2;
const TENTHS = 10;
/**
 * In place of a previous price (American odds): the price is indicative. No price lies between -100 and 100, so nothing
 * else is packed as this; the previous price of an indicative one is not kept.
 */
export const INDICATIVE = 0.1;
/** In its place: the price is a model's, which is fair and on offer nowhere. */
export const MODEL = 0.2;
/** Above every value of a row whose price is not from before the game; those of one whose is, lie beyond it. Even. */
const PREGAME = 2_000_000_004;
/** There is less room beyond it: prices above so many tenths are kept there in steps of as many. */
const PREGAME_EXACT = 60_000_000;
const PREGAME_STEP = 100;

/**
 * @param previous American odds (at most 1e8 either way), rounded to a tenth; null if unknown
 * @param pregame the game is in play and the price has not moved since its start; of one the previous price is rounded
 *   to ten beyond six million
 */
export function packActivity(active: boolean, previous: number | null, pregame = false): number {
  const tenths = previous === null ? 0 : Math.round(previous * TENTHS);
  const suspended = active ? 0 : SUSPENDED;
  if (!pregame) return tenths * PRICE_STEP + suspended;
  const size = Math.abs(tenths);
  const kept = size <= PREGAME_EXACT ? size : PREGAME_EXACT + Math.round((size - PREGAME_EXACT) / PREGAME_STEP);
  return tenths < 0 ? suspended - kept * PRICE_STEP - PREGAME : suspended + kept * PRICE_STEP + PREGAME;
}

export function isActive(activity: number): boolean {
  return (activity & SUSPENDED) === 0;
}

/** Whether the game is in play and the price has not moved since its start. */
export function isPregamePrice(activity: number): boolean {
  return activity >= PREGAME || activity < 1 - PREGAME;
}

/** American odds before the last change of price or line; null if unknown. */
export function previousPrice(activity: number): number | null {
  const previous = packedPrevious(activity);
  return previous === INDICATIVE || previous === MODEL ? null : previous;
}

/** What packActivity() was given. */
export function packedPrevious(activity: number): number | null {
  const tenths = isPregamePrice(activity) ? pregameTenths(activity) : activity >> 1;
  return tenths === 0 ? null : tenths / TENTHS;
}

/** Whether nothing is on offer at the price: something was traded at it, or it is a model's. */
export function isIndicative(activity: number): boolean {
  if (activity === 0) return false;
  const previous = packedPrevious(activity);
  return previous === INDICATIVE || previous === MODEL;
}

/** Whether it is a model's price. */
export function isModelPrice(activity: number): boolean {
  return activity !== 0 && packedPrevious(activity) === MODEL;
}

/** Whether a bet can be made at the price: it is neither suspended nor indicative. */
export function isOffered(activity: number): boolean {
  return isActive(activity) && !isIndicative(activity);
}

function pregameTenths(activity: number): number {
  const kept = activity > 0 ? (activity - PREGAME) >> 1 : (activity + PREGAME) >> 1;
  const size = Math.abs(kept);
  const whole = size <= PREGAME_EXACT ? size : PREGAME_EXACT + (size - PREGAME_EXACT) * PREGAME_STEP;
  return kept < 0 ? -whole : whole;
}
