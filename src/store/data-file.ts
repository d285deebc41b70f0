// Checks a database file before LMDB maps it: a file of something else is refused, and a truncated one must read as
// damaged, as the kernel would end the process (SIGBUS) for touching a page beyond the file's end.

import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { StorageDamaged } from '../base/model/storage-error.js';
import { FILE_MODE } from './private-files.js';

const MAGIC = 0xbeefc0de;
const PAGE_BYTES_MIN = 256;
const LARGEST_PAGE_BYTES = 65_536;
/** Offsets in each of the two meta pages at the file's start (LMDB's page header has 24 bytes). */
const AT = { magic: 24, pageBytes: 48, lastPage: 144, transaction: 152, end: 160 } as const;
/** The meta pages: written alternately, the one of the later transaction counts. */
export const HEAD_PAGES = 2;

/** Beside a data file that LMDB has opened, and in a data directory whose stores were all open. */
const OPENED = 'opened';
/** A store's checkpoint, which is evidence of that as well. */
export const CHECKPOINT_FILE = 'safe-point';

/** The file of the store in `dir`. */
export function dataFileOf(dir: string): string {
  return join(dir, 'data.mdb');
}

/** Whether the store in `dir` was open once. */
export function wasOpened(dir: string): boolean {
  return existsSync(join(dir, OPENED)) || existsSync(join(dir, CHECKPOINT_FILE));
}

/** To be called once LMDB has opened the store. */
export function noteOpened(dir: string): void {
  const file = join(dir, OPENED);
  if (!existsSync(file)) closeSync(openSync(file, 'a', FILE_MODE));
}

/**
 * Throws StorageDamaged if `dir` contains a data file that is not LMDB's, or whose end is missing, or an empty one, or none,
 * where it had one.
 */
export function checkDataFile(dir: string): void {
  const file = dataFileOf(dir);
  if (!existsSync(file)) {
    if (wasOpened(dir)) throw new StorageDamaged(file, 'it is missing');
    return;
  }
  const handle = openSync(file, 'r+');
  try {
    const { size } = fstatSync(handle);
    // LMDB initialises an empty file, which a first start that was killed at once may leave.
    if (size === 0) {
      if (wasOpened(dir)) throw new StorageDamaged(file, 'it is empty');
      return;
    }
    const extent = extentOf(handle);
    if (extent === undefined) throw new StorageDamaged(file, 'not a database file, or its head is gone');
    const bytes = extent.end;
    // Free pages at the end may never have been written, so a short file may be complete: it is extended with zeros,
    // which no page in use consists of.
    if (!Number.isSafeInteger(bytes) || size >= bytes) return;
    if (!isWhole(handle, extent.pageBytes)) throw new StorageDamaged(file, 'its end is missing');
    ftruncateSync(handle, bytes);
  } finally {
    closeSync(handle);
  }
}

/** The size of a page, and where those end that the last two commits have used, free ones among them; undefined if it is not a store. */
export function extentOf(handle: number): { pageBytes: number; end: number } | undefined {
  const first = readMeta(handle, 0);
  const second = first && readMeta(handle, first.pageBytes);
  if (first === undefined || second === undefined) return undefined;
  const { pageBytes } = first;
  return { pageBytes, end: (Math.max(first.lastPage, second.lastPage) + 1) * pageBytes };
}

/** Number of the last transaction of a head (the bytes of both meta pages); 0 if it is invalid. */
export function newestTransaction(head: Buffer): bigint {
  let newest = 0n;
  for (let page = 0; page < HEAD_PAGES; page++) {
    const at = (page * head.length) / HEAD_PAGES;
    if (head.length < at + AT.end || head.readUInt32LE(at + AT.magic) !== MAGIC) return 0n;
    const transaction = head.readBigUInt64LE(at + AT.transaction);
    if (transaction > newest) newest = transaction;
  }
  return newest;
}

function readMeta(handle: number, at: number): { pageBytes: number; lastPage: number } | undefined {
  const page = Buffer.alloc(AT.end);
  if (readSync(handle, page, 0, AT.end, at) < AT.end || page.readUInt32LE(AT.magic) !== MAGIC) return undefined;
  const pageBytes = page.readUInt32LE(AT.pageBytes);
  if (pageBytes < PAGE_BYTES_MIN || pageBytes > LARGEST_PAGE_BYTES) return undefined;
  return { pageBytes, lastPage: Number(page.readBigUInt64LE(AT.lastPage)) };
}

// Whether a store's file that is shorter than its pages lacks any of them. LMDB would find that out when it comes to such a
// page, if at all: the end of a long value has no head of its own.

/** In a meta page: the roots of the tree of free pages and of the tree of tables. */
const ROOTS_AT = [88, 136] as const;
/** Of a page, and of an entry in it. What a page says of places in it is counted from the end of its head. */
const PAGE_HEAD = { number: 0, flags: 18, entriesEnd: 20, bytes: 24 } as const;
const ENTRY_HEAD = { low: 0, high: 2, flags: 4, keyBytes: 6, bytes: 8 } as const;
const BRANCH = 1;
const LEAF = 2;
/** A leaf of keys alone. */
const KEYS = 0x20;
/** Of an entry: its value has pages of its own, or is a table, whose root stands there. */
const LONG = 1;
const TABLE = 2;
const TABLE_ROOT_AT = 40;

/** Whether every page that one of the two heads can reach is in the file: a commit may have been cut off. */
function isWhole(file: number, pageBytes: number): boolean {
  return [0, 1].some((meta) => {
    const page = Buffer.alloc(pageBytes);
    readSync(file, page, 0, pageBytes, meta * pageBytes);
    try {
      return new Pages(file, pageBytes).has(ROOTS_AT.map((at) => Number(page.readBigUInt64LE(at))));
    } catch (error) {
      // What is no page leads beyond its own end.
      if (error instanceof RangeError) return false;
      throw error;
    }
  });
}

class Pages {
  readonly #file: number;
  readonly #pageBytes: number;
  readonly #count: number;
  readonly #waiting: number[] = [];

  constructor(file: number, pageBytes: number) {
    this.#file = file;
    this.#pageBytes = pageBytes;
    this.#count = Math.floor(fstatSync(file).size / pageBytes);
  }

  /** Whether the trees with these roots are there. */
  has(roots: readonly number[]): boolean {
    for (const root of roots) this.#await(root);
    const page = Buffer.alloc(this.#pageBytes);
    for (let read = 0; this.#waiting.length > 0; read++) {
      const number = this.#waiting.pop()!;
      // More than there are would be a circle.
      if (number >= this.#count || read >= this.#count) return false;
      readSync(this.#file, page, 0, this.#pageBytes, number * this.#pageBytes);
      if (Number(page.readBigUInt64LE(PAGE_HEAD.number)) !== number || !this.#take(page)) return false;
    }
    return true;
  }

  /** A tree without entries has no root. */
  #await(root: number): void {
    if (Number.isSafeInteger(root)) this.#waiting.push(root);
  }

  /** Of a page: what its entries lead to. False if it is none, or a value's end is missing. */
  #take(page: Buffer): boolean {
    const flags = page.readUInt16LE(PAGE_HEAD.flags);
    if ((flags & KEYS) !== 0) return true;
    if ((flags & (BRANCH | LEAF)) === 0) return false;
    const end = PAGE_HEAD.bytes + page.readUInt16LE(PAGE_HEAD.entriesEnd);
    for (let at: number = PAGE_HEAD.bytes; at < end; at += 2)
      if (!this.#takeEntry(page, PAGE_HEAD.bytes + page.readUInt16LE(at), (flags & BRANCH) !== 0)) return false;
    return true;
  }

  #takeEntry(page: Buffer, at: number, isBranch: boolean): boolean {
    const flags = page.readUInt16LE(at + ENTRY_HEAD.flags);
    if (isBranch) {
      const low = page.readUInt16LE(at + ENTRY_HEAD.low) + 2 ** 16 * page.readUInt16LE(at + ENTRY_HEAD.high);
      this.#waiting.push(low + 2 ** 32 * flags);
      return true;
    }
    const value = at + ENTRY_HEAD.bytes + page.readUInt16LE(at + ENTRY_HEAD.keyBytes);
    if ((flags & LONG) !== 0) {
      const [first, , pages] = [0, 8, 16].map((offset) => Number(page.readBigUInt64LE(value + offset)));
      return first! + pages! <= this.#count;
    }
    if ((flags & TABLE) !== 0) this.#await(Number(page.readBigUInt64LE(value + TABLE_ROOT_AT)));
    return true;
  }
}
