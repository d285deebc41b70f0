// A full disk: a clear error, nothing is half done, reads continue, and ingest works again as soon as there is space.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { NEW_DELIVERY } from '../../src/base/model/alert.js';
import { systemClock } from '../../src/base/model/clock.js';
import { isNoRoom, StorageFull } from '../../src/base/model/storage-error.js';
import { LmdbControlStore } from '../../src/store/control-store.js';
import { DelayedStore } from '../../src/store/delayed-store.js';
import { HistoryFile } from '../../src/store/history-store.js';
import { openShardEnv } from '../../src/store/shard-env.js';
import { ruleFor } from '../accounts/outbox/rules.js';
import { storedAlerts } from '../accounts/outbox/stored-alerts.js';
import { event, message, moneyline, total } from '../intake/ingest/messages.js';
import { Rig, rig, textsOf } from '../writer/shard/rig.js';

function fill(shard: Rig, steps: number, grow: boolean): void {
  for (let i = 0; i < steps; i++) {
    shard.nowMs += 100;
    const lines = Array.from({ length: 20 }, (_, line) => total(200 + line, -110 - (i % 80), -110, true));
    const teams = grow ? { home_team: `Home ${i}`, away_team: `Away ${i}`, league: 'moon-cup' } : {};
    const polled_at = new Date(shard.nowMs).toISOString();
    shard.send(message([event([moneyline(-110 - (i % 80), 100), ...lines], teams)], { polled_at }));
  }
}

test('at --map-size commits are refused with a clear error, nothing is half done and reads continue', (t) => {
  const shard = rig(t, undefined, { fileBytesMax: 3e6 });
  assert.throws(
    () => fill(shard, 2_000, true),
    (error: unknown) =>
      error instanceof StorageFull && /storage is full: .*--map-size \(3000000 bytes\)/.test(error.message),
  );
  assert.ok(shard.rows().size > 500);
  assert.deepEqual(textsOf(shard.freshTable()), textsOf(shard.table));
  assert.equal(shard.shard.rowCount, shard.table.rowCount, 'the shard stands where its last commit left it');
  assert.throws(() => fill(shard, 1, true), StorageFull, 'it goes on being refused');
  assert.deepEqual(textsOf(shard.freshTable()), textsOf(shard.table));
});

test('a store full of log accepts odds again when the log has expired, without a restart and whatever history still wants', (t) => {
  const shard = rig(t, undefined, { fileBytesMax: 0.75e6, logSeconds: 300, logBytesMax: 1e9 });
  shard.writer.recordedTo = 0;
  assert.throws(() => fill(shard, 5_000, false), StorageFull);
  const before = textsOf(shard.table);
  shard.nowMs += 60_000;
  assert.throws(() => fill(shard, 1, false), StorageFull);
  shard.nowMs += 600_000;
  fill(shard, 10, false);
  assert.equal(shard.table.rowCount, before.size);
  assert.deepEqual(textsOf(shard.freshTable()), textsOf(shard.table));
});

test('log entries are cut even if the commit that cut them fails', (t) => {
  const shard = rig(t, undefined, { logSeconds: 300 });
  fill(shard, 20, false);
  const entries = () => shard.env.log.getKeysCount();
  assert.equal(entries(), 20);
  shard.nowMs += 600_000;
  const { meta } = shard.env;
  const put = meta.put.bind(meta);
  // The room runs out at the very end of the transaction, after the log was cut.
  meta.put = () => {
    meta.put = put;
    throw new Error('MDB_MAP_FULL: Environment mapsize limit reached');
  };
  assert.throws(() => fill(shard, 1, false), StorageFull);
  assert.equal(entries(), 0);
  fill(shard, 1, false);
  assert.equal(entries(), 1);
  assert.deepEqual(textsOf(shard.freshTable()), textsOf(shard.table));
});

test('a disk that is really full refuses ingest, loses nothing and recovers', async (t) => {
  const disk = mountSmallDisk(3);
  if (disk === undefined) return t.skip('a small file system may not be mounted here');
  const shard = new Rig(Date.parse('2026-11-20T18:00:00Z'), {}, disk);
  t.after(async () => {
    await shard.close();
    spawnSync('umount', [disk]);
    rmdirSync(disk);
  });
  fill(shard, 10, true);
  const ballast = join(disk, 'ballast');
  const before = textsOf(shard.table);
  fillDisk(ballast);
  let refused = 0;
  let taken = 0;
  for (let i = 0; i < 5_000 && refused < 20; i++)
    try {
      fill(shard, 1, false);
      taken++;
    } catch (error) {
      assert.ok(error instanceof StorageFull, String(error));
      assert.match(error.message, /^storage is full( or failing)?: /);
      refused++;
    }
  assert.ok(refused > 0, `the disk never filled up (${taken} taken)`);
  assert.deepEqual(textsOf(shard.freshTable()), textsOf(shard.table));
  for (const id of before.keys()) assert.ok(shard.table.slotOf(id) !== undefined);
  const full = textsOf(shard.table);
  await shard.restart('closed');
  assert.deepEqual(textsOf(shard.table), full);
  rmSync(ballast);
  fill(shard, 20, false);
  assert.deepEqual(textsOf(shard.freshTable()), textsOf(shard.table));
  await shard.restart('closed');
  assert.equal(shard.table.rowCount, before.size + 42);
});

test('a full disk refuses changes of alerts with its reason, ends nothing, and they succeed once there is room', async (t) => {
  const disk = mountSmallDisk(2);
  if (disk === undefined) return t.skip('a small file system may not be mounted here');
  const alerts = storedAlerts(join(disk, 'control'), systemClock);
  const { store } = alerts;
  t.after(async () => {
    await alerts.close();
    spawnSync('umount', [disk]);
    rmdirSync(disk);
  });
  const id = 'al_a';
  alerts.add(ruleFor('https://example.com/', id));
  await store.put(id, { position: 1, begun: ['o1'], untold: [], ended: [], bodies: [] });
  const ballast = join(disk, 'ballast');
  fillDisk(ballast);
  const bodies = Array.from({ length: 20 }, () => Buffer.alloc(20_000));
  const findings = { position: 2, begun: ['o2'], untold: [], ended: ['o1'], bodies };
  for (let tries = 0; tries < 3; tries++) {
    // A rejection that nobody handles fails the test.
    await assert.rejects(store.put(id, findings), { code: 'storage_full' });
    assert.deepEqual([store.rules().length, store.reported(id), store.queueLength(id)], [1, ['o1'], 0]);
  }
  rmSync(ballast);
  assert.equal(await store.put(id, findings), true);
  await store.taken(id, 1, { ...NEW_DELIVERY, delivered: 1 });
  assert.deepEqual([store.reported(id), store.queueLength(id)], [['o2'], 19]);
});

function fillDisk(file: string): void {
  for (let size = 1 << 20; size >= 4_096; size /= 2)
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
    }
}

test('a new store is refused where the disk has no room, before LMDB maps a file that has none', async (t) => {
  const disk = mountSmallDisk(2);
  if (disk === undefined) return t.skip('a small file system may not be mounted here');
  t.after(() => {
    spawnSync('umount', [disk]);
    rmdirSync(disk);
  });
  await openShardEnv(join(disk, 'old'), 0).root.close();
  fillDisk(join(disk, 'ballast'));
  for (const open of [
    () => openShardEnv(join(disk, 'new'), 0),
    () => new LmdbControlStore(join(disk, 'control')),
    () => new HistoryFile(disk),
    () => new DelayedStore(disk),
  ])
    assert.throws(
      open,
      /^StorageFull: storage is full: .* has \d+ bytes left on its disk, and a new store needs 262144$/,
    );
  await openShardEnv(join(disk, 'old'), 0).root.close();
});

function mountSmallDisk(megabytes: number): string | undefined {
  const path = mkdtempSync(join(tmpdir(), 'overround-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', path], { stdio: 'ignore' });
  if (status === 0) return path;
  rmdirSync(path);
  return undefined;
}

test('errors of a full disk are recognised by text and code, and others are not confused with them', () => {
  for (const text of [
    'MDB_MAP_FULL: Environment mapsize limit reached',
    'No space left on device',
    'EDQUOT',
    'Input/output error',
  ])
    assert.ok(isNoRoom(new Error(text)), text);
  assert.equal(
    new StorageFull(new Error('Input/output error')).message,
    'storage is full or failing: Input/output error',
  );
  assert.ok(isNoRoom(Object.assign(new Error('write failed'), { code: 'ENOSPC' })));
  for (const text of ['MDB_CORRUPTED: Located page was wrong type', 'Permission denied', 'full of surprises'])
    assert.ok(!isNoRoom(new Error(text)), text);
});
