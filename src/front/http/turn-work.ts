// How long one turn of the event loop answers requests: uWebSockets hands over every request in the bytes that it has
// read of a connection at once, and thousands fit into what it reads. What is left after that is answered in later
// turns, and so are the messages of WebSockets; with an answer due, uWebSockets closes a connection that has sent further requests, so each has at most one.
import { monotonicMs } from '../../base/model/clock.js';
import { LIMITS } from '../../base/model/limits.js';

const TURN_MS = LIMITS.requestsTurn.max;
/** So many are worked off at once however long they take: on a busy machine clients that pipeline a few are served too. */
const FIRST = 8;

export class TurnWork {
  readonly #waiting: (() => void)[] = [];
  #startedMs = 0;
  #done = 0;
  #begun = false;

  /** Whether work is done at once: the turn has not been long, and nothing waits. */
  get isFree(): boolean {
    this.#begin();
    return this.#waiting.length === 0 && (this.#done < FIRST || monotonicMs() - this.#startedMs <= TURN_MS);
  }

  /** At once if that may be, else after what waits. */
  run(work: () => void): void {
    if (this.isFree) {
      this.#done++;
      work();
    } else this.#waiting.push(work);
  }

  #begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    this.#done = 0;
    this.#startedMs = monotonicMs();
    setImmediate(this.#next);
  }

  readonly #next = (): void => {
    const fromMs = monotonicMs();
    let done = 0;
    while (done < this.#waiting.length && monotonicMs() - fromMs <= TURN_MS) this.#waiting[done++]!();
    this.#waiting.splice(0, done);
    this.#begun = this.#waiting.length > 0;
    if (!this.#begun) return;
    // What is left goes before what comes.
    this.#startedMs = Number.NEGATIVE_INFINITY;
    this.#done = FIRST;
    setImmediate(this.#next);
  };
}
