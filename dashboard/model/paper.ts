// Paper bets of one ticket: what the server would fill bounds the split before it is sent, so that no leg stands with half
// a partner; and what became of the legs together.
import type { LegNow, PlacedBet } from './ticket.js';

/** Asked for where the bound itself is wanted: more than any price takes, unless nothing bounds it. */
export const MORE_THAN_ANY = 1e12;

/**
 * Most that a paper bet on a leg can get, in its book's currency: what its size, limit and ladder give, or the server's
 * own bound where the book states none of them.
 * @param filled of MORE_THAN_ANY, what the server says that the price takes; null if that is unknown
 */
export function paperCap({ leg, row }: LegNow, paperMax: number, filled: number | null): number {
  const given = [row?.max_bet, row?.size, filled !== null && filled < MORE_THAN_ANY ? filled : null];
  // Of a lay they are the backers' stakes, and the bet's stake is the liability.
  const perUnit = leg.isLay ? leg.decimal - 1 : 1;
  const stated = [leg.stakeMax ?? [], ...given.map((value) => (value == null ? [] : value * perUnit))].flat();
  return stated.length === 0 ? paperMax : Math.min(...stated);
}

/** What one of several bets that were made together came to; '' if all of each was filled. */
export function partedText(bets: readonly PlacedBet[], nameOf: (book: string) => string): string {
  const short = bets.filter(({ status }) => status !== undefined);
  if (bets.length < 2 || short.length === 0) return '';
  const whole = bets.filter(({ status }) => status === undefined);
  const names = (of: readonly PlacedBet[]): string => of.map(({ book }) => nameOf(book)).join(' and ');
  const said = short.map(({ book, status }) => `${nameOf(book)} ${status!.replaceAll('_', ' ')}`).join('; ');
  if (whole.length === 0) return `Not as split: ${said}.`;
  return `Not covered: ${said}. ${names(whole)} ${whole.length === 1 ? 'stands' : 'stand'} without it, and may lose the whole stake.`;
}
