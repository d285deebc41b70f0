// A reader of a compressed stream that takes it write by write: zlib knows nothing of what is to come, and of what came
// before only what the same client was sent.
import assert from 'node:assert/strict';
import { constants, inflateRawSync } from 'node:zlib';

const WINDOW_BYTES = 32 * 1024;
const END = Buffer.of(0, 0, 0xff, 0xff);
const GZIP_HEAD_BYTES = 10;

export class Inflating {
  #window = Buffer.alloc(0);
  #waiting = Buffer.alloc(0);
  #headed: boolean;

  constructor(gzip: boolean) {
    this.#headed = !gzip;
  }

  /** What can be read now. */
  push(bytes: Uint8Array): Buffer {
    this.#waiting = Buffer.concat([this.#waiting, bytes]);
    if (!this.#headed) {
      assert.deepEqual(
        [...this.#waiting.subarray(0, 4)],
        [0x1f, 0x8b, 8, 0],
        'the first bytes are the head of a member',
      );
      this.#waiting = this.#waiting.subarray(GZIP_HEAD_BYTES);
      this.#headed = true;
    }
    // A large write arrives in two parts.
    if (!this.#waiting.subarray(-END.length).equals(END)) return Buffer.alloc(0);
    const text = inflateRawSync(this.#waiting, {
      finishFlush: constants.Z_SYNC_FLUSH,
      ...(this.#window.length === 0 ? {} : { dictionary: this.#window }),
    });
    this.#waiting = Buffer.alloc(0);
    this.#window = Buffer.concat([this.#window, text]).subarray(-WINDOW_BYTES);
    return text;
  }
}
