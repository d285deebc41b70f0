// The calendar day of an instant in a league's home time zone: the last part of an event id.
import { BoundedMap } from '../memory/bounded-map.js';
import { LIMITS } from '../model/limits.js';

/** Zones' offsets and changes of clocks fall on whole quarters of an hour, so the day is one for all of a quarter. */
const QUARTER_MS = 15 * 60 * 1000;
const QUARTERS_MAX = LIMITS.localDates.max;

export class LocalCalendar {
  readonly #timeZone: string;
  /** Made when it is first asked: each costs milliseconds, and most leagues of a start are not. */
  #format: Intl.DateTimeFormat | undefined;
  readonly #dates = new BoundedMap<number, string>(QUARTERS_MAX);

  /** @param timeZone an IANA name that has been checked; for any other `date` throws a RangeError */
  constructor(timeZone: string) {
    this.#timeZone = timeZone;
  }

  /** `YYYY-MM-DD`; RangeError where `unixMs` is no time. */
  date(unixMs: number): string {
    const quarter = Math.floor(unixMs / QUARTER_MS);
    const known = this.#dates.get(quarter);
    if (known !== undefined) return known;
    this.#format ??= formatOf(this.#timeZone);
    const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {};
    for (const part of this.#format.formatToParts(quarter * QUARTER_MS)) parts[part.type] = part.value;
    const date = `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}`;
    this.#dates.set(quarter, date);
    return date;
  }
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
}
