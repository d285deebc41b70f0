// How long one turn of the event loop answers requests: uWebSockets hands over every request in the bytes that it has
// read of a connection at once, and thousands fit into what it reads. What is left after that is answered in later
// turns, and so are the messages of WebSockets; with an answer due, uWebSockets closes a connection that has sent further
// requests, so each has at most one. Whoever has the most waiting does not hold up the others: they take turns.
import { monotonicMs } from '../../base/model/clock.js';
import { LIMITS } from '../../base/model/limits.js';

const TURN_MS = LIMITS.requestsTurn.max;
/** So many are worked off at once however long they take: on a busy machine clients that pipeline a few are served too. */
const FIRST = 8;

/** What waits of one sender, in its order. */
interface Waiting {
  sender: object;
  work: (() => void)[];
  done: number;
}

export class TurnWork {
  /** The sender whose turn it is first. */
  #waiting: Waiting[] = [];
  readonly #bySender = new Map<object, Waiting>();
  #startedMs = 0;
  #done = 0;
  #begun = false;

  /** Whether work is done at once: the turn has not been long, and nothing waits. */
  get isFree(): boolean {
    this.#begin();
    return this.#waiting.length === 0 && (this.#done < FIRST || monotonicMs() - this.#startedMs <= TURN_MS);
  }

  /**
   * At once if that may be, else after what waits of the sender.
   * @param sender of several; by default it is one that sends nothing else
   */
  run(work: () => void, sender: object = work): void {
    if (this.isFree) {
      this.#done++;
      work();
      return;
    }
    const known = this.#bySender.get(sender);
    if (known !== undefined) {
      known.work.push(work);
      return;
    }
    const waiting = { sender, work: [work], done: 0 };
    this.#bySender.set(sender, waiting);
    this.#waiting.push(waiting);
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
    let at = 0;
    while (at < this.#waiting.length && monotonicMs() - fromMs <= TURN_MS) {
      const waiting = this.#waiting[at++]!;
      const work = waiting.work[waiting.done++]!;
      if (waiting.done < waiting.work.length) this.#waiting.push(waiting);
      else this.#bySender.delete(waiting.sender);
      work();
    }
    if (at > 0) this.#waiting = this.#waiting.slice(at);
    this.#begun = this.#waiting.length > 0;
    if (!this.#begun) return;
    // What is left goes before what comes.
    this.#startedMs = Number.NEGATIVE_INFINITY;
    this.#done = FIRST;
    setImmediate(this.#next);
  };
}
