// Upgrades a data directory of an earlier store version. Its slabs of rows are read unchanged: fields that are new in a
// row were 0 there. Opportunities are found anew. Of version 3 the log and the delayed table contain JSON of rows in the
// old form, and are removed; those of later ones are read without opportunities.
import { rmSync } from 'node:fs';
import { DELTA_VERSION } from '../delta/delta.js';
import { delayedPath } from './delayed-store.js';
import { forgetUniverses } from './opportunity-store.js';
import { readVersion, type ShardEnv, writeMeta } from './shard-env.js';

/** In the form of then. */
const OLD_ROWS = 3;
const OLDEST = OLD_ROWS;
/** A table of earlier versions. */
const MOVES = 'moves';

/**
 * Shards of this version, or of an unknown one, are unchanged. To be called before anything reads them. Returns the
 * version that the others had before; undefined if there were none.
 */
export function migrate(dataDir: string, envs: readonly ShardEnv[]): number | undefined {
  const versions = envs.map((env) => readVersion(env)?.version ?? DELTA_VERSION);
  const from = Math.min(...versions.filter((version) => version >= OLDEST));
  if (from >= DELTA_VERSION) return undefined;
  // First: a directory of which only some shards were upgraded must still show it.
  if (from === OLD_ROWS) rmSync(delayedPath(dataDir), { recursive: true, force: true });
  for (const [shard, env] of envs.entries()) {
    const version = versions[shard]!;
    if (version >= OLDEST && version < DELTA_VERSION) migrateShard(env, version);
  }
  return from;
}

function migrateShard(env: ShardEnv, from: number): void {
  const meta = readVersion(env)!;
  const moves = env.root.openDB<Buffer, number>({ name: MOVES, encoding: 'binary' });
  env.root.transactionSync(() => {
    moves.clearSync();
    env.opportunities.clearSync();
    // A reader from before knows opportunities that are not found again.
    forgetUniverses(env, meta.position);
    if (from === OLD_ROWS) {
      env.log.clearSync();
      env.removals.clearSync();
    }
    // Any reader that was at a position before it starts again.
    const log = from === OLD_ROWS ? { logBytes: 0, cutTo: meta.position } : {};
    writeMeta(env, { ...meta, ...log, version: DELTA_VERSION, slabsTo: meta.position });
  });
}
