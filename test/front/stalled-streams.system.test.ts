// What a client that reads nothing costs the server: minutes of traffic, so that all buffers on the way are full.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/until.js';
import { api } from './api.js';
import { ladder, RawSse, rowsOf, served, untilStuck } from './stream-rig.js';

const TRAFFIC_BYTES = 10_000_000;

test('stalled readers cost the server little, and have the exact state when they read again', async (t) => {
  const server = await api(t);
  await server.ingest(ladder(1, 400, -110));
  const key = server.key('enterprise');
  const quick = new RawSse(server, '/stream/odds', key);
  const slow = Array.from({ length: 10 }, () => new RawSse(server, '/stream/odds', key));
  const all = [quick, ...slow];
  await until('all are complete', () => all.every((client) => client.table.complete));
  let second = 2;
  const traffic = async (bytes: number): Promise<void> => {
    const end = quick.bytes + bytes;
    for (; quick.bytes < end; second++) await server.ingest(ladder(second, 400, -110 - (second % 50)));
  };
  for (const client of slow) client.pause();
  // What the kernel buffers for them, and what the process needs to warm up.
  await traffic(TRAFFIC_BYTES);
  const read = slow.map((client) => client.bytes);
  const before = process.memoryUsage().rss;
  await traffic(TRAFFIC_BYTES);
  const grown = process.memoryUsage().rss - before;
  assert.deepEqual(
    slow.map((client) => client.bytes),
    read,
    'nothing was read',
  );
  assert.equal(server.server.broadcaster.fullCount, slow.length);
  // If it were buffered for each of them, it would be ten times as much as was sent.
  assert.ok(grown < 6 * TRAFFIC_BYTES, `${grown} bytes more`);
  for (const client of slow) client.resume();
  const rows = served(server).join();
  await until('the slow ones have caught up', () => slow.every((client) => rowsOf(client.table).join() === rows));
  for (const client of all) client.vanish();
});

test('a client that reads nothing for 10 s while data waits gets the reason and is disconnected; its slot is free again', async (t) => {
  const server = await api(t);
  await server.ingest(ladder(1, 400, -110));
  const key = server.key('enterprise', { maxStreams: 1 });
  const stuck = new RawSse(server, '/stream/odds', key);
  await until('complete', () => stuck.table.complete);
  stuck.pause();
  const { broadcaster } = server.server;
  await untilStuck(server, 2, 1);
  server.clock.set(server.clock.now() + 9_000);
  broadcaster.sweep();
  assert.equal(broadcaster.subscriberCount, 1);
  server.clock.set(server.clock.now() + 1_500);
  broadcaster.sweep();
  assert.equal(broadcaster.subscriberCount, 0);
  stuck.resume();
  await until('the end', () => stuck.ended || stuck.events.at(-1)!.event === 'error');
  assert.deepEqual(JSON.parse(stuck.events.at(-1)!.data).code, 'backpressure');
  const next = new RawSse(server, '/stream/odds', key);
  await until('the next one is complete', () => next.table.complete);
  for (const client of [stuck, next]) client.vanish();
});
