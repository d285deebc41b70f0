// Times of tables: RFC 3339, Unix seconds or milliseconds, and what a clock on a wall shows where its zone is given.
import { BoundedMap } from '../../../base/memory/bounded-map.js';
import { detachedText } from '../../../base/memory/detached-text.js';
import { LIMITS } from '../../../base/model/limits.js';
import { HOUR_MS, MINUTE_MS } from '../../../base/model/time.js';
import { WallClock } from '../files/zoned-time.js';
import { readInstant } from '../the-odds-api/instant.js';
import { dayOf } from './days.js';

/** A zone behind a time of day, as programs and databases (`+00`) print it. */
const ZONED = /(?<=:\d\d(?:\.\d+)?|[Tt ]\d\d)\s*(?:([Zz]|UTC|GMT)|([+-]\d\d)(?::?(\d\d))?)$/;
const SHOWN = /^([\d/.-]+)(?:[T ]+(\d{1,2})(?::(\d{2})(?::(\d{2})(\.\d+)?)?)?)?$/;
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
    const zone = ZONED.exec(text);
    if (zone !== null) return this.#inZone(text.slice(0, zone.index), zone);
    const shown = shownIn(text);
    if (shown === undefined) return 'not a time';
    return this.#clock === undefined ? 'a time without a zone: --timezone' : this.#clock.instant(shown);
  }

  #inZone(text: string, [, utc, hours = '', minutes = '00']: readonly (string | undefined)[]): number | string {
    const zone = utc === undefined ? `${hours}:${minutes}` : 'Z';
    const read = readInstant(`${text}${zone}`)?.ms;
    if (read !== undefined) return read;
    const shown = shownIn(text);
    const ahead = Number(hours) * HOUR_MS + Number(`${hours[0]}${minutes}`) * MINUTE_MS || 0;
    return shown === undefined ? 'not a time' : shown - ahead;
  }
}

/** What a clock shows, as if it were in UTC (Unix ms); undefined if it is no time. */
function shownIn(text: string): number | undefined {
  const [, date = '', hour = '0', minute = '0', second = '0', fraction = '0'] = SHOWN.exec(text) ?? [];
  const day = dayOf(date);
  if (day === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  return day + Number(hour) * HOUR_MS + Number(minute) * MINUTE_MS + (Number(second) + Number(fraction)) * 1000;
}
