// The commission that a message states for one of its markets.
import { type Commission, HIGHEST_EXPONENT } from '../../base/model/commission.js';
import type { Reader } from './fields.js';

const FIELDS = new Set(['model', 'rate', 'exponent', 'rounding']);

/** Null if none is stated; undefined, with a rejection noted, if it cannot be parsed. */
export function readCommission(value: unknown, path: string, read: Reader): Commission | null | undefined {
  if (value === undefined || value === null) return null;
  const expected =
    '{model: "winnings", rate} or {model: "contract", rate, exponent?: 1 to 8, rounding?: "cent_up"}, the rate from 0 to below 1';
  const refuse = (): undefined => read.reject(path, `not ${expected}`);
  if (!read.isMap(value) || !Object.keys(value).every((field) => FIELDS.has(field))) return refuse();
  const { model, rate, exponent = null, rounding = null } = value;
  if (typeof rate !== 'number' || !(rate >= 0 && rate < 1)) return refuse();
  if (model === 'winnings' && rounding === null && exponent === null) return { model, rate };
  if (model !== 'contract' || (rounding !== null && rounding !== 'cent_up')) return refuse();
  if (exponent !== null && !isExponent(exponent)) return refuse();
  return {
    model,
    rate,
    ...(exponent === null || exponent === 1 ? {} : { exponent }),
    ...(rounding === null ? {} : { rounding }),
  };
}

function isExponent(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= HIGHEST_EXPONENT;
}
