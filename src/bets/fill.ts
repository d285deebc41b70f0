// What a paper bet gets: the money that stands in the table at its price or better, without what the account's paper bets
// took of it before. A real bet would have taken that money, so it counts as taken until it is stated anew.
import type { FillBound } from '../model/bet-words.js';
import { LIMITS } from '../model/limits.js';

/** A price with the money that can be had at it, in cents of the row's currency. */
export interface Level {
  decimal: number;
  cents: number;
}

const UNSEEN_MAX = LIMITS.unseenLevels.max;

/** A row as it stood when a bet was judged. */
export interface Quote {
  active: boolean;
  line: number | null;
  bound: FillBound;
  /** Best price first; one of them unless there is a ladder. */
  levels: readonly Level[];
  /** The book's limit for one bettor, beside its levels; null if none is stated. */
  maxBetCents: number | null;
}

/** What an account took of a price. */
export interface Taken {
  decimal: number;
  /** Size stated when that was last looked at. */
  stated: number;
  cents: number;
  /** It was not in the ladder then, which ended at a better price. */
  unseen?: true;
}

/** By row: of prices that stood when it was last looked at. */
export interface TakenOfRow {
  line: number | null;
  levels: readonly Taken[];
}

export interface Fill {
  decimal: number;
  cents: number;
}

export interface Filled {
  fills: Fill[];
  taken: TakenOfRow;
}

/**
 * What the account has taken of what stands now, price by price. Where the size of a ladder's level fell since, the fall
 * was the account's money first; a rise adds to what is left. A size without a ladder, like a limit, is one statement about
 * its price: only another price ends what counts against it. A price that stands no more is forgotten, and a moved line is
 * another price; but prices worse than the last level shown may stand unseen, as ladders are cut.
 */
export function takenNow({ line, bound, levels }: Quote, before: TakenOfRow | undefined): Taken[] {
  const known = before !== undefined && before.line === line ? before.levels : [];
  const taken = levels.map(({ decimal, cents: stated }) => {
    const earlier = known.find((each) => samePrice(each.decimal, decimal));
    if (earlier === undefined) return { decimal, stated, cents: 0 };
    const fallen = bound === 'depth' ? Math.max(0, earlier.stated - stated) : 0;
    return { decimal, stated, cents: Math.max(0, earlier.cents - fallen) };
  });
  if (bound !== 'depth') return taken;
  const last = levels.at(-1)?.decimal ?? Number.POSITIVE_INFINITY;
  const unseen = known.filter(({ decimal }) => decimal < last && !samePrice(decimal, last));
  return [...taken, ...unseen.map((level) => ({ ...level, unseen: true as const })).slice(0, UNSEEN_MAX)];
}

/** Fills a stake (cents) at the asked decimal price or better, best price first; as much of it as there is. */
export function fill(quote: Quote, before: TakenOfRow | undefined, cents: number, asked: number): Filled {
  const levels = takenNow(quote, before);
  const takenBefore = levels.reduce((sum, level) => sum + (level.unseen ? 0 : level.cents), 0);
  let left = Math.min(cents, Math.max(0, (quote.maxBetCents ?? Number.POSITIVE_INFINITY) - takenBefore));
  const fills: Fill[] = [];
  for (const level of levels) {
    if (level.unseen || (level.decimal < asked && !samePrice(level.decimal, asked))) continue;
    const take = Math.min(left, Math.max(0, level.stated - level.cents));
    if (take <= 0) continue;
    fills.push({ decimal: level.decimal, cents: take });
    level.cents += take;
    left -= take;
  }
  return { fills, taken: { line: quote.line, levels: levels.filter((level) => level.cents > 0) } };
}

/** Prices of one row, derived from the same statement or stated to six decimals. */
export function samePrice(one: number, other: number): boolean {
  return Math.abs(one - other) < 1e-6;
}
