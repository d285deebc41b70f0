// Opening streams: an allowance separate from requests.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/until.js';
import { api, type Json } from './api.js';
import { ladder, RawSse } from './stream-rig.js';
import { RawWs } from './ws/raw-ws.js';

test('all viewers of a key may reconnect at once, and again, however few requests it may make', async (t) => {
  const made = await api(t);
  await made.ingest(ladder(1, 2, -110));
  const key = made.key('pro', { streaming: true, maxStreams: 60, requestsPerMinute: 5 });
  for (let round = 0; round < 3; round++) {
    const streams = Array.from({ length: 50 }, () => new RawSse(made, '/stream/odds', key));
    const sockets = Array.from({ length: 10 }, () => new RawWs(made, { api_key: key, channels: 'odds' }));
    await until('all are complete', () => streams.every(({ table }) => table.complete));
    for (const socket of sockets) await socket.frame('snapshot:complete');
    assert.match(streams[0]!.head, /x-ratelimit-limit: 5\r\n/i);
    assert.match(streams[0]!.head, /x-ratelimit-remaining: 5(\r\n|$)/i);
    for (const stream of streams) stream.vanish();
    for (const { socket } of sockets) socket.terminate();
    await until('slots are free', () => made.server.broadcaster.subscriberCount === 0);
  }
  assert.equal((await made.fetch('/odds', { key })).headers.get('x-ratelimit-remaining'), '4');
});

test('beyond its openings per minute a key has to wait, on SSE and WebSocket, until the next minute', async (t) => {
  const made = await api(t);
  await made.ingest(ladder(1, 2, -110));
  const key = made.key('pro', { streaming: true, maxStreams: 1 });
  for (let i = 0; i < 60; i++) {
    const stream = new RawSse(made, '/stream/odds', key);
    await until('open', () => stream.head !== '');
    stream.vanish();
    await until('closed', () => made.server.broadcaster.subscriberCount === 0);
  }
  const refused = await made.fetch('/stream/odds', { key });
  const { error } = (await refused.json()) as Json;
  assert.deepEqual([refused.status, error.code], [429, 'rate_limited']);
  assert.equal(refused.headers.get('retry-after'), String(error.retryAfter));
  const socket = new RawWs(made, { api_key: key });
  await until('refused', () => socket.closed !== null);
  assert.deepEqual([socket.closed, socket.reason], [4029, 'rate_limited']);
  assert.equal((await made.fetch('/odds', { key })).status, 200);
  made.clock.set(made.clock.now() + 60_000);
  const again = new RawSse(made, '/stream/odds', key);
  await until('open', () => again.head.startsWith('HTTP/1.1 200'));
  again.vanish();
});
