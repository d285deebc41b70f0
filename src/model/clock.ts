// The one clock of the program. Live it is the system's; in a backtest it is the recording's.
// Nothing else in src or workers reads the system's time (a test watches this).

export interface Clock {
  /** Unix time in milliseconds (may have a fraction). */
  now(): number;
}

/** Read once: the global and its properties are looked up anew at each reading, which costs as much as the time does. */
const { timeOrigin } = performance;
const sinceOrigin = performance.now.bind(performance);

export const systemClock: Clock = {
  now: () => timeOrigin + sinceOrigin(),
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
