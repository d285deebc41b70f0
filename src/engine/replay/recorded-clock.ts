// The clock of a server that serves a recording: it stands at an instant, or runs towards the next one and stands there.
import { type Clock, monotonicMs } from '../../base/model/clock.js';

/** A speed, and the instant from which on it is kept. */
interface Pace {
  /** Recorded ms per ms. */
  speed: number;
  fromMs: number;
  sinceMs: number;
}

export class RecordedClock implements Clock {
  #atMs: number;
  #running = false;
  #pace: Pace | null = null;
  #endMs = 0;
  readonly #elapsedMs: () => number;

  /** @param elapsedMs of a clock that only measures durations */
  constructor(startMs: number, elapsedMs: () => number = monotonicMs) {
    this.#atMs = startMs;
    this.#elapsedMs = elapsedMs;
  }

  now(): number {
    if (!this.#running || this.#pace === null) return this.#atMs;
    const { speed, fromMs, sinceMs } = this.#pace;
    return Math.min(this.#endMs, Math.max(this.#atMs, fromMs + (this.#elapsedMs() - sinceMs) * speed));
  }

  /** Stands at an instant from now on; never before the present one. */
  stand(atMs = this.now()): void {
    this.arrive(atMs);
    this.#pace = null;
  }

  /** Stands at an instant for as long as it takes; run() then makes up for that. */
  arrive(atMs: number): void {
    this.#atMs = Math.max(this.now(), atMs);
    this.#running = false;
  }

  /** Runs on, at most to `endMs`: from the present instant, or where it would be if it had never stood at an instant. */
  run(speed: number, endMs: number): void {
    this.arrive(this.now());
    if (this.#pace?.speed !== speed) this.#pace = { speed, fromMs: this.#atMs, sinceMs: this.#elapsedMs() };
    this.#endMs = Math.max(endMs, this.#atMs);
    this.#running = true;
  }
}
