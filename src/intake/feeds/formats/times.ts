// Days and times as files write them, and those that they do not state.

import { BoundedMap } from '../../../base/memory/bounded-map.js';
import { detachedText } from '../../../base/memory/detached-text.js';
import { LIMITS } from '../../../base/model/limits.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../base/model/time.js';
import { readInstant } from '../the-odds-api/instant.js';

/** When a result is stated, after a game's start: by then it is over, and it has not left the table yet. */
export const RESULT_TOLD_AFTER_MS = DAY_MS;

/** When a price closed (both Unix ms). */
export function closeBefore(startMs: number): number {
  return startMs - MINUTE_MS;
}

/** After which time no game of the sport is played on, whatever extra time, penalties and breaks it had. */
const OVER_AFTER_MS: Readonly<Record<string, number>> = {
  soccer: 4 * HOUR_MS,
  handball: 4 * HOUR_MS,
  rugby: 4 * HOUR_MS,
  basketball: 5 * HOUR_MS,
  football: 6 * HOUR_MS,
  hockey: 6 * HOUR_MS,
  // Tests and matches of the counties take five days, and may have a day of rest.
  cricket: 7 * DAY_MS,
};

/** Whether a game of the sport is over, so long after its start; matches that dusk or rain interrupt go on the next day. */
export function isSurelyOver(sport: string, sinceStartMs: number): boolean {
  return sinceStartMs >= (OVER_AFTER_MS[sport] ?? DAY_MS);
}

const NUMBERS = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{2}|\d{4})$/;
const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ].*)?$/;
/** Of two digits: odds were first recorded in the last century. */
const CENTURY_BEGINS = 70;

/** Midnight of that day in UTC (Unix ms); undefined if there is no such day. Day before month, or ISO. */
export function dayOf(text: string, isMonthFirst = false): number | undefined {
  const [, first, second, year] = NUMBERS.exec(text) ?? [];
  const [month, day] = isMonthFirst ? [first, second] : [second, first];
  if (year !== undefined) return existing(yearOf(year), Number(month), Number(day));
  const iso = ISO.exec(text);
  return iso === null ? undefined : existing(Number(iso[1]), Number(iso[2]), Number(iso[3]));
}

/** Which of a date's first two numbers is its month; `either` if both may be, undefined if that is no question. */
export type MonthPlace = 'first' | 'second' | 'either' | undefined;

export function monthIn(time: string): MonthPlace {
  const [, first, second] = NUMBERS.exec(time.trim().split(/[T ]/, 1)[0]!) ?? [];
  if (first === undefined || Number(first) === Number(second)) return undefined;
  if (Math.max(Number(first), Number(second)) <= MONTHS) return 'either';
  return Number(first) <= MONTHS ? 'first' : 'second';
}

const MONTHS = 12;

function yearOf(digits: string): number {
  const year = Number(digits);
  if (digits.length === 4) return year;
  return year + (year >= CENTURY_BEGINS ? 1900 : 2000);
}

function existing(year: number, month: number, day: number): number | undefined {
  const ms = Date.UTC(year, month - 1, day);
  const date = new Date(ms);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms : undefined;
}

// Times of tables: RFC 3339, Unix seconds or milliseconds, and what a clock on a wall shows where its zone is given.

/** A zone behind a time of day, as programs and databases (`+00`) print it. */
const ZONED = /(?<=:\d\d(?:\.\d+)?|[Tt ]\d\d)\s*(?:([Zz]|UTC|GMT)|([+-]\d\d)(?::?(\d\d))?)$/;
const SHOWN = /^([\d/.-]+)(?:[T ]+(\d{1,2})(?::(\d{2})(?::(\d{2})(\.\d+)?)?)?)?$/;
const NUMBER = /^\d{9,13}(?:\.\d+)?$/;

export class LocalTimes {
  readonly #clock: WallClock | undefined;
  readonly #isMonthFirst: boolean;
  readonly #known = new BoundedMap<string, number | string>(LIMITS.cachedTimes.max);

  /**
   * @param timeZone of times without one; without it these are none
   * @param isMonthFirst of dates that are no ISO dates
   */
  constructor(timeZone: string | undefined, isMonthFirst = false) {
    this.#isMonthFirst = isMonthFirst;
    this.#clock = timeZone === undefined ? undefined : new WallClock(timeZone);
  }

  /** Unix ms, or what is wrong with it. */
  read(text: string): number | string {
    let read = this.#known.get(text);
    if (read === undefined) {
      // A cell is a part of its file's text, which must not stay in memory with it.
      const own = detachedText(text);
      read = this.#read(own.trim());
      this.#known.set(own, read);
    }
    return read;
  }

  #read(text: string): number | string {
    if (text === '') return 'missing';
    if (NUMBER.test(text)) return readInstant(Number(text))?.ms ?? 'not a time';
    const zone = ZONED.exec(text);
    if (zone !== null) return this.#inZone(text.slice(0, zone.index), zone);
    const shown = shownIn(text, this.#isMonthFirst);
    if (shown === undefined) return 'not a time';
    return this.#clock === undefined ? 'a time without a zone: --timezone' : this.#clock.instant(shown);
  }

  #inZone(text: string, [, utc, hours = '', minutes = '00']: readonly (string | undefined)[]): number | string {
    const zone = utc === undefined ? `${hours}:${minutes}` : 'Z';
    const read = readInstant(`${text}${zone}`)?.ms;
    if (read !== undefined) return read;
    const shown = shownIn(text, this.#isMonthFirst);
    const ahead = Number(hours) * HOUR_MS + Number(`${hours[0]}${minutes}`) * MINUTE_MS || 0;
    return shown === undefined ? 'not a time' : shown - ahead;
  }
}

/** What a clock shows, as if it were in UTC (Unix ms); undefined if it is no time. */
function shownIn(text: string, isMonthFirst: boolean): number | undefined {
  const [, date = '', hour = '0', minute = '0', second = '0', fraction = '0'] = SHOWN.exec(text) ?? [];
  const day = dayOf(date, isMonthFirst);
  if (day === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  return day + Number(hour) * HOUR_MS + Number(minute) * MINUTE_MS + (Number(second) + Number(fraction)) * 1000;
}

/** A clock on a wall: what the files of this trade state, without saying where it hangs. */
export class WallClock {
  readonly #format: Intl.DateTimeFormat;
  /** How far it is ahead of UTC, by the minute (Unix) for which it was looked up. */
  readonly #offsets = new BoundedMap<number, number>(LIMITS.localDates.max);

  /** @param timeZone an IANA name or an offset; throws a RangeError for any other */
  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  }

  /**
   * Unix ms of what the clock shows, given as if it were UTC. Of an hour that it shows twice the first, in the hour that it
   * leaves out the time after.
   */
  instant(shownMs: number): number {
    const before = this.offset(shownMs - DAY_MS);
    const after = this.offset(shownMs + DAY_MS);
    // Where it was put back, it is shown by both; the greater offset makes the earlier instant.
    for (const offset of [Math.max(before, after), Math.min(before, after)])
      if (this.offset(shownMs - offset) === offset) return shownMs - offset;
    return shownMs - before;
  }

  /** What it shows at an instant, as if that were UTC. */
  shown(unixMs: number): number {
    return unixMs + this.offset(unixMs);
  }

  /** Clocks are put forward and back at any minute, at most once an hour. */
  offset(unixMs: number): number {
    const hour = Math.floor(unixMs / HOUR_MS) * HOUR_MS;
    const offset = this.#offsetAt(hour);
    return this.#offsetAt(hour + HOUR_MS) === offset ? offset : this.#offsetAt(unixMs - (unixMs % MINUTE_MS));
  }

  #offsetAt(minuteMs: number): number {
    let offset = this.#offsets.get(minuteMs);
    if (offset === undefined) {
      const parts: Record<string, number> = {};
      for (const { type, value } of this.#format.formatToParts(minuteMs)) parts[type] = Number(value);
      const { year, month, day, hour, minute, second } = parts as Record<string, number>;
      offset = Date.UTC(year!, month! - 1, day, hour, minute, second) - minuteMs;
      this.#offsets.set(minuteMs, offset);
    }
    return offset;
  }
}
