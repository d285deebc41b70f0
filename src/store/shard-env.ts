// One LMDB environment per shard: its tables and their keys. Opened by the worker that writes it and the front that
// reads it.
import { join } from 'node:path';
import type { Database } from 'lmdb';
import { encode } from '../base/wire/codec.js';
import { bootId } from './checkpoints.js';
import { bytesOf, decoded } from './lmdb-table.js';
import { openStore, type Root, tableOf } from './open-store.js';

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
const LOG_COMPRESSION = { threshold: 256 };

/** Raise it when the shape of the store changes: an older data directory is then migrated or refused. */
export const STORE_VERSION = 8;

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
  /** Numbers and active opportunities are in their slabs as of this position or a later one, and in the log after it. */
  slabsTo: number;
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

export type ShardEnv = { path: string; root: Root } & {
  [Name in keyof typeof NUMBERED]: Database<Buffer, number>;
} & { [Name in keyof typeof NAMED]: Database<Buffer, string> };

export function shardPath(dataDir: string, shard: number): string {
  return join(dataDir, `shard-${shard}`);
}

/** What a commit waits for: `commit` not for the disk (see checkpoints.ts), `flush` until the disk has it. */
export type Durability = 'commit' | 'flush';

/** Throws StorageDamaged if its contents cannot be read. All that open one at a time must use the same durability. */
export function openShardEnv(dataDir: string, shard: number, durability: Durability = 'commit'): ShardEnv {
  // What is committed survives a killed process either way; what was flushed survives a loss of power. The file is never
  // torn: LMDB's own record of what is flushed ensures it, or the checkpoints do.
  const checkpoints = durability === 'commit' && bootId() !== null;
  const sync = checkpoints ? { noSync: true, overlappingSync: false } : { overlappingSync: true };
  return openTables(shardPath(dataDir, shard), sync);
}

/** Opens a shard that another process writes, read-only. Throws StorageDamaged if its contents cannot be read. */
export function openShardEnvToRead(dataDir: string, shard: number): ShardEnv {
  return openTables(shardPath(dataDir, shard), { readOnly: true });
}

/** A killed process may have been reading: its view would be retained for ever. */
export function forgetDeadReaders(env: ShardEnv): void {
  env.root.readerCheck();
}

function openTables(path: string, options: object): ShardEnv {
  const opened = openStore(path, options, (root) => {
    const tables = Object.fromEntries(
      Object.entries({ ...NUMBERED, ...NAMED }).map(([table, name]) => [
        table,
        tableOf(root, name, table === 'log' ? { compression: LOG_COMPRESSION } : {}),
      ]),
    );
    // A damaged store may open, and fail at the first read.
    tables[NAMED.meta]!.getBinary('meta');
    return tables;
  });
  return { path, ...opened } as unknown as ShardEnv;
}

/** The stored value, whatever its version; undefined in a new store. */
export function readVersion(env: ShardEnv): ShardMeta | undefined {
  return decoded<ShardMeta>(env.meta.getBinary('meta'));
}

export function readMeta(env: ShardEnv): ShardMeta {
  const meta = readVersion(env);
  if (meta === undefined)
    return { version: STORE_VERSION, position: 0, nextEventNo: 1, bookNames: [], logBytes: 0, cutTo: 0, slabsTo: 0 };
  if (meta.version !== STORE_VERSION)
    throw new Error(
      `the data directory was written by another version of overround (store version ${meta.version}, this one reads ${STORE_VERSION}): start that one, or with another --data`,
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
