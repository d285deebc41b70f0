// When the polls of a recording are due by today's clock.
import type { Clock } from '../../../base/model/clock.js';

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
