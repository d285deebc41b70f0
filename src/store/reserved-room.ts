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
/** About a millisecond. */
const AHEAD_BYTES = 2 ** 20;
/** Of room prepared for another commit: a first one can be many times as large as those that follow. */
const PREPARED_BYTES = 2 ** 24;
/** What LMDB adds to a key and its value. */
const ENTRY_BYTES = 16;

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
  /** Bytes that the next commit may need. */
  #need = 0;

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
   * @param ordered further writes, of each table in the order of its keys, and their bytes with the keys: however many
   *   they are, each page there is may be copied and split twice, and new ones are at least half full
   * @throws StorageFull
   */
  reserve(writes: number, bytes: number, { together = false, ordered = { writes: 0, bytes: 0 } } = {}): void {
    const page = this.#pageBytes;
    if (ordered.writes > 0) this.#end = this.#extent().end;
    const filled = 3 * this.#end + 2 * (ordered.bytes + ordered.writes * ENTRY_BYTES);
    const need =
      writes * PAGES_PER_WRITE * page +
      bytes +
      Math.min(ordered.writes * PAGES_PER_WRITE * page + ordered.bytes, filled);
    this.#extend(this.#endWith(need, together));
    this.#end += need;
    this.#need = Math.min(need, PREPARED_BYTES);
  }

  /**
   * Between transactions: a piece of the room for another commit like the last, as tens of MB at once take tens of
   * milliseconds. True if it has room, or if the disk has none: that is for reserve() to say.
   */
  prepare(): boolean {
    const end = this.#endWith(this.#need, false);
    try {
      this.#extend(Math.min(end, this.#size + AHEAD_BYTES));
    } catch (error) {
      if (error instanceof StorageFull) return true;
      throw error;
    }
    return this.#size >= end;
  }

  /** Further calls do nothing. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    closeSync(this.#file);
  }

  /** Where the file must end for a commit of so many bytes. */
  #endWith(need: number, together: boolean): number {
    const more = need + SPARE_PAGES * this.#pageBytes;
    if (this.#end + more > this.#size && !together) this.#end = this.#extent().end;
    return this.#end + more;
  }

  #extent(): { pageBytes: number; end: number } {
    const extent = extentOf(this.#file);
    if (extent === undefined) throw new Error('the head of a store in use is gone');
    return extent;
  }

  #extend(to: number): void {
    if (to <= this.#size) return;
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
