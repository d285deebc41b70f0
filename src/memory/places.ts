// Memory for many pieces of bytes that come and go, in large chunks: a place that was freed is used again for one of the
// same size. What lies in it is nothing a collector has to follow.

const STEP_SHIFT = 5;
/** Rooms are multiples of it. */
const STEP = 1 << STEP_SHIFT;
/** Places are counted in steps: 32 bits of them reach over 128 GiB. */
const CHUNK_SHIFT = 18;
const CHUNK_MASK = (1 << CHUNK_SHIFT) - 1;
const CHUNK_BYTES = STEP << CHUNK_SHIFT;

export class Places {
  readonly #chunks: Buffer[] = [];
  readonly #memories: ArrayBufferLike[] = [];
  readonly #chunkBytes: number;
  #used: number;
  /** Freed places by room, in steps. */
  readonly #free: number[][] = [];

  /** @param chunkBytes of memory taken at once, where less than 8 MiB of it are expected to be enough */
  constructor(chunkBytes = CHUNK_BYTES) {
    this.#chunkBytes = chunkBytes;
    this.#used = chunkBytes;
  }

  /** Bytes held, free ones included. */
  get bytes(): number {
    return this.#chunks.length * this.#chunkBytes;
  }

  /** A place with room for so many bytes, at most 8 MiB; whatever is in it. */
  take(bytes: number): number {
    const free = this.#free[(bytes + STEP - 1) >>> STEP_SHIFT];
    if (free !== undefined && free.length > 0) return free.pop()!;
    const room = roomOf(bytes);
    if (this.#used + room > this.#chunkBytes) {
      const chunk = Buffer.allocUnsafeSlow(Math.max(this.#chunkBytes, room));
      this.#chunks.push(chunk);
      this.#memories.push(chunk.buffer);
      this.#used = 0;
    }
    const place = (this.#chunks.length - 1) * (1 << CHUNK_SHIFT) + (this.#used >>> STEP_SHIFT);
    this.#used += room;
    return place;
  }

  /** @param bytes as it was taken with, or the room of as many */
  free(place: number, bytes: number): void {
    const size = (bytes + STEP - 1) >>> STEP_SHIFT;
    let free = this.#free[size];
    if (free === undefined) {
      free = [];
      this.#free[size] = free;
    }
    free.push(place);
  }

  /** Where it lies: in this memory, … */
  chunk(place: number): Buffer {
    return this.#chunks[place >>> CHUNK_SHIFT]!;
  }

  /**
   * A view of what lies there, to be copied at once. Made of the memory itself, and not as part of the chunk's view: that
   * takes twice as long, and a page is made of fifty.
   */
  view(place: number, bytes: number): Uint8Array {
    return new Uint8Array(this.#memories[place >>> CHUNK_SHIFT]!, this.offset(place), bytes);
  }

  /** … from here on. */
  offset(place: number): number {
    return (place & CHUNK_MASK) << STEP_SHIFT;
  }
}

/** Bytes that are set apart for so many. */
export function roomOf(bytes: number): number {
  return ((bytes + STEP - 1) >>> STEP_SHIFT) << STEP_SHIFT;
}
