// Costly work of requests: a few at a time, fewer of one account, and a bounded number that waits.
import { ApiError } from '../base/model/errors.js';
import { type Caller, countedAs } from './key-record.js';

export interface AccountQueueOptions {
  /** At the same time, of all accounts and of one. */
  running: number;
  ofAccount: number;
  waiting: number;
  waitingOfAccount: number;
  /** From being asked for to its end. */
  timeMs: number;
}

/** Settles once nothing of it runs any more, also after `end` was aborted. */
type Work<Result> = (end: AbortController) => Promise<Result>;

interface Queued {
  readonly caller: Caller;
  readonly end: AbortController;
  readonly timer: NodeJS.Timeout;
  /** Settles when the work has ended. */
  run(): Promise<void>;
  reject(error: unknown): void;
}

const RETRY_S = 2;

export class AccountQueue {
  readonly #options: AccountQueueOptions;
  /** In the order of their arrival. */
  readonly #waiting = new Set<Queued>();
  /** By what callers are counted as. */
  readonly #running = new Map<string, number>();
  #runningCount = 0;

  constructor(options: AccountQueueOptions) {
    this.#options = options;
  }

  /** Rejects with ApiError: `rate_limited` if too much waits, `unavailable` if it has not ended in time. */
  run<Result>(caller: Caller, work: Work<Result>): Promise<Result> {
    const busy = this.#busy(caller);
    if (busy !== undefined)
      return Promise.reject(
        new ApiError('rate_limited', `${busy} wait for their turn: try again in ${RETRY_S} s`, { retryAfter: RETRY_S }),
      );
    return new Promise((resolve, reject) => {
      const end = new AbortController();
      const queued: Queued = {
        caller,
        end,
        timer: setTimeout(() => this.#late(queued), this.#options.timeMs),
        run: async () => {
          try {
            resolve(await work(end));
          } catch (error) {
            reject(error);
          }
        },
        reject,
      };
      this.#waiting.add(queued);
      this.#start();
    });
  }

  /** What there is too much of, if so. */
  #busy(caller: Caller): string | undefined {
    for (const [name, max] of countedAs(caller, this.#options.waitingOfAccount)) {
      let count = 0;
      for (const queued of this.#waiting) if (countedAs(queued.caller, 0).some(([other]) => other === name)) count++;
      if (count >= max) return `${count} requests of this account`;
    }
    return this.#waiting.size < this.#options.waiting ? undefined : `${this.#waiting.size} requests`;
  }

  #late(queued: Queued): void {
    const error = new ApiError('unavailable', 'there is no time for this request now: try again', {
      retryAfter: RETRY_S,
    });
    this.#waiting.delete(queued);
    queued.end.abort(error);
    queued.reject(error);
  }

  /** The first that waits of the accounts with the fewest running. */
  #next(): Queued | undefined {
    let next: Queued | undefined;
    for (const queued of this.#waiting) {
      const { caller } = queued;
      const isFree = countedAs(caller, this.#options.ofAccount).every(([name, max]) => this.#of(name) < max);
      if (isFree && (next === undefined || this.#of(caller.account) < this.#of(next.caller.account))) next = queued;
    }
    return next;
  }

  #start(): void {
    while (this.#runningCount < this.#options.running) {
      const next = this.#next();
      if (next === undefined) return;
      this.#waiting.delete(next);
      this.#count(next.caller, 1);
      const ended = (): void => {
        clearTimeout(next.timer);
        this.#count(next.caller, -1);
        this.#start();
      };
      next.run().then(ended, ended);
    }
  }

  #of(name: string): number {
    return this.#running.get(name) ?? 0;
  }

  #count(caller: Caller, by: 1 | -1): void {
    for (const [name] of countedAs(caller, 0)) {
      const running = this.#of(name) + by;
      if (running === 0) this.#running.delete(name);
      else this.#running.set(name, running);
    }
    this.#runningCount += by;
  }
}
