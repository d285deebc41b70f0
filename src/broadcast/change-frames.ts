// A sequence of frames: pieces of a stream that lead a client from one position to another, encoded as its socket
// accepts them. Its contents are fixed when it is made; the rows' bytes are those of the moment a piece is encoded, and
// whatever changed in between follows in the next sequence (section-frames.ts).
import { StoredChunks } from './chunk-ring.js';
import type { FrameEncoder, FramePosition } from './frame-encoder.js';
import type { Chunk } from './frame-writer.js';
import { packedAlone } from './packed-chunks.js';

export interface ChangeFrames {
  /**
   * Number known so far; a sequence that looks its contents up has more as they are requested, until the last one was.
   */
  readonly chunks: number;
  /** True if what follows in a chunk, or after it, has been dropped meanwhile: its reader must start again. */
  lost(index: number): boolean;
  /** True while a part of the chunk is being fetched; the broadcaster ticks when it has arrived. */
  waits?(index: number): boolean;
  /** Valid until the next chunk of any sequence of frames is requested; `rows` counts whole rows of a snapshot. */
  chunk(index: number): Chunk & { rows: number };
  /** Position up to which the client is complete at the end. */
  readonly upTo: number;
}

/** The sizes of a stream's parts. */
export interface CutSizes {
  /** Maximum rows of a snapshot handed to a socket at a time, and in one frame; the specification's limit is 1000. */
  snapshotRows: number;
  /** Maximum items of one event. */
  items: { removed: number; updated: number; added: number; news: number };
  /**
   * Maximum bytes of one event, and of what a socket is handed at a time: all that is held for a client that stops
   * reading.
   */
  chunkBytes: number;
  /** Bytes that one turn of the event loop may hand out of snapshots and missed changes, to all clients together. */
  turnBytes: number;
  /** Maximum entries that a sequence of frames lists (8 bytes each): rows, and ids of everything else. */
  listed: { rows: number; ids: number };
}

export const CUT_SIZES: CutSizes = {
  snapshotRows: 500,
  items: { removed: 1_000, updated: 1_000, added: 400, news: 250 },
  chunkBytes: 48 * 1024,
  turnBytes: 2 * 1024 * 1024,
  listed: { rows: 3_000, ids: 1_000 },
};

/** The positions of a sequence's events: the last one states the client's position after it. */
export interface FramePositions {
  between: FramePosition;
  last: FramePosition;
}

/** A sequence of frames that several clients are led through one after the other. */
export class SharedFrames implements ChangeFrames {
  readonly #changeFrames: ChangeFrames;
  readonly #chunks = new StoredChunks();
  readonly #make: (index: number) => Chunk & { rows: number };

  constructor(changeFrames: ChangeFrames, encoder: FrameEncoder) {
    this.#changeFrames = changeFrames;
    this.#make = (index) => {
      const chunk = changeFrames.chunk(index);
      return encoder.packing === null ? chunk : { ...packedAlone(chunk), rows: chunk.rows };
    };
  }

  get upTo(): number {
    return this.#changeFrames.upTo;
  }

  get chunks(): number {
    return this.#changeFrames.chunks;
  }

  lost(index: number): boolean {
    return this.#changeFrames.lost(index);
  }

  chunk(index: number): Chunk & { rows: number } {
    return this.#chunks.chunk(index, this.#make);
  }
}
