// Messages of the log that are held back until it is known what came before them. Bounded.
import { LIMITS } from '../model/limits.js';

/** At most so many bytes wait. */
const BYTES_MAX = LIMITS.pendingMessages.max;

export class PendingMessages {
  /** Null where nothing is held back. */
  #messages: Uint8Array[] | null = [];
  #bytes = 0;

  get holding(): boolean {
    return this.#messages !== null;
  }

  hold(): void {
    this.#messages ??= [];
  }

  /** Copies; false where there are too many. */
  push(message: Uint8Array): boolean {
    this.#bytes += message.length;
    if (this.#bytes > BYTES_MAX) return false;
    this.#messages?.push(Uint8Array.from(message));
    return true;
  }

  /** Holds nothing back from now on; those that were, in order. */
  release(): Uint8Array[] {
    const messages = this.#messages ?? [];
    this.#messages = null;
    this.#bytes = 0;
    return messages;
  }
}
