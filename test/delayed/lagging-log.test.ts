// A node that follows another node's log may lag further behind than the Free tier's delay: its log is complete only up
// to some position.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DelayedTable } from '../../src/delayed/delayed-table.js';
import { ManualClock } from '../../src/model/clock.js';
import { openDataDirectoryToRead } from '../../src/store/data-directory.js';
import { DelayedStore } from '../../src/store/delayed-store.js';
import type { OddsTable } from '../../src/table/table.js';
import { openEngine } from '../engine-rig.js';
import { newFolder } from '../temp-folders.js';

const START_MS = Date.UTC(2026, 10, 20, 18);
const log = { info: () => {}, warn: () => {}, error: () => {} };

function rowsOf(table: OddsTable): string[] {
  const rows: string[] = [];
  for (let slot = 1; slot < table.columns.limit; slot++)
    if ((table.columns.id.at(slot) ?? '') !== '') rows.push(table.bytes.text(slot));
  return rows.sort();
}

function message(prices: readonly number[], nowMs: number): object {
  const markets = prices.map((odds_american, i) => ({
    market_type: ['moneyline', 'draw_no_bet'][i],
    selections: [{ selection: 'Home', selection_type: 'home', odds_american }],
  }));
  const start_time = new Date(START_MS + 4_000_000).toISOString();
  const event = { league: 'nba', home_team: 'Boston Celtics', away_team: 'Los Angeles Lakers', start_time, markets };
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
