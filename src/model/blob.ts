// A growing byte buffer that strings are written into one after another: the encoded parts of a delta's rows.
import type { Transient } from '../memory/transient.js';

const START_BYTES = 64 * 1024;

export class BlobWriter {
  #buffer = Buffer.allocUnsafe(START_BYTES);
  #length = 0;

  /** Appends the text as UTF-8 and returns how many bytes it took. */
  write(text: string): number {
    // Three bytes a UTF-16 unit is the most UTF-8 takes.
    this.#reserve(text.length * 3);
    const bytes = this.#buffer.write(text, this.#length);
    this.#length += bytes;
    return bytes;
  }

  /** Everything written since the last take; valid until the next write. */
  take(): Transient {
    const bytes = this.#buffer.subarray(0, this.#length) as Transient;
    this.#length = 0;
    return bytes;
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length + more));
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
  }
}
