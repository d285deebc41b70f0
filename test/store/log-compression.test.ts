import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Database, open } from 'lmdb';
import { encode } from '../../src/base/wire/codec.js';
import { openShardEnv, openShardEnvToRead, shardPath } from '../../src/store/shard-env.js';
import { mergedLogs, readLog } from '../../src/store/shard-reader.js';
import { newFolder } from '../temp-folders.js';

/** Of so many changes, much as a shard's. */
function entry(changes: number): Buffer {
  const rows = Array.from({ length: changes }, (_, i) => [
    i,
    1,
    -100 - i,
    1.9 + i / 1e4,
    null,
    1_795_300_000_123,
    0,
    0,
  ]);
  return encode({
    version: 7,
    position: changes,
    books: [[1, 'draftkings', 0, [], [], rows]],
    splits: [],
    futures: [],
  });
}

/** The log's entries as they lie in the file. */
async function inFile<T>(dir: string, use: (log: Database<Buffer, number>) => T): Promise<T> {
  const root = open<Buffer, string>({ path: shardPath(dir, 0), encoding: 'binary', maxDbs: 16 });
  const answer = use(root.openDB<Buffer, number>({ name: 'log', encoding: 'binary' }));
  await root.close();
  return answer;
}

test('entries of the log are smaller in the file and are read as they were written, each in memory of its own', async () => {
  const dir = newFolder('overround-log-');
  const sizes = [0, 4, 40, 4_000, 2, 400, 40_000, 1];
  const env = openShardEnv(dir, 0);
  env.root.transactionSync(() => {
    for (const [i, size] of sizes.entries()) void env.log.put(i + 1, entry(size));
  });
  await env.root.close();
  const stored = await inFile(dir, (log) => sizes.map((_, i) => log.getBinary(i + 1)!.length));
  for (const [i, size] of sizes.entries()) {
    const { length } = entry(size);
    if (length >= 256) assert.ok(stored[i]! < 0.8 * length, `${stored[i]} of ${length}`);
  }
  const other = openShardEnvToRead(dir, 0);
  const read = [...readLog(other, 0)];
  const merged = [...mergedLogs([other], [0], sizes.length)];
  await other.root.close();
  for (const [i, size] of sizes.entries())
    for (const one of [read[i]!, merged[i]!]) {
      assert.equal(one.position, i + 1);
      assert.equal(Buffer.compare(one.bytes, entry(size)), 0, `entry of ${size} changes`);
    }
});

test('entries of a store from before are read beside compressed ones', async () => {
  const dir = newFolder('overround-log-');
  await openShardEnv(dir, 0).root.close();
  await inFile(dir, (log) => log.putSync(1, entry(40)));
  const env = openShardEnv(dir, 0);
  env.log.putSync(2, entry(50));
  const bytes = [...readLog(env, 0)].map((one) => one.bytes);
  await env.root.close();
  assert.deepEqual(bytes, [entry(40), entry(50)]);
});
