// Results of games: what sources say, which of them counts, corrections, and a restart in between.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { followResults } from '../../../src/answers/results.js';
import { ManualClock } from '../../../src/base/model/clock.js';
import { Engine } from '../../../src/engine/engine.js';
import type { RouteDeps } from '../../../src/front/api/deps.js';
import { resultRoutes } from '../../../src/front/api/results.js';
import { engineOptions } from '../../engine-rig.js';
import { newFolder } from '../../temp-folders.js';
import { ARSENAL, type engineFor, LAKERS, NOW, type Serving, serving, WORLD } from './serving.js';

const at = (minutes: number) => new Date(Date.parse(NOW) + minutes * 60_000).toISOString();

const routesOf = (sources: string[]) => (deps: RouteDeps) =>
  resultRoutes({ ...deps, results: followResults(deps.engine, sources) });

async function world(t: Parameters<typeof engineFor>[0], resultSources: string[] = [], dir?: string): Promise<Serving> {
  const made = await serving(t, routesOf(resultSources), {}, dir);
  await made.ingest(...WORLD);
  made.clock.set(Date.parse(at(600)));
  return made;
}

const send = async (to: Serving, ...messages: object[]) => (await to.engine.ingest(messages as never)).rejected;

test('a result has its scores, parts and players; a correction replaces it, an earlier word does not', async (t) => {
  const to = await world(t);
  const result = {
    event_id: LAKERS,
    status: 'final',
    home_score: 110,
    away_score: 104,
    parts: [{ part: 'q1', home_score: 30, away_score: 20 }],
    players: [{ player_name: 'LeBron James', played: true, stats: { points: 30 } }],
    at: at(300),
  };
  assert.deepEqual(await send(to, { source: 'league', results: [result] }), []);
  const { data, pagination } = await to.ok('/results', 'free');
  assert.deepEqual(pagination.total, 1);
  const { updated_at, ...item } = data[0];
  assert.deepEqual(item, {
    event_id: LAKERS,
    sport: 'basketball',
    league: 'nba',
    home_team: 'Boston Celtics',
    away_team: 'Los Angeles Lakers',
    event_start_time: '2026-11-21T00:30:00.000Z',
    status: 'final',
    home_score: 110,
    away_score: 104,
    parts: [{ part: 'q1', home_score: 30, away_score: 20 }],
    players: [{ player_name: 'LeBron James', played: true, stats: { points: 30 } }],
    source: 'league',
    revision: 1,
  });
  const said = async () =>
    (({ home_score, status, revision }) => [home_score, status, revision])((await to.ok('/results', 'free')).data[0]);
  await send(to, { source: 'league', results: [{ ...result, at: at(310) }] });
  assert.deepEqual(await said(), [110, 'final', 1], 'the same again');
  await send(to, { source: 'league', results: [{ ...result, home_score: 90, at: at(305) }] });
  assert.deepEqual(await said(), [110, 'final', 1], 'from before it was said again');
  await send(to, { source: 'league', results: [{ ...result, home_score: 111, at: at(320) }] });
  assert.deepEqual(await said(), [111, 'final', 2]);
  await send(to, { source: 'league', results: [{ ...result, status: 'live', home_score: 50, at: at(330) }] });
  assert.deepEqual(await said(), [111, 'final', 2], 'a final word is not undone by a live one');
  await send(to, { source: 'league', results: [{ ...result, status: 'cancelled', at: at(340) }] });
  assert.equal((await said())[1], 'cancelled', 'but called off');
  await send(to, { source: 'league', results: [{ ...result, home_score: 111, at: at(350) }] });
  assert.deepEqual(await said(), [111, 'final', 4]);
  assert.deepEqual((await to.ok(`/results?updated_since=${encodeURIComponent(updated_at)}`, 'free')).data.length, 1);
  assert.deepEqual((await to.ok(`/results?updated_since=${encodeURIComponent(at(6_000))}`, 'free')).data.length, 0);
});

test('a result says how the game ended, who won and who goes on, turned where the source lists the teams the other way', async (t) => {
  const to = await world(t);
  const parts = [{ part: 'set_3', home_score: 1, away_score: 0, tie_break: true, final: true }];
  const ending = { ended: 'penalties', winner: 'home', advanced: 'away', innings: 4.5 };
  const game = { league: 'nba', home_team: 'LA Lakers', away_team: 'Boston Celtics' };
  const stated = { ...game, start_time: '2026-11-21T00:30:00Z', status: 'final', home_score: 1, away_score: 0 };
  assert.deepEqual(await send(to, { source: 'x', results: [{ ...stated, parts, ...ending }] }), []);
  const [item] = (await to.ok('/results', 'free')).data;
  assert.deepEqual(item.parts, [{ part: 'set_3', home_score: 0, away_score: 1, final: true, tie_break: true }]);
  assert.deepEqual([item.ended, item.winner, item.advanced, item.innings], ['penalties', 'away', 'home', 4.5]);
  const refused = async (part: object) => (await send(to, { source: 'x', results: [{ ...stated, ...part }] }))[0];
  assert.deepEqual(await refused({ winner: 'both' }), {
    path: 'results[0].winner',
    reason: 'not one of home, away, draw, none',
  });
  assert.equal((await refused({ ended: 'over' }))?.path, 'results[0].ended');
  assert.equal((await refused({ advanced: 'draw' }))?.path, 'results[0].advanced');
  assert.equal((await refused({ innings: 4.3 }))?.path, 'results[0].innings');
  assert.equal((await refused({ parts: [{ ...parts[0], tie_break: 7 }] }))?.path, 'results[0].parts[0].tie_break');
});

test('a winner who is not the score’s is refused, unless something else than the score decides', async (t) => {
  const to = await world(t);
  const game = { event_id: LAKERS, status: 'final', home_score: 100, away_score: 90 };
  const said = async (part: object) => (await send(to, { source: 'x', results: [{ ...game, ...part }] }))[0];
  const refusal = {
    path: 'results[0].winner',
    reason: 'not that of the score; who goes on to the next round is advanced',
  };
  assert.deepEqual(await said({ winner: 'away' }), refusal);
  assert.deepEqual(await said({ winner: 'draw' }), refusal);
  assert.deepEqual(await said({ winner: 'home', away_score: 110, ended: 'overtime' }), refusal);
  assert.deepEqual(await said({ winner: 'away', ended: 'shortened' }), refusal);
  for (const part of [
    { winner: 'home' },
    { winner: 'none' },
    { winner: 'away', home_score: 90 },
    { winner: 'away', ended: 'penalties' },
    { winner: 'away', parts: [{ part: 'pens', home_score: 3, away_score: 4 }] },
    { winner: 'away', ended: 'retired' },
    { winner: 'away', ended: 'awarded' },
    { winner: 'away', status: 'abandoned' },
  ])
    assert.equal(await said(part), undefined, JSON.stringify(part));
});

test('a final word counts before a live one, a ranked source before others, then the later one', async (t) => {
  const to = await world(t, ['league']);
  const say = (source: string | undefined, status: string, home_score: number, minutes: number) =>
    send(to, {
      ...(source && { source }),
      results: [{ event_id: LAKERS, status, home_score, away_score: 0, at: at(minutes) }],
    });
  const counts = async () =>
    (({ home_score, source }) => [home_score, source])((await to.ok('/results', 'free')).data[0]);
  await say('league', 'live', 1, 10);
  await say('draftkings', 'final', 2, 5);
  assert.deepEqual(await counts(), [2, 'draftkings']);
  await say(undefined, 'final', 3, 6);
  assert.deepEqual(await counts(), [3, 'manual']);
  await say('league', 'final', 4, 11);
  await say(undefined, 'final', 5, 12);
  assert.deepEqual(await counts(), [4, 'league']);
});

test('a source that repeats its word and counts by it again makes a new revision; one that changes nothing does not', async (t) => {
  const to = await world(t);
  const say = (source: string, status: string, home_score: number, minutes: number) =>
    send(to, { source, results: [{ event_id: LAKERS, status, home_score, away_score: 4, at: at(minutes) }] });
  const shown = async () =>
    (({ home_score, status, source, revision, updated_at }) => ({
      counts: [status, home_score, source, revision],
      updated_at,
    }))((await to.ok('/results', 'free')).data[0]);
  await say('b', 'final', 5, 10);
  await say('a', 'final', 3, 20);
  const before = await shown();
  assert.deepEqual(before.counts, ['final', 3, 'a', 2]);
  to.clock.set(Date.parse(at(601)));
  await say('b', 'final', 5, 30);
  assert.deepEqual((await shown()).counts, ['final', 5, 'b', 3], 'b counts again');
  const since = `/results?updated_since=${encodeURIComponent(before.updated_at)}`;
  assert.equal((await to.ok(since, 'free')).data.length, 1);
  await say('b', 'final', 5, 31);
  assert.deepEqual((await shown()).counts, ['final', 5, 'b', 3], 'it counted already');
  await say('a', 'final', 5, 32);
  assert.deepEqual((await shown()).counts, ['final', 5, 'a', 4]);
  await say('b', 'final', 5, 33);
  assert.deepEqual((await shown()).counts, ['final', 5, 'b', 4], 'both say the same');
});

test('a word that does not count is no new revision', async (t) => {
  const to = await world(t);
  const say = (source: string, status: string, home_score: number, minutes: number) =>
    send(to, { source, results: [{ event_id: LAKERS, status, home_score, away_score: 4, at: at(minutes) }] });
  const shown = async () => (await to.ok('/results', 'free')).data[0];
  await say('a', 'final', 3, 20);
  const before = await shown();
  await say('b', 'live', 2, 30);
  await say('c', 'final', 9, 10);
  assert.deepEqual(await shown(), before);
  await say('d', 'final', 3, 40);
  const { source, revision } = await shown();
  assert.deepEqual([source, revision], ['d', 2], 'the same, from another source');
});

test('the source of a result that cannot be read is no unknown book', async (t) => {
  const to = await world(t);
  const message = { source: 'league', results: [{ event_id: LAKERS, status: 'over', at: at(5) }] };
  const { rejected, unknown } = await to.engine.ingest([message] as never);
  assert.equal(rejected.length, 1);
  assert.deepEqual(unknown.books, []);
});

test('lists of nothing beside results need no book', async (t) => {
  const to = await world(t);
  await send(to, {
    events: [],
    settlements: [],
    results: [{ event_id: LAKERS, status: 'final', home_score: 1, away_score: 0, at: at(5) }],
  });
  assert.equal((await to.ok('/results', 'free')).data[0].source, 'manual');
});

test('a source that lists home and away the other way round is turned', async (t) => {
  const to = await world(t);
  const game = {
    league: 'nba',
    home_team: 'LA Lakers',
    away_team: 'Boston Celtics',
    start_time: '2026-11-21T00:30:00Z',
  };
  const parts = [{ part: 'q1', home_score: 20, away_score: 30 }];
  await send(to, {
    source: 'league',
    results: [{ ...game, status: 'final', home_score: 104, away_score: 110, parts }],
  });
  const [item] = (await to.ok('/results', 'free')).data;
  assert.deepEqual([item.event_id, item.home_score, item.parts[0].home_score], [LAKERS, 110, 30]);
});

test('what cannot be read is refused with its reason, whole results at a time', async (t) => {
  const to = await world(t);
  const result = { event_id: LAKERS, status: 'final', home_score: 1, away_score: 2 };
  const refused = async (part: object, head: object = {}) =>
    (await send(to, { ...head, results: [{ ...result, ...part }] }))[0];
  assert.deepEqual(await refused({ status: 'over' }), {
    path: 'results[0].status',
    reason: 'not one of live, final, postponed, cancelled, abandoned',
  });
  assert.equal((await refused({ away_score: undefined }))?.reason, 'only one of home_score and away_score');
  assert.equal((await refused({ parts: [{ part: 'q1' }] }))?.path, 'results[0].parts[0]');
  for (const part of ['inning_1', 'zzz', 'ot1', 'innings_5_1', 'set_0'])
    assert.deepEqual(await refused({ parts: [{ part, home_score: 1, away_score: 0 }] }), {
      path: 'results[0].parts[0].part',
      reason: 'not the name of a part (h1, q1, p1, innings_1_1, set_1, map_1, ot, et, so, pens)',
    });
  assert.equal((await refused({ players: [{ played: true }] }))?.path, 'results[0].players[0].player_name');
  assert.match((await refused({ at: at(700) }))?.reason ?? '', /ahead of the clock/);
  assert.equal(
    (await refused({ event_id: 'nba_a_b_2026-01-01' }))?.reason,
    'unknown event: a result follows odds of its game',
  );
  assert.equal((await refused({ event_id: 'nowhere' }))?.reason, 'unknown event');
  assert.equal((await refused({}, { source: 'a b' }))?.path, 'source');
  const settlement = { event_id: LAKERS, market_type: 'moneyline', selection_type: 'home', outcome: 'won' };
  assert.match((await send(to, { settlements: [settlement] }))[0]?.reason ?? '', /needs the book/);
  assert.deepEqual(await send(to, { book: 'kalshi', settlements: [settlement] }), []);
  assert.equal((await to.ok('/results', 'free')).data.length, 0);
});

test('lists are filtered by event, league, day and status, and paged by a cursor', async (t) => {
  const to = await world(t);
  const of = (event_id: string, status: string) => ({ event_id, status, home_score: 1, away_score: 0 });
  await send(to, { source: 'x', results: [of(LAKERS, 'final'), of(ARSENAL, 'live')] });
  const ids = async (query: string) =>
    (await to.ok(`/results?${query}`, 'free')).data.map((each: { event_id: string }) => each.event_id);
  assert.deepEqual(await ids(''), [ARSENAL, LAKERS]);
  assert.deepEqual(
    [await ids(`event_id=${LAKERS}`), await ids('league=epl'), await ids('status=final')],
    [[LAKERS], [ARSENAL], [LAKERS]],
  );
  assert.deepEqual([(await ids('date=2026-11-20')).length, await ids('date=2026-11-19')], [2, []]);
  const first = await to.ok('/results?limit=1', 'free');
  assert.deepEqual(first.pagination.has_more, true);
  assert.deepEqual(await ids(`limit=1&cursor=${first.pagination.next_cursor}`), [LAKERS]);
  assert.equal((await to.refused('/results?status=over', 'free'))[1], 'invalid_request');
  assert.equal((await to.refused('/results?cursor=x', 'free'))[1], 'invalid_request');
});

test('acknowledged results survive a restart, also of games that have left the table', async (t) => {
  const dir = newFolder('overround-results-');
  const before = new Engine({ ...engineOptions(dir), clock: new ManualClock(Date.parse(NOW)), workers: 1 });
  await before.ingest(WORLD.map((message) => ({ polled_at: NOW, scope: 'event', ...message })) as never);
  await before.ingest([
    { source: 'x', results: [{ event_id: LAKERS, status: 'final', home_score: 2, away_score: 1 }] },
  ] as never);
  await before.close();
  const clock = new ManualClock(Date.parse(NOW) + 4 * 86_400_000);
  const engine = new Engine({ ...engineOptions(dir), clock, workers: 1 });
  t.after(() => engine.close());
  const to = await serving(t, routesOf([]), {}, undefined, { engine, clock });
  assert.equal((await to.ok('/results', 'free')).data[0].home_score, 2);
  // A tick lets the shard forget the game itself.
  await to.engine.ingest([
    { book: 'draftkings', polled_at: new Date(clock.now()).toISOString(), scope: 'none', events: [] },
  ] as never);
  assert.deepEqual(
    await send(to, { source: 'x', results: [{ event_id: LAKERS, status: 'final', home_score: 3, away_score: 1 }] }),
    [],
  );
  assert.deepEqual(
    (({ home_score, revision }) => [home_score, revision])((await to.ok('/results', 'free')).data[0]),
    [3, 2],
  );
});

test('results are a table too: scores in columns named as the fields, parts and players in one each; whole or by pages', async (t) => {
  const to = await world(t);
  const said = (event_id: string, home_score: number, more: object = {}) => ({
    event_id,
    status: 'final',
    home_score,
    away_score: 1,
    at: at(300),
    ...more,
  });
  const parts = [{ part: 'q1', home_score: 30, away_score: 20 }];
  const results = [
    said(LAKERS, 110, { parts, regulation: { home_score: 100, away_score: 1 } }),
    said(ARSENAL, 3, { stats: { corners: { home: 5, away: 4 } } }),
  ];
  assert.deepEqual(await send(to, { source: 'league', results }), []);
  const answer = async (query: string) => {
    const response = await to.get(`/results?format=csv${query}`, 'free');
    const text = await response.text();
    assert.deepEqual(
      [response.status, response.headers.get('content-type')],
      [200, 'text/csv; charset=utf-8; header=present'],
      text,
    );
    return { rows: parse(text, { columns: true }) as Record<string, string>[], headers: response.headers };
  };
  const whole = await answer('&limit=all');
  assert.deepEqual(
    whole.rows.map((row) => [
      row['event_id'],
      row['home_score'],
      row['regulation_home_score'],
      row['parts'],
      row['stats'],
    ]),
    [
      [ARSENAL, '3', '', '', '{"corners":{"home":5,"away":4}}'],
      [LAKERS, '110', '100', JSON.stringify(parts), ''],
    ],
  );
  const page = await answer('&limit=1');
  assert.deepEqual([page.rows, page.headers.get('x-total-count')], [whole.rows.slice(0, 1), '2']);
  const cursor = page.headers.get('x-next-cursor');
  assert.deepEqual((await answer(`&limit=1&cursor=${cursor}`)).rows, whole.rows.slice(1));
});
