// Room on the disk of a store.
import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { StorageFull } from '../base/model/storage-error.js';
import { makeDirectory } from './make-directory.js';

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
export function makeStoreDirectory(path: string): void {
  makeDirectory(path);
  for (const file of [path, join(path, 'data.mdb'), join(path, 'lock.mdb')]) checkUsable(file);
  if (existsSync(join(path, 'lock.mdb'))) return;
  const free = freeBytes(path);
  if (free < NEW_STORE_BYTES_LEAST)
    throw new StorageFull(`${path} has ${free} bytes left on its disk, and a new store needs ${NEW_STORE_BYTES_LEAST}`);
}
