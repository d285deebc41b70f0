// Room for a commit, taken before it: the store's file is extended with zeros to beyond what the commit can write, so
// that a full disk refuses that and never one of LMDB's own writes. After a refused page LMDB writes its message past the
// memory it has for it, and the process dies of that, then or later.
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from 'lmdb';
import { isNoRoom, StorageFull } from '../base/model/storage-error.js';
import { extentOf } from './data-file.js';
import type { TableStats } from './lmdb-table.js';
import type { Root } from './open-store.js';

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

export class ReservedSpace {
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
    for (const _piece of this.#reserving(writes, bytes, together));
  }

  /** As reserve(), with turns of the thread between. */
  async reserveInPieces(writes: number, bytes: number): Promise<void> {
    for (const _piece of this.#reserving(writes, bytes, false)) await nextTurn();
  }

  *#reserving(writes: number, bytes: number, together: boolean): Iterable<void> {
    const need = writes * PAGES_PER_WRITE * this.#pageBytes + bytes;
    const spare = SPARE_PAGES * this.#pageBytes;
    if (this.#end + need + spare > this.#size && !together) this.#end = this.#extent().end;
    yield* this.#extend(this.#end + need + spare);
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

  *#extend(to: number): Iterable<void> {
    if (to <= this.#size) return;
    // What the store has written beyond stays.
    this.#size = fstatSync(this.#file).size;
    zeros ??= Buffer.alloc(GROWTH_BYTES);
    const end = Math.ceil(to / GROWTH_BYTES) * GROWTH_BYTES;
    try {
      for (; this.#size < end; yield)
        this.#size += writeSync(this.#file, zeros, 0, Math.min(GROWTH_BYTES, end - this.#size), this.#size);
    } catch (error) {
      if (this.#size >= to) return;
      throw isNoRoom(error) ? new StorageFull(error) : error;
    }
  }
}

/** Of a page: its own head; of each entry: a head and a place in the page's list. */
const PAGE_HEAD_BYTES = 16;
const ENTRY_HEAD_BYTES = 8 + 2;
/** Entries of a branch page at least, all but the top ones: keys are short. */
const BRANCH_MIN = 64;

/**
 * What reserve() must count for so many puts and removals of entries of one small size (bytes of key and value): where
 * they are many, they share pages. Each leaf that is there may be copied and split once; before a page splits again, half
 * of its entries are new. To be called before the transaction.
 */
export function sharedWrites(
  root: Root,
  table: Pick<Database, 'getStats'>,
  writes: number,
  entryBytes: number,
): number {
  // Of the last commit, whatever this thread has read since when.
  root.resetReadTxn();
  const { pageSize, treeDepth, treeLeafPageCount } = table.getStats() as TableStats;
  const entries = Math.floor((pageSize - PAGE_HEAD_BYTES) / (entryBytes + ENTRY_HEAD_BYTES));
  const leaves = 2 * treeLeafPageCount + Math.ceil((2 * writes) / entries) + 2;
  const pages = leaves + Math.ceil(leaves / BRANCH_MIN) + 2 * (treeDepth + 1);
  return Math.min(writes, Math.ceil(pages / PAGES_PER_WRITE));
}

export function bytesIn(entries: readonly { bytes: Uint8Array | number }[]): number {
  return entries.reduce((sum, { bytes }) => sum + (typeof bytes === 'number' ? bytes : bytes.length), 0);
}

/** Of keys and values alternately. */
export function valueBytes(entries: readonly (string | number | Uint8Array)[]): number {
  return entries.reduce<number>((sum, entry) => sum + (entry instanceof Uint8Array ? entry.length : 0), 0);
}
