// How much of the main thread's time the ingest bodies of one account may take, as everyone else is answered there too.
// A body cannot be interrupted, so what it took is waited for before the account's next one.

import { setTimeout } from 'node:timers/promises';
import { monotonicMs } from '../base/model/clock.js';
import { ApiError } from '../base/model/errors.js';
import { LIMITS } from '../base/model/limits.js';

const WAITING_MAX = LIMITS.ingestWaiting.max;
/** Work that is followed by no pause, if there was none before. */
const BURST_MS = 100;
/** A body that took longer than this is followed by a longer pause. */
const LONG_MS = 50;
const PAUSE = { usual: 1, long: 7 } as const;
/** A body can be long because the process was stopped or had no core meanwhile, for which nobody is to wait. */
const PAUSE_MS_MAX = LIMITS.ingestPause.max;
const SWEPT_AT = 1_000;

interface Share {
  /** monotonicMs from which its next body may be read. */
  freeMs: number;
  waiting: number;
  last: Promise<void>;
}

export class ThreadShares {
  readonly #shares = new Map<string, Share>();
  readonly #nowMs: () => number;

  constructor(nowMs = monotonicMs) {
    this.#nowMs = nowMs;
  }

  /** Null if the account's next body may be read now; else settles when it may. Throws ingest_queue_full. */
  turn(account: string): Promise<void> | null {
    const share = this.#shares.get(account);
    if (share === undefined || (share.waiting === 0 && share.freeMs <= this.#nowMs())) return null;
    if (share.waiting >= WAITING_MAX)
      throw new ApiError('ingest_queue_full', `${WAITING_MAX} bodies of this account wait already`, { retryAfter: 1 });
    share.waiting++;
    const before = share.last;
    share.last = (async () => {
      await before;
      for (let ms = 1; ms > 0; ms = share.freeMs - this.#nowMs()) await setTimeout(ms, undefined, { ref: false });
      share.waiting--;
    })();
    return share.last;
  }

  /** A body of the account took the thread for so long, which ends now. */
  worked(account: string, ms: number): void {
    const nowMs = this.#nowMs();
    let share = this.#shares.get(account);
    if (share === undefined) {
      if (this.#shares.size >= SWEPT_AT) this.#sweep(nowMs);
      share = { freeMs: 0, waiting: 0, last: Promise.resolve() };
      this.#shares.set(account, share);
    }
    const pauseMs = ms * (ms > LONG_MS ? PAUSE.long : PAUSE.usual);
    share.freeMs = Math.min(Math.max(share.freeMs, nowMs - BURST_MS) + pauseMs, nowMs + PAUSE_MS_MAX);
  }

  #sweep(nowMs: number): void {
    for (const [account, { waiting, freeMs }] of this.#shares)
      if (waiting === 0 && freeMs < nowMs - BURST_MS) this.#shares.delete(account);
  }
}
