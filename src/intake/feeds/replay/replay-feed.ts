// The feed that plays a recording into the engine at the recorded pace, or a multiple of it.

import type { Clock } from '../../../base/model/clock.js';
import { formatMs } from '../../../base/model/time.js';
import type { IngestMessage } from '../../ingest/message.js';
import { type FeedContext, StoppableFeed } from '../feed.js';
import { CUT_SHORT } from '../files/sources.js';
import { readInstant } from '../the-odds-api/instant.js';
import type { LeagueLookup } from '../the-odds-api/payload.js';
import { wait as timerWait, type Wait } from '../wait.js';
import { type BadLine, noRecording, type RecordedPoll, readRecording } from './recording.js';

export type Timestamps = 'recorded' | 'shift';

export interface ReplayFeedOptions {
  path: string;
  /** Recorded seconds per second; 0 for as fast as the engine accepts them; 1 by default. */
  speed?: number;
  /** `shift` moves recorded times to now (see TimeShift); `recorded` by default. */
  timestamps?: Timestamps;
  leagues: LeagueLookup;
  /** The recording is of the simulated market; false by default. */
  simulated?: boolean;
  /** How the feed waits; by default with a timer. */
  wait?: Wait;
}

export class ReplayFeed extends StoppableFeed {
  readonly #options: ReplayFeedOptions;

  constructor(options: ReplayFeedOptions) {
    const { path, speed = 1, timestamps = 'recorded' } = options;
    if (!(speed >= 0 && Number.isFinite(speed))) throw new Error('replay: speed is not a number of at least 0');
    super(`replay:${path},speed=${speed}${timestamps === 'shift' ? ',timestamps=shift' : ''}`, options.simulated);
    this.#options = options;
  }

  /**
   * Settles at the recording's end or soon after stop(); rejects if the file cannot be read, is not a recording, or the
   * engine refuses it.
   */
  async run({ clock, sink, log }: FeedContext): Promise<void> {
    const { path, speed = 1, timestamps = 'recorded', leagues, wait = timerWait } = this.#options;
    const { signal } = this.stopping;
    const delayMs = pacer(clock, speed);
    const shift = timestamps === 'shift' ? new TimeShift() : undefined;
    const counts = { polls: 0, messages: 0, accepted: 0, changed: 0, rejected: 0, bad_lines: 0, skipped: 0 };
    let firstBad: BadLine | undefined;
    let reported = false;
    /** Once, and not before a poll was read: a file that is not a recording at all is reported as that. */
    const tellBad = () => {
      if (reported || firstBad === undefined || counts.polls === 0) return;
      reported = true;
      log.warn({ ...firstBad }, 'replay: a line of the recording cannot be read');
    };
    const recording = readRecording(path, {
      leagues,
      onBadLine: (bad) => {
        counts.bad_lines++;
        firstBad ??= bad;
        tellBad();
      },
      onCutShort: (name) => log.warn({ file: name }, `replay: the recording ${CUT_SHORT}`),
      onSkipped: (line, skipped) => {
        if (counts.skipped === 0) log.warn({ line, first: skipped[0] }, 'replay: parts of a poll were left out');
        counts.skipped += skipped.length;
      },
    });
    for await (const poll of recording) {
      if (!(await wait(delayMs(poll.atMs), signal))) break;
      counts.polls++;
      tellBad();
      if (poll.messages.length === 0) continue;
      const messages = shift === undefined ? poll.messages : shift.shift(poll, clock.now());
      const receipt = await sink(messages);
      counts.messages += messages.length;
      counts.accepted += receipt.accepted;
      counts.changed += receipt.changed;
      counts.rejected += receipt.rejected.length;
    }
    if (counts.polls === 0 && !signal.aborted)
      throw new Error(`replay: ${noRecording(path, counts.bad_lines, firstBad)}`);
    log.info({ ...counts, stopped: signal.aborted }, 'replay: the recording is over');
  }
}

/**
 * When the polls of a recording are due by today's clock: milliseconds to wait before the one recorded at a time (Unix ms),
 * 0 for the first, a late one and one recorded out of order. Measured from the first poll, so that slow deliveries do not
 * add up.
 * @param speed recorded seconds per second; 0 for as fast as possible
 */
export function pacer(clock: Clock, speed: number): (atMs: number) => number {
  let startMs = 0;
  let firstMs: number | undefined;
  return (atMs) => {
    const nowMs = clock.now();
    if (firstMs === undefined) [firstMs, startMs] = [atMs, nowMs];
    return speed === 0 ? 0 : Math.max(0, startMs + (atMs - firstMs) / speed - nowMs);
  };
}

const OBSERVED = ['polled_at', 'last_seen_at', 'fetched_at', 'at'];
const SCHEDULED = ['start_time', 'event_start_time'];

/**
 * Moves the times of a recording to now, so that a live server's age rules see fresh prices. Two kinds of time move
 * differently. Observation times (polled_at, last_seen_at, fetched_at, a result's at) keep their distance from
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
