// Large snapshots take turns: all streams together may send a limited number of bytes in one turn of the event loop,
// one piece each in the order of their requests, so that neither requests nor live changes wait for a snapshot, and
// clients that started together stay together and share its pieces.
import type { Clock } from '../base/model/clock.js';

export interface TurnTaker {
  /** Takes one piece; requests another turn if more is left. */
  turn(nowMs: number): void;
}

export class SendBudget {
  readonly #clock: Clock;
  readonly #bytesMax: number;
  /** In order of request. */
  readonly #waiting = new Set<TurnTaker>();
  #left: number;
  #scheduled = false;

  /** @param bytesMax bytes that one turn of the loop may hand out */
  constructor(clock: Clock, bytesMax: number) {
    this.#clock = clock;
    this.#bytesMax = bytesMax;
    this.#left = bytesMax;
  }

  /** True if this turn of the loop has used up its bytes. */
  get over(): boolean {
    return this.#left <= 0;
  }

  spend(bytes: number): void {
    this.#left -= bytes;
    this.#schedule();
  }

  request(taker: TurnTaker): void {
    this.#waiting.add(taker);
    this.#schedule();
  }

  forget(taker: TurnTaker): void {
    this.#waiting.delete(taker);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#next());
  }

  #next(): void {
    this.#scheduled = false;
    this.#left = this.#bytesMax;
    const nowMs = this.#clock.now();
    for (const taker of this.#waiting) {
      if (this.over) break;
      this.#waiting.delete(taker);
      taker.turn(nowMs);
    }
    if (this.#waiting.size > 0) this.#schedule();
  }
}
