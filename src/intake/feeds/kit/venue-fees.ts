// A venue's stated commission for one of its markets. If the operator configured a rate for the book, that is what the
// account pays, and it overrides the venue's general rate.
import { type Commission, HIGHEST_EXPONENT } from '../../../base/model/commission.js';

export interface FeeLookup {
  commissionOf(book: string): Commission | null;
  /** Whether the operator configured it. */
  isCommissionSet(book: string): boolean;
}

/** A rate above it is considered a mistake. */
const HIGHEST_RATE = 0.5;

/**
 * A market's commission at the venue's own rate (a fraction); null if it equals the book's, the operator configured
 * another, or it cannot be a rate.
 */
export function statedCommission(
  book: string,
  model: Commission['model'],
  rate: number | undefined,
  lookup: FeeLookup,
): Commission | null {
  if (rate === undefined || !(rate >= 0 && rate <= HIGHEST_RATE) || lookup.isCommissionSet(book)) return null;
  const ofBook = lookup.commissionOf(book);
  return sameRate(ofBook?.rate ?? 0, rate) && (ofBook === null || ofBook.model === model) ? null : { model, rate };
}

/** A contract market's own fee, also where it is the book's; null if the operator configured another, or it cannot be one. */
export function contractFee(
  book: string,
  { rate, exponent }: { rate: number; exponent: number },
  lookup: FeeLookup,
): Commission | null {
  if (!(rate >= 0 && rate <= HIGHEST_RATE) || lookup.isCommissionSet(book)) return null;
  if (!Number.isInteger(exponent) || exponent < 1 || exponent > HIGHEST_EXPONENT) return null;
  return { model: 'contract', rate, ...(exponent === 1 ? {} : { exponent }) };
}

/** A market's commission if the venue multiplies its usual one, the operator's rate included. */
export function multipliedCommission(
  book: string,
  multiplier: number | undefined,
  lookup: FeeLookup,
): Commission | null {
  const ofBook = lookup.commissionOf(book);
  if (ofBook === null || multiplier === undefined || sameRate(multiplier, 1)) return null;
  const rate = Math.round(ofBook.rate * multiplier * 1e9) / 1e9;
  return rate >= 0 && rate <= HIGHEST_RATE ? { ...ofBook, rate } : null;
}

function sameRate(a: number, b: number): boolean {
  return Math.abs(a - b) < 1e-9;
}
