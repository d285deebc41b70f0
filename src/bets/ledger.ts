// An account's money, in whole cents of its bankroll's currency: cash + open stakes = deposits + profit, always.

export interface Bankroll {
  currency: string;
  /** Null: the account stated none, and no bet is beyond its cash. */
  deposits: number | null;
  cash: number;
  open: number;
  profit: number;
  /** Bets recorded so far; the last one's number. */
  bets: number;
}

/** What a bet has in the ledger. */
export interface Entry {
  /** Staked. */
  stake: number;
  /** Null while it is open. */
  profit: number | null;
}

export const NO_ENTRY: Entry = { stake: 0, profit: null };

export function newBankroll(currency: string): Bankroll {
  return { currency, deposits: null, cash: 0, open: 0, profit: 0, bets: 0 };
}

/** Replaces a bet's entry: recorded, graded, graded again, struck. */
export function replaced(bankroll: Bankroll, before: Entry, after: Entry): Bankroll {
  const open = (entry: Entry): number => (entry.profit === null ? entry.stake : 0);
  const profit = bankroll.profit - (before.profit ?? 0) + (after.profit ?? 0);
  return settled({ ...bankroll, open: bankroll.open - open(before) + open(after), profit });
}

export function withDeposits(bankroll: Bankroll, deposits: number, currency: string): Bankroll {
  return settled({ ...bankroll, deposits, currency });
}

/** Cash follows from the rest, so that no step can break the sum. */
function settled(bankroll: Bankroll): Bankroll {
  const { deposits, profit, open } = bankroll;
  return { ...bankroll, cash: (deposits ?? 0) + profit - open };
}
