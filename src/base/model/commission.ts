// What a book charges on a bet in addition to its margin, and the price after it: exchanges take a share of the
// winnings, prediction markets a fee on every contract bought. Rows show the stated price; profits and stakes are
// computed net.

/** `rate` is a fraction, 0 to below 1. */
export type Commission =
  | { readonly model: 'winnings'; readonly rate: number }
  /**
   * `rate * (p * (1 - p)) ** exponent` on a contract at price p that pays 1, the exponent a whole number, 1 by default;
   * `cent_up`: an order's fee is rounded up to the cent.
   */
  | { readonly model: 'contract'; readonly rate: number; readonly exponent?: number; readonly rounding?: 'cent_up' };

/** No schedule of a venue has a higher one. */
export const HIGHEST_EXPONENT = 8;

/** The commission of a bet: its market's own if it has one (rate 0: none), else its book's. */
export function chargeOf(own: Commission | undefined, ofBook: Commission | null): Commission | null {
  if (own === undefined) return ofBook;
  return own.rate === 0 ? null : own;
}

/** Share of the net winnings that a book leaves to who won them; a fee on contracts is paid when they are bought. */
export function keptOf(charge: Commission | null): number {
  return charge?.model === 'winnings' ? 1 - charge.rate : 1;
}

/** Whether both are the same commission. */
export function sameCommission(a: Commission | null, b: Commission | null): boolean {
  if (a === b || a === null || b === null) return a === b;
  if (a.model !== b.model || a.rate !== b.rate) return false;
  if (a.model !== 'contract' || b.model !== 'contract') return true;
  return a.rounding === b.rounding && (a.exponent ?? 1) === (b.exponent ?? 1);
}

/** By book id or alias; null means none. */
export type Commissions = Readonly<Record<string, Commission | null>>;

/**
 * Contracts in the order for which a rounded fee is computed: the smaller the order, the more rounding up to a cent
 * weighs.
 */
const ORDER_CONTRACTS = 100;
/** A price has no exact value beyond these decimals; less than one step above one is float noise. */
const EXACT_STEPS = 1e10;
const NOISE_STEPS = 0.01;

/**
 * Decimal odds after commission, or the stated ones if there is none: for a rate on winnings 1 + (d - 1)(1 - rate); for
 * contracts 1 / (p + fee) with p = 1/d and the fee as above. Equal exact values give equal doubles (2.04 at 5 % is 1.988), as stated prices
 * do.
 */
export function netDecimal(decimal: number, commission: Commission | null): number {
  if (commission === null) return decimal;
  if (commission.model === 'winnings') {
    const net = 1 + (decimal - 1) * (1 - commission.rate);
    return Math.floor(net * EXACT_STEPS + NOISE_STEPS) / EXACT_STEPS;
  }
  const price = 1 / decimal;
  let fee = contractFee(price, commission);
  if (commission.rounding === 'cent_up') {
    const centsAnOrder = 100 * ORDER_CONTRACTS;
    fee = Math.ceil(fee * centsAnOrder - 1e-9) / centsAnOrder;
  }
  return 1 / (price + fee);
}

function contractFee(price: number, { rate, exponent = 1 }: Commission & { model: 'contract' }): number {
  return exponent === 1 ? rate * price * (1 - price) : rate * (price * (1 - price)) ** exponent;
}

/** What an order of this many contracts that pay 1 costs at a decimal price, the fee of the whole order included. */
export function contractCost(contracts: number, decimal: number, commission: Commission | null): number {
  const price = 1 / decimal;
  if (commission === null || commission.model !== 'contract') return contracts / netDecimal(decimal, commission);
  const fee = contracts * contractFee(price, commission);
  return contracts * price + (commission.rounding === 'cent_up' ? Math.ceil(100 * fee - 1e-9) / 100 : fee);
}

const RATE = /^(?:0|0?\.\d{1,6})$/;

const BOOK_ID = /^[a-z0-9][a-z0-9_-]{0,39}$/;

/**
 * Parses `betfair=0.02`, `kalshi=contract:0.07`, …, separated by semicolons or commas. Throws an Error that says what
 * each entry must be.
 */
export function parseCommissions(text: string): Commissions {
  const commissions: Record<string, Commission | null> = {};
  for (const entry of text.split(/[;,]/).flatMap((each) => each.trim() || [])) {
    const [book, rate, ...rest] = entry.split('=');
    const commission = parseCommission(rate ?? '');
    if (!BOOK_ID.test(book!) || commission === undefined || rest.length > 0)
      throw new Error(
        'BOOK=RATE, BOOK=winnings:RATE, BOOK=contract:RATE or BOOK=contract:RATE:cent_up, the rate from 0 to below 1',
      );
    commissions[book!] = commission;
  }
  return commissions;
}

/** Null for a rate of 0; undefined if it cannot be parsed. */
function parseCommission(text: string): Commission | null | undefined {
  const parts = text.split(':');
  const [model, rateText, rounding] = parts.length === 1 ? ['winnings', parts[0]!] : parts;
  if (rateText === undefined || !RATE.test(rateText) || parts.length > 3) return undefined;
  const rate = Number(rateText);
  if (model === 'winnings') return rounding === undefined ? (rate === 0 ? null : { model, rate }) : undefined;
  if (model !== 'contract' || (rounding !== undefined && rounding !== 'cent_up')) return undefined;
  if (rate === 0) return null;
  return rounding === undefined ? { model, rate } : { model, rate, rounding };
}
