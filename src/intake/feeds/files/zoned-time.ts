// Times as a clock on a wall shows them: what the files of this trade state, without saying where it hangs.
import { BoundedMap } from '../../../base/memory/bounded-map.js';
import { LIMITS } from '../../../base/model/limits.js';
import { HOUR_MS } from '../../../base/model/time.js';

export class WallClock {
  readonly #format: Intl.DateTimeFormat;
  /** How far it is ahead of UTC, by the hour: clocks are put forward and back at full hours. */
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
    });
  }

  /**
   * Unix ms of what the clock shows, given as if it were UTC. Of an hour that it shows twice the first, in the hour that it
   * leaves out the time after.
   */
  instant(shownMs: number): number {
    const first = shownMs - this.offset(shownMs - 12 * HOUR_MS);
    const second = shownMs - this.offset(first);
    if (this.offset(first) === shownMs - first) return first;
    return this.offset(second) === shownMs - second ? second : first;
  }

  /** What it shows at an instant, as if that were UTC. */
  shown(unixMs: number): number {
    return unixMs + this.offset(unixMs);
  }

  offset(unixMs: number): number {
    const hour = Math.floor(unixMs / HOUR_MS);
    let offset = this.#offsets.get(hour);
    if (offset === undefined) {
      const parts: Record<string, number> = {};
      for (const { type, value } of this.#format.formatToParts(hour * HOUR_MS)) parts[type] = Number(value);
      const shown = Date.UTC(parts['year']!, parts['month']! - 1, parts['day'], parts['hour'], parts['minute']);
      offset = shown - hour * HOUR_MS;
      this.#offsets.set(hour, offset);
    }
    return offset;
  }
}
