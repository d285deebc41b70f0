// An allocator for byte strings that come and go, in large chunks: a freed place is used again for one of the same
// size. The garbage collector has nothing to follow in it.

const STEP_SHIFT = 5;
/** Sizes are rounded up to a multiple of it. */
const STEP = 1 << STEP_SHIFT;
/** Places are counted in steps, so that 32 bits reach over 128 GiB. */
const CHUNK_SHIFT = 18;
const CHUNK_MASK = (1 << CHUNK_SHIFT) - 1;
const CHUNK_BYTES = STEP << CHUNK_SHIFT;

export class ByteAllocator {
  readonly #chunks: Buffer[] = [];
  readonly #memories: ArrayBufferLike[] = [];
  readonly #chunkBytes: number;
  #used: number;
  /** Freed places by size, in steps. */
  readonly #free: number[][] = [];

  /** @param chunkBytes size of the first chunk, if less than 8 MiB is expected to be enough */
  constructor(chunkBytes = CHUNK_BYTES) {
    this.#chunkBytes = chunkBytes;
    this.#used = chunkBytes;
  }

  /** Bytes allocated, including freed places. */
  get bytes(): number {
    return this.#chunks.length * this.#chunkBytes;
  }

  /** A place for this many bytes, at most 8 MiB; its contents are undefined. */
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

  /** @param bytes the size it was allocated with, or any size that rounds up to the same */
  free(place: number, bytes: number): void {
    const size = (bytes + STEP - 1) >>> STEP_SHIFT;
    let free = this.#free[size];
    if (free === undefined) {
      free = [];
      this.#free[size] = free;
    }
    free.push(place);
  }

  /** The memory in which the place lies … */
  chunk(place: number): Buffer {
    return this.#chunks[place >>> CHUNK_SHIFT]!;
  }

  /**
   * A view of the place, to be copied at once. It is made from the ArrayBuffer and not with subarray() of the chunk,
   * which takes twice as long; a page makes fifty of them.
   */
  view(place: number, bytes: number): Uint8Array {
    return new Uint8Array(this.#memories[place >>> CHUNK_SHIFT]!, this.offset(place), bytes);
  }

  /** … and its offset there. */
  offset(place: number): number {
    return (place & CHUNK_MASK) << STEP_SHIFT;
  }
}

/** Bytes reserved for a value of this size. */
export function roomOf(bytes: number): number {
  return ((bytes + STEP - 1) >>> STEP_SHIFT) << STEP_SHIFT;
}
