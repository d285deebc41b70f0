// An account's money, in whole cents of its bankroll's currency: cash + open stakes = deposits + profit, always.
import { LIMITS } from '../../base/model/limits.js';
import { type ExactCents, exactOf, minus, plus, roundedCents } from './cents.js';

const CENTS_MAX = LIMITS.bankrollCents.max;

export interface Bankroll {
  currency: string;
  /** Null: the account stated none, and no bet is beyond its cash. */
  deposits: number | null;
  cash: number;
  open: number;
  /** `settled`, rounded. */
  profit: number;
  /** Of all settled bets, summed before it is rounded; absent where they were rounded each, before. */
  settled?: ExactCents;
  /** The most that its bets could have won or lost together: no sum can be beyond it and the deposits. */
  reach?: number;
  /** Bets recorded so far; the last one's number. */
  bets: number;
  /** Those with money in them; absent where they were not counted, before. */
  counted?: CountedBets;
}

export interface CountedBets {
  open: number;
  settled: number;
}

/** What a bet has in the ledger. */
export interface Entry {
  /** What it may lose. */
  risk: number;
  /** The most it may win or lose. */
  reach: number;
  /** With fractions of a cent; null while it is open. */
  profit: number | null;
}

export const NO_ENTRY: Entry = { risk: 0, reach: 0, profit: null };

export function newBankroll(currency: string): Bankroll {
  return { currency, deposits: null, cash: 0, open: 0, profit: 0, bets: 0, counted: { open: 0, settled: 0 } };
}

/** Replaces a bet's entry: recorded, graded, graded again, struck. */
export function replaced(bankroll: Bankroll, before: Entry, after: Entry): Bankroll {
  const open = (entry: Entry): number => (entry.profit === null ? entry.risk : 0);
  const known = bankroll.settled ?? exactOf(bankroll.profit);
  const settled = plus(minus(known, exactOf(before.profit ?? 0)), exactOf(after.profit ?? 0));
  return balanced({
    ...bankroll,
    open: bankroll.open - open(before) + open(after),
    profit: roundedCents(settled),
    settled,
    reach: reachOf(bankroll) - before.reach + after.reach,
    ...(bankroll.counted === undefined ? {} : { counted: recounted(bankroll.counted, before, after) }),
  });
}

export function recounted({ open, settled }: CountedBets, before: Entry, after: Entry): CountedBets {
  const isOpen = (entry: Entry): number => (entry !== NO_ENTRY && entry.profit === null ? 1 : 0);
  const isSettled = (entry: Entry): number => (entry.profit === null ? 0 : 1);
  return {
    open: open - isOpen(before) + isOpen(after),
    settled: settled - isSettled(before) + isSettled(after),
  };
}

export function withDeposits(bankroll: Bankroll, deposits: number | null, currency: string): Bankroll {
  return balanced({ ...bankroll, deposits, currency });
}

/** Whether every sum of it is a whole number of cents that a double can tell from its neighbours, however its bets end. */
export function isWithinReach(bankroll: Bankroll): boolean {
  return (bankroll.deposits ?? 0) + reachOf(bankroll) <= CENTS_MAX;
}

function reachOf({ reach, profit, open }: Bankroll): number {
  return reach ?? Math.abs(profit) + open;
}

/** Cash follows from the rest, so that no step can break the sum. */
function balanced(bankroll: Bankroll): Bankroll {
  const { deposits, profit, open } = bankroll;
  return { ...bankroll, cash: (deposits ?? 0) + profit - open };
}
