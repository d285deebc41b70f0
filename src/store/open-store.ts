// Opens a store's LMDB environment: the same for every store.
import { type Database, open, type RootDatabase, type RootDatabaseOptionsWithPath } from 'lmdb';
import { checkDataFile } from './data-file.js';
import { makeStoreDirectory } from './free-space.js';
import { PRIVATE_STORE } from './private-files.js';
import { failedCommit, StorageDamaged } from './storage-error.js';

export type Root = RootDatabase<Buffer, string>;

/**
 * Address space for a store's file. With less, LMDB maps the whole file again each time it grows past the last mapping,
 * and the pages that were read through earlier mappings count as memory of the process for ever.
 */
const MAP_BYTES = 4 * 1024 * 1024 * 1024;

/**
 * Opens (or creates) the store in a directory; `tables` opens its tables.
 * @param options `readOnly`: another process writes it, and has opened it before
 * @throws StorageDamaged if its contents cannot be read
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
  try {
    const shared = { path, encoding: 'binary', mapSize: MAP_BYTES, maxDbs: 16, ...PRIVATE_STORE } as const;
    const root = open<Buffer, string>({ ...shared, ...options });
    return { root, ...tables(root) };
  } catch (error) {
    throw new StorageDamaged(path, error);
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
