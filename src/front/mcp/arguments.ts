// A tool's arguments as the query text of its route: from there on a call is handled like any other request.
import { ApiError } from '../../base/model/errors.js';

/** Lists become comma lists; null counts as absent. Throws ApiError `invalid_request` for objects. */
export function queryTextOf(args: Readonly<Record<string, unknown>>, ignoredNames: readonly string[]): string {
  const pairs = new URLSearchParams();
  for (const [name, value] of Object.entries(args)) {
    if (value === null || value === undefined || ignoredNames.includes(name)) continue;
    pairs.append(name, Array.isArray(value) ? value.map((item) => scalar(name, item)).join(',') : scalar(name, value));
  }
  return pairs.toString();
}

function scalar(name: string, value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'boolean':
      return String(value);
    default:
      throw new ApiError('invalid_request', `${name} must be text, a number, true or false, or a list of these`);
  }
}

const AGE = /^\s*(\d{1,7})\s*(s|m|h)\s*$/;
const SECONDS = { s: 1, m: 60, h: 3_600 } as const;

/** `60s`, `5m`, `2h` before now as a time; anything else unchanged. */
export function instantOf(value: unknown, nowMs: number): unknown {
  const age = typeof value === 'string' ? AGE.exec(value) : null;
  if (age === null) return value;
  return new Date(Math.max(0, nowMs - Number(age[1]) * SECONDS[age[2] as keyof typeof SECONDS] * 1_000)).toISOString();
}
