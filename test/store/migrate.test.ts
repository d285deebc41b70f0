// A data directory of the release before: its rows are there, and its log is read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../src/base/model/clock.js';
import { Engine } from '../../src/engine/engine.js';
import { openDataDirectory } from '../../src/store/data-directory.js';
import { openShardEnv, readMeta, readVersion, STORE_VERSION, writeMeta } from '../../src/store/shard-env.js';
import type { OddsTable } from '../../src/tables/table.js';
import { makeFormer } from '../../torture/upgrade.js';
import { engineOptions } from '../engine-rig.js';
import { event, message, moneyline } from '../intake/ingest/messages.js';
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
        table.json.text(slot),
      );
      rows.push({ id, odds_american, is_active, odds_american_previous, odds_changed_at });
    }
  return rows;
}

test('a directory of release 0.2.0 is upgraded with its rows, its log and its table of a minute ago', async (t) => {
  const dataDir = newFolder('overround-migrate-');
  const first = openEngine(dataDir);
  const quotes = (home: number) => [
    message([event([moneyline(home, 100)])]),
    message([event([moneyline(home, 100)], { league: 'nfl' })]),
  ];
  await first.ingest(quotes(-110));
  const [before, { position }] = [pricesOf(first.table), first.table];
  assert.equal(before.length, 4);
  clock.set(NOW_MS + 30_000);
  await first.ingest(quotes(-120).map((each) => ({ ...each, polled_at: new Date(clock.now()).toISOString() })));
  const after = pricesOf(first.table);
  await first.close();
  await makeFormer(dataDir);
  const warned: string[] = [];
  const log = { ...engineOptions(dataDir).log, warn: (_fields: object, text: string) => warned.push(text) };
  const second = new Engine({ ...engineOptions(dataDir), clock, log });
  t.after(() => second.close());
  assert.deepEqual(pricesOf(second.table), after);
  assert.match(warned.join(), /^the data directory was upgraded: earlier releases/);
  clock.set(NOW_MS + 60_001);
  assert.deepEqual(pricesOf(second.tableFor('free')), before, 'read from the log of then');
  assert.ok(second.table.tombstones.completeFrom < position, 'who was there before the upgrade goes on');
  clock.set(NOW_MS + 91_000);
  second.delayed.advance();
  assert.deepEqual(pricesOf(second.tableFor('free')), after);
  const polled_at = new Date(clock.now()).toISOString();
  await second.ingest([message([event([], { suspended: true })], { polled_at })]);
  assert.deepEqual(
    pricesOf(second.table).map((row) => (row as { is_active: boolean }).is_active),
    [false, false, true, true],
  );
});

test('opportunities of a directory of release 0.2.0 go on with the time of their detection', async (t) => {
  const dataDir = newFolder('overround-migrate-');
  const started = new ManualClock(NOW_MS);
  const first = new Engine({ ...engineOptions(dataDir), clock: started });
  await first.ensureUniverse({ key: 'sharp', books: null });
  const polls = (league: string) => {
    const polled_at = new Date(started.now()).toISOString();
    return [
      message([event([moneyline(110, -130)], { league })], { polled_at }),
      message([event([moneyline(-115, 125)], { league })], { book: 'fanduel', polled_at }),
    ];
  };
  const times = ({ opportunities }: Engine) =>
    [...opportunities.of('sharp').opportunities()].map(({ kind, id, detectedUs }) => `${kind} ${id} ${detectedUs}`);
  await first.ingest(polls('nba'));
  const inSlabs = times(first);
  started.set(NOW_MS + 1_000);
  await first.ingest(polls('nfl'));
  started.set(NOW_MS + 2_000);
  await first.ingest([message([event([moneyline(115, -135)])], { polled_at: new Date(started.now()).toISOString() })]);
  const before = times(first).sort();
  assert.ok(inSlabs.length > 0 && before.length > inSlabs.length);
  await first.close();
  await makeFormer(dataDir);

  started.set(NOW_MS + 4_000);
  const second = new Engine({ ...engineOptions(dataDir), clock: started });
  t.after(() => second.close());
  assert.deepEqual(times(second).sort(), before, 'before anything is found again');
  await second.ensureUniverse({ key: 'sharp', books: null });
  await second.ingest(polls('nfl'));
  assert.deepEqual(times(second).sort(), before, 'found again, they are the same');
  started.set(NOW_MS + 6_000);
  const level = message([event([moneyline(-300, -300)], { league: 'nfl' })], {
    polled_at: new Date(started.now()).toISOString(),
  });
  await second.ingest([level]);
  const after = times(second);
  assert.ok(after.length < before.length && after.length > 0, 'one that ends has ended');
});

test('a directory of an unknown version is refused and left unchanged', async (t) => {
  const dataDir = newFolder('overround-migrate-');
  const made = openDataDirectory(dataDir, 1, clock);
  const [env] = made.envs;
  writeMeta(env!, { ...readMeta(env!), version: STORE_VERSION + 1 });
  await made.close();
  const opened = openDataDirectory(dataDir, 1, clock);
  t.after(() => opened.close());
  assert.equal(readVersion(opened.envs[0]!)!.version, STORE_VERSION + 1);
  assert.throws(() => readMeta(opened.envs[0]!), /written by another version/);
});

test('a directory of store version 4 is refused in one line, and stays as it is', async (t) => {
  const dataDir = newFolder('overround-migrate-');
  const made = openEngine(dataDir);
  await made.ingest([message([event([moneyline(-110, 100)])])]);
  await made.close();
  for (const shard of [0, 1]) {
    const env = openShardEnv(dataDir, shard);
    const meta = readVersion(env)!;
    env.root.transactionSync(() => writeMeta(env, { ...meta, version: 4 }));
    await env.root.close();
  }
  assert.throws(
    () => openEngine(dataDir),
    /^Error: the data directory was written by another version of overround \(store version 4, this one reads \d+\): start that one, or with another --data$/,
  );
  const env = openShardEnv(dataDir, 0);
  t.after(() => env.root.close());
  assert.equal(readVersion(env)!.version, 4);
  assert.ok([...env.numbers.getKeys()].length + [...env.events.getKeys()].length > 0 || readVersion(env)!.position > 0);
});
