// Messages of the log that are buffered until it is known what came before them. Bounded.
import { LIMITS } from '../model/limits.js';

/** Maximum number of bytes waiting. */
const BYTES_MAX = LIMITS.pendingMessages.max;

export class PendingMessages {
  /** Null if nothing is buffered. */
  #messages: Uint8Array[] | null = [];
  #bytes = 0;

  get holding(): boolean {
    return this.#messages !== null;
  }

  hold(): void {
    this.#messages ??= [];
  }

  /** Copies the message; false if there are too many. */
  push(message: Uint8Array): boolean {
    this.#bytes += message.length;
    if (this.#bytes > BYTES_MAX) return false;
    this.#messages?.push(Uint8Array.from(message));
    return true;
  }

  /** Ends buffering; returns the buffered messages, in order. */
  release(): Uint8Array[] {
    const messages = this.#messages ?? [];
    this.#messages = null;
    this.#bytes = 0;
    return messages;
  }
}
