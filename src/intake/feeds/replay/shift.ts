// Moves the times of a recording to now, so that a live server's age rules see fresh prices.

import { formatMs } from '../../../base/model/time.js';
import type { IngestMessage } from '../../ingest/message.js';
import { readInstant } from '../the-odds-api/instant.js';
import type { RecordedPoll } from './recording.js';

const OBSERVED = ['polled_at', 'last_seen_at', 'fetched_at'];
const SCHEDULED = ['start_time', 'event_start_time'];

/**
 * Two kinds of time move differently. Observation times (polled_at, last_seen_at, fetched_at) keep their distance from
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
