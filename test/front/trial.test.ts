// A key's streaming trial on a whole server: what it allows, how it is shown, and its end.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnce } from '../accounts/keys-at-once.js';
import { until } from '../support/until.js';
import { type Api, api, type Json } from './api.js';
import { ladder, RawSse } from './stream-rig.js';
import { RawWs } from './ws/raw-ws.js';

const HOUR_MS = 3_600_000;

async function json({ fetch }: Api, path: string, key: string, init: RequestInit = {}): Promise<Json> {
  const response = await fetch(path, { key, ...init });
  return { status: response.status, ...((await response.json()) as object) };
}

function connectedOf(client: RawSse): Json {
  return JSON.parse(client.events[0]!.data);
}

test('during a trial its key may stream, up to its number of streams, and sees how long', async (t) => {
  const server = await api(t);
  await server.ingest(ladder(1, 2, -110));
  const key = server.key('pro', { trialHours: 48, maxStreams: 2 });
  server.clock.set(server.clock.now() + 6 * HOUR_MS);
  const trial = { active: true, expires_at: '2026-11-22T18:00:00.000Z', remaining_hours: 42, max_streams: 2 };
  const { data } = await json(server, '/account', key);
  assert.deepEqual(
    [data.streaming_trial, data.features.streaming, data.limits.max_streams, data.addons],
    [trial, true, 2, []],
  );
  const sse = new RawSse(server, '/stream/odds', key);
  await until('complete', () => sse.table.complete);
  assert.deepEqual(connectedOf(sse).trial, trial);
  const ws = new RawWs(server, { api_key: key, channels: 'odds' }, ['overround.msgpack']);
  await ws.frame('snapshot:complete');
  assert.deepEqual(ws.frames[0]!['trial'], trial);
  assert.equal((await json(server, '/stream/odds', key)).error.code, 'stream_limit_exceeded');
  await server.ingest(ladder(2, 2, -120));
  await until('news on both', () => ws.types.includes('odds:update') && sse.events.at(-1)!.event === 'odds:update');
  const paid = new RawSse(server, '/stream/odds', server.key('pro', { streaming: true }));
  await until('complete', () => paid.table.complete);
  assert.ok(!('trial' in connectedOf(paid)), 'who pays is on no trial');
  for (const client of [sse, paid]) client.vanish();
  ws.socket.terminate();
});

test('a trial ends on time: its streams get the reason and are closed, later ones refused, others continue', async (t) => {
  const server = await api(t);
  await server.ingest(ladder(1, 2, -110));
  const key = server.key('hobby', { trialHours: 0.5 });
  const endMs = server.clock.now() + HOUR_MS / 2;
  const sse = new RawSse(server, '/stream/odds', key);
  const stuck = new RawSse(server, '/stream/odds', key);
  const ws = new RawWs(server, { api_key: key, channels: 'odds' });
  const silent = new RawWs(server, { api_key: key });
  const paid = new RawSse(server, '/stream/odds', server.key('hobby', { streaming: true }));
  await until('all are complete', () => [sse, stuck, paid].every((client) => client.table.complete));
  await ws.frame('snapshot:complete');
  await silent.frame('connected');
  stuck.pause();
  const { broadcaster } = server.server;
  server.clock.set(endMs - 1);
  broadcaster.sweep();
  assert.equal(broadcaster.subscriberCount, 5, 'a moment before its end');
  server.clock.set(endMs);
  // The test does not call sweep(): the server checks by itself.
  await until('all but the paid one are closed', () => broadcaster.subscriberCount === 1);
  await until('the clients know', () => sse.ended && ws.closed !== null && silent.closed !== null);
  assert.equal(sse.events.at(-1)!.event, 'error');
  assert.equal(JSON.parse(sse.events.at(-1)!.data).code, 'trial_expired');
  for (const socket of [ws, silent]) {
    assert.equal(socket.frames.at(-1)!['code'], 'trial_expired');
    assert.deepEqual([socket.closed, socket.reason], [4003, 'trial_expired']);
  }
  const refused = await json(server, '/stream', key);
  assert.deepEqual([refused.status, refused.error.code], [403, 'forbidden']);
  assert.match(refused.error.message, /trial ended at 2026-11-20T18:30:00/);
  const again = new RawWs(server, { api_key: key });
  await until('refused', () => again.closed !== null);
  assert.deepEqual([again.closed, again.reason, again.frames.length], [4003, 'trial_expired', 0]);
  const { data } = await json(server, '/account', key);
  const over = { active: false, expires_at: '2026-11-20T18:30:00.000Z', remaining_hours: 0, max_streams: 10 };
  assert.deepEqual([data.streaming_trial, data.features.streaming, data.limits.max_streams], [over, false, 0]);
  assert.deepEqual((await json(server, '/account/usage', key)).data.streams, { active: 0, max: 0 });
  await server.ingest(ladder(2, 2, -120));
  await until('the paid one goes on', () => paid.events.at(-1)!.event === 'odds:update');
  for (const client of [stuck, paid]) client.vanish();
});

test('neither a rotation nor another key of the account gives the trial a later end', async (t) => {
  const server = await api(t);
  const { key, record } = atOnce(server.server.accounts).create({ tier: 'pro', trialHours: 2 });
  server.clock.set(server.clock.now() + HOUR_MS);
  const post = (body: object) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const sibling = (await json(server, '/account/keys', key, post({ name: 'second' }))).data.key;
  const rotated = (await json(server, `/account/keys/${record.id}/rotate`, key, post({}))).data.new_key;
  for (const each of [sibling, rotated]) {
    const { streaming_trial } = (await json(server, '/account', each)).data;
    assert.deepEqual([streaming_trial.active, streaming_trial.remaining_hours], [true, 1]);
  }
  server.clock.set(server.clock.now() + HOUR_MS);
  for (const each of [sibling, rotated]) assert.equal((await json(server, '/stream', each)).status, 403);
});
