// Positions: one strictly increasing number for every commit, which is also its time (Unix µs, a hybrid logical clock).
// Deltas of several shards are released in the order of their positions, so that "up to P" means everything up to P.
import type { Clock } from '../../base/model/clock.js';

/** A clock this far behind the positions was set back (ms): several batches within a microsecond run ahead by less. */
const SET_BACK_MS = 1_000;

interface Outstanding {
  position: number;
  release: (() => void) | null;
}

export class PositionSequencer {
  readonly #clock: Clock;
  #last: number;
  readonly #outstanding: Outstanding[] = [];
  readonly #onSetBack: (byMs: number) => void;
  #isSetBack = false;

  /**
   * @param last highest position ever used in this data directory, or its first
   * @param onSetBack called when the clock is found behind the positions, once until it has caught up
   */
  constructor(clock: Clock, last: number, onSetBack: (byMs: number) => void = () => {}) {
    this.#clock = clock;
    this.#last = last;
    this.#onSetBack = onSetBack;
  }

  /** Takes the next position; each must be finished, whatever the result of the batch. */
  begin(): number {
    const position = Math.max(Math.floor(this.#clock.now() * 1000), this.#last + 1);
    this.#last = position;
    this.#outstanding.push({ position, release: null });
    return position;
  }

  /** The highest position taken. */
  get last(): number {
    return this.#last;
  }

  /** Takes every position up to `upTo`, whatever the time, for a run of batches; to be finished as one. */
  reserve(upTo: number): number {
    this.#last = Math.max(upTo, this.#last + 1);
    this.#outstanding.push({ position: this.#last, release: null });
    return this.#last;
  }

  /** Gives back what a run did not need of its positions, if none was taken since; returns where the run now is. */
  giveBack(reserved: number, used: number): number {
    const entry = this.#outstanding.find(({ position }) => position === reserved);
    if (entry === undefined) throw new Error(`position ${reserved} is not outstanding`);
    if (this.#last !== reserved) return reserved;
    entry.position = used;
    this.#last = used;
    return used;
  }

  /** Whether everything before an outstanding position is released. */
  isNext(position: number): boolean {
    return this.#outstanding[0]?.position === position;
  }

  /**
   * The clock's time (Unix ms) if it was set back behind `position`, null if the position is the time. Positions never
   * decrease, but the age of a price is measured by the clock that dated it.
   */
  nowMs(position: number): number | null {
    const nowMs = this.#clock.now();
    const byMs = position / 1000 - nowMs;
    const isSetBack = byMs > SET_BACK_MS;
    if (isSetBack && !this.#isSetBack) this.#onSetBack(byMs);
    this.#isSetBack = isSetBack;
    return isSetBack ? nowMs : null;
  }

  /** Sets what to do with the batch once everything before it is done. */
  finish(position: number, release: () => void): void {
    const entry = this.#outstanding.find((outstanding) => outstanding.position === position);
    if (entry === undefined) throw new Error(`position ${position} is not outstanding`);
    entry.release = release;
    let head = this.#outstanding[0];
    while (head !== undefined && head.release !== null) {
      this.#outstanding.shift();
      head.release();
      head = this.#outstanding[0];
    }
  }
}
