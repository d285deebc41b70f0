// A growing buffer that frames are written into: text, rows' bytes, numbers. One is used again for every tick.
import type { RowBytes } from '../table/row-bytes.js';

const START_BYTES = 256 * 1024;
/** After one huge tick the buffer goes back to a normal size. */
const KEEP_BYTES = 8 * 1024 * 1024;

export class FrameWriter {
  #buffer = Buffer.allocUnsafeSlow(START_BYTES);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Plain ASCII (protocol text, numbers, ids). */
  ascii(text: string): void {
    this.#reserve(text.length);
    this.#length += this.#buffer.write(text, this.#length, 'latin1');
  }

  utf8(text: string): void {
    this.#reserve(text.length * 3);
    this.#length += this.#buffer.write(text, this.#length);
  }

  row(bytes: RowBytes, slot: number): void {
    this.#reserve(bytes.length(slot));
    this.#length = bytes.copyRow(slot, this.#buffer, this.#length);
  }

  delta(bytes: RowBytes, slot: number): void {
    this.#reserve(bytes.length(slot));
    this.#length = bytes.copyDelta(slot, this.#buffer, this.#length);
  }

  /** Takes back what was written after `length`. */
  rewind(length: number): void {
    this.#length = length;
  }

  /** What was written so far; valid until the next write. */
  view(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  reset(): void {
    this.#length = 0;
    if (this.#buffer.length > KEEP_BYTES) this.#buffer = Buffer.allocUnsafeSlow(START_BYTES);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, this.#length + more));
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
  }
}
