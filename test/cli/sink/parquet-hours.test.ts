// A file's folder is of its rows' hour, whatever the server says their time is.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { Parquet } from '../../../src/cli/sink/parquet.js';
import { Part } from '../../../src/cli/sink/part-builder.js';
import type { Note } from '../../../src/cli/sink/target.js';
import type { OddsRow } from '../../../src/client/client.js';
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

test('what was written stays where a server begins again at an earlier position', async () => {
  const dir = newFolder('overround-parquet-');
  const begin = 1_795_197_600_000_000;
  let target = new Parquet(dir, 'main', 60_000, () => 0);
  const tell = async (id: string, position: number, reason: string): Promise<void> => {
    const part = new Part();
    part.put.push({ id, odds_changed_at: '2026-11-20T18:00:00Z' } as OddsRow);
    await target.write(part);
    const note: Note = { event: 'restated', reason, before: null };
    await target.commit(position, [note]);
  };
  await target.open('{}');
  await tell('1', begin + 9, 'first');
  // A data directory from a backup.
  await target.restart();
  await tell('1', begin + 5, 'unknown_position');
  await target.restart();
  await tell('1', begin + 5, 'unknown_position');
  // Killed there.
  target = new Parquet(dir, 'main', 60_000, () => 0);
  const { position } = await target.open('{}');
  assert.equal(position, begin + 5);
  const files = readdirSync(join(dir, 'odds'), { recursive: true, encoding: 'utf8' });
  assert.equal(files.filter((file) => file.endsWith('.parquet')).length, 3, files.join());
});

test('of two sinks of one name into one folder one ends before it writes anything twice', async () => {
  const dir = newFolder('overround-parquet-');
  const [one, other] = [new Parquet(dir, 'main', 0, () => 0), new Parquet(dir, 'main', 0, () => 0)];
  await one.open('{}');
  await other.open('{}');
  await one.commit(1_795_197_600_000_000, []);
  await assert.rejects(other.commit(1_795_197_600_000_001, []), /another sink named main/);
  await one.commit(1_795_197_600_000_002, []);
});
