// Batches: the tier's limit, missing events, and the caller's books; and a Free caller's delayed prices.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { api, type Json } from '../api.js';
import { ARSENAL, ARSENAL_STATE, BRUINS, BULLS, LAKERS, moneyline, NOW, WORLD } from './serving.js';

test('a batch returns the odds of the caller’s books, and lists unknown and ended events as missing', async (t) => {
  const made = await api(t);
  await made.ingest(...WORLD);
  const batch = async (key: string, body: unknown): Promise<Json> => {
    const response = await made.fetch('/odds/batch', {
      method: 'POST',
      key,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, ...((await response.json()) as object) };
  };
  const [pro, hobby] = [made.key('pro'), made.key('hobby')];
  const { data, missing, meta } = await batch(pro, { event_ids: [ARSENAL, 'nowhere', LAKERS, BRUINS, ARSENAL] });
  assert.deepEqual(
    data.events.map((event: Json) => event.event_id),
    [ARSENAL, LAKERS],
  );
  assert.deepEqual(
    [data.missing_events, missing],
    [
      ['nowhere', BRUINS],
      ['nowhere', BRUINS],
    ],
  );
  assert.deepEqual(
    [meta.requested, meta.found, meta.missing, meta.max_batch],
    [4, 2, 2, 50],
    'an id given twice is one',
  );
  assert.deepEqual(meta.filters, { sportsbook: null, market: null });
  assert.deepEqual(data.events[0].game_state, ARSENAL_STATE);
  assert.equal(data.events[1].game_state, undefined);
  assert.ok(data.events[1].odds.every((row: Json) => row.sportsbook !== 'pinnacle'));
  const one = await batch(pro, { event_ids: [LAKERS], sportsbook: 'fanduel', market: 'moneyline' });
  assert.deepEqual(
    one.data.events[0].odds.map((row: Json) => [row.sportsbook, row.selection_type, row.odds_american, row.line]),
    [
      ['fanduel', 'home', -145, null],
      ['fanduel', 'away', 125, null],
    ],
  );
  assert.deepEqual((await batch(pro, { event_ids: [BULLS] })).data.events[0].odds, [], 'priced by others only');
  assert.deepEqual((await batch(pro, { event_ids: [LAKERS], sportsbook: 'nobody' })).meta.unknown, ['nobody']);
  assert.equal((await batch(pro, { event_ids: [LAKERS], sportsbook: 'pinnacle' })).error.code, 'tier_restricted');
  assert.equal((await batch(hobby, { event_ids: Array(10).fill(LAKERS) })).status, 200);
  for (const bad of [
    {},
    { event_ids: [] },
    { event_ids: Array(11).fill(LAKERS) },
    { event_ids: [7] },
    { event_ids: LAKERS },
    [],
    null,
  ]) {
    const { status, error } = await batch(hobby, bad);
    assert.deepEqual([status, error.code], [400, 'invalid_request'], JSON.stringify(bad));
  }
});

test('ages of a Free caller’s prices are relative to the time of the delayed table', async (t) => {
  const made = await api(t);
  const free = made.key('free');
  const from = Date.parse(NOW);
  const game = { league: 'nba', home_team: 'Miami Heat', away_team: 'Chicago Bulls', start_time: NOW, is_live: true };
  await made.ingest({ book: 'draftkings', events: [{ ...game, markets: [moneyline(-110, -105)] }] });
  const count = async (path: string) => ((await (await made.fetch(path, { key: free })).json()) as Json).meta.total;
  const shownAt = async (ms: number, total: number, path = '/odds/best') => {
    made.clock.set(ms);
    // The delayed table follows on a timer of its own.
    for (let wait = 0; wait < 300 && (await count(path)) !== total; wait++)
      await new Promise((done) => setTimeout(done, 10));
    assert.equal(await count(path), total, `${path} after ${(ms - from) / 1000} s`);
  };
  await shownAt(from + 59_000, 0, '/odds');
  await shownAt(from + 61_000, 2, '/odds');
  await shownAt(from + 119_000, 2);
  await shownAt(from + 121_000, 0);
});
