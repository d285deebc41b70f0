// How the viewer computes: books with an account (limits, bankroll, commission), books whose prices are the reference,
// how a margin is removed, what is staked. Kept in the browser; every number of the page follows it.
import type { Commission } from '../../src/base/model/commission.js';
import { DEVIG_METHODS, type DevigMethod } from '../../src/base/model/devig-method.js';
import { DEFAULT_CURRENCY, exchangeRate, isCurrency, type Rates } from '../../src/base/model/money.js';
import type { BoardTerms } from './board.js';
import { fairBy } from './fair.js';

/** Terms of one account; null where the catalogue, the server or nothing says otherwise. */
export interface Account {
  /** Largest stake there. */
  limit: number | null;
  /** Money there: what is staked there together is no more. */
  bankroll: number | null;
  /** Of that money, ISO 4217; null means the book's own. */
  currency?: string | null;
  /** Of winnings, percent. */
  commission: number | null;
}

export interface Profile {
  /** Book id → its account. None at all means: every book. */
  accounts: Record<string, Account>;
  /** Ids of the books that the fair price is taken from; none means all. */
  reference: string[];
  devig: DevigMethod;
  bankroll: number;
  /** ISO 4217 code of the bankroll, and of all sums. */
  currency: string;
  /** The server's rates (--fx), which are not kept. */
  rates: Rates;
  /** Stakes are multiples of it. */
  rounding: number;
  /** Share of the full Kelly stake, percent. */
  kelly: number;
  /** Bets below it are not shown. */
  minStake: number;
}

export const DEFAULT_PROFILE: Readonly<Profile> = {
  accounts: {},
  reference: [],
  devig: 'power',
  bankroll: 1_000,
  currency: DEFAULT_CURRENCY,
  rates: {},
  rounding: 1,
  kelly: 25,
  minStake: 0,
};

const BOOKS_MAX = 200;
/** Percent of winnings. */
export const COMMISSION_MAX = 100;

/** From stored or imported text; what is invalid is the default. */
export function profileOf(text: string | null): Profile {
  let given: Record<string, unknown> = {};
  try {
    const read: unknown = JSON.parse(text ?? '{}');
    if (typeof read === 'object' && read !== null) given = read as Record<string, unknown>;
  } catch {
    // Written by another program: treated as if nothing were stored.
  }
  const amount = (name: keyof Profile, min: number, max: number): number => {
    const value = given[name];
    return typeof value === 'number' && value >= min && value <= max ? value : (DEFAULT_PROFILE[name] as number);
  };
  const { reference, accounts, currency } = given;
  return {
    accounts: accountsOf(accounts),
    reference: Array.isArray(reference)
      ? reference.filter((id): id is string => typeof id === 'string').slice(0, BOOKS_MAX)
      : [],
    devig: DEVIG_METHODS.find((method) => method === given['devig']) ?? DEFAULT_PROFILE.devig,
    bankroll: amount('bankroll', 0, 1e9),
    currency: typeof currency === 'string' && isCurrency(currency) ? currency : DEFAULT_PROFILE.currency,
    rates: {},
    rounding: amount('rounding', 0.01, 1e6),
    kelly: amount('kelly', 1, 100),
    minStake: amount('minStake', 0, 1e9),
  };
}

function accountsOf(given: unknown): Profile['accounts'] {
  if (typeof given !== 'object' || given === null) return {};
  const number = (value: unknown, max = 1e9): number | null =>
    typeof value === 'number' && value >= 0 && value <= max ? value : null;
  return Object.fromEntries(
    Object.entries(given)
      .slice(0, BOOKS_MAX)
      .map(([id, account]) => {
        const { limit, bankroll, commission, currency } = (account ?? {}) as Record<string, unknown>;
        const own = typeof currency === 'string' && isCurrency(currency) ? { currency } : {};
        return [
          id,
          { limit: number(limit), bankroll: number(bankroll), commission: number(commission, COMMISSION_MAX), ...own },
        ];
      }),
  );
}

/** What is kept of it. */
export function storedProfile({ rates: _, ...kept }: Profile): Omit<Profile, 'rates'> {
  return kept;
}

export function hasAccount({ accounts }: Profile, book: string): boolean {
  return Object.keys(accounts).length === 0 || Object.hasOwn(accounts, book);
}

/** The viewer's own commission at a book; else the known one holds. */
export function commissionAt({ accounts }: Profile, book: string, known: Commission | null): Commission | null {
  const own = accounts[book]?.commission ?? null;
  if (own === null) return known;
  return own === 0 ? null : { model: 'winnings', rate: own / 100 };
}

/**
 * Money at a book, in this currency; null if it is not stated, or there is no rate to it.
 * @param currency of the book's stakes
 */
export function balanceAt({ accounts, rates }: Profile, book: string, currency: string): number | null {
  const { bankroll = null, currency: own } = accounts[book] ?? {};
  const inOwn = bankroll === null ? Number.NaN : bankroll * exchangeRate(own ?? currency, currency, rates);
  // Down to the cent: no more is there.
  return Number.isFinite(inOwn) ? Math.floor(inOwn * 100 + 1e-6) / 100 : null;
}

/**
 * Largest stake at a book, in the currency of its stakes: the smallest of what is known; null if nothing is.
 * @param isFree a free bet takes nothing from the money there
 */
export function capAt(
  profile: Profile,
  book: string,
  { stakeMax, currency }: { stakeMax: number | null; currency: string },
  isFree = false,
): number | null {
  const balance = isFree ? null : balanceAt(profile, book, currency);
  const known = [stakeMax, profile.accounts[book]?.limit, balance].flatMap((value) => value ?? []);
  return known.length === 0 ? null : Math.min(...known);
}

/** Units of the viewer's currency for one of this; NaN if the server has no rate. */
export function rateAt({ currency, rates }: Profile, of: string): number {
  return exchangeRate(of, currency, rates);
}

/** What a board computes with. */
export function termsOf(profile: Profile): BoardTerms {
  const reference = new Set(profile.reference);
  return {
    isMine: (book) => hasAccount(profile, book),
    ...(reference.size === 0 ? {} : { isReference: (book: string) => reference.has(book) }),
    fairOf: (implied) => fairBy(profile.devig, implied),
    commissionOf: (book, known) => commissionAt(profile, book, known),
  };
}

/** Whether fair prices are computed in another way than the server does by itself. */
export function hasOwnFair({ reference, devig: method }: Profile): boolean {
  return reference.length > 0 || method !== DEFAULT_PROFILE.devig;
}
