// A shard whose store has no room: who waits for it is answered.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { RecordedClock } from '../../src/engine/replay/recorded-clock.js';
import { RecordedTimes } from '../../src/writer/pool/recorded-run.js';
import { shardOfLeague } from '../../src/writer/pool/shard-queues.js';
import { openEngine } from '../engine-rig.js';
import { event, message, moneyline } from '../intake/ingest/messages.js';

const START = Date.parse('2026-11-20T12:00:00Z');
/** A shard looks at its store's size with every so many commits. */
const LOOKS = 16;

test('where a shard has no room, what others committed is shown, and whoever waits goes on', async (t) => {
  const clock = new RecordedClock(START);
  const retention = { logSeconds: 900, logBytesMax: 1e9, fileBytesMax: 400_000 };
  const engine = openEngine(t, { clock, retention, recorded: true });
  engine.start();
  const other = ['nhl', 'mlb', 'nfl', 'wnba'].find((league) => shardOfLeague(league, 2) !== shardOfLeague('nba', 2))!;
  const reach = (atMs: number): void => clock.arrive(atMs);
  const runs = engine.recordedRuns({ times: new RecordedTimes(START), reach, shown: async () => undefined });
  const poll = (second: number, league: string, games: number) => {
    const polled_at = new Date(START + second * 1000).toISOString();
    const events = Array.from({ length: games }, (_, i) =>
      event([moneyline(-110, 100 + second)], { league, home_team: `Home ${second}-${i}`, away_team: `Away ${i}` }),
    );
    return message(events, { polled_at });
  };
  for (let second = 1; second <= LOOKS; second++) await runs.add(START + second * 1000, [poll(second, 'nba', 100)]);
  await runs.shown();
  const shown = engine.table.rowCount;
  const last = LOOKS + 1;
  await runs.add(START + last * 1000, [poll(last, 'nba', 1), poll(last, other, 1)]);
  await assert.rejects(runs.shown(), { code: 'storage_full' });
  assert.equal(engine.table.rowCount, shown + 2);
  const answered = engine.ingest([poll(last + 1, other, 1)]).then(({ accepted }) => accepted);
  assert.equal(await Promise.race([answered, pause(5_000, 'no answer')]), 2);
});

test('where a shard has no room, who asks for a universe of books is told', async (t) => {
  const retention = { logSeconds: 900, logBytesMax: 1e9, fileBytesMax: 20_000 };
  const engine = openEngine(t, { workers: 1, retention, clock: { now: () => Date.parse('2026-11-20T18:30:00Z') } });
  engine.start();
  const poll = (second: number) => {
    const polled_at = new Date(Date.parse('2026-11-20T18:00:00Z') + second * 1000).toISOString();
    return engine.ingest([message([event([moneyline(-110, 100 + second)])], { polled_at })]);
  };
  await assert.rejects(
    async () => {
      for (let second = 0; second < 40; second++) await poll(second);
    },
    { code: 'storage_full' },
  );
  const asked = engine.ensureUniverse({ key: 'mine', books: ['draftkings'] }).then(
    () => 'ready',
    ({ code }) => code as unknown,
  );
  assert.equal(await Promise.race([asked, pause(5_000, 'no answer')]), 'storage_full');
});
