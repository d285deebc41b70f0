// A sequence of frames: pieces of a stream that lead a client from one position to another, encoded as its socket
// accepts them. Its contents are fixed when it is made; the rows' bytes are those of the moment a piece is encoded, and
// whatever changed in between follows in the next sequence (section-frames.ts).

import type { NewsWalk, OpportunityNews } from '../answers/opportunities/views.js';
import type { FrameEncoder, FramePosition } from './frame-encoder.js';
import type { Chunk } from './frame-writer.js';
import type { ItemNews } from './keyed-channels.js';
import type { ItemWalk } from './keyed-items.js';
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
export function sharedFrames(frames: ChangeFrames, encoder: FrameEncoder): ChangeFrames {
  const stored = new StoredChunks();
  const make = (index: number): Chunk & { rows: number } => {
    const chunk = frames.chunk(index);
    return encoder.packing === null ? chunk : { ...packedAlone(chunk), rows: chunk.rows };
  };
  return {
    upTo: frames.upTo,
    get chunks() {
      return frames.chunks;
    },
    lost: (index) => frames.lost(index),
    chunk: (index) => stored.chunk(index, make),
  };
}

// The latest chunks of all sequences of frames that several clients are led through (snapshots, changes that many
// returning clients missed), for those that follow: in one ring buffer, as separate memory for each would leave the
// process large long after the sequences are gone.

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

// Changes other than odds that streams are sent, as ids: listed, or looked up piece by piece.

/** Changes other than odds. */
export interface News {
  opportunities: readonly OpportunityNews[];
  items: readonly ItemNews[];
}

export const NO_NEWS: News = { opportunities: [], items: [] };

export interface NewsWalks {
  opportunities: readonly NewsWalk[];
  items: readonly ItemWalk[];
}

/** Everything other than odds: the complete list, and the same looked up piece by piece. */
export interface NewsSource {
  all(): News;
  walks(): NewsWalks;
}

export const NO_NEWS_SOURCE: NewsSource = { all: () => NO_NEWS, walks: () => NO_NEWS_WALKS };

const NO_NEWS_WALKS: NewsWalks = { opportunities: [], items: [] };

export function countOf({ opportunities, items }: News): number {
  let count = 0;
  for (const { detected, expired } of opportunities) count += detected.length + expired.length;
  for (const { ids } of items) count += ids.length;
  return count;
}
