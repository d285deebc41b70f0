// When a tick runs: in the turn of the event loop that brought the changes or, if more is being committed already,
// together with that. A costly tick waits for others as long as it takes itself. A cheap one only keeps as much
// distance from the previous one that at most half of the time is spent ticking, however many batches come: at a lower
// load it never waits.

import type { Clock } from '../base/model/clock.js';
import { LIMITS } from '../base/model/limits.js';
import type { Group } from './group.js';
import type { Subscriber } from './subscriber.js';

/** Maximum wait, however much a tick costs. */
const WAIT_MS_MAX = LIMITS.tickWait.max;
/** From here on a tick is costly: that is some seven hundred writes. */
const COSTLY_MS = 5;
/** Up to here it costs no more than the answer to a post. */
const CHEAP_MS = 0.5;

export class TickScheduler {
  readonly #clock: Clock;
  readonly #tick: () => void;
  readonly #moreComes: () => boolean;
  readonly #each: boolean;
  #looking = false;
  #first = false;
  /** There are changes that no tick has sent. */
  #requested = false;
  /** Duration of the last tick, and when it ended. */
  #lastMs = Number.POSITIVE_INFINITY;
  #endedMs = Number.NEGATIVE_INFINITY;
  /** The lesser of the last two: a pause of the machine during one of them is not its own cost. */
  #costMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  /**
   * @param moreComes whether changes are under way that will arrive within milliseconds
   * @param each every batch has a tick of its own, whatever that costs
   */
  constructor(clock: Clock, tick: () => void, moreComes: () => boolean, each = false) {
    this.#clock = clock;
    this.#tick = tick;
    this.#moreComes = moreComes;
    this.#each = each;
  }

  /** Something changed. Everything that arrives before the tick runs is in one tick. */
  request(): void {
    this.#requested = true;
    if (this.#looking) return;
    this.#looking = true;
    setImmediate(() => {
      this.#looking = false;
      this.#look();
    });
  }

  /**
   * As request(), for a committed batch: if nothing follows it and a tick costs less than answering its poster, the tick
   * goes first. Not to be called in a socket's callback.
   */
  requestFirst(): void {
    this.request();
    if (this.#first || (this.#costMs >= CHEAP_MS && !this.#each)) return;
    this.#first = true;
    queueMicrotask(() => {
      this.#first = false;
      if (this.#closed) return;
      if (this.#each) this.#run();
      else if (!this.#moreComes()) this.#look();
    });
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #look(): void {
    if (this.#closed || !this.#requested) return;
    const waitMs = this.#waitMs();
    if (waitMs < 1 || !this.#moreComes()) this.#run();
    // Measured from the oldest change; later ones check again whether still more comes.
    else this.#timer ??= setTimeout(() => this.#run(), waitMs);
  }

  #waitMs(): number {
    const waitMs = Math.min(WAIT_MS_MAX, this.#costMs);
    return waitMs < COSTLY_MS ? waitMs - (this.#clock.now() - this.#endedMs) : waitMs;
  }

  #run(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#requested = false;
    const startedMs = this.#clock.now();
    this.#tick();
    this.#endedMs = this.#clock.now();
    const tookMs = this.#endedMs - startedMs;
    this.#costMs = Math.min(tookMs, this.#lastMs);
    this.#lastMs = tookMs;
  }
}

// What a tick does with each group: its live clients get the changes since its last tick, all others what they are
// missing. A group with a chosen rate rests after a tick; the next one merges what has changed meanwhile, by id.

/** Counts of what was sent to live clients. */
interface Deliveries {
  deliveries: number;
  deliveredBytes: number;
}

/** @param request requests a tick: called when a group that is behind has rested */
export function groupTicks(sent: Deliveries, elapsedMs: () => number, request: () => void) {
  let timer: NodeJS.Timeout | undefined;
  /** When the timer is due (Unix ms). */
  let wakesMs = Number.POSITIVE_INFINITY;
  /** Possibly a little early by the clock: then it is set again. */
  const wake = (): void => {
    wakesMs = Number.POSITIVE_INFINITY;
    request();
  };
  const tickGroup = (group: Group<Subscriber>, nowMs: number): void => {
    const { cohort, catchingUp, tickedTo: after, head: upTo } = group;
    // So slow a rate that the log no longer has what they missed: they start again.
    if (group.restMs > 0 && upTo !== after && group.ready && !group.reaches(after)) cohort.dissolve();
    group.tickedTo = upTo;
    if (catchingUp.size > 0) group.admitToCohort(after);
    const late = catchingUp.size > 0 ? [...catchingUp] : [];
    let sends = late.length > 0;
    if (upTo !== after && cohort.size > 0) {
      const changeFrames = group.changes(after, after, nowMs, false);
      if (changeFrames === null) cohort.passTo(upTo);
      else {
        sends = true;
        const { deliveries, bytes } = cohort.follow(changeFrames, elapsedMs());
        sent.deliveries += deliveries;
        sent.deliveredBytes += bytes;
      }
    }
    // Subscribers that joined between two ticks are at a position of their own; the shared bytes are no longer needed.
    for (const member of late) if (!member.full) member.pump(nowMs);
    if (sends) group.restsUntilMs = nowMs + group.restMs;
  };
  return {
    tick: (groups: Iterable<Group<Subscriber>>, nowMs: number): void => {
      let nextMs = Number.POSITIVE_INFINITY;
      for (const group of groups) {
        if (!group.rests(nowMs)) tickGroup(group, nowMs);
        if (group.rests(nowMs) && group.behind) nextMs = Math.min(nextMs, group.restsUntilMs);
      }
      if (nextMs === wakesMs && nextMs > nowMs) return;
      clearTimeout(timer);
      wakesMs = nextMs;
      if (nextMs < Number.POSITIVE_INFINITY) timer = setTimeout(wake, Math.ceil(nextMs - nowMs));
    },
    close: (): void => clearTimeout(timer),
  };
}
