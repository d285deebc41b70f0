// Positions: one strictly rising number for every commit, which is also its time (Unix µs, a hybrid logical clock).
// Deltas of several shards are released in the order of their positions, so that "up to P" means everything up to P.
import type { Clock } from '../model/clock.js';

/** A clock this far behind the positions was set back: less is what several batches of one microsecond run ahead (ms). */
const SET_BACK_MS = 1_000;

interface Outstanding {
  position: number;
  release: (() => void) | null;
}

export class PositionSequencer {
  readonly #clock: Clock;
  #last: number;
  #released: number;
  readonly #outstanding: Outstanding[] = [];

  /** @param last highest position ever used in this data directory, or its first. */
  constructor(clock: Clock, last: number) {
    this.#clock = clock;
    this.#last = last;
    this.#released = last;
  }

  /** Every change up to this position has been released to the readers. */
  get released(): number {
    return this.#released;
  }

  /** Takes the next position; each must be finished, whatever becomes of the batch. */
  begin(): number {
    const position = Math.max(Math.floor(this.#clock.now() * 1000), this.#last + 1);
    this.#last = position;
    this.#outstanding.push({ position, release: null });
    return position;
  }

  /**
   * The clock's time (Unix ms) where it was set back behind `position`, null where the position is the time. Positions never
   * turn back, but the age of a price is by the clock that dated it.
   */
  nowMs(position: number): number | null {
    const nowMs = this.#clock.now();
    return position / 1000 - nowMs > SET_BACK_MS ? nowMs : null;
  }

  /** Hands in what to do with the batch once everything before it is done. */
  finish(position: number, release: () => void): void {
    const entry = this.#outstanding.find((outstanding) => outstanding.position === position);
    if (entry === undefined) throw new Error(`position ${position} is not outstanding`);
    entry.release = release;
    let head = this.#outstanding[0];
    while (head !== undefined && head.release !== null) {
      this.#outstanding.shift();
      this.#released = head.position;
      head.release();
      head = this.#outstanding[0];
    }
  }
}
