// A front's stores: what they have of a game that was in the snapshot already.
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { test } from 'node:test';
import { encodeDelta } from '../../../src/log/delta/delta.js';
import { FrontStore } from '../../../src/replication/nats/front-store.js';
import { readSplitsHistory } from '../../../src/store/extras-store.js';
import { event, message, moneyline } from '../../intake/ingest/messages.js';
import { newFolder } from '../../temp-folders.js';
import { rig } from '../../writer/shard/rig.js';

const DAY_MS = 86_400_000;

test('the splits of a game that leaves the table are forgotten, also of one that the snapshot has', async (t) => {
  const shard = rig(t);
  const game = event([moneyline(-110, 100)]);
  const { league, home_team, away_team, start_time } = game;
  const about = { league, home_team, away_team, start_time, sportsbook: 'circa' };
  shard.send(message([game]), {
    ...message([]),
    book: 'circa',
    scope: 'none',
    splits: [{ ...about, total: { line: 220.5, bets_pct: { over: 0.6, under: 0.4 } } }],
  });
  const [id] = shard.eventIds();
  await shard.restart('closed');
  const path = newFolder();
  cpSync(shard.dir, path, { recursive: true });
  const front = new FrontStore(path, { epoch: 'e', createdPosition: 0, shards: 1 }, 900);
  t.after(() => Promise.all([front.directory.close(), front.delayed.close()]));
  const [env] = front.directory.envs;
  assert.equal(readSplitsHistory(env!, id!).length, 1);
  const { delta } = shard.tick(shard.nowMs + 3 * DAY_MS);
  front.write(0, delta!.position, encodeDelta(delta!));
  assert.deepEqual([delta!.dropped.length, readSplitsHistory(env!, id!)], [1, []]);
});
