// RFC 3339 times to numbers and back. Times travel as Unix microseconds (polls, positions) or milliseconds.
import { BoundedMap } from '../memory/bounded-map.js';
import { LIMITS } from './limits.js';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Texts parsed before: a poll repeats the same few times for its events and markets. */
const known = new BoundedMap<string, number>(LIMITS.cachedTimes.max);

/** Unix microseconds of an RFC 3339 text, or undefined if it is none (a zone is required, the day must exist). */
export function parseTimeUs(text: unknown): number | undefined {
  if (typeof text !== 'string' || text.length > 40) return undefined;
  const before = known.get(text);
  if (before !== undefined) return before;
  const us = readTimeUs(text);
  if (us === undefined) return undefined;
  known.set(text, us);
  return us;
}

function readTimeUs(text: string): number | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = match;
  const wholeMs = Date.UTC(+year!, +month! - 1, +day!, +hour!, +minute!, +second!);
  const date = new Date(wholeMs);
  if (
    date.getUTCDate() !== +day! ||
    date.getUTCMonth() !== +month! - 1 ||
    +hour! > 23 ||
    +minute! > 59 ||
    +second! > 59
  )
    return undefined;
  let offsetMinutes = 0;
  if (zone.length > 1) {
    offsetMinutes = +zone.slice(1, 3) * 60 + +zone.slice(4, 6);
    if (zone[0] === '-') offsetMinutes = -offsetMinutes;
  }
  const us = (wholeMs - offsetMinutes * 60_000) * 1000 + +fraction.padEnd(6, '0').slice(0, 6);
  // Odds were first recorded in the nineties; before 1990 or after 2100 it is a wrong unit or a wrong clock, never a game.
  return us >= 631_152_000_000_000 && us < 4_102_444_800_000_000 ? us : undefined;
}

/** Unix microseconds of where a period begins or ends: as parseTimeUs, or a day in UTC, all of which is in the period. */
export function parsePeriodUs(end: 'from' | 'to', text: string): number | undefined {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  return parseTimeUs(isDay ? `${text}${end === 'from' ? 'T00:00:00Z' : 'T23:59:59.999999Z'}` : text);
}

/** Unix milliseconds of an RFC 3339 text, or undefined. */
export function parseTimeMs(text: unknown): number | undefined {
  const us = parseTimeUs(text);
  return us === undefined ? undefined : Math.floor(us / 1000);
}

const SECONDS_CACHED = 16;
const cachedSeconds = new Float64Array(SECONDS_CACHED).fill(-1);
const secondTexts: string[] = new Array(SECONDS_CACHED).fill('');

const DAY_SECONDS = 86_400;
const DATE_CHARACTERS = 10;
/** `00` to `59`, and `000` to `999`. */
const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));
const THREE_DIGITS = Array.from({ length: 1_000 }, (_, value) => String(value).padStart(3, '0'));
let cachedDay = Number.NaN;
let dayText = '';

/**
 * `2026-11-20T18:00:00` of whole Unix seconds; calls mostly alternate between a few seconds (now, a watermark, a
 * start).
 */
function secondText(second: number): string {
  const place = second & (SECONDS_CACHED - 1);
  if (cachedSeconds[place] !== second) {
    cachedSeconds[place] = second;
    secondTexts[place] = newSecondText(second);
  }
  return secondTexts[place]!;
}

/** History formats thousands of seconds of a few days: the calendar date is computed once per day. */
function newSecondText(second: number): string {
  const day = Math.floor(second / DAY_SECONDS);
  if (day !== cachedDay) {
    dayText = new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, DATE_CHARACTERS + 1);
    cachedDay = day;
  }
  const ofDay = second - day * DAY_SECONDS;
  const hour = Math.floor(ofDay / 3_600);
  const minute = Math.floor(ofDay / 60) % 60;
  return `${dayText}${TWO_DIGITS[hour]}:${TWO_DIGITS[minute]}:${TWO_DIGITS[ofDay % 60]}`;
}

/** Always 24 characters: last_seen_at is patched in place in encoded rows. */
export function formatMs(ms: number): string {
  const second = Math.floor(ms / 1000);
  const milli = Math.floor(ms) - second * 1000;
  return `${secondText(second)}.${THREE_DIGITS[milli]}Z`;
}

/** 30 characters with nanosecond digits, from Unix microseconds. */
export function formatUs(us: number): string {
  const second = Math.floor(us / 1_000_000);
  const micro = us - second * 1_000_000;
  const milli = Math.floor(micro / 1000);
  return `${secondText(second)}.${THREE_DIGITS[milli]}${THREE_DIGITS[micro - milli * 1000]}000Z`;
}
