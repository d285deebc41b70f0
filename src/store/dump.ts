// A data directory as a sequence of pieces, as of one moment for each of its shards, and back: the contents of a
// cluster's snapshot. Of the log only the last minutes are included, for the delayed table.
import type { RootDatabase, Transaction } from 'lmdb';
import { decode, encode } from '../base/wire/codec.js';
import type { ControlStore } from '../log/control/entries.js';
import { controlPath, LmdbControlStore } from './control-store.js';
import { DelayedStore } from './delayed-store.js';
import { ReservedSpace, valueBytes } from './reserved-space.js';
import {
  openShardEnv,
  readMeta,
  readVersion,
  type ShardEnv,
  type ShardMeta,
  TABLES,
  type TableName,
  writeMeta,
} from './shard-env.js';
import { firstPosition } from './shard-reader.js';

/** The delayed table reads a minute behind, and its own store is seconds behind that; what it needs beyond is kept, too. */
const LOG_WHOLE_US = 180 * 1e6;
const PIECE_BYTES = 256 * 1024;

interface Table {
  getRange(options: { transaction: Transaction }): Iterable<{ key: string | number; value: Buffer }>;
  put(key: never, value: Buffer): unknown;
}

/**
 * One table's entries, key and value alternately; `shard` is -1 for the delayed table's store, -2 for the control store,
 * whose position is in place of the table's name.
 */
type Piece = [shard: number, table: string, entries: (string | number | Uint8Array)[]];

const DELAYED = -1;
const CONTROL = -2;

/** Pieces of the whole directory. Ends its read transactions when it is finished or abandoned. */
export function* dumpDirectory(
  { envs, control }: { envs: readonly ShardEnv[]; control: ControlStore },
  delayed: DelayedStore,
): Generator<Uint8Array> {
  // First: what it has not read yet must be in the logs that are dumped after it.
  const delayedTo = delayed.position ?? Number.POSITIVE_INFINITY;
  for (const [table, entries] of delayed.dump()) yield* pieces(DELAYED, table, entries);
  for (const [shard, env] of envs.entries()) yield* dumpShard(shard, env, delayedTo);
  yield* pieces(CONTROL, String(control.position), named(control.dump()));
}

function* named(entries: Iterable<readonly [string, Uint8Array]>): Iterable<{ key: string; value: Uint8Array }> {
  for (const [key, value] of entries) yield { key, value };
}

function* dumpShard(shard: number, env: ShardEnv, delayedTo: number): Generator<Uint8Array> {
  env.root.resetReadTxn();
  const transaction = (env.root as RootDatabase<Buffer, string>).useReadTransaction();
  try {
    const meta = readMeta(env);
    const from = Math.min(meta.position - LOG_WHOLE_US, delayedTo + 1, meta.slabsTo + 1);
    const cutTo = firstPosition(env) < from ? Math.max(meta.cutTo, from - 1) : meta.cutTo;
    for (const name of TABLES) {
      const entries = (env[name] as unknown as Table).getRange({ transaction });
      if (name === 'log') yield* pieces(shard, name, since(entries, from));
      else yield* pieces(shard, name, name === 'meta' ? withMeta(entries, { ...meta, cutTo }) : entries);
    }
  } finally {
    transaction.done();
  }
}

type Entries = ReturnType<Table['getRange']>;

function* since(entries: Entries, from: number): Entries {
  for (const entry of entries) if (Number(entry.key) >= from) yield entry;
}

/** The log says that it begins where its part does. */
function* withMeta(entries: Entries, meta: ShardMeta): Entries {
  for (const { key, value } of entries) yield { key, value: key === 'meta' ? encode(meta) : value };
}

function* pieces(
  shard: number,
  table: string,
  entries: Iterable<{ key: string | number; value: Uint8Array }>,
): Generator<Uint8Array> {
  let piece: Piece[2] = [];
  let bytes = 0;
  for (const { key, value } of entries) {
    piece.push(key, value);
    bytes += value.length;
    if (bytes < PIECE_BYTES) continue;
    yield encode([shard, table, piece] satisfies Piece);
    piece = [];
    bytes = 0;
  }
  if (piece.length > 0) yield encode([shard, table, piece] satisfies Piece);
}

/** Fills an empty directory from the pieces of a dump with the same number of shards. */
export async function restoreDirectory(
  dataDir: string,
  shards: number,
  dumped: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const envs = Array.from({ length: shards }, (_, shard) => openShardEnv(dataDir, shard));
  const delayed = new DelayedStore(dataDir);
  const control = new LmdbControlStore(controlPath(dataDir));
  const spaces = envs.map(({ path }) => new ReservedSpace(path));
  try {
    for await (const bytes of dumped) {
      const [shard, table, entries] = decode(bytes) as Piece;
      if (shard === DELAYED) delayed.restore(table, entries);
      else if (shard === CONTROL) control.restore(Number(table), [...pairsOf(entries)]);
      else {
        spaces[shard]!.reserve(entries.length / 2, valueBytes(entries));
        restorePiece(envs[shard]!, table as TableName, entries);
      }
    }
    for (const env of envs) countLog(env);
  } finally {
    for (const space of spaces) space.close();
    await Promise.all([...envs.map((env) => env.root.close()), delayed.close(), control.close()]);
  }
}

function* pairsOf(entries: Piece[2]): Iterable<readonly [string, Uint8Array]> {
  for (let i = 0; i < entries.length; i += 2) yield [entries[i] as string, entries[i + 1] as Uint8Array];
}

function restorePiece(env: ShardEnv, table: TableName, entries: Piece[2]): void {
  const into = env[table] as unknown as Table;
  env.root.transactionSync(() => {
    for (let i = 0; i < entries.length; i += 2) void into.put(entries[i] as never, entries[i + 1] as Buffer);
  });
}

/** The log is now smaller than the one it was reduced from; the dump may be of a release before. */
function countLog(env: ShardEnv): void {
  const meta = readVersion(env);
  if (meta === undefined) return;
  let logBytes = 0;
  for (const { value } of env.log.getRange()) logBytes += value.length;
  env.root.transactionSync(() => writeMeta(env, { ...meta, logBytes }));
}
