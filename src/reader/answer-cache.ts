// Answers kept between two changes: the same question gets the same bytes until something it could show has changed.
// Bounded in bytes; the oldest unused goes first.
import type { Answer } from './page.js';

const BYTES_MAX = 64 * 1024 * 1024;
/** A large answer is rarely asked twice between two changes, and would push out many small ones. */
const ANSWER_BYTES_MAX = 512 * 1024;

export class AnswerCache {
  readonly #entries = new Map<string, { answer: Answer; version: number }>();
  #bytes = 0;

  /** The answer kept for the key if it is of this version. */
  get(key: string, version: number): Answer | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.version !== version) {
      this.#forget(key);
      return undefined;
    }
    return entry.answer;
  }

  set(key: string, version: number, answer: Answer): void {
    this.#forget(key);
    if (answer.bytes.length > ANSWER_BYTES_MAX) return;
    this.#entries.set(key, { answer, version });
    this.#bytes += answer.bytes.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= BYTES_MAX) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#bytes -= entry.answer.bytes.length;
    this.#entries.delete(key);
  }
}
