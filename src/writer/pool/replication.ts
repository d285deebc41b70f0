// Batches in a log that several machines share: what a batch changed is written there before it is committed here, and
// committed before it is shown or acknowledged to anyone. Written one after the other without waiting, released in order.

import { ApiError } from '../../base/model/errors.js';
import type { LogEntry, SharedLog } from '../../log/control/control-queue.js';

export interface Journal {
  /**
   * Settles when the log has the entry; called in the order of positions. If it rejects, the batch is not committed here;
   * it may still be in the log.
   */
  append(entry: LogEntry): Promise<void>;
  /** The log has an entry that could not be committed here: this store is not what the log says. */
  lost(error: unknown): void;
}

export class Replication implements SharedLog {
  readonly #journal: Journal;
  #tail: Promise<void> = Promise.resolve();
  /** What the log refused would be a gap in it: nothing after it is released either. */
  #failed = false;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  release(entry: LogEntry, commit: () => Promise<void> | void, show: () => void): Promise<void> {
    const committed = this.#failed ? Promise.resolve() : this.#committed(entry, commit);
    // Reported by `released`; until its turn comes nobody listens.
    committed.catch(() => undefined);
    const released = this.#tail.then(async () => {
      try {
        await committed;
      } catch (error) {
        this.#failed = true;
        throw refused(error);
      }
      if (this.#failed) throw refused(undefined);
      show();
    });
    this.#tail = released.catch(() => undefined);
    return released;
  }

  async #committed(entry: LogEntry, commit: () => Promise<void> | void): Promise<void> {
    await this.#journal.append(entry);
    try {
      await commit();
    } catch (error) {
      this.#journal.lost(error);
      throw error;
    }
  }
}

function refused(cause: unknown): ApiError {
  const error = new ApiError('unavailable', 'the batch could not be written to the log: send again', { retryAfter: 1 });
  error.cause = cause;
  return error;
}
