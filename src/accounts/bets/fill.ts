// What a paper bet gets: the money that stands in the table at its price or better, without what the account's paper bets
// took of it before. A real bet would have taken that money, so it counts as taken until it is stated anew. Of a lay the money
// is backers' stakes at its price or lower.
import type { FillBound } from '../../base/model/bet-words.js';
import { type Commission, contractCost, netDecimal } from '../../base/model/commission.js';
import { LIMITS } from '../../base/model/limits.js';

/** A price with the money that can be had at it, in cents of the row's currency. */
export interface Level {
  decimal: number;
  cents: number;
}

/** Of divisions that come out even. */
const NOISE = 1e-9;
const UNSEEN_MAX = LIMITS.unseenLevels.max;

/** What its book accepts as a bet. */
export interface OrderRules {
  minCents: number;
  /** Stakes are multiples of it; 0: of a cent. */
  stepCents: number;
  /** Of a venue of contracts: what those pay of which an order is a multiple; 0 for any other book. */
  contractCents: number;
  /** What it charges on them. */
  charge: Commission | null;
}

/** A row as it stood when a bet was judged. */
export interface Quote {
  /** The selection is laid. */
  lay?: boolean;
  line: number | null;
  bound: FillBound;
  /** Best price first; one of them unless there is a ladder. */
  levels: readonly Level[];
  /** The book's limit for one bettor, beside its levels; null if none is stated. */
  maxBetCents: number | null;
  /** By default any stake. */
  order?: OrderRules;
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
export function takenNow({ lay = false, line, bound, levels }: Quote, before: TakenOfRow | undefined): Taken[] {
  const known = before !== undefined && before.line === line ? before.levels : [];
  const taken = levels.map(({ decimal, cents: stated }) => {
    const earlier = known.find((each) => samePrice(each.decimal, decimal));
    if (earlier === undefined) return { decimal, stated, cents: 0 };
    const fallen = bound === 'depth' ? Math.max(0, earlier.stated - stated) : 0;
    return { decimal, stated, cents: Math.max(0, earlier.cents - fallen) };
  });
  if (bound !== 'depth') return taken;
  const last = levels.at(-1)?.decimal;
  const unseen = known.filter(({ decimal }) => last === undefined || isWorse(decimal, last, lay));
  return [...taken, ...unseen.map((level) => ({ ...level, unseen: true as const })).slice(0, UNSEEN_MAX)];
}

/** Fills a stake (cents) at the asked decimal price or better, best price first; as much of it as there is. */
export function fill(quote: Quote, before: TakenOfRow | undefined, cents: number, asked: number): Filled {
  const { lay = false, order, bound } = quote;
  const levels = takenNow(quote, before);
  const takenBefore = levels.reduce((sum, level) => sum + (level.unseen ? 0 : level.cents), 0);
  const most = Math.min(cents, Math.max(0, (quote.maxBetCents ?? Number.POSITIVE_INFINITY) - takenBefore));
  let left = inSteps(most, order);
  const fills: Fill[] = [];
  for (const level of levels) {
    if (level.unseen || isWorse(level.decimal, asked, lay)) continue;
    const there = Math.min(left, Math.max(0, level.stated - level.cents));
    // An order at a ladder may be matched in any parts; where there is one price it is accepted whole.
    const take = inContracts(bound === 'depth' ? there : inSteps(there, order), level.decimal, order);
    if (take <= 0) continue;
    fills.push({ decimal: level.decimal, cents: take });
    level.cents += take;
    left -= take;
  }
  return { fills, taken: { line: quote.line, levels: levels.filter((level) => level.cents > 0) } };
}

/** Whether a price is worse than another for who bets. */
export function isWorse(one: number, other: number, lay: boolean): boolean {
  return (lay ? one > other : one < other) && !samePrice(one, other);
}

/** Whether its book accepts a bet of this stake at the price. */
export function isAccepted(cents: number, decimal: number, order: OrderRules | undefined): boolean {
  if (order === undefined) return true;
  return cents >= order.minCents && inContracts(inSteps(cents, order), decimal, order) > 0;
}

/** The greatest multiple of its book's step. */
function inSteps(cents: number, order: OrderRules | undefined): number {
  const step = order?.stepCents ?? 0;
  return step > 0 ? Math.floor(step * Math.floor(cents / step + NOISE) + NOISE) : cents;
}

/** What the greatest number of whole contracts costs that this much pays for. */
function inContracts(cents: number, decimal: number, order: OrderRules | undefined): number {
  if (order === undefined || order.contractCents === 0) return cents;
  const each = order.contractCents / netDecimal(decimal, order.charge);
  const paid = (order.contractCents / 100) * Math.floor(cents / each + NOISE);
  return Math.min(cents, Math.ceil(100 * contractCost(paid, decimal, order.charge) - NOISE));
}

/** Prices of one row, derived from the same statement or stated to six decimals. */
export function samePrice(one: number, other: number): boolean {
  return Math.abs(one - other) < 1e-6;
}
