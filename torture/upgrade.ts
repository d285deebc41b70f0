// The data directory as the previous release would have left it: store version 3, with a log that is no longer read.
import { readdirSync } from 'node:fs';
import { openShardEnv, readVersion, writeMeta } from '../src/store/shard-env.js';

const FORMER_VERSION = 3;
/** No message begins like this. */
const UNREADABLE = Buffer.from([0xc1]);

/** To be called while no process has the directory open. */
export async function makeFormer(dataDir: string): Promise<void> {
  const shards = readdirSync(dataDir).filter((name) => /^shard-\d+$/.test(name)).length;
  for (let shard = 0; shard < shards; shard++) {
    const env = openShardEnv(dataDir, shard);
    const meta = readVersion(env)!;
    env.root.transactionSync(() => {
      writeMeta(env, { ...meta, version: FORMER_VERSION });
      for (const key of [...env.log.getKeys()]) void env.log.put(key, UNREADABLE);
      for (const key of [...env.removals.getKeys()]) void env.removals.put(key, UNREADABLE);
    });
    await env.root.close();
  }
}
