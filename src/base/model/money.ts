// Money in several currencies: the operator's rates, and how amounts are weighed by value.
import type { Commissions } from './commission.js';

/** The currency of totals where a caller states none, and of books for which none is known. */
export const DEFAULT_CURRENCY = 'USD';

/** By ISO 4217 code: US dollars for one unit. */
export type Rates = Readonly<Record<string, number>>;

/** What the operator states of books' money; it replaces the catalogue's. */
export interface MoneySettings {
  commissions?: Commissions;
  /** By book id or alias: the currency of the operator's account there. */
  currencies?: Readonly<Record<string, string>>;
  rates?: Rates;
}

/** How games of different sources meet: by their teams' names, or also by who else plays (rules/catalogue/roster.ts). */
export const MATCHES = ['names', 'roster'] as const;

/** What the operator states beside the catalogue's files. */
export interface OperatorSettings extends MoneySettings {
  match?: (typeof MATCHES)[number];
}

const CODES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Whether it is an ISO 4217 code, in upper case. */
export function isCurrency(code: string): boolean {
  return CODES.has(code);
}

/** US dollars for one unit; NaN if no rate is known. */
export function rateOf(currency: string, rates: Rates): number {
  return currency === 'USD' ? 1 : (rates[currency] ?? Number.NaN);
}

/** Units of `to` for one unit of `from`; NaN if a rate is missing. */
export function exchangeRate(from: string, to: string, rates: Rates): number {
  return from === to ? 1 : rateOf(from, rates) / rateOf(to, rates);
}

/** Parses an ISO 4217 code in any case. Throws an Error that says what it must be. */
export function parseCurrency(text: string): string {
  const code = text.trim().toUpperCase();
  if (!isCurrency(code)) throw new Error('a currency code (ISO 4217), as GBP');
  return code;
}

/** Parses `GBP=1.31`, `EUR=1.08`, …, separated by semicolons or commas. Throws an Error that says what they must be. */
export function parseRates(text: string): Rates {
  const rates: Record<string, number> = {};
  for (const entry of text.split(/[;,]/).flatMap((each) => each.trim() || [])) {
    const [code = '', rate = '', ...rest] = entry.split('=').map((part) => part.trim());
    const value = /^\d*\.?\d+$/.test(rate) ? Number(rate) : Number.NaN;
    const currency = code.toUpperCase();
    const valid = isCurrency(currency) && (currency !== 'USD' || value === 1);
    if (!valid || !(value > 0 && value < 1e9) || rest.length > 0)
      throw new Error('CURRENCY=RATE, the rate in US dollars for one unit, as GBP=1.31');
    rates[currency] = value;
  }
  return rates;
}
