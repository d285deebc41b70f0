// The replay feed follows the recording's pace on the given clock, and can move its times to now.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReplayFeed, type ReplayFeedOptions, TimeShift } from '../../../../src/intake/feeds/replay/replay-feed.js';
import { wait } from '../../../../src/intake/feeds/wait.js';
import { LEAGUES } from '../the-odds-api/answers.js';
import { START_MS, type Stage, stage } from '../the-odds-api/upstream.js';
import { BEGIN_MS, message, recording } from './recordings.js';

async function play(path: string, options: Partial<ReplayFeedOptions> = {}, until = 1_000): Promise<Stage> {
  let feed: ReplayFeed | undefined;
  const played = stage(until, () => feed?.stop());
  feed = new ReplayFeed({ path, leagues: LEAGUES, wait: played.wait, ...options });
  await feed.run(played.context);
  return played;
}

const LINES = [
  message('fanduel', 0),
  message('betus', 0),
  message('fanduel', 30),
  message('fanduel', 20),
  message('fanduel', 90),
];

test('waits between polls as the recording did, divided by the speed; late and disordered polls are sent at once', async () => {
  const path = recording(LINES);
  const first = await play(path);
  assert.deepEqual(first.waits, [0, 30_000, 0, 60_000]);
  assert.deepEqual(
    first.batches.map((batch) => batch.length),
    [2, 1, 1, 1],
  );
  assert.deepEqual(first.batches[0], LINES.slice(0, 2));
  assert.deepEqual((await play(path, { speed: 60 })).waits, [0, 500, 0, 1_000]);
  assert.deepEqual((await play(path, { speed: 0 })).waits, [0, 0, 0, 0]);
});

test('a slow engine does not push the rest of the recording back', async () => {
  let feed: ReplayFeed | undefined;
  const played = stage(99, () => feed?.stop());
  feed = new ReplayFeed({ path: recording(LINES), leagues: LEAGUES, wait: played.wait });
  const sink = async () => {
    played.clock.set(played.clock.now() + 25_000);
    return { accepted: 1, changed: 1, removed: 0, rejected: [] };
  };
  await feed.run({ ...played.context, sink });
  assert.deepEqual(played.waits, [0, 5_000, 0, 10_000]);
});

test('stop ends the replay, also from inside a wait of hours', async () => {
  const path = recording(LINES);
  assert.equal((await play(path, {}, 3)).batches.length, 2);
  const far = recording([message('fanduel', 0), message('fanduel', 80_000_000)]);
  let feed: ReplayFeed | undefined;
  const played = stage(99, () => undefined);
  feed = new ReplayFeed({ path: far, leagues: LEAGUES, wait });
  const running = feed.run(played.context);
  setImmediate(() => feed?.stop());
  await running;
  assert.equal(played.log.at(-1)?.fields['stopped'], true);
});

test('an invalid line is counted and logged, the rest is ingested', async () => {
  const { batches, log } = await play(recording([LINES[0], 'oops', '?', LINES[4]]), { speed: 0 });
  assert.equal(batches.length, 2);
  assert.equal(log.filter((entry) => entry.level === 'warn').length, 1);
  assert.equal(log.at(-1)?.fields['bad_lines'], 2);
});

test('with shifted times observations keep their distance from their poll, and starts of games stay fixed', async () => {
  const { batches } = await play(recording(LINES), { speed: 60, timestamps: 'shift' });
  const sent = [0, 500, 500, 1_500].map((ms) => START_MS + ms);
  for (const [i, batch] of batches.entries()) {
    const game = batch[0]?.events?.[0];
    assert.equal(batch[0]?.polled_at, new Date(sent[i]!).toISOString());
    assert.equal(game?.markets[0]?.last_seen_at, new Date(sent[i]! - 40_000).toISOString());
    assert.equal(game?.start_time, new Date(START_MS + 18_000_000).toISOString());
  }
  assert.equal(batches[3]?.[0]?.events?.[0]?.markets[0]?.selections[0]?.odds_american, -200);
});

test('shifting does not change the recording or values that are not times', () => {
  const splits = [{ fetched_at: '2026-05-02T17:59:00Z', start_time: 'soon' }];
  const strange = { ...message('fanduel', 0), splits, results: [{ status: 'live', at: '2026-05-02T17:58:00Z' }] };
  const before = JSON.stringify(strange);
  const [moved] = new TimeShift().shift({ atMs: BEGIN_MS, messages: [strange], line: 1 }, BEGIN_MS + 3_600_000);
  assert.deepEqual(moved?.splits, [{ fetched_at: '2026-05-02T18:59:00.000Z', start_time: 'soon' }]);
  assert.deepEqual(moved?.results, [{ status: 'live', at: '2026-05-02T18:58:00.000Z' }]);
  assert.equal(JSON.stringify(strange), before);
});
