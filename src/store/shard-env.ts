// One LMDB environment per shard: its tables and their keys. Opened by the worker that writes it and the front that
// reads it.
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import { DELTA_VERSION } from '../delta/delta.js';
import { decode, encode } from '../wire/codec.js';
import { bootId } from './checkpoints.js';
import { checkDataFile } from './data-file.js';
import { makeStoreDirectory } from './free-space.js';
import { bytesOf, MAP_BYTES } from './lmdb-table.js';
import { LOG_DICTIONARY } from './log-dictionary.js';
import { PRIVATE_STORE } from './private-files.js';
import { StorageDamaged } from './storage-error.js';

/**
 * Event numbers stay below 2^40, book numbers below 4096: together one exact integer key, with the books of an event
 * adjacent.
 */
const BOOKS_PER_EVENT = 4_096;

export function slabKey(eventNo: number, bookNo: number): number {
  return eventNo * BOOKS_PER_EVENT + bookNo;
}

export function splitSlabKey(key: number): { eventNo: number; bookNo: number } {
  const eventNo = Math.floor(key / BOOKS_PER_EVENT);
  return { eventNo, bookNo: key - eventNo * BOOKS_PER_EVENT };
}

/**
 * Of LZ4, which takes a twentieth of a commit: entries become a third to a half of what they are encoded, so that the log,
 * which is mapped into memory, has less of both. Shorter entries, and those of stores before it, are as they are.
 */
const LOG_COMPRESSION = { threshold: 256, dictionary: LOG_DICTIONARY };

export interface ShardMeta {
  version: number;
  /** Position of the last commit. */
  position: number;
  nextEventNo: number;
  bookNames: string[];
  /** Encoded size of the log entries stored, before they are compressed. */
  logBytes: number;
  /** Entries up to this position have been dropped from the log; 0 if none has. */
  cutTo: number;
  /** Active opportunities are in their slabs as of this position, and in the log after it; absent: 0. */
  slabsTo?: number;
}

/** Tables whose keys are numbers, by their names in the file. Opening, snapshots and sizes follow from these two lists. */
const NUMBERED = {
  events: 'events',
  numbers: 'numbers',
  fixed: 'fixed',
  log: 'log',
  /** Removed rows by position, as long as the log: separate so that a start need not read the whole log. */
  removals: 'removals',
  /** Opportunities that ended by position, as the removals. */
  endings: 'endings',
  /** Active ones, by event. */
  opportunities: 'opportunities',
} as const;
/** Those whose keys are texts. */
const NAMED = {
  meta: 'meta',
  leaguePolls: 'league-polls',
  splits: 'splits',
  futures: 'futures',
  /** What became of games, by event id. */
  results: 'results',
} as const;

export type TableName = keyof typeof NUMBERED | keyof typeof NAMED;
export const TABLES = Object.keys({ ...NUMBERED, ...NAMED }) as TableName[];

export type ShardEnv = { path: string; root: RootDatabase<Buffer, string> } & {
  [Name in keyof typeof NUMBERED]: Database<Buffer, number>;
} & { [Name in keyof typeof NAMED]: Database<Buffer, string> };

export function shardPath(dataDir: string, shard: number): string {
  return join(dataDir, `shard-${shard}`);
}

/** What a commit waits for: `commit` not for the disk (see checkpoints.ts), `flush` until the disk has it. */
export type Durability = 'commit' | 'flush';

/** Throws StorageDamaged if its contents cannot be read. All that open one at a time must use the same durability. */
export function openShardEnv(dataDir: string, shard: number, durability: Durability = 'commit'): ShardEnv {
  const path = shardPath(dataDir, shard);
  makeStoreDirectory(path);
  checkDataFile(path);
  try {
    return openTables(path, durability === 'commit' && bootId() !== null);
  } catch (error) {
    throw new StorageDamaged(path, error);
  }
}

/** Opens a shard that another process writes, read-only. Throws StorageDamaged if its contents cannot be read. */
export function openShardEnvToRead(dataDir: string, shard: number): ShardEnv {
  const path = shardPath(dataDir, shard);
  try {
    return tablesIn(
      path,
      open<Buffer, string>({ path, encoding: 'binary', mapSize: MAP_BYTES, maxDbs: 16, readOnly: true }),
    );
  } catch (error) {
    throw new StorageDamaged(path, error);
  }
}

/** A killed process may have been reading: its view would be retained for ever. */
export function forgetDeadReaders(env: ShardEnv): void {
  env.root.readerCheck();
}

function openTables(path: string, checkpoints: boolean): ShardEnv {
  const root = open<Buffer, string>({
    path,
    encoding: 'binary',
    mapSize: MAP_BYTES,
    maxDbs: 16,
    ...PRIVATE_STORE,
    // What is committed survives a killed process either way; what was flushed survives a loss of power. The file is
    // never torn: LMDB's own record of what is flushed ensures it, or the checkpoints do.
    ...(checkpoints ? { noSync: true, overlappingSync: false } : { overlappingSync: true }),
  });
  return tablesIn(path, root);
}

function tablesIn(path: string, root: RootDatabase<Buffer, string>): ShardEnv {
  const opened: Record<string, unknown> = { path, root };
  for (const [table, name] of Object.entries({ ...NUMBERED, ...NAMED })) {
    const packed = table === 'log' ? { compression: LOG_COMPRESSION } : {};
    opened[table] = root.openDB<Buffer>({ name, encoding: 'binary', ...packed });
  }
  return opened as ShardEnv;
}

/** The stored value, whatever its version; undefined in a new store. */
export function readVersion(env: ShardEnv): ShardMeta | undefined {
  const bytes = env.meta.getBinary('meta');
  return bytes === undefined ? undefined : (decode(bytes) as ShardMeta);
}

export function readMeta(env: ShardEnv): ShardMeta {
  const meta = readVersion(env);
  if (meta === undefined)
    return { version: DELTA_VERSION, position: 0, nextEventNo: 1, bookNames: [], logBytes: 0, cutTo: 0 };
  if (meta.version !== DELTA_VERSION)
    throw new Error(
      `the data directory was written by another version of overround (store version ${meta.version}, this one reads ${DELTA_VERSION}): start with another --data`,
    );
  return meta;
}

export function writeMeta(env: ShardEnv, meta: ShardMeta): void {
  void env.meta.put('meta', encode(meta));
}

/** Bytes in use of all tables. */
export function usedBytes(env: ShardEnv): number {
  return TABLES.reduce((sum, table) => sum + bytesOf(env[table]), 0);
}
