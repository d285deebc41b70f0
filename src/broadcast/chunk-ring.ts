// The latest chunks of all sequences of frames that several clients are led through (snapshots, changes that many
// returning clients missed), for those that follow: in one ring buffer, as separate memory for each would leave the
// process large long after the sequences are gone.
import type { Chunk } from './frame-writer.js';

/** For all such sequences under way. Twenty clients that read a snapshot side by side are apart by about half of it. */
const RING_BYTES = 8 * 1024 * 1024;

/** A stored chunk. */
export interface StoredChunk {
  readonly rows: number;
  readonly length: number;
  /** End offsets of its frames, relative to its start. */
  readonly ends: readonly number[];
  readonly packed: true | undefined;
  /** Total bytes written before it. */
  readonly from: number;
}

export class ChunkRing {
  readonly #bytes: Buffer;
  /** Total bytes written, including those skipped at the end of the buffer. */
  #written = 0;

  constructor(bytes: number) {
    this.#bytes = Buffer.allocUnsafeSlow(bytes);
  }

  /** Null for a chunk too large to be stored. */
  keep({ bytes, frames, packed }: Chunk, rows: number): StoredChunk | null {
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
    return { rows, length: bytes.length, ends, packed, from };
  }

  /** The chunk as it was, valid until the next one is stored; undefined if it was overwritten. */
  read({ from, length, ends, packed, rows }: StoredChunk): (Chunk & { rows: number }) | undefined {
    const size = this.#bytes.length;
    if (this.#written - from > size) return undefined;
    const place = from % size;
    const bytes = this.#bytes.subarray(place, place + length);
    const frames = ends.map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1]!, end));
    return { bytes, frames, packed, rows };
  }
}

const ring = new ChunkRing(RING_BYTES);

/** The chunks of a sequence that are still stored. */
export class StoredChunks {
  readonly #chunks: (StoredChunk | null)[] = [];

  /** The chunk, stored or made again; valid until the next chunk of any sequence is requested. */
  chunk(index: number, make: (index: number) => Chunk & { rows: number }): Chunk & { rows: number } {
    const stored = this.#chunks[index];
    const known = stored == null ? undefined : ring.read(stored);
    if (known !== undefined) return known;
    const made = make(index);
    this.#chunks[index] = ring.keep(made, made.rows);
    return made;
  }
}
