// Times as a clock on a wall shows them: what the files of this trade state, without saying where it hangs.
import { BoundedMap } from '../../../base/memory/bounded-map.js';
import { LIMITS } from '../../../base/model/limits.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../base/model/time.js';

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
