// A sequence of frames: pieces of a stream that lead a client from one position to another, encoded as its socket takes them.
// What a sequence of frames tells of is fixed when it is made; the rows' bytes are those of the moment a piece is encoded, and
// whatever changed in between follows in the next. A short one lists what it tells of (listed-frames.ts), a long
// one looks it up as it goes (walk-frames.ts): what a client holds that stops reading does not grow with what it misses.
import { KeptChunks } from './chunk-ring.js';
import type { Standing } from './frame-encoder.js';
import type { Chunk } from './frame-writer.js';

export interface ChangeFrames {
  /** Known to be; one that looks up what it tells of has more as they are asked for, until the last one was. */
  readonly chunks: number;
  /** True where what follows in a chunk, or after it, has been forgotten meanwhile: its reader must begin anew. */
  lost(index: number): boolean;
  /** True while something is asked for that a chunk shows; the broadcaster ticks when it has come. */
  waits?(index: number): boolean;
  /** Valid until the next chunk of any sequence of frames is asked for; `rows` counts whole rows of a snapshot. */
  chunk(index: number): Chunk & { rows: number };
  /** Position the client is complete up to at the end. */
  readonly upTo: number;
}

/** How a stream is cut. */
export interface CutSizes {
  /** Rows of a snapshot handed to a socket at a time, and in one frame, at most; the spec's limit is 1000. */
  snapshotRows: number;
  /** Items of one event at most. */
  items: { removed: number; updated: number; added: number; news: number };
  /** Of one event, and of what a socket is handed at a time, at most: all that a client that stops reading makes us hold. */
  chunkBytes: number;
  /** What one turn of the event loop may hand out of snapshots and of what was missed, to all clients together. */
  turnBytes: number;
  /** What a sequence of frames lists at most (8 bytes each): rows, and ids of all else. */
  listed: { rows: number; ids: number };
}

export const CUT_SIZES: CutSizes = {
  snapshotRows: 500,
  items: { removed: 1_000, updated: 1_000, added: 400, news: 250 },
  chunkBytes: 48 * 1024,
  turnBytes: 2 * 1024 * 1024,
  listed: { rows: 3_000, ids: 1_000 },
};

/** How the events of a sequence of frames stand: the last one tells where the client is then. */
export interface Standings {
  between: Standing;
  last: Standing;
}

/** A sequence of frames that many are led through one after the other. */
export class KeptFrames implements ChangeFrames {
  readonly #changeFrames: ChangeFrames;
  readonly #kept = new KeptChunks();
  readonly #make: (index: number) => Chunk & { rows: number };

  constructor(changeFrames: ChangeFrames) {
    this.#changeFrames = changeFrames;
    this.#make = (index) => changeFrames.chunk(index);
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
    return this.#kept.chunk(index, this.#make);
  }
}
