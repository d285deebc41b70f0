// The one clock of the program. Live it is the system's; in a backtest it is the recording's.
// Nothing else in src or workers reads the system's time (a test watches this).

export interface Clock {
  /** Unix time in milliseconds (may have a fraction). */
  now(): number;
}

export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
};

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
