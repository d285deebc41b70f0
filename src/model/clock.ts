// The one clock of the program. Live it is the system's; in a backtest it is the recording's.
// Nothing else in src or workers reads the system's time (a test watches this).

export interface Clock {
  /** Unix time in milliseconds (may have a fraction). */
  now(): number;
}

/** Read once: the global and its properties are looked up anew at each reading, which costs as much as the time does. */
const { timeOrigin } = performance;
const sinceOrigin = performance.now.bind(performance);

/** How often the machine's clock is looked at for having been set, and what is less than a step (ms). */
const LOOK_EVERY_MS = 500;
const STEP_MS = 20;

let originMs = timeOrigin;
let lookAtMs = 0;

/**
 * The machine's wall clock with a fraction. Performance's time goes on from that of the process's start: a clock that was
 * set since, or a machine that slept, is followed within half a second, forth or back.
 */
export const systemClock: Clock = {
  now: () => {
    const sinceMs = sinceOrigin();
    if (sinceMs >= lookAtMs) {
      lookAtMs = sinceMs + LOOK_EVERY_MS;
      const wallMs = Date.now() - sinceMs;
      // Not where the thread lost its core between the two readings: that is no step of the clock.
      if (Math.abs(wallMs - originMs) > STEP_MS && sinceOrigin() - sinceMs < STEP_MS / 2) originMs = wallMs;
    }
    return originMs + sinceMs;
  },
};

/**
 * Milliseconds of the machine's monotonic clock, the same in every thread: for how long something took, never for when
 * it was.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

/** A clock that stands still until it is told the time: backtests and tests. */
export class ManualClock implements Clock {
  #nowMs: number;

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  /** Moves the clock; it never runs backwards. */
  set(nowMs: number): void {
    if (nowMs > this.#nowMs) this.#nowMs = nowMs;
  }
}
