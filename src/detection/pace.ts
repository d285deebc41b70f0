// Streams are sent changes of an opportunity at most once a second, the last one always; lists show each at once. The
// rule is applied here alone: a change that comes too soon is for a later position. That position is part of what the
// log, the store and every table have of the opportunity, so that whoever reads them, from whatever position, in whatever
// process, is sent the same.

import { TimeQueue } from '../base/memory/time-queue.js';

/** Minimum time between two positions at which streams are sent one opportunity. */
export const HELD_US = 1_000_000;

export class Pace {
  /** What is held until a position needs a batch there. */
  readonly #held = new TimeQueue<true>();
  /** Of the batch. */
  position = 0;
  nowMs = 0;
  /** The clock was set back since the batch before. */
  setBack = false;
  /** Positions do not advance with the clock, and nothing is held. */
  #behind = false;

  /** Begins a batch. */
  at(position: number, nowMs: number): void {
    this.setBack = nowMs + HELD_US / 1000 < this.nowMs;
    this.position = position;
    this.nowMs = nowMs;
    this.#behind = position / 1000 - nowMs > HELD_US / 1000;
  }

  /** Where streams are sent a change of now. @param sent where they were sent the one before, or will be */
  next(sent: number): number {
    const { position } = this;
    if (this.#behind || sent + HELD_US <= position) return position;
    return this.hold(sent > position ? sent : sent + HELD_US);
  }

  /** Whether it waits although nothing is held now. */
  isOverdue(sent: number): boolean {
    return this.#behind && sent > this.position;
  }

  hold(until: number): number {
    if (until > this.position && !this.#held.has(until)) this.#held.add(until, true);
    return until;
  }

  /** When the next is held no longer (Unix ms); Infinity if nothing is. */
  get nextMs(): number {
    return this.#held.next / 1000;
  }

  /** Whether anything is held no longer: readers are to be told the position. */
  takeOver(): boolean {
    let any = false;
    while (this.#held.next <= this.position) {
      this.#held.take();
      any = true;
    }
    return any;
  }

  clear(): void {
    this.#held.clear();
  }
}
