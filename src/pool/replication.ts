// Batches of a log that several machines share: what a shard is given is written there before it is applied, and what came
// of it before anybody is shown or told anything. Handed over one behind the other without waiting, released in order.
import { ApiError } from '../model/errors.js';

export interface Journal {
  /**
   * Settles when the log has the batch (an encoded BatchInput); called in the order of positions.
   * Where it rejects the batch is not applied here; it may still stand in the log.
   */
  input(shard: number, position: number, batch: Uint8Array | null): Promise<void>;
  /** Settles when the log has what came of it; called in the order of positions, once for every input that settled. */
  outcome(outcome: Outcome): Promise<void>;
}

export interface Outcome {
  shard: number;
  position: number;
  /** Encoded LogMessage, good until it is written; null where nothing changed. */
  message: Uint8Array | null;
  /** The shard's store had no room: nothing was taken. */
  refused: boolean;
}

export class Replication {
  readonly journal: Journal;
  #tail: Promise<void> = Promise.resolve();
  /** What the log refused would be a hole in it: nothing after it is released either. */
  #failed = false;

  constructor(journal: Journal) {
    this.journal = journal;
  }

  /** Settles when the log has the batch; rejects with ApiError `unavailable`. */
  async begin(shard: number, position: number, batch: Uint8Array | null): Promise<void> {
    try {
      await this.journal.input(shard, position, batch);
    } catch (error) {
      throw refused(error);
    }
  }

  /**
   * To be called in the order of positions. Settles when it is released; rejects with ApiError `unavailable` where it never
   * will be.
   */
  release(outcome: Outcome, release: () => void): Promise<void> {
    const taken = this.#failed ? Promise.resolve() : this.journal.outcome(outcome);
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
  const error = new ApiError('unavailable', 'the batch could not be written to the log: send again', { retryAfter: 1 });
  error.cause = cause;
  return error;
}
