// Times of tables: RFC 3339, Unix seconds or milliseconds, and what a clock on a wall shows where its zone is given.
import { BoundedMap } from '../../../base/memory/bounded-map.js';
import { detachedText } from '../../../base/memory/detached-text.js';
import { LIMITS } from '../../../base/model/limits.js';
import { HOUR_MS, MINUTE_MS } from '../../../base/model/time.js';
import { WallClock } from '../files/zoned-time.js';
import { readInstant } from '../the-odds-api/instant.js';
import { dayOf } from './days.js';

const ZONED = /(?:[Zz]|UTC|GMT|[+-]\d\d:?\d\d)$/;
const SHOWN = /^(\S+?)(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?$/;
const NUMBER = /^\d{9,13}(?:\.\d+)?$/;

export class LocalTimes {
  readonly #clock: WallClock | undefined;
  readonly #known = new BoundedMap<string, number | string>(LIMITS.cachedTimes.max);

  /** @param timeZone of times without one; without it these are none */
  constructor(timeZone: string | undefined) {
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
    if (ZONED.test(text)) return readInstant(text.replace(/\s*(?:UTC|GMT)$/, 'Z'))?.ms ?? 'not a time';
    const [, date = '', hour = '0', minute = '0', second = '0'] = SHOWN.exec(text) ?? [];
    const day = dayOf(date);
    if (day === undefined || Number(hour) > 23 || Number(minute) > 59) return 'not a time';
    if (this.#clock === undefined) return 'a time without a zone: --timezone';
    return this.#clock.instant(day + Number(hour) * HOUR_MS + Number(minute) * MINUTE_MS + Number(second) * 1000);
  }
}
