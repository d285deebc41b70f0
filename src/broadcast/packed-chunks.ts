// Chunks of compressed streams. Each is a piece of a raw deflate stream that ends on a whole byte, so that pieces
// follow each other in any client's stream. One packed alone refers to nothing before it and fits everywhere; what a
// group's live clients get in a tick refers to the ticks before it as long as all of them got the same.
import { constants, deflateRawSync } from 'node:zlib';
import type { Chunk } from './frame-writer.js';

/** Head of a gzip member: before the first piece. */
export const GZIP_HEAD = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3);
/** An empty stored block: every piece ends with its last four bytes, and alone it is a piece of nothing. */
export const EMPTY_PIECE = Buffer.of(0, 0, 0, 0xff, 0xff);

/** Higher levels save 1 % of the plain bytes for more CPU. */
const LEVEL = 1;
/** Of what was sent before: with all 32 KiB that deflate allows pieces are 0.2 % smaller, and take longer. */
const WINDOW_BYTES = 16 * 1024;
/** To set zlib up takes as long as copying many times this. */
const PACKED_FROM_BYTES = 512;
const STORED_LENGTHS = 0xffff;
const STORED_HEAD_BYTES = 5;

/** The bytes as they are, as a piece. */
export function storedPiece(bytes: Uint8Array): Buffer {
  const blocks = Math.ceil(bytes.length / STORED_LENGTHS);
  const piece = Buffer.allocUnsafe(bytes.length + blocks * STORED_HEAD_BYTES + EMPTY_PIECE.length);
  let to = 0;
  for (let from = 0; from < bytes.length; from += STORED_LENGTHS) {
    const part = bytes.subarray(from, from + STORED_LENGTHS);
    piece[to] = 0;
    piece.writeUInt16LE(part.length, to + 1);
    piece.writeUInt16LE(STORED_LENGTHS - part.length, to + 3);
    piece.set(part, to + STORED_HEAD_BYTES);
    to += STORED_HEAD_BYTES + part.length;
  }
  piece.set(EMPTY_PIECE, to);
  return piece;
}

/** As a piece that fits into any client's stream. */
export function packedAlone({ bytes, packed }: Chunk): Chunk {
  if (packed) return { bytes, frames: [bytes], packed };
  return chunkOf(bytes.length < PACKED_FROM_BYTES ? storedPiece(bytes) : deflated(bytes), bytes.length);
}

/** The live clients' common part of their streams. */
export class TickPacker {
  readonly #fromClients: number;
  /** The last bytes that all of them were sent. */
  readonly #window = Buffer.alloc(WINDOW_BYTES);
  #held = 0;

  /** @param fromClients with fewer clients ticks are sent as they are, which costs nothing */
  constructor(fromClients: number) {
    this.#fromClients = fromClients;
  }

  /** One of them was sent something that the others were not, or has just become one. */
  cut(): void {
    this.#held = 0;
  }

  /** The next chunk that all of them are sent. */
  next(chunk: Chunk, clients: number): Chunk {
    const { bytes } = chunk;
    if (clients < this.#fromClients) {
      this.#held = 0;
      return chunkOf(storedPiece(bytes), bytes.length);
    }
    const window = this.#held === 0 ? undefined : this.#window.subarray(WINDOW_BYTES - this.#held);
    const piece = deflated(bytes, window);
    this.#remember(bytes);
    return chunkOf(piece, bytes.length);
  }

  #remember(bytes: Uint8Array): void {
    const window = this.#window;
    if (bytes.length >= WINDOW_BYTES) window.set(bytes.subarray(bytes.length - WINDOW_BYTES));
    else {
      window.copyWithin(0, bytes.length);
      window.set(bytes, WINDOW_BYTES - bytes.length);
    }
    this.#held = Math.min(WINDOW_BYTES, this.#held + bytes.length);
  }
}

function deflated(bytes: Uint8Array, dictionary?: Uint8Array): Buffer {
  const options = { level: LEVEL, finishFlush: constants.Z_SYNC_FLUSH };
  return deflateRawSync(bytes, dictionary === undefined ? options : { ...options, dictionary });
}

function chunkOf(bytes: Buffer, made: number): Chunk {
  return { bytes, frames: [bytes], packed: true, made };
}
