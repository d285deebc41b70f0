// A compressed answer whose end can be exchanged: the times of sending are at the end of an answer, in a block of their
// own that is stored as it is. So an answer is compressed once, however often it is sent.
import { crc32 } from 'node:zlib';
import type { Transient } from '../../base/memory/transient.js';
import type { Coding } from './accept-encoding.js';

const GZIP_HEAD = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3);
/** The last block, and that it is stored; its length and the complement of that follow. */
const STORED_BYTES = 5;
const STORED_LENGTHS = 0xffff;
/** The checksum and the length of what was compressed. */
const TRAILER_BYTES = 8;
/** Brotli's header of a block that is stored, and its empty last block. */
const META_BYTES = 3;
const BROTLI_END = Uint8Array.of(3);

export class PackedAnswer {
  readonly coding: Coding;
  readonly #bytes: Transient;
  readonly #tailAt: number;
  readonly #tailLength: number;
  /** Checksum of what is before the end. */
  readonly #crc: number;

  /**
   * @param body everything before the end, uncompressed
   * @param packed the same compressed and flushed: a raw deflate stream for gzip, else Brotli
   * @param tailLength of the end
   */
  constructor(coding: Coding, body: Uint8Array, packed: Uint8Array, tailLength: number) {
    if (tailLength > STORED_LENGTHS) throw new RangeError(`${tailLength} bytes are more than one stored block`);
    this.coding = coding;
    this.#tailLength = tailLength;
    const space = Buffer.alloc(tailLength);
    if (coding === 'gzip') {
      const block = Buffer.alloc(STORED_BYTES, 1);
      block.writeUInt16LE(tailLength, 1);
      block.writeUInt16LE(STORED_LENGTHS - tailLength, 3);
      const trailer = Buffer.alloc(TRAILER_BYTES);
      trailer.writeUInt32LE((body.length + tailLength) >>> 0, 4);
      this.#crc = crc32(body);
      this.#tailAt = GZIP_HEAD.length + packed.length + STORED_BYTES;
      this.#bytes = Buffer.concat([GZIP_HEAD, packed, block, space, trailer]) as Transient;
    } else {
      // Not the last block, four nibbles of length, stored; then zeros up to the next byte.
      const block = Buffer.alloc(tailLength === 0 ? 0 : META_BYTES);
      if (tailLength > 0) block.writeUIntLE(((tailLength - 1) << 3) | (1 << 19), 0, META_BYTES);
      this.#crc = 0;
      this.#tailAt = packed.length + block.length;
      this.#bytes = Buffer.concat([packed, block, space, BROTLI_END]) as Transient;
    }
  }

  /** With another end of the same length; valid until the next call. */
  with(tail: Uint8Array): Transient {
    if (tail.length !== this.#tailLength) throw new RangeError('the end has another length');
    this.#bytes.set(tail, this.#tailAt);
    if (this.coding === 'gzip') {
      // Of no bytes without a place in memory zlib gives the checksum of nothing at all.
      const crc = tail.length === 0 ? this.#crc : crc32(tail, this.#crc);
      this.#bytes.writeUInt32LE(crc, this.#tailAt + tail.length);
    }
    return this.#bytes;
  }
}
