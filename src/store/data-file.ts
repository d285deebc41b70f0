// Checks a database file before LMDB maps it: a file of something else is refused, and a truncated one must read as
// damaged, as the kernel would end the process (SIGBUS) for touching a page beyond the file's end.
import { closeSync, existsSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { StorageDamaged } from '../base/model/storage-error.js';
import { FILE_MODE } from './private-files.js';
import { isWhole } from './whole-file.js';

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
