// How much of an opportunity can be staked, whatever the currency a caller thinks in, and whether every result of the game
// is covered: what thresholds compare beside the edge.
import { exchangeRate, type Rates } from './money.js';

/**
 * For the legs in one currency: the greatest total stake, in that currency, at which each stays within what its book
 * takes; null if none of them states a limit.
 */
export type Cap = readonly [currency: string, total: number | null];

export interface StakeTerms {
  /** No result of a game that is played loses because books settle it differently. */
  readonly sure: boolean;
  /** Its numbers rest on a distribution that nobody measured. */
  readonly assumed: boolean;
  /** One for each currency of its legs. */
  readonly caps: readonly Cap[];
}

const PLAIN_CAPS: readonly Cap[] = [['USD', null]];
/** Dollars without a limit: shared, as most opportunities have no others. */
const plain = (sure: boolean, assumed: boolean): StakeTerms => ({ sure, assumed, caps: PLAIN_CAPS });
const PLAIN = [plain(false, false), plain(true, false), plain(false, true), plain(true, true)] as const;

export const NO_TERMS: StakeTerms = PLAIN[1];

export function termsOf(sure: boolean, assumed: boolean, caps: readonly Cap[]): StakeTerms {
  const [first, second] = caps;
  if (second === undefined && first?.[0] === 'USD' && first[1] === null)
    return PLAIN[(sure ? 1 : 0) + (assumed ? 2 : 0)]!;
  return { sure, assumed, caps };
}

export function sameTerms(a: StakeTerms, b: StakeTerms): boolean {
  if (a === b) return true;
  if (a.sure !== b.sure || a.assumed !== b.assumed || a.caps.length !== b.caps.length) return false;
  return a.caps.every(([currency, total], i) => currency === b.caps[i]![0] && total === b.caps[i]![1]);
}

/**
 * The greatest total stake in a currency; null if no leg states a limit, undefined if amounts cannot be compared because
 * a rate is missing.
 */
export function maxStakeIn(caps: readonly Cap[], currency: string, rates: Rates): number | null | undefined {
  let least = Number.POSITIVE_INFINITY;
  let comparable = true;
  for (const [of, total] of caps) {
    const rate = exchangeRate(of, currency, rates);
    if (Number.isNaN(rate)) comparable = false;
    else if (total !== null) least = Math.min(least, total * rate);
  }
  if (!comparable) return undefined;
  return Number.isFinite(least) ? centsBelow(least) : null;
}

/** Rounded down, as it is guaranteed; less than a ten-thousandth of a cent below a cent counts as that cent. */
export function centsBelow(money: number): number {
  return Math.floor(money * 100 + 1e-4) / 100;
}
