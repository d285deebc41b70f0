// When the polls of a recording are due by today's clock, and its times as if it were recorded now.
import type { Clock } from '../../../base/model/clock.js';
import { formatMs } from '../../../base/model/time.js';
import type { IngestMessage } from '../../ingest/message.js';
import { readInstant } from '../the-odds-api/instant.js';
import type { RecordedPoll } from './recording.js';

export class Pacer {
  readonly #clock: Clock;
  readonly #speed: number;
  #startMs = 0;
  #firstMs: number | undefined;

  /** `speed`: recorded seconds per second; 0 for as fast as possible. */
  constructor(clock: Clock, speed: number) {
    this.#clock = clock;
    this.#speed = speed;
  }

  /**
   * Milliseconds to wait before the poll recorded at `atMs`: 0 for the first, a late one and one recorded out of order.
   * Measured from the first poll, so that slow deliveries do not add up.
   */
  delayMs(atMs: number): number {
    const nowMs = this.#clock.now();
    if (this.#firstMs === undefined) {
      this.#firstMs = atMs;
      this.#startMs = nowMs;
    }
    if (this.#speed === 0) return 0;
    return Math.max(0, this.#startMs + (atMs - this.#firstMs) / this.#speed - nowMs);
  }
}

// Moves the times of a recording to now, so that a live server's age rules see fresh prices.

const OBSERVED = ['polled_at', 'last_seen_at', 'fetched_at', 'at'];
const SCHEDULED = ['start_time', 'event_start_time'];

/**
 * Two kinds of time move differently. Observation times (polled_at, last_seen_at, fetched_at, a result's at) keep their distance from
 * their own poll, which becomes now. Scheduled times (starts) move by one fixed offset, that of the first poll:
 * otherwise a fast replay would move every start along and change the events' days. At speed 1 both are the same.
 */
export class TimeShift {
  #scheduleOffsetMs: number | undefined;

  /** The poll's messages as if polled at `nowMs` (Unix ms); the originals are unchanged. */
  shift(poll: RecordedPoll, nowMs: number): IngestMessage[] {
    const observedMs = nowMs - poll.atMs;
    this.#scheduleOffsetMs ??= observedMs;
    return poll.messages.map((message) => moved(message, observedMs, this.#scheduleOffsetMs!) as IngestMessage);
  }
}

function moved(value: unknown, observedMs: number, scheduledMs: number): unknown {
  if (Array.isArray(value)) return value.map((element) => moved(element, observedMs, scheduledMs));
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    if (OBSERVED.includes(key)) copy[key] = movedTime(inner, observedMs);
    else if (SCHEDULED.includes(key)) copy[key] = movedTime(inner, scheduledMs);
    // Quotes contain no times and make up most of a message.
    else copy[key] = key === 'selections' ? inner : moved(inner, observedMs, scheduledMs);
  }
  return copy;
}

/** An invalid time is left unchanged: the engine reports what is wrong with it. */
function movedTime(value: unknown, offsetMs: number): unknown {
  const instant = readInstant(value);
  return instant === undefined ? value : formatMs(Math.round(instant.ms + offsetMs));
}
