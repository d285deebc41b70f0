// The refusals of what a tier does not have.
import { ApiError } from '../../base/model/errors.js';
import type { Catalogue } from './catalogue.js';
import { TIER_RULES, UNLISTED_TIER } from './tiers.js';
import type { Tier } from './types.js';

/**
 * Throws ApiError `tier_restricted` if the tier does not see the book; `named` is how the message calls it.
 * @param requested all books that were asked for with it
 */
export function checkBook(
  catalogue: Catalogue,
  tier: Tier,
  book: string,
  named: string,
  requested: readonly string[] = [book],
): void {
  if (catalogue.tierAllows(tier, book)) return;
  const { maxBooks } = TIER_RULES[tier];
  const { code, message, detail } = bookAboveTier(catalogue, book, named);
  throw new ApiError(code, message, {
    ...detail,
    ...(maxBooks === null ? {} : { maxBooks }),
    requestedBooks: requested,
  });
}

export function bookAboveTier(catalogue: Catalogue, book: string, named: string): ApiError {
  return aboveTier(named, catalogue.book(book)?.requiresTier ?? UNLISTED_TIER);
}

export function aboveTier(named: string, tier: Tier): ApiError {
  return new ApiError('tier_restricted', `${named} needs the ${tier} tier`, { tier });
}
