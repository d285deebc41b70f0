// A data directory of the previous version: its rows are there, open and without a previous price, and its log is gone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DELTA_VERSION } from '../../src/delta/delta.js';
import { Engine } from '../../src/engine/engine.js';
import { ManualClock } from '../../src/model/clock.js';
import { openDataDirectory } from '../../src/store/data-directory.js';
import { openShardEnv, readMeta, readVersion, writeMeta } from '../../src/store/shard-env.js';
import type { OddsTable } from '../../src/table/table.js';
import { engineOptions } from '../engine-rig.js';
import { event, message, moneyline } from '../ingest/messages.js';
import { newFolder } from '../temp-folders.js';

const NOW_MS = Date.parse('2026-11-20T18:00:01Z');
const clock = new ManualClock(NOW_MS);

function openEngine(dataDir: string): Engine {
  return new Engine({ ...engineOptions(dataDir), clock });
}

function pricesOf(table: OddsTable): object[] {
  const rows: object[] = [];
  for (const each of table.events.ordered())
    for (const slot of each.rows.sorted()) {
      const { id, odds_american, is_active, odds_american_previous, odds_changed_at } = JSON.parse(
        table.bytes.text(slot),
      );
      rows.push({ id, odds_american, is_active, odds_american_previous, odds_changed_at });
    }
  return rows;
}

test('a directory of store version 3 is upgraded; its log is cut, and an earlier position starts over', async (t) => {
  const dataDir = newFolder('overround-migrate-');
  const first = openEngine(dataDir);
  const quotes = message([event([moneyline(-110, 100)])]);
  await first.ingest([quotes, message([event([moneyline(-110, 100)], { league: 'nfl' })])]);
  const before = pricesOf(first.table);
  assert.equal(before.length, 4);
  const { position } = first.table;
  await first.close();
  for (const shard of [0, 1]) {
    const env = openShardEnv(dataDir, shard);
    const meta = readVersion(env)!;
    env.root.transactionSync(() => {
      writeMeta(env, { ...meta, version: 3 });
      // In a format that cannot be decoded any more.
      void env.log.put(meta.position, Buffer.from([0xc1]));
      void env.removals.put(meta.position, Buffer.from([0xc1]));
    });
    await env.root.close();
  }
  const warned: string[] = [];
  const log = { ...engineOptions(dataDir).log, warn: (_fields: object, text: string) => warned.push(text) };
  const second = new Engine({ ...engineOptions(dataDir), clock, log });
  t.after(() => second.close());
  assert.deepEqual(pricesOf(second.table), before);
  assert.throws(() => second.tableFor('free'), /of a minute ago are not known yet/);
  assert.match(warned.join(), /^the data directory was upgraded: earlier releases/);
  clock.set(NOW_MS + 60_001);
  assert.deepEqual(pricesOf(second.tableFor('free')), before, 'its own state is gone: it begins with what there was');
  assert.ok(second.table.tombstones.completeFrom >= position, 'what was removed before is not known any more');
  clock.set(NOW_MS + 61_000);
  const polled_at = new Date(clock.now()).toISOString();
  await second.ingest([message([event([], { suspended: true })], { polled_at })]);
  assert.deepEqual(
    pricesOf(second.table).map((row) => (row as { is_active: boolean }).is_active),
    [false, false, true, true],
  );
});

test('a directory of an unknown version is refused and left unchanged', async (t) => {
  const dataDir = newFolder('overround-migrate-');
  const made = openDataDirectory(dataDir, 1, clock);
  const [env] = made.envs;
  writeMeta(env!, { ...readMeta(env!), version: DELTA_VERSION + 1 });
  await made.close();
  const opened = openDataDirectory(dataDir, 1, clock);
  t.after(() => opened.close());
  assert.equal(readVersion(opened.envs[0]!)!.version, DELTA_VERSION + 1);
  assert.throws(() => readMeta(opened.envs[0]!), /written by another version/);
});

test('a directory of store version 2 is refused in one line, and stays as it is', async (t) => {
  const dataDir = newFolder('overround-migrate-');
  const made = openEngine(dataDir);
  await made.ingest([message([event([moneyline(-110, 100)])])]);
  await made.close();
  for (const shard of [0, 1]) {
    const env = openShardEnv(dataDir, shard);
    const meta = readVersion(env)!;
    env.root.transactionSync(() => writeMeta(env, { ...meta, version: 2 }));
    await env.root.close();
  }
  assert.throws(
    () => openEngine(dataDir),
    /^Error: the data directory was written by another version of overround \(store version 2, this one reads \d+\): start with another --data$/,
  );
  const env = openShardEnv(dataDir, 0);
  t.after(() => env.root.close());
  assert.equal(readVersion(env)!.version, 2);
  assert.ok([...env.numbers.getKeys()].length + [...env.events.getKeys()].length > 0 || readVersion(env)!.position > 0);
});
