// Answers kept between two changes: the same question gets the same bytes until something it could show has changed.
// Bounded in bytes; the oldest unused goes first.
import type { Answer } from './page.js';

const BYTES_MAX = 64 * 1024 * 1024;
/** A large answer is rarely asked twice between two changes, and would push out many small ones. */
const ANSWER_BYTES_MAX = 512 * 1024;
/** Remembered a generation: about as many as answers are kept, for what comes back later is no longer there. */
const ASKED_MAX = 1_000;

export class AnswerCache {
  /** Questions asked lately, in two generations: those of the old one are forgotten together. */
  #asked = new Set<string>();
  #askedBefore = new Set<string>();
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

  /**
   * Whether the question was asked before, so that its answer is worth keeping; it counts as asked from now on. Most of
   * what is asked once is never asked again.
   */
  expects(key: string): boolean {
    if (this.#asked.has(key)) return true;
    if (this.#asked.size >= ASKED_MAX) {
      this.#askedBefore = this.#asked;
      this.#asked = new Set();
    }
    this.#asked.add(key);
    return this.#askedBefore.has(key);
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
