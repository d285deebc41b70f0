// A growing buffer for frames: text, rows' bytes, numbers. One is reused for every tick.
import { ID_LENGTH, type IdColumn } from '../tables/id-column.js';
import { PRICE_LENGTH_MAX } from '../tables/price-writer.js';
import type { RowComposer } from '../tables/row-composer.js';

const START_BYTES = 256 * 1024;
/** After one huge tick the buffer shrinks back to a normal size. */
const KEEP_BYTES = 8 * 1024 * 1024;

/** Frames for a socket: all of them in one buffer, and each separately if the transport sends messages. */
export interface Chunk {
  readonly bytes: Buffer;
  /** Views of `bytes`; empty if the transport is one flow of bytes (SSE). */
  readonly frames: readonly Buffer[];
  /** A piece of a compressed stream. */
  readonly packed?: true | undefined;
  /** Number of bytes that were encoded and compressed for it just now. */
  readonly made?: number | undefined;
}

export class FrameWriter {
  #buffer = Buffer.allocUnsafeSlow(START_BYTES);
  #length = 0;
  readonly #ends: number[] = [];

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

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  id(ids: IdColumn, slot: number): void {
    this.#reserve(ID_LENGTH);
    this.#length = ids.write(slot, this.#buffer, this.#length);
  }

  row(json: RowComposer, slot: number): void {
    this.#reserve(json.lengthMax(slot));
    this.#length = json.copyRow(slot, this.#buffer, this.#length);
  }

  /** Removes the last bytes. */
  dropLast(bytes: number): void {
    this.#length -= bytes;
  }

  delta(json: RowComposer, slot: number): void {
    this.#reserve(PRICE_LENGTH_MAX);
    this.#length = json.copyDelta(slot, this.#buffer, this.#length);
  }

  /** Removes what was written after `length` and returns it as text. */
  takeBack(length: number): string {
    const text = this.#buffer.toString('utf8', length, this.#length);
    this.#length = length;
    return text;
  }

  /** A message ends here. */
  endFrame(): void {
    this.#ends.push(this.#length);
  }

  /** What was written so far; valid until the next write. */
  chunk(): Chunk {
    return chunkOf(this.#buffer.subarray(0, this.#length), this.#ends);
  }

  /** A copy that lasts. */
  copy(): Chunk {
    return chunkOf(Buffer.from(this.#buffer.subarray(0, this.#length)), this.#ends);
  }

  reset(): void {
    this.#length = 0;
    this.#ends.length = 0;
    if (this.#buffer.length > KEEP_BYTES) this.#buffer = Buffer.allocUnsafeSlow(START_BYTES);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, this.#length + more));
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
  }
}

function chunkOf(bytes: Buffer, ends: readonly number[]): Chunk {
  if (ends.length === 1) return { bytes, frames: [bytes] };
  return { bytes, frames: ends.map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1]!, end)) };
}
