// The calendar day of an instant in a league's home time zone: the last part of an event id.
import { BoundedMap } from '../../base/memory/bounded-map.js';
import { LIMITS } from '../../base/model/limits.js';

/**
 * Offsets of zones and changes of clocks are multiples of a quarter of an hour, so the date is the same throughout a
 * quarter.
 */
const QUARTER_MS = 15 * 60 * 1000;
const QUARTERS_MAX = LIMITS.localDates.max;

export class LocalCalendar {
  readonly #timeZone: string;
  /** Made on first use: each costs milliseconds, and most leagues are not needed at the start. */
  #format: Intl.DateTimeFormat | undefined;
  readonly #dates = new BoundedMap<number, string>(QUARTERS_MAX);

  /** @param timeZone a valid IANA name; for any other, `date` throws a RangeError */
  constructor(timeZone: string) {
    this.#timeZone = timeZone;
  }

  /** `YYYY-MM-DD`; throws a RangeError if `unixMs` is not a time. */
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
