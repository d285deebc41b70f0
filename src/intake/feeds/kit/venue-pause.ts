// A venue that answers 429 is left alone until the time it states, by every request and new connection of its feed.

export class VenuePause {
  #untilMs = 0;

  /** Unix ms; in the past if there is no pause. */
  get untilMs(): number {
    return this.#untilMs;
  }

  extend(untilMs: number): void {
    this.#untilMs = Math.max(this.#untilMs, untilMs);
  }
}
