// Upgrades a data directory of store version 3. Its slabs are read unchanged: fields that are new in a row were 0
// there. The log and the delayed table contain JSON of rows in the old form, and are removed.
import { rmSync } from 'node:fs';
import { delayedPath } from './delayed-store.js';
import { readVersion, type ShardEnv, writeMeta } from './shard-env.js';

const FROM_VERSION = 3;

/**
 * Shards of this version, or of an unknown one, are unchanged. To be called before anything reads them. Returns the
 * version that the others had before; undefined if there were none.
 */
export function migrate(dataDir: string, envs: readonly ShardEnv[]): number | undefined {
  const old = envs.filter((env) => readVersion(env)?.version === FROM_VERSION);
  if (old.length === 0) return undefined;
  // First: a directory of which only some shards were upgraded must still show it.
  rmSync(delayedPath(dataDir), { recursive: true, force: true });
  for (const env of old) migrateShard(env);
  return FROM_VERSION;
}

function migrateShard(env: ShardEnv): void {
  const meta = readVersion(env)!;
  env.root.transactionSync(() => {
    env.log.clearSync();
    env.removals.clearSync();
    // Any reader that was at a position before it starts again.
    writeMeta(env, { ...meta, version: FROM_VERSION + 1, logBytes: 0, cutTo: meta.position });
  });
}
