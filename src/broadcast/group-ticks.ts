// What a tick does with each group: its live clients get the changes since its last tick, all others what they are
// missing. A group with a chosen rate rests after a tick; the next one merges what has changed meanwhile, by id.
import type { Group } from './group.js';
import type { Subscriber } from './subscriber.js';

/** Counts of what was sent to live clients. */
interface Deliveries {
  deliveries: number;
  deliveredBytes: number;
}

export class GroupTicks {
  readonly #sent: Deliveries;
  readonly #elapsedMs: () => number;
  readonly #request: () => void;
  #timer: NodeJS.Timeout | undefined;
  /** When the timer is due (Unix ms). */
  #wakesMs = Number.POSITIVE_INFINITY;

  /** @param request requests a tick: called when a group that is behind has rested */
  constructor(sent: Deliveries, elapsedMs: () => number, request: () => void) {
    this.#sent = sent;
    this.#elapsedMs = elapsedMs;
    this.#request = request;
  }

  tick(groups: Iterable<Group<Subscriber>>, nowMs: number): void {
    let wakesMs = Number.POSITIVE_INFINITY;
    for (const group of groups) {
      if (!group.rests(nowMs)) this.#tickGroup(group, nowMs);
      if (group.rests(nowMs) && group.behind) wakesMs = Math.min(wakesMs, group.restsUntilMs);
    }
    if (wakesMs === this.#wakesMs && wakesMs > nowMs) return;
    clearTimeout(this.#timer);
    this.#wakesMs = wakesMs;
    if (wakesMs < Number.POSITIVE_INFINITY) this.#timer = setTimeout(() => this.#wake(), Math.ceil(wakesMs - nowMs));
  }

  /** Possibly a little early by the clock: then it is set again. */
  #wake(): void {
    this.#wakesMs = Number.POSITIVE_INFINITY;
    this.#request();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #tickGroup(group: Group<Subscriber>, nowMs: number): void {
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
        const { deliveries, bytes } = cohort.follow(changeFrames, this.#elapsedMs());
        this.#sent.deliveries += deliveries;
        this.#sent.deliveredBytes += bytes;
      }
    }
    // Subscribers that joined between two ticks are at a position of their own; the shared bytes are no longer needed.
    for (const member of late) if (!member.full) member.pump(nowMs);
    if (sends) group.restsUntilMs = nowMs + group.restMs;
  }
}
