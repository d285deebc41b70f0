// Deltas over HTTP: the meaning of since, the watermark, overflow, the default of live, and pages.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock } from '../../../src/base/model/clock.js';
import { Engine } from '../../../src/engine/engine.js';
import { deltaRoutes } from '../../../src/front/api/delta.js';
import { oddsRoutes } from '../../../src/front/api/odds.js';
import { bootId } from '../../../src/store/checkpoints.js';
import type { AskHistory } from '../../../src/store/clv/queries.js';
import { openDataDirectory } from '../../../src/store/data-directory.js';
import { engineOptions } from '../../engine-rig.js';
import { type Ending, shared } from '../../shared.js';
import { until } from '../../support/until.js';
import { ARSENAL, type Body, LAKERS, moneyline, NOW, overUnder, pastOf, serving, WORLD } from './serving.js';

const delta = (t: Ending) => serving(t, (deps) => [...deltaRoutes(deps), ...oddsRoutes(deps, pastOf(deps))]);
/** Two tests read it, then one changes it, and in the last one the games begin. */
const world = shared(async (t) => {
  const made = await delta(t);
  await made.ingest(...WORLD);
  return made;
});
const lakers = {
  league: 'nba',
  home_team: 'Boston Celtics',
  away_team: 'Los Angeles Lakers',
  start_time: '2026-11-21T00:30:00Z',
};
const ids = (body: Body) => (body.data as { id: string }[]).map(({ id }) => id);

test('a since older than the log overflows, one before the beginning of the data within its reach does not', async () => {
  const { ok, refused } = await world();
  assert.equal((await ok('/odds/delta?since=2020-01-01T00:00:00Z', 'pro')).overflow, true);
  assert.equal((await ok('/odds/delta?since=1980-01-01T00:00:00Z', 'pro')).overflow, true);
  assert.equal((await ok('/odds/delta?since=2026-11-20T17:50:00Z', 'pro')).overflow, undefined);
  assert.deepEqual((await ok('/odds/delta?since=2099-01-01T00:00:00Z', 'pro')).data, []);
  assert.equal((await ok('/odds/delta?since=2026-11-20T18:50:00+01:00', 'pro')).overflow, undefined);
  assert.deepEqual(await refused('/odds/delta', 'pro'), [400, 'invalid_request', 'since is required']);
  for (const bad of ['yesterday', '2026-13-01T00:00:00Z', '123'])
    assert.deepEqual((await refused(`/odds/delta?since=${bad}`, 'pro')).slice(0, 2), [400, 'invalid_request'], bad);
  assert.deepEqual((await refused(`/odds/delta?since=${NOW}&fields=price`, 'pro')).slice(0, 2), [
    400,
    'invalid_request',
  ]);
});

test('fields and state look into the rows of a delta as they do into those of odds', async () => {
  const { ok } = await world();
  const { data } = await ok(
    '/odds/delta?since=2026-11-20T17:00:00Z&fields=id,deep_link&state=nj&sportsbook=fanduel',
    'pro',
  );
  assert.deepEqual(Object.keys(data[0]), ['id', 'deep_link']);
  assert.match(data[0].deep_link, /nj/);
});

test('a delta that continues a page which waited for its openings has what changed meanwhile', async (t) => {
  const offer = (home: number) => ({ book: 'fanduel', events: [{ ...lakers, markets: [moneyline(home, 140)] }] });
  let meanwhile = async () => {};
  const history = (async () => {
    await meanwhile();
    return [];
  }) as unknown as AskHistory;
  const made = await serving(t, (deps) => [...deltaRoutes(deps), ...oddsRoutes(deps, pastOf(deps))], { history });
  await made.ingest(offer(-160));
  meanwhile = () => made.ingest(offer(-170));
  const { data, meta } = await made.ok('/odds?include=opening', 'enterprise');
  const later = await made.ok(`/odds/delta?since=${meta.server_time}`, 'enterprise');
  assert.deepEqual(
    [...data, ...later.data].flatMap((row) => (row.selection_type === 'home' ? [row.odds_american] : [])),
    [-160, -170],
  );
});

test('a delta begins at server_time of a page of odds and has strictly later changes and removals', async () => {
  const { ingest, ok, clock } = await world();
  const snapshot = await ok(`/odds?event=${LAKERS}&limit=200`, 'sharp');
  const since = snapshot.meta.server_time as string;
  const ask = (time: string) => ok(`/odds/delta?since=${time}&event=${LAKERS}`, 'sharp');
  const nothing = await ask(since);
  assert.deepEqual([nothing.data, nothing.removed, nothing.meta.count, nothing.meta.server_time], [[], [], 0, since]);
  clock.set(clock.now() + 1000);
  const polled = new Date(clock.now()).toISOString();
  await ingest({ book: 'pinnacle', polled_at: polled, events: [{ ...lakers, markets: [moneyline(-148, 140)] }] });
  await ingest({ book: 'fanduel', polled_at: polled, events: [{ ...lakers, markets: [moneyline(-145, 125)] }] });
  const later = await ask(since);
  const before = snapshot.data as { id: string; sportsbook: string; market_type: string; selection_type: string }[];
  const moved = before.find((row) => row.sportsbook === 'pinnacle' && row.selection_type === 'away')!;
  const gone = before.filter((row) => row.sportsbook === 'fanduel' && row.market_type !== 'moneyline');
  assert.deepEqual(ids(later), [moved.id]);
  assert.deepEqual([later.data[0].odds_american, later.data[0].status], [140, 'upcoming']);
  assert.deepEqual(later.removed.sort(), gone.map(({ id }) => id).sort());
  assert.deepEqual(later.meta.books_changed, ['fanduel', 'pinnacle']);
  assert.deepEqual(ids(await ask(later.data[0].odds_changed_at)), [], 'the change itself is not later than itself');
  const hobby = await ok(`/odds/delta?since=${since}&event=${LAKERS}`, 'hobby');
  assert.deepEqual([ids(hobby), hobby.meta.books_changed], [[], ['fanduel']]);
});

test('live is false by default; a game that begins is removed for callers that follow games before their start', async () => {
  const { ok, clock, engine } = await world();
  const since = '2026-11-20T17:50:00Z';
  const prematch = await ok(`/odds/delta?since=${since}&limit=200`, 'sharp');
  assert.ok(prematch.data.every((row: { is_live: boolean }) => !row.is_live));
  assert.deepEqual([prematch.meta.filters.live, prematch.overflow], [false, undefined]);
  const live = await ok(`/odds/delta?since=${since}&live=true`, 'sharp');
  assert.deepEqual([live.meta.total, live.data[0].event_id], [3, ARSENAL]);
  clock.set(Date.parse('2026-11-21T00:30:00Z'));
  engine.tick();
  await until('its begin', () => engine.table.events.get(LAKERS)!.live);
  const started = await ok(`/odds/delta?since=${prematch.meta.server_time}`, 'sharp');
  const expected = (prematch.data as { id: string; event_id: string }[]).filter((row) => row.event_id === LAKERS);
  assert.deepEqual(started.removed.sort(), expected.map(({ id }) => id).sort());
});

test('pages are in the order of the changes, each with the position it reached, and from one list', async (t) => {
  const { ingest, ok, clock } = await delta(t);
  for (const line of [1, 2, 3, 4, 5]) {
    clock.set(clock.now() + 10);
    await ingest({
      book: 'draftkings',
      scope: 'none',
      events: [{ ...lakers, markets: [overUnder('total_points', 200 + line, {}, true)] }],
    });
  }
  const ask = (since: string, offset = 0) => ok(`/odds/delta?since=${since}&limit=4&offset=${offset}`, 'pro');
  const first = await ask(NOW);
  assert.deepEqual([first.meta.total, first.pagination.next_offset, first.meta.count], [10, 4, 4]);
  assert.deepEqual(
    first.data.map((row: { line: number }) => row.line),
    [201, 201, 202, 202],
  );
  // A row of the first page changes before the second page is read: no row may be lost.
  clock.set(clock.now() + 10);
  const changed = { ...overUnder('total_points', 201, {}, true) };
  changed.selections[0]!.odds_american = -120;
  await ingest({ book: 'draftkings', scope: 'none', events: [{ ...lakers, markets: [changed] }] });
  const second = await ask(NOW, 4);
  const third = await ask(NOW, 8);
  assert.deepEqual(
    [...second.data, ...third.data].map((row: { line: number }) => row.line),
    [203, 203, 204, 204, 205, 205],
  );
  assert.deepEqual([third.pagination.has_more, third.pagination.next_offset], [false, null]);
  assert.deepEqual(
    (await ask(third.meta.server_time)).data.map((row: { line: number; odds_american: number }) => [
      row.line,
      row.odds_american,
    ]),
    [[201, -120]],
  );
  assert.deepEqual(
    (await ask(first.meta.server_time)).data.map((row: { line: number }) => row.line),
    [203, 203, 204, 204],
    'from the first page’s server_time on follows what it did not hold',
  );
});

test('after a loss of power an earlier since overflows, also after another restart of the machine', async (t) => {
  const boot = bootId();
  if (boot === null) return t.skip('this system has no boot id');
  const dir = mkdtempSync(join(tmpdir(), 'overround-delta-'));
  const clock = new ManualClock(Date.parse(NOW));
  await openDataDirectory(dir, 1, clock).close();
  const checkpoint = join(dir, 'shard-0', 'safe-point');
  const content = readFileSync(checkpoint);
  content.write('another boot', content.indexOf(boot), 'latin1');
  writeFileSync(checkpoint, content);
  const fallen = openDataDirectory(dir, 1, clock);
  assert.equal(fallen.fellBack, true);
  await fallen.close();
  const { ok } = await serving(t, deltaRoutes, {}, dir);
  assert.equal((await ok('/odds/delta?since=2026-11-20T17:59:59Z', 'pro')).overflow, true);
  const { meta, overflow } = await ok(`/odds/delta?since=${NOW}`, 'pro');
  assert.equal(overflow, undefined);
  assert.equal((await ok(`/odds/delta?since=${meta.server_time}`, 'pro')).overflow, undefined);
});

test('a since of what a backup was restored over overflows, also after another start; one of the log does not', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'overround-delta-'));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  /** Starts on a directory, a minute after the start before; states a price where one is given, and closes. */
  let minute = 0;
  const run = async (name: string, home: number | null, sinces: string[]) => {
    const clock = new ManualClock(Date.parse(NOW) + 60_000 * minute++);
    const engine = new Engine({ ...engineOptions(join(root, name)), clock, workers: 1 });
    try {
      const made = await serving(t, deltaRoutes, {}, undefined, { engine, clock });
      clock.set(clock.now() + 1000);
      const polled_at = new Date(clock.now()).toISOString();
      if (home !== null)
        await made.ingest({ book: 'fanduel', polled_at, events: [{ ...lakers, markets: [moneyline(home, 140)] }] });
      const answers: Body[] = [];
      for (const since of sinces) answers.push(await made.ok(`/odds/delta?since=${since}`, 'pro'));
      const { meta } = await made.ok(`/odds/delta?since=${NOW}`, 'free');
      clock.set(clock.now() + 1000);
      engine.tick();
      const later = await made.ok(`/odds/delta?since=${meta.server_time}`, 'free');
      assert.equal(later.overflow, undefined, 'what this start has said is known');
      return {
        overflows: answers.map(({ overflow = false }) => overflow as boolean),
        since: (await made.ok(`/odds/delta?since=${NOW}`, 'pro')).meta.server_time as string,
      };
    } finally {
      await engine.close();
    }
  };
  const kept = (await run('data', -160, [])).since;
  cpSync(join(root, 'data'), join(root, 'backup'), { recursive: true });
  const lost = (await run('data', -170, [])).since;
  assert.deepEqual((await run('data', null, [kept, lost])).overflows, [false, false], 'restarts go on');
  assert.deepEqual((await run('backup', null, [kept, lost])).overflows, [false, true], 'restored, nothing new yet');
  const restored = await run('backup', -180, [kept, lost]);
  assert.deepEqual(restored.overflows, [false, true], 'restored, with later changes');
  assert.deepEqual((await run('backup', null, [kept, lost, restored.since])).overflows, [false, true, false]);
});
