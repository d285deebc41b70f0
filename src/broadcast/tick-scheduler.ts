// When a tick runs: in the turn of the event loop that brought the changes or, if more is being committed already,
// together with that. A costly tick waits for others as long as it takes itself. A cheap one only keeps as much
// distance from the previous one that at most half of the time is spent ticking, however many batches come: at a lower
// load it never waits.

import type { Clock } from '../base/model/clock.js';
import { LIMITS } from '../base/model/limits.js';

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
