// A directory restored from a dump is the one that was dumped: every table of every shard, and so also what no row has.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composed } from '../../src/detection/kinds/recorded-opportunity.js';
import { Moves } from '../../src/detection/moves/moves.js';
import { normalise } from '../../src/intake/ingest/normalise.js';
import type { UniverseNews } from '../../src/log/delta/opportunity.js';
import { controlPath, LmdbControlStore } from '../../src/store/control-store.js';
import { DelayedStore } from '../../src/store/delayed-store.js';
import { dumpDirectory, restoreDirectory } from '../../src/store/dump.js';
import { openShardEnv, type ShardEnv } from '../../src/store/shard-env.js';
import { cutPosition, readLogTail } from '../../src/store/shard-reader.js';
import { ShardWriter } from '../../src/writer/pool/shard-writer.js';
import { Shard } from '../../src/writer/shard/shard.js';
import { event, latest, message, moneyline } from '../intake/ingest/messages.js';
import { newFolder } from '../temp-folders.js';
import { catalogue } from '../writer/shard/rig.js';

const NOW_MS = Date.parse('2026-11-20T18:00:00Z');
const RETENTION = { logSeconds: 900, logBytesMax: 1e8, fileBytesMax: 4e9 };

function openShard(env: ShardEnv): Shard {
  return new Shard(0, catalogue, new ShardWriter(env, catalogue, RETENTION), undefined, new Moves());
}

function apply(shard: Shard, ms: number, prices: Record<string, [number, number]>): UniverseNews[] {
  const context = { catalogue, clock: latest, leagueOfEvent: () => undefined };
  const messages = Object.entries(prices).map(([book, [home, away]]) => {
    const start_time = new Date(NOW_MS + 3_600_000).toISOString();
    const raw = message([event([moneyline(home, away)], { start_time })], {
      book,
      polled_at: new Date(NOW_MS + ms).toISOString(),
    });
    return normalise(raw, '', context, [])!;
  });
  return shard.open(shard.apply(messages, (NOW_MS + ms) * 1000).news);
}

test('a shard that starts from a dump has the opportunities and moves of the one that was dumped', async (t) => {
  const [from, to] = [newFolder('overround-dump-'), newFolder('overround-dump-')];
  const env = openShardEnv(from, 0);
  const delayed = new DelayedStore(from);
  const active = new Map<string, unknown>();
  const shard = openShard(env);
  const note = (news: UniverseNews[]) => {
    for (const { universe, detected, expired } of news) {
      if (universe !== 'sharp') continue;
      for (const { id } of expired) active.delete(id);
      for (const one of detected) active.set(one.id, composed(one));
    }
  };
  note(apply(shard, 0, { draftkings: [-110, -110], fanduel: [-110, -110], betmgm: [-110, -110] }));
  for (const [i, book] of ['draftkings', 'fanduel', 'betmgm'].entries())
    note(apply(shard, 7_000 * (i + 1), { [book]: [-130, 125] }));
  note(apply(shard, 23_000, {}));
  const kinds = new Set([...active.values()].map((one) => (one as { kind: string }).kind));
  assert.ok(kinds.has('move') && kinds.size > 1, [...kinds].join());
  const control = new LmdbControlStore(controlPath(from));
  control.commit(7, [['key|a', Buffer.from([1])]]);
  await restoreDirectory(to, 1, dumpDirectory({ envs: [env], control }, delayed));
  const restored = openShardEnv(to, 0);
  const restoredControl = new LmdbControlStore(controlPath(to));
  assert.deepEqual([restoredControl.position, restoredControl.value('key|a')], [7, 1]);
  t.after(async () => {
    await Promise.all([
      control.close(),
      restoredControl.close(),
      env.root.close(),
      restored.root.close(),
      delayed.close(),
    ]);
  });
  const again = apply(openShard(restored), 23_001, {}).filter(({ universe }) => universe === 'sharp');
  assert.deepEqual(
    again.map(({ detected, expired }) => [detected, expired]),
    [[[], []]],
    'all is as it was',
  );
  const stored = [...readLogTail(restored).opportunities.listed()].filter(({ universe }) => universe === 'sharp');
  assert.deepEqual(stored.map(({ id }) => id).sort(), [...active.keys()].sort());
});

test('of the log a dump has what its delayed table has not read, however old that is, and says from where on it is whole', async () => {
  const at = (ms: number): number => (NOW_MS + ms) * 1000;
  const from = newFolder('overround-dump-');
  const env = openShardEnv(from, 0);
  const delayed = new DelayedStore(from);
  const control = new LmdbControlStore(controlPath(from));
  const shard = openShard(env);
  // A clock that was set minutes ahead: the delayed table follows the clock, positions never go back.
  for (const [ms, price] of [
    [0, -110],
    [100_000, -115],
    [400_000, -120],
  ] as const)
    apply(shard, ms, { draftkings: [price, -110] });
  const restoredWith = async (delayedTo: number): Promise<[log: number[], cutTo: number]> => {
    await delayed.write({ position: delayedTo, events: [], droppedEvents: [], slabs: [] });
    const to = newFolder('overround-dump-');
    await restoreDirectory(to, 1, dumpDirectory({ envs: [env], control }, delayed));
    const restored = openShardEnv(to, 0);
    const log = [...restored.log.getKeys()];
    const cutTo = cutPosition(restored);
    await restored.root.close();
    return [log, cutTo];
  };
  assert.deepEqual(await restoredWith(at(50_000)), [[at(100_000), at(400_000)], at(50_000)]);
  assert.deepEqual(await restoredWith(at(390_000)), [[at(400_000)], at(220_000) - 1]);
  assert.deepEqual(await restoredWith(at(-1)), [[at(0), at(100_000), at(400_000)], 0]);
  await Promise.all([control.close(), env.root.close(), delayed.close()]);
});
