// Hundreds of rules whose targets take nothing, each of which all prices meet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';
import { newFolder } from '../temp-folders.js';
import { serverWith } from './live.js';

const START = new Date(Date.now() + 86_400_000).toISOString();
const GAMES = Array.from({ length: 500 }, (_, i) => ({
  league: 'nba',
  home_team: `Homers ${i}`,
  away_team: `Visitors ${i}`,
  start_time: START,
}));
/** Each reports all prices of the games as ten messages. */
const RULES = 100;

test('what waits for the targets of an account is bounded over its rules, and stored in pieces', async (t) => {
  const { server, call, poll, pollAll, settled } = await serverWith(t, newFolder());
  await poll({ fanduel: [-120, 100] }, GAMES[0]);
  const url = `http://127.0.0.1:${await freePort()}/`;
  const target = { type: 'webhook', url };
  for (let i = 0; i < RULES; i++) {
    const { status } = await call('POST', '/account/alerts', 'enterprise', {
      name: `all ${i}`,
      channel: 'odds',
      target,
    });
    assert.equal(status, 201);
  }
  let waiting = 0;
  let most = 0;
  server.engine.control.store.onChange((changes) => {
    const messages = changes?.filter(([entry, value]) => entry.startsWith('alert-queue|') && value !== null) ?? [];
    waiting += messages.length;
    most = Math.max(most, messages.length);
  });
  await pollAll({ fanduel: [-110, -110] }, GAMES);
  await until('all have reported', () => waiting >= RULES * 10);
  for (const price of [-111, -112]) {
    await pollAll({ fanduel: [price, -110] }, GAMES);
    await settled();
  }
  assert.equal(waiting, RULES * 10);
  assert.ok(most < 200, `${most} messages in one commit`);
});

test('what was active before hundreds of rules is stored in pieces, too', async (t) => {
  const { server, call, pollAll } = await serverWith(t, newFolder());
  const [last, ...games] = GAMES;
  await pollAll({ pinnacle: [-110, -110], fanduel: [-110, -110] }, games);
  const target = { type: 'webhook', url: `http://127.0.0.1:${await freePort()}/` };
  for (let i = 0; i < 40; i++) {
    const rule = { name: `all ${i}`, channel: 'ev', filters: { min_ev: -50 }, target };
    assert.equal((await call('POST', '/account/alerts', 'enterprise', rule)).status, 201);
  }
  let stored = 0;
  let most = 0;
  server.engine.control.store.onChange((changes) => {
    const ids = changes?.filter(([entry]) => entry.startsWith('alert-reported|')) ?? [];
    stored += ids.length;
    most = Math.max(most, ids.length);
  });
  await pollAll({ pinnacle: [-110, -110], fanduel: [-110, -110] }, [last!]);
  await until('all know what was active', () => stored >= 40 * 2 * games.length);
  assert.ok(most < 10_000, `${most} in one commit of ${stored}`);
});
