// A file's folder is of its rows' hour, whatever the server says their time is.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { Parquet } from '../../../src/cli/sink/parquet.js';
import { newFolder } from '../../temp-folders.js';

test('a time that is none leads no file out of the directory', async () => {
  const dir = join(newFolder('overround-parquet-'), 'a', 'b', 'lake');
  const target = new Parquet(dir, 'main', 60_000, () => 0);
  await target.open('{}');
  await target.commit(1_795_197_600_000_000, []);
  await target.fill([], 1_795_197_600_000_000, []);
  await target.fill([{ odds_id: '1', at: 'x/../../../../', change: 'removed' }], 1_795_197_600_000_001, []);
  await target.close();
  const files = readdirSync(dirname(dirname(dir)), { recursive: true, encoding: 'utf8' });
  const written = files.filter((file) => file.endsWith('.parquet'));
  assert.deepEqual(
    written.map((file) => dirname(file)),
    [join('b', 'lake', 'odds_changes', 'hour=1970-01-01T00')],
  );
});
