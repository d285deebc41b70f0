// Room for a commit, taken before it: the store's file is extended with zeros to beyond what the commit can write, so
// that a full disk refuses that and never one of LMDB's own writes. After a refused page LMDB writes its message past the
// memory it has for it, and the process dies of that, then or later.
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { extentOf } from './data-file.js';
import { isNoRoom, StorageFull } from './storage-error.js';

/** A write copies its leaf page and may split it. */
const PAGES_PER_WRITE = 2;
/** Branch pages, and the list of free ones: also what a commit needs that only removes. */
const SPARE_PAGES = 64;
const GROWTH_BYTES = 2 ** 18;

/** Of one value, to be run within a transaction. */
export interface Write {
  bytes: number;
  run(): void;
}

let zeros: Buffer | undefined;

export class ReservedRoom {
  readonly #file: number;
  /** Of the file. */
  #size: number;
  #closed = false;
  readonly #pageBytes: number;
  /** Upper bound of where pages in use end. */
  #end: number;

  /** @param dir contains an LMDB store that this thread alone writes */
  constructor(dir: string) {
    this.#file = openSync(join(dir, 'data.mdb'), 'r+');
    this.#size = fstatSync(this.#file).size;
    const { pageBytes, end } = this.#extent();
    this.#pageBytes = pageBytes;
    this.#end = end;
  }

  /**
   * To be called before a transaction of so many writes (removals too) of so many bytes.
   * @param together the transaction has begun, with other writes
   * @throws StorageFull
   */
  reserve(writes: number, bytes: number, together = false): void {
    const need = writes * PAGES_PER_WRITE * this.#pageBytes + bytes;
    const spare = SPARE_PAGES * this.#pageBytes;
    if (this.#end + need + spare > this.#size && !together) this.#end = this.#extent().end;
    this.#extend(this.#end + need + spare);
    this.#end += need;
  }

  /** Further calls do nothing. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    closeSync(this.#file);
  }

  #extent(): { pageBytes: number; end: number } {
    const extent = extentOf(this.#file);
    if (extent === undefined) throw new Error('the head of a store in use is gone');
    return extent;
  }

  #extend(to: number): void {
    if (to <= this.#size) return;
    // What the store has written beyond stays.
    this.#size = fstatSync(this.#file).size;
    zeros ??= Buffer.alloc(GROWTH_BYTES);
    const end = Math.ceil(to / GROWTH_BYTES) * GROWTH_BYTES;
    try {
      while (this.#size < end)
        this.#size += writeSync(this.#file, zeros, 0, Math.min(GROWTH_BYTES, end - this.#size), this.#size);
    } catch (error) {
      if (this.#size >= to) return;
      throw isNoRoom(error) ? new StorageFull(error) : error;
    }
  }
}

export function bytesIn(entries: readonly { bytes: Uint8Array | number }[]): number {
  return entries.reduce((sum, { bytes }) => sum + (typeof bytes === 'number' ? bytes : bytes.length), 0);
}

/** Of keys and values alternately. */
export function valueBytes(entries: readonly (string | number | Uint8Array)[]): number {
  return entries.reduce<number>((sum, entry) => sum + (entry instanceof Uint8Array ? entry.length : 0), 0);
}
