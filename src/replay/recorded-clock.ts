// The clock of a server that serves a recording: it stands at an instant, or runs towards the next one and stands there.
import { type Clock, monotonicMs } from '../model/clock.js';

export class RecordedClock implements Clock {
  #atMs: number;
  /** Recorded ms per ms; 0 while it stands. */
  #speed = 0;
  #sinceMs = 0;
  #endMs = 0;
  readonly #elapsedMs: () => number;

  /** @param elapsedMs of a clock that only measures durations */
  constructor(startMs: number, elapsedMs: () => number = monotonicMs) {
    this.#atMs = startMs;
    this.#elapsedMs = elapsedMs;
  }

  now(): number {
    if (this.#speed === 0) return this.#atMs;
    return Math.min(this.#endMs, this.#atMs + (this.#elapsedMs() - this.#sinceMs) * this.#speed);
  }

  /** Stands at an instant from now on; never before the present one. */
  stand(atMs = this.now()): void {
    this.#atMs = Math.max(this.now(), atMs);
    this.#speed = 0;
  }

  /** Runs on from the present instant, at most to `endMs`. */
  run(speed: number, endMs: number): void {
    this.stand();
    this.#sinceMs = this.#elapsedMs();
    this.#endMs = Math.max(endMs, this.#atMs);
    this.#speed = speed;
  }
}
