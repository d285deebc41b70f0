// Prices, lines, times and shares as text, in the viewer's format.

import { americanFromDecimal } from '../../src/base/model/price.js';
import { rulesOf } from './market-choice.js';

export const ODDS_FORMATS = ['american', 'decimal', 'fractional', 'probability'] as const;
export type OddsFormat = (typeof ODDS_FORMATS)[number];

/** A price in all forms that a format may need; `american` if the book stated or the server derived it. */
export interface Price {
  decimal: number;
  american?: number;
}

/** The price as text. With a plain minus sign: figures line up, and can be copied. */
export function priceText({ decimal, american }: Price, format: OddsFormat): string {
  switch (format) {
    case 'american':
      return americanText(american ?? americanOf(decimal));
    case 'decimal':
      return decimalText(decimal);
    case 'fractional':
      return fractionText(decimal - 1);
    case 'probability':
      return `${(100 / decimal).toFixed(1)}%`;
  }
}

/** What a price may be rounded by, of its winnings. */
const DECIMAL_ERROR_MAX = 0.002;

/** Two decimals, and more where two would make another price of it: 1.004 is no 1.00, and 10.25 no 10.3. */
function decimalText(decimal: number): string {
  for (const places of decimal >= 100 ? [0, 1, 2] : [2, 3, 4]) {
    const text = decimal.toFixed(places);
    if (Math.abs(Number(text) - decimal) <= (decimal - 1) * DECIMAL_ERROR_MAX) return text;
  }
  return String(decimal);
}

/** American odds with their sign. */
export function americanText(odds: number): string {
  return odds > 0 ? `+${odds}` : String(odds);
}

/** Rounded to whole American odds, as the server rounds them. */
export function americanOf(decimal: number): number {
  const odds = americanFromDecimal(decimal);
  // A fair price may be beyond all that can be stated.
  return Number.isNaN(odds) ? Math.round(decimal >= 2 ? (decimal - 1) * 100 : -100 / (decimal - 1)) : odds;
}

const FRACTION_DENOMINATOR_MAX = 100;
const FRACTION_ERROR_MAX = 0.002;

/** The simplest fraction within 0.2 % of the winnings per unit staked: 0.909 is 10/11, 1 is evens as 1/1. */
export function fractionText(winnings: number, round: (above: number) => number = Math.round): string {
  for (let below = 1; below <= FRACTION_DENOMINATOR_MAX; below++) {
    const above = Math.max(1, round(winnings * below));
    if (Math.abs(above / below - winnings) <= winnings * FRACTION_ERROR_MAX) return `${above}/${below}`;
  }
  return `${Math.max(1, round(winnings * FRACTION_DENOMINATOR_MAX))}/${FRACTION_DENOMINATOR_MAX}`;
}

/** `moneyline_1st_half` as `moneyline 1st half`. */
export function words(id: string): string {
  return id.replaceAll('_', ' ');
}

/** `+3.5` if the line is a handicap, else the number; empty if there is none. */
export function lineText(line: unknown, marketType: string): string {
  if (typeof line !== 'number') return '';
  return isHandicap(marketType) && line > 0 ? `+${line}` : String(line);
}

/** The line before a price: `-3.5`, `o219.5`, `u219.5`. */
export function sideLineText(line: number | null, row: { selection_type: string; market_type: string }): string {
  const text = lineText(line, row.market_type);
  if (text === '') return '';
  return row.selection_type === 'over' ? `o${text}` : row.selection_type === 'under' ? `u${text}` : text;
}

/** Home and away have the line with opposite signs. */
export function isHandicap(marketType: string): boolean {
  return rulesOf(marketType).family === 'handicap';
}

const DAY_TIME = new Intl.DateTimeFormat(undefined, { weekday: 'short', hour: 'numeric', minute: '2-digit' });
const TIME = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' });
const DATE_TIME = new Intl.DateTimeFormat(undefined, {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

const DAY_YEAR = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'short', day: 'numeric' });
/** Further away a date needs its year. */
const YEAR_DAYS = 300;

/** With the weekday within a week of now, with the date beyond, and with the year where it could be another one. */
export function timeText(instant: string, nowMs: number): string {
  const at = new Date(instant);
  const days = Math.abs(at.getTime() - nowMs) / 86_400_000;
  if (days > YEAR_DAYS) return DAY_YEAR.format(at);
  if (days > 6) return DATE_TIME.format(at);
  return new Date(nowMs).toDateString() === at.toDateString() ? TIME.format(at) : DAY_TIME.format(at);
}

const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: 'short' });
const DATE = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });

/** The time, and the day if it is not today, in two short lines. */
export function startText(startMs: number, nowMs: number): { text: string; more: string } {
  const at = new Date(startMs);
  const time = TIME.format(at);
  if (new Date(nowMs).toDateString() === at.toDateString()) return { text: time, more: '' };
  return { text: (Math.abs(startMs - nowMs) > 6 * 86_400_000 ? DATE : WEEKDAY).format(at), more: time };
}

/** `4 s`, `3 min`, `2 h`, `5 d`. */
export function ageText(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1_000));
  if (s < 100) return `${s} s`;
  if (s < 6_000) return `${Math.round(s / 60)} min`;
  return s < 172_800 ? `${Math.round(s / 3_600)} h` : `${Math.round(s / 86_400)} d`;
}

/** Percent with two decimals; empty if it is not a number. */
export function percentText(value: unknown): string {
  return typeof value === 'number' ? `${value.toFixed(2)} %` : '';
}

/** An amount, with its currency where more than one may be on the screen. */
export function moneyText(amount: number, currency?: string): string {
  return currency === undefined ? amount.toFixed(2) : `${amount.toFixed(2)} ${currency}`;
}

/** With its sign; nothing gained or lost has none. */
export function signedText(amount: number, currency?: string): string {
  return `${amount >= 0.005 ? '+' : ''}${moneyText(Math.abs(amount) < 0.005 ? 0 : amount, currency)}`;
}

/** A book's name in at most four characters: capitals and digits first, then other letters. */
export function abbreviation(name: string): string {
  const capitals = name.replace(/[^\p{Lu}\p{N}]/gu, '');
  return capitals.length >= 2 ? capitals.slice(0, 4) : lettersOf(name).slice(0, 4);
}

const lettersOf = (name: string): string => name.replace(/[^\p{L}\p{N}]/gu, '');

/** No two alike, in the order of the names: one whose abbreviation is taken has other letters of its name, or a number. */
export function abbreviations(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const letters = lettersOf(name);
    const forms = [
      abbreviation(name),
      letters.slice(0, 4),
      ...[...letters.slice(4)].map((one) => letters.slice(0, 3) + one),
    ];
    let short = forms.find((one) => !taken.has(one));
    for (let i = 2; short === undefined; i++) {
      const numbered = letters.slice(0, 4 - String(i).length) + i;
      if (!taken.has(numbered)) short = numbered;
    }
    taken.add(short);
    return short;
  });
}

/** A percent with one decimal: what is shown as 0 is 0, without a sign and without a colour. */
export function zeroAsShown(percent: number | null): number | null {
  return percent !== null && Math.abs(percent) < 0.05 ? 0 : percent;
}
