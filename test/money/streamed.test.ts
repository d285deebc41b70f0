// The stake that is wanted and what is guaranteed, on every surface that tells of opportunities.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, connect } from '../front/mcp/clients.js';
import { RawSse } from '../front/stream-rig.js';
import { RawWs } from '../front/ws/raw-ws.js';
import { until } from '../support/until.js';
import { type Item, posted, total, winner } from './posted.js';

const TEAMS = { home_team: 'Miami Heat', away_team: 'Chicago Bulls' };
const NFL = {
  league: 'nfl',
  start_time: '2026-11-22T18:00:00Z',
  home_team: 'Dallas Cowboys',
  away_team: 'New York Giants',
};
const sized = (size: number) => ({ novig: [winner(2.1, 1.9, [size, 500])], fanduel: [winner(1.8, 2.1)] });

test('streams, alerts and tools take min_stake, currency and guaranteed like lists', async (t) => {
  const made = await posted(t, { fx: 'GBP=1.25' });
  const { post, clock } = made;
  await post(TEAMS, sized(10));
  await post(NFL, { kalshi: [winner(1.9, 1.5)], betmgm: [winner(1.3, 2.4)] });
  const of = (client: RawSse, name: string) =>
    client.events.filter(({ event }) => event === name).map(({ data }) => JSON.parse(data) as Item);
  const key = made.key('enterprise');
  const watching = new RawSse(made, '/stream?channel=opportunities&min_stake=30&currency=GBP&guaranteed=true', key);
  const all = new RawSse(made, '/stream?channel=opportunities', key);
  await until('complete', () => watching.table.complete && all.table.complete);
  const detected = (client: RawSse) => of(client, 'arb:detected').flat() as Item[];
  assert.deepEqual(detected(watching), []);
  assert.equal(detected(all).length, 2);
  // Twenty dollars on one half of it, 40 in all: 32 pounds.
  clock.set(clock.now() + 1_500);
  await post(TEAMS, sized(20));
  await until('enough can be staked', () => detected(watching).length === 1);
  assert.equal(detected(watching)[0]!['max_stake'], 32);
  clock.set(clock.now() + 1_500);
  await post(TEAMS, sized(9));
  await until('too little again', () => of(watching, 'arb:expired').length === 1);
  watching.vanish();
  all.vanish();
  const socket = new RawWs(made, { api_key: key, channels: 'arbitrage', min_stake: '1', guaranteed: 'true' });
  await until('subscribed', () => socket.types.includes('snapshot:complete'));
  const shown = socket.frames.flatMap((frame) =>
    frame.type === 'opportunities_snapshot' ? (frame['arbitrage'] ?? frame['data']) : [],
  ) as Item[];
  assert.equal(shown.flat().length, 1, JSON.stringify(socket.frames));
  socket.say({ type: 'subscribe', channels: ['arbitrage'], filters: { currency: 'XYZ' } });
  await until('refused', () => socket.types.includes('error'));
  socket.socket.close();
  const unknown = await made.fetch('/stream?channel=opportunities&currency=XYZ', { key });
  assert.equal(unknown.status, 400);
  const alert = (filters: object) =>
    made.fetch('/account/alerts', {
      key,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        name: 'arbs',
        channel: 'arbitrage',
        filters,
        target: { type: 'webhook', url: 'https://receiver.example/hook' },
        quiet_s: 0,
      }),
    });
  assert.equal((await alert({ min_stake: 10, currency: 'GBP', guaranteed: true })).status, 201);
  assert.equal((await alert({ currency: 'XYZ' })).status, 400);
  const tools = await connect(t, made.url, key);
  const ids = async (args: object) =>
    ((await call(tools, 'find_arbitrage', { ...args })).structuredContent!['data'] as Item[]).length;
  assert.equal(await ids({}), 2);
  assert.equal(await ids({ guaranteed: true }), 1);
  assert.equal(await ids({ guaranteed: true, min_stake: 1_000 }), 0);
});

test('streams, alerts and tools take include_assumed like lists', async (t) => {
  const made = await posted(t, {});
  const key = made.key('enterprise');
  await made.post(
    { league: 'afl', start_time: '2026-11-22T15:00:00Z', home_team: 'Geelong Cats', away_team: 'Collingwood Magpies' },
    { pinnacle: [total(160.5, 2.1, 1.8)], fanduel: [total(170.5, 1.8, 2.1)] },
  );
  const without = new RawSse(made, '/stream?channel=middles', key);
  const withIt = new RawSse(made, '/stream?channel=middles&include_assumed=true', key);
  await until('complete', () => without.table.complete && withIt.table.complete);
  const detected = (client: RawSse) =>
    client.events.flatMap(({ event, data }) => (event === 'middles:detected' ? (JSON.parse(data) as Item[]) : []));
  assert.deepEqual([detected(without).length, detected(withIt).length], [0, 1]);
  without.vanish();
  withIt.vanish();
  const answer = await made.fetch('/account/alerts', {
    key,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      name: 'middles',
      channel: 'middles',
      filters: { include_assumed: true },
      target: { type: 'webhook', url: 'https://receiver.example/hook' },
    }),
  });
  assert.equal(answer.status, 201);
  const tools = await connect(t, made.url, key);
  const count = async (args: Record<string, unknown>) =>
    ((await call(tools, 'find_middles', args)).structuredContent!['data'] as Item[]).length;
  assert.deepEqual([await count({}), await count({ include_assumed: true })], [0, 1]);
});
