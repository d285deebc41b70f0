// A store that has grown a lot is mapped into memory once: earlier mappings would count as memory of the process too.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openShardEnv } from '../../src/store/shard-env.js';
import { newFolder } from '../temp-folders.js';

const MAPS = '/proc/self/maps';

test('a store is mapped once, however much it grows', {
  skip: !existsSync(MAPS) && `${MAPS} is missing`,
}, async (t) => {
  const dir = newFolder();
  const env = openShardEnv(dir, 0);
  t.after(() => env.root.close());
  // Random: entries of the log are compressed.
  for (let no = 1; no <= 40; no++) await env.log.put(no, randomBytes(256 * 1024));
  // Reading is what maps.
  for (const { value } of env.log.getRange()) assert.equal(value.length, 256 * 1024);
  const file = join(env.path, 'data.mdb');
  assert.ok(statSync(file).size > 10e6);
  const mappings = readFileSync(MAPS, 'utf8')
    .split('\n')
    .filter((line) => line.endsWith(file));
  assert.equal(mappings.length, 1, mappings.join('\n'));
});
