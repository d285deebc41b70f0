// Upgrades a data directory of the release before: its slabs of rows and its log are read unchanged, its opportunities are
// found anew.
import { DELTA_VERSION } from '../delta/delta.js';
import { forgetUniverses } from './opportunity-store.js';
import { readVersion, type ShardEnv, writeMeta } from './shard-env.js';

/** That of release 0.2.0. */
const OLDEST = 5;
/** Of no release: its log is compressed in a way that is not read any more. */
const UNREADABLE_LOG = 6;

/**
 * Shards of this version, or of an unknown one, are unchanged. To be called before anything reads them. Returns the
 * version that the others had before; undefined if there were none.
 */
export function migrate(envs: readonly ShardEnv[]): number | undefined {
  const versions = envs.map((env) => readVersion(env)?.version ?? DELTA_VERSION);
  const from = Math.min(...versions.filter((version) => version >= OLDEST));
  if (from >= DELTA_VERSION) return undefined;
  for (const [shard, env] of envs.entries()) {
    const version = versions[shard]!;
    if (version >= OLDEST && version < DELTA_VERSION) migrateShard(env, version);
  }
  return from;
}

function migrateShard(env: ShardEnv, from: number): void {
  const meta = readVersion(env)!;
  env.root.transactionSync(() => {
    env.opportunities.clearSync();
    // A reader from before knows opportunities that are not found again.
    forgetUniverses(env, meta.position);
    if (from === UNREADABLE_LOG) env.log.clearSync();
    const log = from === UNREADABLE_LOG ? { logBytes: 0, cutTo: meta.position } : {};
    writeMeta(env, { ...meta, ...log, version: DELTA_VERSION, slabsTo: meta.position });
  });
}
