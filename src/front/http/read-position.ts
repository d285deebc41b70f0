// Positions of reads: each answer states the one it shows, and a read may require a minimum position, for callers that
// write at one process and read at another.

import { monotonicMs } from '../../base/model/clock.js';
import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import { isDelayed } from '../../rules/catalogue/tiers.js';
import type { Tier } from '../../rules/catalogue/types.js';

/** The tables' positions, and a notification when they change. */
export interface ReadPositions {
  /** Position of the table that a tier reads. */
  positionFor(tier: Tier): number;
  /** Position up to which that table shows everything: past its own if nothing has changed since. */
  reachedFor(tier: Tier): number;
  /** Calls back after every change. */
  onChange(changed: () => void): void;
}

const WAIT_MS = 2_000;
/** The delayed table moves with the clock, without a notification. */
const POLL_MS = 100;
const WAITING_MAX = LIMITS.positionWaiters.max;
const WAITING_OF_ACCOUNT_MAX = LIMITS.positionWaitersOfAccount.max;

interface Waiting {
  /** Of the same table. */
  queue: Waiting[];
  account: string;
  position: number;
  untilMs: number;
  done(error?: ApiError): void;
}

export class ReadPosition {
  readonly #positions: ReadPositions;
  /** In the order of their deadlines. */
  readonly #waiting = new Set<Waiting>();
  readonly #waitingOf = new Map<string, number>();
  /** Those for one table, the lowest position last. */
  readonly #live: Waiting[] = [];
  readonly #delayed: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(positions: ReadPositions) {
    this.#positions = positions;
    positions.onChange(() => this.#pass(this.#live, 'enterprise'));
  }

  of(tier: Tier): number {
    return this.#positions.positionFor(tier);
  }

  /** Whether the tier's table shows everything up to the position. */
  shows(tier: Tier, position: number): boolean {
    return this.#positions.reachedFor(tier) >= position;
  }

  /**
   * Calls back once the tier's table shows the position, with the error `behind` if that takes too long. Returns a
   * function that ends the wait. Throws `behind` if too many wait already, or the caller has no account.
   */
  wait(tier: Tier, account: string | undefined, position: number, done: (error?: ApiError) => void): () => void {
    if (account === undefined) throw behind(position, 'a read without a key does not wait for it');
    const own = this.#waitingOf.get(account) ?? 0;
    if (this.#waiting.size >= WAITING_MAX || own >= WAITING_OF_ACCOUNT_MAX)
      throw behind(position, 'too many reads wait already');
    const queue = isDelayed(tier) ? this.#delayed : this.#live;
    const waiting = { queue, account, position, untilMs: monotonicMs() + WAIT_MS, done };
    queue.splice(placeOf(queue, position), 0, waiting);
    this.#waiting.add(waiting);
    this.#waitingOf.set(account, own + 1);
    this.#timer ??= setInterval(() => this.#look(), POLL_MS);
    return () => {
      if (this.#forget(waiting)) queue.splice(queue.indexOf(waiting), 1);
    };
  }

  #look(): void {
    this.#pass(this.#live, 'enterprise');
    this.#pass(this.#delayed, 'free');
    const nowMs = monotonicMs();
    for (const waiting of this.#waiting) {
      if (waiting.untilMs > nowMs) break;
      this.#forget(waiting);
      waiting.queue.splice(waiting.queue.indexOf(waiting), 1);
      waiting.done(behind(waiting.position, `not within ${WAIT_MS / 1000} s`));
    }
  }

  /** Those of a table that shows what they wait for. */
  #pass(queue: Waiting[], tier: Tier): void {
    for (let next = queue.at(-1); next !== undefined && this.shows(tier, next.position); next = queue.at(-1)) {
      queue.pop();
      this.#forget(next);
      next.done();
    }
  }

  #forget(waiting: Waiting): boolean {
    if (!this.#waiting.delete(waiting)) return false;
    const left = this.#waitingOf.get(waiting.account)! - 1;
    if (left === 0) this.#waitingOf.delete(waiting.account);
    else this.#waitingOf.set(waiting.account, left);
    if (this.#waiting.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
    return true;
  }
}

/** Before those with the same position, which came first. */
function placeOf(queue: readonly Waiting[], position: number): number {
  let from = 0;
  let to = queue.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (queue[middle]!.position > position) from = middle + 1;
    else to = middle;
  }
  return from;
}

function behind(position: number, why: string): ApiError {
  return new ApiError('behind', `position ${position} is not reached here yet: ${why}`, { retryAfter: 1 });
}
