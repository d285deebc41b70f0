// Stakes that take several levels of a ladder: what they pay on average, and up to which total stake a set of bets that
// pay the same keeps its worth. Plain numbers in and out; payouts grow with the stake in straight pieces, one a level.

import { type RoundedFee, roundingOf } from '../../base/model/commission.js';

/** One level: what a unit of stake pays there, as stated and after commission, and how many units it takes. */
export interface StakeLevel {
  decimal: number;
  net: number;
  /** Infinity if nothing limits it. */
  most: number;
  /** Where the fee of what is taken at the level is rounded up; `net` is before that. */
  fee?: RoundedFee;
}

export interface Taken {
  stake: number;
  /** Averages over the stake. */
  decimal: number;
  net: number;
  /** Of the last level touched, and how many were. */
  worst: number;
  levels: number;
}

/** Less than this share of a stake is float noise. */
const NOISE = 1e-12;

/** Takes levels, the best first, for a stake. The stake taken is less than asked if they do not suffice. */
export function takeStake(levels: readonly StakeLevel[], stake: number): Taken {
  const taken = { stake: 0, decimal: 0, net: 0, worst: 0, levels: 0 };
  for (const level of levels) {
    const left = stake - taken.stake;
    if (!(left > stake * NOISE)) break;
    const part = Math.min(left, level.most);
    // What rounding takes buys nothing.
    const lost = level.fee === undefined ? 0 : roundingOf(part, level.fee) * level.decimal;
    add(taken, level, part, Math.max(0, part * level.net - lost));
  }
  return averaged(taken);
}

/** Takes levels for a payout after commission; `stake` 0 if it is out of reach. */
export function takePayout(levels: readonly StakeLevel[], payout: number): Taken {
  const taken = { stake: 0, decimal: 0, net: 0, worst: 0, levels: 0 };
  for (const level of levels) {
    const left = payout - taken.net;
    if (!(left > payout * NOISE)) break;
    const part = Math.min(left / level.net, level.most);
    add(taken, level, part + (level.fee === undefined ? 0 : roundingOf(part, level.fee)), part * level.net);
  }
  return averaged(taken);
}

/** In sums until averaged(). */
function add(taken: Taken, { decimal }: StakeLevel, stake: number, paid: number): void {
  taken.stake += stake;
  taken.decimal += stake * decimal;
  taken.net += paid;
  taken.worst = decimal;
  taken.levels++;
}

function averaged(taken: Taken): Taken {
  if (taken.stake === 0) return taken;
  return { ...taken, decimal: taken.decimal / taken.stake, net: taken.net / taken.stake };
}

/** A straight piece: the payout at its end, and the total stake of all bets for one more unit of payout. */
interface Piece {
  payout: number;
  slope: number;
}

/** The pieces of bets that all pay the same, up to the payout that the first of them cannot reach. */
function* piecesOf(bets: readonly (readonly StakeLevel[])[]): Generator<Piece> {
  const at = bets.map(() => 0);
  /** The payout at the end of each bet's present level. */
  const ends = bets.map((levels) => (levels[0] === undefined ? 0 : levels[0].most * levels[0].net));
  for (;;) {
    let slope = 0;
    for (const [i, levels] of bets.entries()) {
      const level = levels[at[i]!];
      if (level === undefined) return;
      slope += 1 / level.net;
    }
    const payout = Math.min(...ends);
    yield { payout, slope };
    for (const [i, levels] of bets.entries()) {
      if (ends[i]! > payout) continue;
      const next = levels[++at[i]!];
      if (next !== undefined) ends[i]! += next.most * next.net;
    }
  }
}

/** The payout that a total stake makes on every result; null if it cannot be had. Stakes are in one currency. */
export function evenPayout(bets: readonly (readonly StakeLevel[])[], total: number): number | null {
  const payout = payoutOf(bets, total);
  if (payout === null || !bets.some((levels) => levels.some(({ fee }) => fee !== undefined))) return payout;
  // What rounds the fees up is paid from the total as well: so much less of it buys the payout.
  const rounding = bets.reduce((sum, levels) => sum + takePayout(levels, payout).stake, 0) - total;
  return rounding < total ? payoutOf(bets, total - Math.max(0, rounding)) : null;
}

function payoutOf(bets: readonly (readonly StakeLevel[])[], total: number): number | null {
  let from = 0;
  let staked = 0;
  for (const { payout, slope } of piecesOf(bets)) {
    const until = staked + (payout - from) * slope;
    if (until >= total * (1 - NOISE)) return from + (total - staked) / slope;
    staked = until;
    from = payout;
  }
  return null;
}

/**
 * The greatest total stake at which the payout is at least `worth` times it: 0 if none is, null if nothing limits it.
 */
export function greatestTotal(bets: readonly (readonly StakeLevel[])[], worth: number): number | null {
  let from = 0;
  let staked = 0;
  for (const { payout, slope } of piecesOf(bets)) {
    const gain = worth * slope - 1;
    // What is won so far is lost again by worse levels.
    const until = gain > 0 ? from + (from - worth * staked) / gain : Number.POSITIVE_INFINITY;
    if (until < payout) return staked + (until - from) * slope;
    if (payout === Number.POSITIVE_INFINITY) return null;
    staked += (payout - from) * slope;
    from = payout;
  }
  return staked;
}
