// Byte strings that many rows share, one copy of each, outside the heap. Each has a number and a reference count, and
// is freed when nobody uses it any more.

import { withPlace } from './grown.js';

const START_BUCKETS = 1_024;
/** A power of two. */
const VIEWS_CACHED = 256;
/** Average byte strings per bucket before the number of buckets grows. */
const LOAD_MAX = 1;

export class BytePool {
  readonly #places = new ByteAllocator();
  /** By number; 0 means none. */
  #place = new Uint32Array(START_BUCKETS);
  #length = new Uint32Array(START_BUCKETS);
  #hash = new Uint32Array(START_BUCKETS);
  #uses = new Uint32Array(START_BUCKETS);
  /** The next entry of the same bucket. */
  #next = new Uint32Array(START_BUCKETS);
  /** First entry of each bucket; the number of buckets is a power of two. */
  #buckets = new Uint32Array(START_BUCKETS);
  readonly #free: number[] = [];
  #last = 0;
  /** Views copied recently, and their numbers: consecutive rows have byte strings in common. */
  readonly #views: Uint8Array[] = [];
  readonly #viewOf = new Uint32Array(VIEWS_CACHED);

  /** Bytes in use. */
  get bytes(): number {
    return this.#places.bytes;
  }

  /** Number of distinct byte strings. */
  get count(): number {
    return this.#last - this.#free.length;
  }

  /** Number of the byte string; its reference count goes up by one. */
  take(source: Uint8Array, from: number, end: number): number {
    const hash = hashOf(source, from, end);
    let no = this.#buckets[hash & (this.#buckets.length - 1)]!;
    while (no !== 0 && !(this.#hash[no] === hash && this.#is(no, source, from, end))) no = this.#next[no]!;
    if (no === 0) no = this.#add(hash, source, from, end);
    this.#uses[no]!++;
    return no;
  }

  /** Adds a reference to the byte string of this number. */
  again(no: number): number {
    this.#uses[no]!++;
    return no;
  }

  /** Drops a reference. */
  giveBack(no: number): void {
    if (no === 0 || --this.#uses[no]! > 0) return;
    const bucket = this.#hash[no]! & (this.#buckets.length - 1);
    let at = this.#buckets[bucket]!;
    if (at === no) this.#buckets[bucket] = this.#next[no]!;
    else {
      while (this.#next[at] !== no) at = this.#next[at]!;
      this.#next[at] = this.#next[no]!;
    }
    this.#places.free(this.#place[no]!, this.#length[no]!);
    if (this.#viewOf[no & (VIEWS_CACHED - 1)] === no) this.#viewOf[no & (VIEWS_CACHED - 1)] = 0;
    this.#free.push(no);
  }

  length(no: number): number {
    return this.#length[no]!;
  }

  /** Copies the byte string to `target` and returns the offset behind it. */
  copy(no: number, target: Uint8Array, at: number): number {
    const slot = no & (VIEWS_CACHED - 1);
    let view = this.#views[slot]!;
    if (this.#viewOf[slot] !== no) {
      view = this.#places.view(this.#place[no]!, this.#length[no]!);
      this.#views[slot] = view;
      this.#viewOf[slot] = no;
    }
    target.set(view, at);
    return at + view.length;
  }

  text(no: number): string {
    const place = this.#place[no]!;
    const from = this.#places.offset(place);
    return this.#places.chunk(place).toString('utf8', from, from + this.#length[no]!);
  }

  #is(no: number, source: Uint8Array, from: number, end: number): boolean {
    if (this.#length[no] !== end - from) return false;
    const place = this.#place[no]!;
    const at = this.#places.offset(place);
    return this.#places.chunk(place).compare(source, from, end, at, at + end - from) === 0;
  }

  #add(hash: number, source: Uint8Array, from: number, end: number): number {
    if (this.count >= this.#buckets.length * LOAD_MAX) this.#spread();
    const no = this.#free.pop() ?? ++this.#last;
    this.#place = withPlace(this.#place, no);
    this.#length = withPlace(this.#length, no);
    this.#hash = withPlace(this.#hash, no);
    this.#uses = withPlace(this.#uses, no);
    this.#next = withPlace(this.#next, no);
    const place = this.#places.take(end - from);
    this.#places.chunk(place).set(source.subarray(from, end), this.#places.offset(place));
    this.#place[no] = place;
    this.#length[no] = end - from;
    this.#hash[no] = hash;
    this.#uses[no] = 0;
    this.#enter(no);
    return no;
  }

  #enter(no: number): void {
    const bucket = this.#hash[no]! & (this.#buckets.length - 1);
    this.#next[no] = this.#buckets[bucket]!;
    this.#buckets[bucket] = no;
  }

  #spread(): void {
    const before = this.#buckets;
    this.#buckets = new Uint32Array(before.length * 2);
    for (const first of before)
      for (let no = first; no !== 0; ) {
        const next = this.#next[no]!;
        this.#enter(no);
        no = next;
      }
  }
}

/** FNV-1a. */
function hashOf(bytes: Uint8Array, from: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let i = from; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193);
  // Only its low bits choose the bucket.
  return (hash ^ (hash >>> 15)) >>> 0;
}

// An allocator for byte strings that come and go, in large chunks: a freed place is used again for one of the same
// size. The garbage collector has nothing to follow in it.

const STEP_SHIFT = 5;
/** Sizes are rounded up to a multiple of it. */
const STEP = 1 << STEP_SHIFT;
/** Places are counted in steps, so that 32 bits reach over 128 GiB. */
const CHUNK_SHIFT = 18;
const CHUNK_MASK = (1 << CHUNK_SHIFT) - 1;
const CHUNK_BYTES = 256 * 1024;

class ByteAllocator {
  readonly #chunks: Buffer[] = [];
  readonly #memories: ArrayBufferLike[] = [];
  #used = CHUNK_BYTES;
  /** Freed places by size, in steps. */
  readonly #free: number[][] = [];

  /** Bytes allocated, including freed places. */
  get bytes(): number {
    return this.#chunks.length * CHUNK_BYTES;
  }

  /** A place for this many bytes, at most 8 MiB; its contents are undefined. */
  take(bytes: number): number {
    const free = this.#free[(bytes + STEP - 1) >>> STEP_SHIFT];
    if (free !== undefined && free.length > 0) return free.pop()!;
    const room = roomOf(bytes);
    if (this.#used + room > CHUNK_BYTES) {
      const chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, room));
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
function roomOf(bytes: number): number {
  return ((bytes + STEP - 1) >>> STEP_SHIFT) << STEP_SHIFT;
}
