// Batches in a log that several machines share: a shard's input is written there before it is committed, and its result
// before it is shown or acknowledged to anyone. Written one after the other without waiting, released in order.

import { ApiError } from '../../base/model/errors.js';
import type { Outcome, SharedLog } from '../../log/control/control-queue.js';

export interface Journal {
  /**
   * Settles when the log has the batch (encoded messages, valid until this returns; null for a clock tick); called in the
   * order of positions. If it rejects, the batch is not committed here; it may still be in the log.
   */
  input(shard: number, position: number, batch: Uint8Array | null): Promise<void>;
  /** Settles when the log has the result; called in the order of positions, once for every input that settled. */
  outcome(outcome: Outcome): Promise<void>;
}

export class Replication implements SharedLog {
  readonly journal: Journal;
  #tail: Promise<void> = Promise.resolve();
  /** What the log refused would be a gap in it: nothing after it is released either. */
  #failed = false;

  constructor(journal: Journal) {
    this.journal = journal;
  }

  /** Settles with null when the log has the batch, else with why it has not (`unavailable`). The batch is read at once. */
  begin(shard: number, position: number, batch: Uint8Array | null): Promise<ApiError | null> {
    return this.journal.input(shard, position, batch).then(() => null, refused);
  }

  /**
   * To be called in the order of positions. Settles when it is released; rejects with ApiError `unavailable` if it
   * never will be.
   */
  release(outcome: Outcome, release: () => void): Promise<void> {
    const taken = this.#failed ? Promise.resolve() : this.journal.outcome(outcome);
    // Reported by `released`; until its turn comes nobody listens.
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
  const error = new ApiError('unavailable', 'the batch could not be written to the log: send again', { retryAfter: 1 });
  error.cause = cause;
  return error;
}
