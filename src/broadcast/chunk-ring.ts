// The latest pieces of all sequences of frames that several clients are led through (snapshots, what many missed that come back at
// once), for those that follow: in one memory that is written round and round, as memory of a size each would leave the
// process large long after the sequences of frames are gone.
import type { Chunk } from './frame-writer.js';

/** For all such sequences of frames under way. Twenty clients that read a snapshot side by side are apart by about half of it. */
const RING_BYTES = 8 * 1024 * 1024;

/** A piece that was kept. */
export interface KeptChunk {
  readonly rows: number;
  readonly length: number;
  /** Ends of its frames, from its beginning. */
  readonly ends: readonly number[];
  /** Bytes ever written when it was. */
  readonly from: number;
}

export class ChunkRing {
  readonly #bytes: Buffer;
  /** Bytes ever written, those passed over at the end of the memory among them. */
  #written = 0;

  constructor(bytes: number) {
    this.#bytes = Buffer.allocUnsafeSlow(bytes);
  }

  /** Null for a piece too large to be kept. */
  keep({ bytes, frames }: Chunk, rows: number): KeptChunk | null {
    const size = this.#bytes.length;
    if (bytes.length > size / 4) return null;
    const place = this.#written % size;
    if (place + bytes.length > size) this.#written += size - place;
    const from = this.#written;
    this.#bytes.set(bytes, from % size);
    this.#written += bytes.length;
    let end = 0;
    const ends = frames.map((frame) => {
      end += frame.length;
      return end;
    });
    return { rows, length: bytes.length, ends, from };
  }

  /** The piece as it was, valid until the next one is kept; undefined where others took its place. */
  read({ from, length, ends, rows }: KeptChunk): (Chunk & { rows: number }) | undefined {
    const size = this.#bytes.length;
    if (this.#written - from > size) return undefined;
    const place = from % size;
    const bytes = this.#bytes.subarray(place, place + length);
    const frames = ends.map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1]!, end));
    return { bytes, frames, rows };
  }
}

const ring = new ChunkRing(RING_BYTES);

/** The pieces of a sequence of frames that are still kept. */
export class KeptChunks {
  readonly #kept: (KeptChunk | null)[] = [];

  /** The piece as it was made, or made anew; valid until the next piece of any sequence of frames is asked for. */
  chunk(index: number, make: (index: number) => Chunk & { rows: number }): Chunk & { rows: number } {
    const kept = this.#kept[index];
    const known = kept == null ? undefined : ring.read(kept);
    if (known !== undefined) return known;
    const made = make(index);
    this.#kept[index] = ring.keep(made, made.rows);
    return made;
  }
}
