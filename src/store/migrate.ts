// Brings a data directory of store version 3 to this one. Its slabs are read as they are: what is new of a row stood at 0
// there. The log and the delayed table hold the JSON of rows as it was then, and are let go.
import { rmSync } from 'node:fs';
import { delayedPath } from './delayed-store.js';
import { readVersion, type ShardEnv, writeMeta } from './shard-env.js';

const FROM_VERSION = 3;

/** Shards that are of this version, or of none that is known, stay as they are. To be called before anybody reads them. */
export function migrate(dataDir: string, envs: readonly ShardEnv[]): void {
  const old = envs.filter((env) => readVersion(env)?.version === FROM_VERSION);
  if (old.length === 0) return;
  // First: a directory of which only some shards have come further still says so.
  rmSync(delayedPath(dataDir), { recursive: true, force: true });
  for (const env of old) migrateShard(env);
}

function migrateShard(env: ShardEnv): void {
  const meta = readVersion(env)!;
  env.root.transactionSync(() => {
    env.log.clearSync();
    env.removals.clearSync();
    // Whoever stood before it starts anew.
    writeMeta(env, { ...meta, version: FROM_VERSION + 1, logBytes: 0, cutTo: meta.position });
  });
}
