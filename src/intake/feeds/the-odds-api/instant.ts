// Times in the formats of The Odds API and its recordings: RFC 3339, without a zone (then UTC), or Unix seconds.

import { BoundedMap } from '../../../base/memory/bounded-map.js';
import { LIMITS } from '../../../base/model/limits.js';
import { parseTimeUs } from '../../../base/model/time.js';

export interface Instant {
  /** RFC 3339 with a zone, all fraction digits kept. */
  iso: string;
  /** Unix milliseconds, with a fraction if the source has microseconds. */
  ms: number;
}

const LOOSE_RFC3339 = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d)?(?:[.,](\d{1,9}))?\s*([Zz]|[+-]\d\d:?\d\d)?$/;

/** Unix seconds and Unix milliseconds cannot be confused between 1973 and the year 5138. */
const SECONDS_BELOW = 1e11;

/** Texts parsed before: an answer repeats the same few times for its books and markets. */
const known = new BoundedMap<string, Instant>(LIMITS.cachedTimes.max);
const TEXT_LENGTH_MAX = LIMITS.timeText.max;

/** Parses a time; undefined if it is not one (or not one the engine accepts). */
export function readInstant(value: unknown): Readonly<Instant> | undefined {
  if (typeof value !== 'string') return instantOf(fromNumber(value));
  const before = known.get(value);
  if (before !== undefined) return before;
  const instant = instantOf(fromText(value.trim()));
  if (instant === undefined || value.length > TEXT_LENGTH_MAX) return instant;
  known.set(value, instant);
  return instant;
}

function instantOf(iso: string | undefined): Instant | undefined {
  const us = parseTimeUs(iso);
  return iso === undefined || us === undefined ? undefined : { iso, ms: us / 1000 };
}

function fromText(text: string): string | undefined {
  const match = LOOSE_RFC3339.exec(text);
  if (match === null) return undefined;
  const [, date, minutes, seconds = ':00', fraction, zone = 'Z'] = match;
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  return `${date}T${minutes}${seconds}${fraction === undefined ? '' : `.${fraction}`}${offset}`;
}

function fromNumber(value: unknown): string | undefined {
  if (typeof value !== 'number') return undefined;
  const ms = value < SECONDS_BELOW ? value * 1000 : value;
  // The limits of a Date, beyond which toISOString throws.
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : undefined;
}
