// Committed batches on their way through a copy elsewhere that must have them before anybody is shown or told anything:
// handed over one behind the other without waiting, released in the same order as the copy takes them.
import { ApiError } from '../model/errors.js';
import type { LogBatch } from './protocol.js';

/** Settles when the copy has the batch. The batch's memory is good until then. */
export type Replicate = (batch: LogBatch) => Promise<void>;

export class Replication {
  readonly #replicate: Replicate;
  #tail: Promise<void> = Promise.resolve();
  /** What the copy refused would be a hole in the log: nothing after it is released either. */
  #failed = false;

  constructor(replicate: Replicate) {
    this.#replicate = replicate;
  }

  /**
   * To be called in the order of positions; a null batch changed nothing and only waits its turn. Settles when it is
   * released; rejects with ApiError `unavailable` where it never will be.
   */
  release(batch: LogBatch | null, release: () => void): Promise<void> {
    const taken = batch === null || this.#failed ? Promise.resolve() : this.#replicate(batch);
    // Told by `released`; until its turn comes nobody listens.
    taken.catch(() => undefined);
    const released = this.#tail.then(async () => {
      try {
        await taken;
      } catch (error) {
        this.#failed = true;
        throw refused(error);
      }
      if (this.#failed) throw refused(undefined);
      release();
    });
    this.#tail = released.catch(() => undefined);
    return released;
  }
}

function refused(cause: unknown): ApiError {
  const error = new ApiError('unavailable', 'the batch could not be replicated: send again', { retryAfter: 1 });
  error.cause = cause;
  return error;
}
