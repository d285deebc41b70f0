// The one clock of the program: the system's, or in a backtest the recording's. Nothing else in src or workers reads
// the system's time (a test checks this).

export interface Clock {
  /** Unix time in milliseconds, possibly with a fraction. */
  now(): number;
}

/** Read once: looking up the global and its properties at each reading costs as much as reading the time. */
const { timeOrigin } = performance;
const sinceOrigin = performance.now.bind(performance);

/**
 * How often the system clock is checked for having been set, and the difference below which it is not considered set
 * (ms).
 */
const POLL_EVERY_MS = 500;
const STEP_MS = 20;

let originMs = timeOrigin;
let lookAtMs = 0;

/**
 * The system's wall clock with a fraction. The time of `performance` counts on from the start of the process, so a
 * clock that was set since, or a machine that slept, is followed within half a second, forward or back.
 */
export const systemClock: Clock = {
  now: () => {
    const sinceMs = sinceOrigin();
    if (sinceMs >= lookAtMs) {
      lookAtMs = sinceMs + POLL_EVERY_MS;
      const wallMs = Date.now() - sinceMs;
      // Ignored if the thread lost its core between the two readings: that is no step of the clock.
      if (Math.abs(wallMs - originMs) > STEP_MS && sinceOrigin() - sinceMs < STEP_MS / 2) originMs = wallMs;
    }
    return originMs + sinceMs;
  },
};

/**
 * Milliseconds of the machine's monotonic clock, the same in every thread: for durations only, never for points in
 * time.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

/** A clock that moves only when it is set: backtests and tests. */
export class ManualClock implements Clock {
  #nowMs: number;

  constructor(startMs: number) {
    this.#nowMs = startMs;
  }

  now(): number {
    return this.#nowMs;
  }

  /** Moves the clock; it never goes backwards. */
  set(nowMs: number): void {
    if (nowMs > this.#nowMs) this.#nowMs = nowMs;
  }
}
