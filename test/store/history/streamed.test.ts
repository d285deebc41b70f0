// Openings in the snapshots of streams: a real server, its history, prices that moved since.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW } from '../../front/api/serving.js';
import { api, type Json } from '../../front/api.js';
import { RawSse } from '../../front/stream-rig.js';
import { RawWs } from '../../front/ws/raw-ws.js';
import { until } from '../../support/until.js';
import { FLAGS, json, MINUTE, post } from './rig.js';

const BEGIN = Date.parse(NOW);

test('rows of a snapshot have their opening prices, over SSE and WebSocket', async (t) => {
  const made = await api(t, FLAGS);
  await post(made, BEGIN, 'draftkings', { home: -110, away: -110 });
  await post(made, BEGIN + MINUTE, 'fanduel', { home: -104, away: -116 });
  await post(made, BEGIN + 2 * MINUTE, 'draftkings', { home: -105, away: -115, line: -4 });
  const key = made.key('pro', { streaming: true });
  const rows = await json(made, '/odds?include=opening&market=point_spread', key);
  const expected = rows.data.map((row: Json) => [row.id, row.odds_american, row.opening]).sort();
  const moved = rows.data.find((row: Json) => row.sportsbook === 'draftkings' && row.selection_type === 'home');
  assert.deepEqual(
    [moved.odds_american, moved.line, moved.opening.odds_american, moved.opening.line],
    [-105, -4, -110, -3.5],
  );
  const rowsWithOpenings = (client: RawSse | RawWs) =>
    [...client.table.odds.values()].map((row) => [row.id, row.odds_american, row.opening]).sort();

  const sse = new RawSse(made, '/stream/odds?market=point_spread&include=opening&state=nj', key);
  await until('complete', () => sse.table.complete);
  assert.deepEqual(rowsWithOpenings(sse), expected);
  const forms: RawWs[] = [];
  for (const protocol of ['overround.json', 'overround.msgpack']) {
    const queried = new RawWs(made, { api_key: key, channels: 'odds', market: 'point_spread', include: 'opening' }, [
      protocol,
    ]);
    await queried.frame('snapshot:complete');
    assert.deepEqual(rowsWithOpenings(queried), expected, protocol);
    assert.deepEqual((await queried.frame('subscribed'))['filters'], { markets: ['point_spread'], include: 'opening' });
    forms.push(queried);
  }
  const [asked] = forms as [RawWs];
  const from = asked.frames.length;
  asked.say({ type: 'subscribe', channels: ['odds'], filters: { markets: ['point_spread'] } });
  await asked.frame('snapshot:complete', from);
  assert.ok(rowsWithOpenings(asked).every(([, , opening]) => opening === undefined));
  asked.say({ type: 'subscribe', channels: ['odds'], filters: { markets: ['point_spread'], include: 'opening' } });
  await until('openings', () => asked.table.complete && asked.table.odds.values().next().value?.opening !== undefined);
  assert.deepEqual(rowsWithOpenings(asked), expected);

  await post(made, BEGIN + 3 * MINUTE, 'draftkings', { home: 101, away: -121, line: -4 });
  await until('the update', () => sse.table.odds.get(moved.id)?.odds_american === 101);
  assert.deepEqual(sse.table.odds.get(moved.id)?.opening, moved.opening);
  sse.vanish();
  for (const { socket } of forms) socket.terminate();
});

test('openings are refused below Pro, under another name, and without a history', async (t) => {
  const made = await api(t, FLAGS);
  const keyed = (tier: 'hobby' | 'pro') => made.key(tier, { streaming: true });
  const status = async (path: string, key: string) => (await json(made, path, key, 400)).error.code;
  assert.equal(await status('/stream/odds?include=closing', keyed('pro')), 'invalid_request');
  await json(made, '/stream/odds?include=opening', keyed('hobby'), 403);
  const refused = async (server: typeof made, key: string, include: string, code: string) => {
    const socket = new RawWs(server, { api_key: key, channels: 'odds', include });
    assert.equal((await socket.frame('error'))['code'], code);
    const from = socket.frames.length;
    socket.say({ type: 'subscribe', channels: ['odds'], filters: { include } });
    assert.equal((await socket.frame('error', from))['code'], code);
    socket.socket.terminate();
  };
  await refused(made, keyed('pro'), 'closing', 'invalid_request');
  await refused(made, keyed('hobby'), 'opening', 'tier_restricted');
  const without = await api(t);
  const key = without.key('pro', { streaming: true });
  await json(without, '/stream/odds?include=opening', key, 404);
  await refused(without, key, 'opening', 'not_found');
});
