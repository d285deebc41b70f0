// Data directories that are truncated, of another program, or not directories at all: one clear error, never a crash.
import assert from 'node:assert/strict';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock } from '../../src/base/model/clock.js';
import { StorageDamaged } from '../../src/base/model/storage-error.js';
import { controlPath, LmdbControlStore } from '../../src/store/control-store.js';
import { type DataDirectory, openControlAlone, openDataDirectory } from '../../src/store/data-directory.js';
import { extentOf } from '../../src/store/data-file.js';
import { DelayedStore } from '../../src/store/delayed-store.js';
import { EventLogFile } from '../../src/store/event-log-store.js';
import { HistoryFile } from '../../src/store/history-store.js';
import { openStore, type Root, tableOf } from '../../src/store/open-store.js';
import { loadTable } from '../../src/tables/load.js';
import { event, message, moneyline, total } from '../intake/ingest/messages.js';
import { newFolder } from '../temp-folders.js';
import { newTable, Rig } from '../writer/shard/rig.js';

const clock = new ManualClock(Date.parse('2026-11-20T18:00:00Z'));

/** A data directory with some odds. */
async function written(): Promise<string> {
  const path = newFolder('overround-damage-');
  await openDataDirectory(path, 1, clock).close();
  const shard = new Rig(clock.now(), {}, path);
  for (let i = 0; i < 60; i++) {
    const teams = { league: 'moon-cup', home_team: `Home ${i}`, away_team: `Away ${i}` };
    shard.send(message([event([moneyline(-110, 100), total(200, -110, -110)], teams)]));
  }
  await shard.env.root.close();
  return path;
}

/** Opens the directory and reads everything, as the start does. */
async function start(path: string): Promise<number> {
  let directory: DataDirectory | undefined;
  try {
    directory = openDataDirectory(path, 1, clock);
    const table = newTable();
    loadTable(table, directory.envs);
    return table.rowCount;
  } finally {
    await directory?.close();
  }
}

function isClear(error: unknown): boolean {
  assert.ok(error instanceof StorageDamaged, String(error));
  assert.match(error.message, /is damaged \(.+\): restore it from a copy, or start with another --data$/);
  assert.ok(!error.message.includes('\n'));
  return true;
}

test('a directory is reopened with its own identity, whatever number of shards is requested', async () => {
  const path = newFolder('overround-damage-');
  const first = openDataDirectory(path, 3, clock);
  const again = openDataDirectory(path, 1, new ManualClock(clock.now() + 1e9));
  assert.deepEqual([again.epoch, again.createdPosition, again.shards], [first.epoch, first.createdPosition, 3]);
  assert.equal(first.createdPosition, clock.now() * 1000);
  await Promise.all([first.close(), again.close()]);
});

test('a data file that was cut short is a clear error wherever the cut is, and never ends the process', async () => {
  const whole = await written();
  const file = openSync(join(whole, 'shard-0', 'data.mdb'), 'r');
  // After it is the room for the next commit.
  const size = extentOf(file)!.end;
  closeSync(file);
  let refused = 0;
  for (const share of [0.002, 0.03, 0.1, 0.25, 0.5, 0.75, 0.9, 0.97]) {
    const path = newFolder('overround-damage-');
    cpSync(whole, path, { recursive: true });
    truncateSync(join(path, 'shard-0', 'data.mdb'), Math.floor(size * share));
    try {
      // Only free pages or the log were cut off: the table must be complete.
      assert.equal(await start(path), 240, `cut at ${share}`);
    } catch (error) {
      assert.ok(isClear(error));
      assert.ok((error as Error).message.startsWith(join(path, 'shard-0', 'data.mdb')));
      refused++;
    }
  }
  assert.ok(refused >= 6, `${refused} of 8 cuts were noticed`);
});

test('a store whose end was cut off opens with all that is in it or not at all, also where nothing of that is read', async () => {
  const whole = newFolder('overround-damage-');
  const tables = (root: Root) => ({ table: tableOf<number>(root, 'table') });
  const { root, table } = openStore(whole, {}, tables);
  // Values within pages, and those with pages of their own; some are removed again.
  const bytes = (i: number) => Buffer.alloc(i % 7 === 0 ? 9_000 : 200, i);
  for (let i = 0; i < 600; i++) await table.put(i, bytes(i));
  for (let i = 400; i < 600; i++) await table.remove(i);
  await root.close();
  const file = join(whole, 'data.mdb');
  const pages = statSync(file).size / 4_096;
  let refused = 0;
  for (let kept = 2; kept <= pages; kept += Math.max(1, Math.floor(pages / 60))) {
    const path = newFolder('overround-damage-');
    cpSync(file, join(path, 'data.mdb'));
    truncateSync(join(path, 'data.mdb'), kept * 4_096);
    try {
      const cut = openStore(path, {}, tables);
      for (let i = 0; i < 400; i++) assert.deepEqual(cut.table.get(i), bytes(i), `${kept} of ${pages} pages, ${i}`);
      await cut.root.close();
    } catch (error) {
      assert.ok(isClear(error));
      assert.ok((error as Error).message.startsWith(join(path, 'data.mdb')));
      refused++;
    }
  }
  assert.ok(refused >= 30, `${refused} cuts were noticed`);
});

test('a file of another program is refused', async () => {
  for (const content of ['x', 'not a database '.repeat(10_000), Buffer.alloc(100_000)]) {
    const path = newFolder('overround-damage-');
    await openDataDirectory(path, 1, clock).close();
    const file = join(path, 'shard-0', 'data.mdb');
    rmSync(join(path, 'shard-0', 'lock.mdb'));
    writeFileSync(file, content);
    await assert.rejects(start(path), isClear);
  }
});

test('a store that is empty or missing where there was one is refused by its file, never begun anew', async () => {
  const whole = await written();
  for (const store of ['shard-0', 'control'])
    for (const damage of [
      (file: string) => truncateSync(file, 0),
      (file: string) => rmSync(file),
      (file: string) => {
        truncateSync(file, 0);
        rmSync(join(file, '..', 'lock.mdb'), { force: true });
      },
    ]) {
      const path = newFolder('overround-damage-');
      cpSync(whole, path, { recursive: true });
      const file = join(path, store, 'data.mdb');
      damage(file);
      await assert.rejects(start(path), (error: Error) => isClear(error) && error.message.startsWith(file));
      assert.ok(!existsSync(file) || statSync(file).size === 0, 'it is as it was found');
    }
  const path = newFolder('overround-damage-');
  cpSync(whole, path, { recursive: true });
  rmSync(join(path, 'shard-0', 'opened'));
  truncateSync(join(path, 'shard-0', 'data.mdb'), 0);
  await assert.rejects(start(path), isClear, 'of an earlier release: it has a checkpoint');
  rmSync(join(path, 'shard-0'), { recursive: true });
  await assert.rejects(start(path), isClear);
});

test('the other stores are refused as well where they are empty', async () => {
  const stores: Record<string, (dataDir: string) => { close(): unknown }> = {
    delayed: (dataDir) => new DelayedStore(dataDir),
    'event-log': (dataDir) => new EventLogFile(dataDir),
    history: (dataDir) => new HistoryFile(dataDir),
  };
  for (const [name, open] of Object.entries(stores)) {
    const path = newFolder('overround-damage-');
    await open(path).close();
    truncateSync(join(path, name, 'data.mdb'), 0);
    assert.throws(() => open(path), isClear, name);
  }
});

test('an empty file is what a first start leaves that was killed at once: the next one begins', async () => {
  const path = newFolder('overround-damage-');
  mkdirSync(join(path, 'shard-0'));
  writeFileSync(join(path, 'shard-0', 'data.mdb'), '');
  await assert.rejects(start(path), isClear, 'beside no identity a shard is another directory’s');
  const first = newFolder('overround-damage-');
  await openDataDirectory(first, 1, clock).close();
  rmSync(join(first, 'shard-0'), { recursive: true });
  rmSync(join(first, 'opened'));
  mkdirSync(join(first, 'shard-0'));
  writeFileSync(join(first, 'shard-0', 'data.mdb'), '');
  assert.equal(await start(first), 0);
});

test('a file of another program in place of any other store is refused as well', () => {
  const stores: Record<string, (dataDir: string) => unknown> = {
    control: (dataDir) => new LmdbControlStore(controlPath(dataDir)),
    delayed: (dataDir) => new DelayedStore(dataDir),
    'event-log': (dataDir) => new EventLogFile(dataDir),
    history: (dataDir) => new HistoryFile(dataDir),
  };
  for (const [name, open] of Object.entries(stores)) {
    const path = newFolder('overround-damage-');
    mkdirSync(join(path, name));
    writeFileSync(join(path, name, 'data.mdb'), 'not a database '.repeat(10_000));
    assert.throws(() => open(path), isClear, name);
  }
});

test('an identity that is damaged or missing beside shards is refused, never replaced by a new one', async () => {
  const whole = await written();
  for (const content of [
    '',
    '{',
    'null',
    '[]',
    '{"epoch":"x"}',
    '{"epoch":"x","birth":1.5,"shards":1}',
    '{"epoch":"x","birth":1,"shards":0}',
    '{"epoch":"x","birth":1,"shards":1e9}',
    undefined,
  ]) {
    const path = newFolder('overround-damage-');
    cpSync(whole, path, { recursive: true });
    const file = join(path, 'overround.json');
    if (content === undefined) rmSync(file);
    else writeFileSync(file, content);
    await assert.rejects(start(path), isClear, content);
    assert.equal(readdirSync(path).includes('overround.json.new'), false);
  }
});

test('what is not a directory is refused, one with other things in it is used', async () => {
  const path = newFolder('overround-damage-');
  const file = join(path, 'file');
  writeFileSync(file, 'x');
  await assert.rejects(start(file), /not a directory that can be made/);
  await assert.rejects(start(join(file, 'below')), /not a directory that can be made/);
  mkdirSync(join(path, 'lost+found'));
  assert.equal(await start(path), 0);
});

test('keys that are made before the first start are no reason to miss its shards', async () => {
  const path = newFolder('overround-damage-');
  await openControlAlone(path).close();
  assert.equal(await start(path), 0);
});
