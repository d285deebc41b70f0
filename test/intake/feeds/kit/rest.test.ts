import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Connection } from '../../../../src/intake/feeds/kit/connection.js';
import { Rest, VenuePause, VenueRefusal } from '../../../../src/intake/feeds/kit/rest.js';
import { until } from '../../../support/until.js';
import { json, upstream } from '../the-odds-api/upstream.js';
import { feedBench } from './venue.js';

const signal = new AbortController().signal;

test('a request succeeds after a 429 with Retry-After, a 500, a lost connection and an answer that is not JSON', async () => {
  const venue = await upstream((_, response, count) => {
    if (count === 1) json(response, 429, {}, { 'retry-after': '0.2' });
    else if (count === 2) json(response, 500, {});
    else if (count === 3) response.destroy();
    else if (count === 4) response.end('<html>');
    else json(response, 200, { ok: count });
  });
  const bench = feedBench();
  const waits: number[] = [];
  const wait = async (ms: number) => waits.push(ms) > 0;
  const rest = new Rest({
    context: bench.context,
    baseUrl: venue.url,
    perSecond: 1_000,
    random: () => 0,
    signal,
    wait,
  });
  assert.deepEqual(await rest.get('/events', { limit: 100, cursor: undefined }), { ok: 5 });
  assert.deepEqual(venue.requests, Array(5).fill('/events?limit=100'));
  assert.equal(bench.counts.get('failed_requests'), 4);
  assert.ok(Math.max(...waits) >= 200, 'the wish to be left alone counts');
  await venue.close();
});

test('a connection that the venue closes is told in words', async () => {
  const venue = await upstream((_, response) => response.destroy());
  const { context } = feedBench();
  const rest = new Rest({ context, baseUrl: venue.url, perSecond: 1_000, random: () => 0, signal, attempts: 1 });
  await assert.rejects(rest.get('/events'), /^Error: \/events: 127\.0\.0\.1:\d+: other side closed$/);
  await venue.close();
});

test('a refused request is not retried, and its status is reported', async () => {
  const venue = await upstream((_, response) => json(response, 400, { error: 'offset is too large' }));
  const { context } = feedBench();
  const rest = new Rest({ context, baseUrl: venue.url, perSecond: 1_000, random: () => 0, signal });
  await assert.rejects(rest.get('/events'), (error) => {
    assert.ok(error instanceof VenueRefusal);
    assert.equal(error.status, 400);
    return true;
  });
  assert.equal(venue.requests.length, 1);
  await venue.close();
});

test('after a 429 with Retry-After every request of the venue waits, also those that were queued, and new connections', async (t) => {
  const atMs: number[] = [];
  const venue = await upstream((_, response, count) => {
    atMs.push(performance.now());
    if (count === 1) json(response, 429, {}, { 'retry-after': '0.6' });
    else json(response, 200, {});
  });
  const { context } = feedBench();
  const pause = new VenuePause();
  const shared = { context, baseUrl: venue.url, random: () => 0, signal, pause };
  const [games, books] = [new Rest({ ...shared, perSecond: 10 }), new Rest({ ...shared, perSecond: 10 })];
  const dialled: number[] = [];
  const stopping = new AbortController();
  const connection = new Connection({
    name: 'books',
    dial: ({ ended }) => {
      dialled.push(performance.now());
      queueMicrotask(() => ended({ reason: 'no' }));
      return { send: () => true, ping: () => {}, close: () => {} };
    },
    context,
    random: () => 0,
    pause,
    opened: () => {},
    received: () => {},
    down: () => {},
  });
  const requests = [games.get('/first')];
  for (let i = 0; i < 5; i++) requests.push((i % 2 === 0 ? games : books).get('/next'));
  await until('the refusal', () => pause.untilMs > 0);
  const refusedMs = performance.now();
  const running = connection.run(stopping.signal);
  t.after(async () => {
    stopping.abort();
    await running;
  });
  await Promise.all(requests);
  await until('a connection', () => dialled.length > 0);
  const endMs = atMs[0]! + 590;
  assert.deepEqual(
    [...atMs, ...dialled].filter((ms) => ms > refusedMs + 5 && ms < endMs),
    [],
  );
  await venue.close();
});

test('requests keep to the rate', async () => {
  const venue = await upstream((_, response) => json(response, 200, {}));
  const { context } = feedBench();
  const rest = new Rest({ context, baseUrl: venue.url, perSecond: 20, random: () => 0, signal });
  const startMs = context.clock.now();
  await Promise.all(Array.from({ length: 7 }, () => rest.get('/x')));
  assert.ok(context.clock.now() - startMs >= 290, 'seven at twenty a second take three tenths of one');
  await venue.close();
});

test('many requests may wait for their turn: Node warns of no leak', async (t) => {
  const venue = await upstream((_, response) => json(response, 200, {}));
  const { context } = feedBench();
  const warnings: string[] = [];
  const warned = ({ message }: Error) => warnings.push(message);
  process.on('warning', warned);
  t.after(() => process.off('warning', warned));
  const rest = new Rest({
    context,
    baseUrl: venue.url,
    perSecond: 1_000,
    random: () => 0,
    signal: new AbortController().signal,
  });
  await Promise.all(Array.from({ length: 20 }, () => rest.get('/x')));
  assert.deepEqual(warnings, []);
  await venue.close();
});

test('after a 429 the rate of requests is halved, and rises again with each answer', async () => {
  const venue = await upstream((_, response, count) => json(response, count <= 2 ? 429 : 200, {}));
  let nowMs = 1_000_000;
  const waits: number[] = [];
  const wait = async (ms: number): Promise<boolean> => {
    nowMs += ms;
    waits.push(Math.round(ms));
    return true;
  };
  const context = { ...feedBench().context, clock: { now: () => nowMs } };
  const rest = new Rest({ context, baseUrl: venue.url, perSecond: 10, random: () => 0, signal, wait });
  for (let i = 0; i < 4; i++) await rest.get('/x');
  // The back-off of both refusals, then four times the usual interval, less a tenth for each answer.
  assert.deepEqual(waits.slice(-3), [400, 360, 324]);
  for (let i = 0; i < 20; i++) await rest.get('/x');
  assert.equal(waits.at(-1), 100);
  await venue.close();
});
