import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FeedState } from '../../../src/base/model/feed-state.js';
import { healthRoutes } from '../../../src/front/api/service.js';
import { STORE_VERSION } from '../../../src/store/shard-env.js';
import { type Body, NOW, serving, WORLD } from './serving.js';

const QUIET = { simulated: false, lastSuccessMs: null, error: null, lagMs: null, counts: {}, unknownFields: {} };

test('health shows each check, the running feeds and that prices are simulated, without a key or a limit', async (t) => {
  const feeds = () => [
    {
      ...QUIET,
      name: 'sim:seed=7',
      simulated: true,
      state: 'running' as const,
      lastSuccessMs: Date.parse(NOW),
      lagMs: 12,
      counts: { messages: 7, bad_messages: 1, refused_parts: 2, left_out: 3 },
      unknownFields: { 'odds.new_fee': 4 },
    },
    { ...QUIET, name: 'replay:/srv/private/day.ndjson', state: 'ended' as const },
  ];
  const { ok, ingest, get } = await serving(t, healthRoutes, { feeds, version: '1.2.3' });
  await ingest(...WORLD.map((message) => ({ ...message, simulated: true })));
  const { data, success, updated_at, ...health } = await ok('/health');
  assert.deepEqual(health, {
    status: 'ok',
    version: 'v1',
    release: '1.2.3',
    timestamp: NOW,
    simulated: true,
    feeds: [
      {
        kind: 'sim',
        simulated: true,
        state: 'running',
        last_success_at: NOW,
        error: null,
        lag_ms: 12,
        not_understood: {
          bad_messages: 1,
          refused_parts: 2,
          left_out: 3,
          unknown_fields: [{ field: 'odds.new_fee', times: 4 }],
        },
      },
      {
        kind: 'replay',
        simulated: false,
        state: 'ended',
        last_success_at: null,
        error: null,
        lag_ms: null,
        not_understood: { bad_messages: 0, refused_parts: 0, left_out: 0, unknown_fields: [] },
      },
    ],
    books: health['books'],
    cluster: {
      role: 'all',
      writer: health['cluster'].writer,
      position: health['cluster'].position,
      lag_ms: 0,
      fronts: 0,
    },
    checks: {
      lmdb: { status: 'ok', latency_ms: 0 },
      data: { status: 'ok', message: '23 odds of 6 events, newest poll 0 s ago' },
      schema: { status: 'ok', message: `store version ${STORE_VERSION}` },
    },
  });
  assert.ok(health['books'].length > 1);
  const draftkings = health['books'].find((book: Body) => book['sportsbook'] === 'draftkings');
  assert.deepEqual(draftkings, { sportsbook: 'draftkings', newest_poll_at: NOW, age_seconds: 0 });
  assert.deepEqual([data, success, updated_at], [health, true, NOW]);
  for (let i = 0; i < 12; i++) assert.equal((await get('/health')).status, 200);
});

test('a feed whose last attempt failed, or that gave up, makes health degraded, and the ages of its books show since when', async (t) => {
  let state: FeedState = 'running';
  const feeds = () => [
    { ...QUIET, name: 'the-odds-api:sports=x', state, error: state === 'running' ? null : 'HTTP 500' },
  ];
  const { ok, ingest, clock } = await serving(t, healthRoutes, { feeds });
  await ingest(...WORLD);
  assert.equal((await ok('/health'))['status'], 'ok');
  clock.set(Date.parse(NOW) + 90_000);
  for (const gone of ['failing', 'failed'] as const) {
    state = gone;
    const { status, checks, feeds: states, books } = await ok('/health');
    assert.deepEqual([status, checks.data.status], ['degraded', 'degraded']);
    assert.match(checks.data.message, new RegExp(`^the-odds-api is ${gone}, \\d+ odds of `));
    assert.deepEqual([states[0].state, states[0].error], [gone, 'HTTP 500']);
    assert.equal(books.find((book: Body) => book['sportsbook'] === 'draftkings').age_seconds, 90);
  }
});

test('health is degraded without odds, and when no book was polled for five minutes', async (t) => {
  const { ok, ingest, clock } = await serving(t, healthRoutes);
  const empty = await ok('/health');
  assert.deepEqual([empty['status'], empty['simulated'], empty['feeds']], ['degraded', false, []]);
  assert.deepEqual(empty['checks'].data, { status: 'degraded', message: 'no odds in the table' });
  await ingest(...WORLD);
  clock.set(Date.parse(NOW) + 300_000);
  assert.equal((await ok('/health')).status, 'ok');
  clock.set(Date.parse(NOW) + 300_001);
  const stale = await ok('/health');
  assert.deepEqual([stale['status'], stale['checks'].lmdb.status], ['degraded', 'ok']);
  assert.match(stale['checks'].data.message, /newest poll 300 s ago/);
});

test('health is down with 503 when the store cannot be read', async (t) => {
  const { get, ingest, engine } = await serving(t, healthRoutes);
  await ingest(...WORLD);
  for (const env of engine.directory.envs)
    env.meta.getBinary = () => {
      throw new Error('disk gone');
    };
  const response = await get('/health');
  const body = (await response.json()) as Body;
  assert.deepEqual([response.status, body['status'], body['version']], [503, 'down', 'v1']);
  assert.deepEqual(body['checks'].lmdb, { status: 'down', message: 'the store cannot be read: disk gone' });
  assert.equal(body['error'].code, 'unavailable');
});
