// Opens a store's LMDB environment: the same for every store.
import { accessSync, closeSync, constants, existsSync, openSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb';
import { committed, failedCommit, StorageDamaged, StorageFull } from '../base/model/storage-error.js';
import { checkDataFile, dataFileOf, noteOpened } from './data-file.js';
import { makeDirectory, PRIVATE_STORE } from './private-files.js';

export type Root = RootDatabase<Buffer, string>;

/**
 * Address space for a store's file. With less, LMDB maps the whole file again each time it grows past the last mapping,
 * and the pages that were read through earlier mappings count as memory of the process for ever.
 */
const MAP_BYTES = 4 * 1024 * 1024 * 1024;

/** More than LMDB opens of a store. Where they run out meanwhile it damages its memory, or ends the process. */
const FILES = 8;

/**
 * Opens (or creates) the store in a directory; `tables` opens its tables.
 * @param options `readOnly`: another process writes it, and has opened it before
 * @throws StorageDamaged if its contents cannot be read, and the system's error if no more files can be opened
 */
export function openStore<Tables>(
  path: string,
  options: Partial<RootDatabaseOptionsWithPath>,
  tables: (root: Root) => Tables,
): Tables & { root: Root } {
  if (options.readOnly !== true) {
    makeStoreDirectory(path);
    checkDataFile(path);
  }
  checkFiles(path);
  try {
    const shared = { path, encoding: 'binary', mapSize: MAP_BYTES, maxDbs: 16, ...PRIVATE_STORE } as const;
    const root = open<Buffer, string>({ ...shared, ...options });
    const opened = { root, ...tables(root) };
    if (options.readOnly !== true) noteOpened(path);
    return opened;
  } catch (error) {
    throw new StorageDamaged(dataFileOf(path), error);
  }
}

function checkFiles(path: string): void {
  const files: number[] = [];
  try {
    while (files.length < FILES) files.push(openSync(path, 'r'));
  } catch (error) {
    // For whatever else it cannot be opened, LMDB says why.
    if (['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    for (const file of files) closeSync(file);
  }
}

/** A table whose keys are texts, numbers or bytes. */
export function tableOf<Key extends string | number | Buffer>(
  root: Root,
  name: string,
  options: { keyEncoding?: 'binary'; compression?: object } = {},
): Database<Buffer, Key> {
  return root.openDB<Buffer, Key>({ name, encoding: 'binary', ...options });
}

/** One transaction, on the disk or not at all. Throws as failedCommit() says. */
export function commitTo(path: string, root: Root, writes: () => void): void {
  try {
    root.transactionSync(writes);
  } catch (error) {
    throw failedCommit(path, root, error);
  }
}

/** As commitTo(), in LMDB's own thread: settles when it has ended. For a store opened to REPORT_FAILURES. */
export async function commitBehind(path: string, root: Root, writes: () => void): Promise<void> {
  try {
    await committed(root.batch(writes));
    // LMDB does not say that it could not write the page by which it notes its flush; the commit after that would never end.
    root.transactionSync(() => undefined);
  } catch (error) {
    throw failedCommit(path, root, error);
  }
}

// Room on the disk of a store.

/** Several times what an empty store takes. */
const NEW_STORE_BYTES_LEAST = 2 ** 18;

/** Of the file system that has this file or directory. */
function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

/** LMDB's own error names no file. */
function checkUsable(file: string): void {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') throw new Error(`${file} may not be read and written by this user (${code})`);
  }
}

/**
 * Creates the directory of an LMDB store. A new store's lock file is mapped before the disk has given room for it, so
 * that without any the kernel would end the process with SIGBUS.
 * Throws StorageFull where a new store has no room, or an Error with one line if the directory cannot be created.
 */
function makeStoreDirectory(path: string): void {
  makeDirectory(path);
  for (const file of [path, dataFileOf(path), join(path, 'lock.mdb')]) checkUsable(file);
  if (existsSync(join(path, 'lock.mdb'))) return;
  const free = freeBytes(path);
  if (free < NEW_STORE_BYTES_LEAST)
    throw new StorageFull(`${path} has ${free} bytes left on its disk, and a new store needs ${NEW_STORE_BYTES_LEAST}`);
}
