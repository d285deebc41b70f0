// A node that follows another node's log may lag further behind than the Free tier's delay: its log is complete only up
// to some position.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../src/base/model/clock.js';
import { decode } from '../../../src/base/wire/codec.js';
import { openTables } from '../../../src/engine/engine.js';
import { FrontStore } from '../../../src/replication/nats/front-store.js';
import { openDataDirectoryToRead } from '../../../src/store/data-directory.js';
import { DelayedStore } from '../../../src/store/delayed-store.js';
import { dumpDirectory, restoreDirectory } from '../../../src/store/dump.js';
import { readLog } from '../../../src/store/shard-reader.js';
import { DelayedTable } from '../../../src/tables/delayed/delayed-table.js';
import type { OddsTable } from '../../../src/tables/table.js';
import { shardOfLeague } from '../../../src/writer/pool/shard-queues.js';
import { openEngine } from '../../engine-rig.js';
import { newFolder } from '../../temp-folders.js';

const START_MS = Date.UTC(2026, 10, 20, 18);
const log = { info: () => {}, warn: () => {}, error: () => {} };

const TEAMS: Record<string, [home: string, away: string]> = {
  nba: ['Boston Celtics', 'Los Angeles Lakers'],
  nfl: ['Kansas City Chiefs', 'Buffalo Bills'],
};

function rowsOf(table: OddsTable): string[] {
  const rows: string[] = [];
  for (let slot = 1; slot < table.columns.limit; slot++)
    if ((table.columns.id.at(slot) ?? '') !== '') rows.push(table.json.text(slot));
  return rows.sort();
}

function message(prices: readonly number[], nowMs: number, league = 'nba'): object {
  const markets = prices.map((odds_american, i) => ({
    market_type: ['moneyline', 'draw_no_bet'][i],
    selections: [{ selection: 'Home', selection_type: 'home', odds_american }],
  }));
  const start_time = new Date(START_MS + 4_000_000).toISOString();
  const [home_team, away_team] = TEAMS[league]!;
  const event = { league, home_team, away_team, start_time, markets };
  return { book: 'draftkings', polled_at: new Date(nowMs).toISOString(), scope: 'event', events: [event] };
}

test('a log that lags behind the clock by more than the delay is waited for: nothing of it is passed over', async (t) => {
  const [dataDir, ownDir] = [newFolder(), newFolder()];
  const clock = new ManualClock(START_MS);
  const engine = openEngine(t, { dataDir, clock, workers: 1, delaySeconds: 60, log });
  const directory = openDataDirectoryToRead(dataDir);
  const delayed = new DelayedTable({
    clock: new ManualClock(START_MS + 300_000),
    envs: directory.envs,
    store: new DelayedStore(ownDir),
    delaySeconds: 60,
    logSeconds: 900,
    keepBook: () => true,
    catalogue: engine.catalogue,
    completeTo: () => engine.table.position,
    createdPosition: directory.createdPosition,
    fellBack: false,
    log,
  });
  t.after(() => delayed.close());
  for (const prices of [[100], [110, 120], [130]]) {
    clock.set(clock.now() + 1_000);
    await engine.ingest([message(prices, clock.now())]);
    delayed.advance();
    assert.deepEqual(rowsOf(delayed.table), rowsOf(engine.table));
  }
});

test('of a snapshot older than the delay, whose shards are of different moments, nothing is passed over', async (t) => {
  const clock = new ManualClock(START_MS);
  const engine = openEngine(t, { clock, delaySeconds: 60, log });
  const leagues = [0, 1].map((shard) => Object.keys(TEAMS).find((league) => shardOfLeague(league, 2) === shard)!);
  const post = async (prices: readonly number[]): Promise<void> => {
    for (const league of leagues) {
      clock.set(clock.now() + 1_000);
      await engine.ingest([message(prices, clock.now(), league)]);
    }
  };
  const dumped = () => [...dumpDirectory(engine.directory, engine.delayedStore)];
  await post([100]);
  const first = dumped();
  await post([110, 120]);
  const shardOf = (piece: Uint8Array): number => (decode(piece) as [number])[0];
  const path = newFolder();
  await restoreDirectory(path, 2, [
    ...first.filter((piece) => shardOf(piece) === 0),
    ...dumped().filter((piece) => shardOf(piece) !== 0),
  ]);
  const store = new FrontStore(path, engine.directory, 900);
  t.after(() => store.directory.close());
  let reached = 0;
  const { delayed, table, follower } = openTables({
    catalogue: engine.catalogue,
    directory: store.directory,
    delayedStore: store.delayed,
    readOnly: true,
    follows: true,
    clock: new ManualClock(START_MS + 300_000),
    delaySeconds: 60,
    logSeconds: 900,
    log,
    reached: () => reached,
    source: {},
  });
  t.after(() => delayed.close());
  await post([130, 140]);
  const after = [0, 1].flatMap((shard) =>
    [...readLog(engine.directory.envs[shard]!, follower.appliedOf(shard))].map((entry) => ({ shard, ...entry })),
  );
  assert.equal(after.length, 3);
  for (const { shard, position, bytes } of after.sort((a, b) => a.position - b.position)) {
    store.write(shard, position, bytes);
    reached = position;
    delayed.advance();
  }
  assert.deepEqual(rowsOf(delayed.table), rowsOf(engine.table));
  assert.equal(delayed.position, engine.table.position);
  assert.ok(delayed.position > table.position, 'only what was in the snapshot');
});
