// The wall clock may be set back by minutes: positions continue from where they were, ages of prices follow the clock.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newFolder } from '../../temp-folders.js';
import { NOW_MS } from './examples.js';
import { GAME, serverIn } from './live-server.js';

const BACK_MS = 240_000;

test('with the clock set back by minutes, fresh prices of a live game make an arbitrage at once, and old ones none', async (t) => {
  const dataDir = newFolder('overround-clock-');
  let nowMs = NOW_MS + BACK_MS;
  const { get, poll } = await serverIn(t, dataDir, { now: () => nowMs });
  const live = { ...GAME, is_live: true };
  // Prices of another book: those of the first two, stated with the clock ahead, are valid until the clock is that late
  // again.
  await poll({ betmgm: [-150, -140] }, live);
  nowMs = NOW_MS;
  await poll({ draftkings: [120, -140], fanduel: [-150, -105] }, live);
  assert.equal((await get('arbitrage', 'hobby'))['data'].length, 1);
  nowMs += 61_000;
  await poll({ draftkings: [120, -140] }, live);
  assert.equal((await get('arbitrage', 'hobby'))['data'].length, 0);
});
