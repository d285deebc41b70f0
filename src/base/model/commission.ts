// What a book charges on a bet in addition to its margin, and the price after it: exchanges take a share of the
// winnings, prediction markets a fee on every contract bought. Rows show the stated price; profits and stakes are
// computed net.

import { isId } from './ids.js';

/** `rate` is a fraction, 0 to below 1. */
export type Commission =
  | { readonly model: 'winnings'; readonly rate: number }
  /**
   * `rate * (p * (1 - p)) ** exponent` on a contract at price p that pays 1, the exponent a whole number, 1 by default;
   * `cent_up`: an order's fee is rounded up to the cent; `centicent_up`: a fill's to a hundredth of one.
   */
  | { readonly model: 'contract'; readonly rate: number; readonly exponent?: number; readonly rounding?: Rounding };

/** How many of the amounts to which fees are rounded up make one unit of money. */
const STEPS_A_UNIT = { cent_up: 100, centicent_up: 10_000 } as const;
export type Rounding = keyof typeof STEPS_A_UNIT;
export const ROUNDINGS: readonly Rounding[] = ['cent_up', 'centicent_up'];

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
 * Contracts in the order for which a fee that is rounded up to the cent is computed where no stake is known: the smaller
 * the order, the more that weighs. A hundredth of a cent weighs nothing on a large fill.
 */
const ORDER_CONTRACTS = 100;
/** Of a step to which fees are rounded up: less than this above one is float noise. */
const STEP_NOISE = 1e-9;
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
  const fee = contractFee(price, commission);
  return commission.rounding === 'cent_up'
    ? 1 / (price + roundedUp(fee * ORDER_CONTRACTS, 1 / STEPS_A_UNIT.cent_up) / ORDER_CONTRACTS)
    : 1 / (price + fee);
}

/** What a fill costs at a price where its fee is rounded up, for each unit of stake: what is paid, the fee included. */
export interface RoundedFee {
  /** Of each unit of stake, before it is rounded up. */
  readonly share: number;
  /** The fee of a fill is rounded up to a multiple of this. */
  readonly step: number;
}

/** A price for stakes that are known: what a unit of them pays before the fee of each fill is rounded up. */
export function netBeforeRounding(decimal: number, commission: Commission | null): { net: number; fee?: RoundedFee } {
  if (commission?.model !== 'contract' || commission.rounding === undefined)
    return { net: netDecimal(decimal, commission) };
  const price = 1 / decimal;
  const fee = contractFee(price, commission);
  const net = 1 / (price + fee);
  return { net, fee: { share: fee * net, step: 1 / STEPS_A_UNIT[commission.rounding] } };
}

/** What rounding up its fee adds to a fill that costs `stake` without it. */
export function roundingOf(stake: number, { share, step }: RoundedFee): number {
  return Math.max(0, roundedUp(stake * share, step) - stake * share);
}

function roundedUp(amount: number, step: number): number {
  return Math.ceil(amount / step - STEP_NOISE) * step;
}

function contractFee(price: number, { rate, exponent = 1 }: Commission & { model: 'contract' }): number {
  return exponent === 1 ? rate * price * (1 - price) : rate * (price * (1 - price)) ** exponent;
}

/** What a fill of this many contracts that pay 1 costs at a decimal price, its fee included. */
export function contractCost(contracts: number, decimal: number, commission: Commission | null): number {
  const price = 1 / decimal;
  if (commission === null || commission.model !== 'contract') return contracts / netDecimal(decimal, commission);
  const fee = contracts * contractFee(price, commission);
  const { rounding } = commission;
  return contracts * price + (rounding === undefined ? fee : roundedUp(fee, 1 / STEPS_A_UNIT[rounding]));
}

export function isRounding(name: unknown): name is Rounding {
  return typeof name === 'string' && Object.hasOwn(STEPS_A_UNIT, name);
}

const RATE = /^(?:0|0?\.\d{1,6})$/;

/**
 * Parses `betfair=0.02`, `kalshi=contract:0.07`, …, separated by semicolons or commas. Throws an Error that says what
 * each entry must be.
 */
export function parseCommissions(text: string): Commissions {
  const commissions: Record<string, Commission | null> = {};
  for (const entry of text.split(/[;,]/).flatMap((each) => each.trim() || [])) {
    const [book, rate, ...rest] = entry.split('=');
    const commission = parseCommission(rate ?? '');
    if (!isId(book!) || commission === undefined || rest.length > 0)
      throw new Error(
        'BOOK=RATE, BOOK=winnings:RATE, BOOK=contract:RATE, BOOK=contract:RATE:cent_up or :centicent_up, the rate from 0 to below 1',
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
  if (model !== 'contract' || (rounding !== undefined && !isRounding(rounding))) return undefined;
  if (rate === 0) return null;
  return rounding === undefined ? { model, rate } : { model, rate, rounding };
}
