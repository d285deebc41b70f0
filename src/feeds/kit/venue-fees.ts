// What a venue says it takes of a bet in one of its markets, as a statement for that market. What the operator set for the
// book is what the account really pays, so it stands against what the venue says of everybody.
import type { Commission } from '../../model/commission.js';

export interface FeeLookup {
  commissionOf(book: string): Commission | null;
  /** Whether the operator set it. */
  isCommissionSet(book: string): boolean;
}

/** Above it a rate is a mistake. */
const HIGHEST_RATE = 0.5;

/**
 * A market's commission at the venue's own rate (a fraction); null where that is the book's, the operator set another, or
 * it cannot be a rate.
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

/** A market's commission where the venue takes so many times what it takes elsewhere, the operator's rate included. */
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
