// Splits and their history, futures and game state: shapes, filters, order of polls, and a restart in between.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { ManualClock } from '../../../src/base/model/clock.js';
import { LIMITS } from '../../../src/base/model/limits.js';
import { Engine } from '../../../src/engine/engine.js';
import type { RouteDeps } from '../../../src/front/api/deps.js';
import { futuresRoutes } from '../../../src/front/api/futures.js';
import { gameStateRoutes } from '../../../src/front/api/game-state.js';
import { splitsRoutes } from '../../../src/front/api/splits.js';
import { engineOptions } from '../../engine-rig.js';
import { shared } from '../../shared.js';
import { newFolder } from '../../temp-folders.js';
import { api, FUTURE, fillWorld, SPLITS } from '../api.js';
import { ARSENAL, LAKERS, moneyline, NOW, serving, servingUndelayed, WORLD, YANKEES } from './serving.js';

const NOW_MS = Date.parse(NOW);
const at = (minutes: number) => new Date(NOW_MS + minutes * 60_000).toISOString();
const splits = (minutes: number, fields: object = {}) => ({
  book: 'circa',
  scope: 'none' as const,
  splits: [{ ...SPLITS, fetched_at: at(minutes), ...fields }],
});
const routesOf = (deps: RouteDeps) => [...splitsRoutes(deps), ...futuresRoutes(deps), ...gameStateRoutes(deps)];
/** Splits, futures and scores are independent of each other: their first tests share it, in their order. */
const world = shared(async (t) => {
  const made = await servingUndelayed(t, routesOf);
  await made.ingest(...WORLD);
  return made;
});

test('a game’s splits name lines as odds do, and their history by its own names', async () => {
  const { ingest, ok } = await world();
  await ingest(splits(0), splits(0, { sportsbook: 'draftkings', moneyline: undefined }));
  const { data, pagination } = await ok(`/splits`, 'free');
  const { away_line, home_line, ...shares } = SPLITS.spread;
  assert.deepEqual(data[0], {
    event_id: LAKERS,
    sport: 'basketball',
    league: 'nba',
    sportsbook: 'circa',
    away_team: 'Los Angeles Lakers',
    home_team: 'Boston Celtics',
    spread: { away_odds: away_line, home_odds: home_line, ...shares },
    total: SPLITS.total,
    moneyline: { ...SPLITS.moneyline, bets_pct: null },
    fetched_at: NOW,
  });
  assert.deepEqual([data.length, data[1].moneyline, pagination.limit, pagination.count], [2, null, 100, 2]);
  const count = async (query: string) => (await ok(`/splits?${query}`, 'free')).data.length;
  assert.deepEqual(
    [
      await count('sportsbook=circa'),
      await count('market=moneyline'),
      await count('market=moneyline,total'),
      await count('sport=soccer'),
    ],
    [1, 1, 2, 0],
  );
  assert.deepEqual(
    [await count(`event=${LAKERS}`), await count(`event_id=${LAKERS}`), await count('event_id=x')],
    [2, 2, 0],
  );
  const history = await ok(`/splits/history?event_id=${LAKERS}&sportsbook=circa`, 'free');
  for (const path of ['/splits?', `/splits/history?event_id=${LAKERS}&`])
    assert.deepEqual((await ok(`${path}sportsbook=nobody,circa`, 'free'))['meta'].unknown, ['nobody']);
  assert.deepEqual(history.data, [
    {
      book: 'circa',
      ts: NOW,
      timestamp: NOW_MS / 1000,
      spread: SPLITS.spread,
      total: SPLITS.total,
      moneyline: { ...SPLITS.moneyline, bets_pct: null },
      fetched_at: NOW,
    },
  ]);
});

test('splits and futures are lines as well, and whole', async () => {
  const { get, ok, refused, ingest } = await world();
  await ingest({ book: 'draftkings', polled_at: at(-30), scope: 'none' as const, futures: [FUTURE] });
  for (const path of [
    '/splits?sport=basketball',
    `/splits/history?event_id=${LAKERS}`,
    '/futures?sport=basketball',
    '/futures/odds?future_id=nba_championship_winner',
  ]) {
    const { data } = await ok(path, 'sharp');
    assert.ok(data.length > 0, path);
    for (const limit of ['all', '200', '1']) {
      const answer = await get(`${path}&format=ndjson&limit=${limit}`, 'sharp');
      const lines = (await answer.text()).trimEnd().split('\n');
      assert.equal(answer.headers.get('x-total-count'), String(data.length), path);
      assert.deepEqual(
        lines.map((line) => JSON.parse(line) as unknown),
        limit === '1' ? data.slice(0, 1) : data,
        path,
      );
    }
    assert.deepEqual((await refused(`${path}&limit=all`, 'sharp'))[0], 400);
  }
  const table = await (
    await get('/futures/odds?future_id=nba_championship_winner&format=csv&limit=all', 'sharp')
  ).text();
  assert.match(table, /^selection,sportsbook,odds_american,.*\r\n.*championship/);
});

test('futures are listed with the caller’s books, priced by selection, and removed by an empty list', async () => {
  const { ingest, ok, refused } = await world();
  const nuggets = { ...FUTURE, selections: [{ selection: 'Denver Nuggets', odds_american: 700, line: 50.5 }] };
  const future = (book: string, futures: object[], minutes = 0) => ({
    book,
    polled_at: at(minutes - 10),
    scope: 'none' as const,
    futures,
  });
  await ingest(
    future('draftkings', [FUTURE]),
    future('pinnacle', [nuggets], 1),
    future('caesars', [{ ...FUTURE, market: 'mvp', future_type: 'PLAYER' }]),
  );
  const list = await ok('/futures', 'sharp');
  assert.deepEqual(list.data[0], {
    market_id: 'nba_championship_winner',
    display_name: 'NBA Championship Winner',
    sport: 'basketball',
    league: 'nba',
    future_type: 'TEAM',
    selection_count: 3,
    books_available: ['draftkings', 'pinnacle'],
  });
  const markets = async (query: string, tier: 'free' | 'sharp' = 'sharp') =>
    (await ok(`/futures?${query}`, tier)).data.map((each: { market_id: string }) => each.market_id);
  assert.deepEqual(await markets('future_type=PLAYER'), ['nba_mvp']);
  assert.deepEqual(await markets('', 'free'), ['nba_championship_winner']);
  assert.deepEqual(
    [await markets('league=nfl'), await markets('sport=basketball&limit=1&offset=1')],
    [[], ['nba_mvp']],
  );
  const odds = await ok('/futures/odds?future_id=nba_championship_winner', 'sharp');
  assert.deepEqual(
    odds.data.map((row: { selection: string; sportsbook: string; odds_american: number; line?: number }) => [
      row.selection,
      row.sportsbook,
      row.odds_american,
      row.line,
    ]),
    [
      ['Boston Celtics', 'draftkings', 350, undefined],
      ['Denver Nuggets', 'draftkings', 650, undefined],
      ['Denver Nuggets', 'pinnacle', 700, 50.5],
    ],
  );
  assert.equal((await ok('/futures/odds?future_id=nba_championship_winner', 'free')).meta.total, 2);
  await ingest(future('draftkings', [{ ...FUTURE, selections: [] }], -1));
  assert.equal((await ok('/futures/odds?future_id=nba_championship_winner', 'free')).meta.total, 2, 'an older poll');
  await ingest(future('draftkings', [{ ...FUTURE, selections: [] }], 2));
  assert.deepEqual(await markets('', 'free'), []);
  assert.deepEqual((await refused('/futures/odds?future_id=nba_cup', 'free')).slice(0, 2), [404, 'not_found']);
  assert.deepEqual(await refused('/futures/odds', 'free'), [400, 'invalid_request', 'future_id is required']);
  assert.deepEqual((await refused('/futures?sportsbook=pinnacle', 'free')).slice(0, 2), [403, 'tier_restricted']);
});

test('game state shows its source, marks a live one that is no longer updated, and requires Enterprise', async () => {
  const { ingest, ok, refused, clock } = await world();
  const all = (await ok('/gamestate', 'enterprise')).data;
  assert.deepEqual(all.sports, [
    { sport: 'baseball', event_count: 1 },
    { sport: 'soccer', event_count: 1 },
  ]);
  assert.deepEqual([Object.keys(all.baseball), Object.keys(all.soccer)], [[YANKEES], [ARSENAL]]);
  const soccer = (await ok('/gamestate/soccer', 'enterprise')).data;
  assert.deepEqual(Object.keys(soccer), [ARSENAL]);
  assert.deepEqual(
    [
      soccer[ARSENAL].home_score,
      soccer[ARSENAL].game_period,
      soccer[ARSENAL].game_clock,
      soccer[ARSENAL].primary_book,
      soccer[ARSENAL].book_count,
      soccer[ARSENAL].stale,
    ],
    [1, '1H', '27:10', 'betmgm', 1, undefined],
  );
  const match = { league: 'epl', home_team: 'Arsenal', away_team: 'Chelsea', start_time: '2026-11-20T17:30:00Z' };
  await ingest({
    book: 'fanduel',
    scope: 'none',
    events: [{ ...match, game_state: { home_score: 2, away_score: 0, period: '1H' }, markets: [] }],
  });
  const both = (await ok('/gamestate/soccer?league=epl&live=true', 'enterprise')).data[ARSENAL];
  assert.deepEqual([both.home_score, both.game_clock, both.primary_book, both.book_count], [2, '27:10', 'fanduel', 2]);
  clock.set(NOW_MS + 60_001);
  assert.equal((await ok('/gamestate/soccer', 'enterprise')).data[ARSENAL].stale, true);
  assert.deepEqual((await ok('/gamestate/soccer?live=false', 'enterprise')).data, {});
  assert.deepEqual(Object.keys((await ok('/gamestate/baseball', 'enterprise')).data), [YANKEES]);
  assert.deepEqual((await ok('/gamestate/tennis', 'enterprise')).data, {});
  assert.deepEqual((await refused('/gamestate/chessboxing', 'enterprise')).slice(0, 2), [404, 'not_found']);
  assert.deepEqual((await refused('/gamestate', 'sharp')).slice(0, 2), [403, 'tier_restricted']);
});

test('splits of a source that swaps home and away are swapped back', async (t) => {
  const { ingest, ok } = await serving(t, routesOf);
  await ingest(...WORLD);
  const { spread, moneyline: line } = SPLITS;
  const game = { event_id: undefined, league: 'nba', start_time: '2026-11-21T00:30:00Z' };
  const [celtics, lakers] = ['Boston Celtics', 'Los Angeles Lakers'];
  await ingest(
    splits(0, { ...game, home_team: celtics, away_team: lakers }),
    splits(0, { ...game, home_team: lakers, away_team: celtics, sportsbook: 'draftkings' }),
  );
  const [asStated, swapped] = (await ok('/splits', 'free')).data;
  assert.deepEqual([swapped.home_team, swapped.away_team], [asStated.home_team, asStated.away_team]);
  const turn = (share: { home: number; away: number }) => ({ away: share.home, home: share.away });
  assert.deepEqual(swapped.spread, {
    away_odds: spread.home_line,
    home_odds: spread.away_line,
    handle_pct: turn(spread.handle_pct),
    bets_pct: turn(spread.bets_pct),
  });
  assert.deepEqual(
    [swapped.moneyline.away_odds, swapped.moneyline.home_odds, swapped.moneyline.handle_pct],
    [line.home_odds, line.away_odds, turn(line.handle_pct)],
  );
  assert.deepEqual(swapped.total, asStated.total);
});

test('history has the newest splits of every 5 minutes for 48 hours, oldest first, and an older poll changes nothing', async (t) => {
  const { ingest, ok, refused, clock } = await serving(t, routesOf);
  await ingest(...WORLD);
  const lines = async (query: string) => {
    const { data, meta } = await ok(`/splits/history?event_id=${LAKERS}${query}`, 'pro');
    assert.equal(meta.event_id, LAKERS);
    return data.map((entry: { total: { line: number } }) => entry.total.line);
  };
  clock.set(NOW_MS + 11 * 60_000);
  for (const [minutes, line] of [
    [0, 200],
    [4, 201],
    [2, 202],
    [6, 203],
    [11, 204],
  ] as const)
    await ingest(splits(minutes, { total: { line, handle_pct: { over: 0.5, under: 0.5 } } }));
  assert.deepEqual(await lines(''), [201, 203, 204]);
  assert.equal((await ok('/splits', 'pro')).data[0].total.line, 204);
  await ingest(splits(5, { total: { line: 199 } }));
  assert.equal((await ok('/splits', 'pro')).data[0].total.line, 204, 'an older poll is not the latest');
  const { meta } = await ok(`/splits/history?event_id=${LAKERS}&limit=1`, 'pro');
  assert.deepEqual([meta.count, meta.total, meta.books, meta.oldest, meta.newest], [1, 3, ['circa'], at(4), at(11)]);
  assert.deepEqual(await lines('&limit=1&offset=1'), [203]);
  assert.deepEqual(await lines(`&start_time=${at(5)}`), [203, 204]);
  assert.deepEqual(await lines(`&end_time=${(NOW_MS + 6 * 60_000) / 1000}`), [201, 203]);
  assert.deepEqual(await lines('&sportsbook=draftkings'), []);
  clock.set(NOW_MS + (48 * 60 + 5) * 60_000);
  assert.deepEqual(await lines(''), [203, 204], 'older than 48 hours');
  assert.deepEqual(await refused('/splits/history', 'pro'), [400, 'invalid_request', 'event_id is required']);
  for (const bad of ['start_time=x', 'end_time=2026-11', 'limit=201'])
    assert.deepEqual((await refused(`/splits/history?event_id=${LAKERS}&${bad}`, 'pro')).slice(0, 2), [
      400,
      'invalid_request',
    ]);
  assert.deepEqual((await refused('/splits?market=total,corners', 'pro')).slice(0, 2), [400, 'invalid_request']);
});

test('splits, futures and scores survive a restart, and splits are removed with their game', async (t) => {
  const dataDir = newFolder('overround-restart-');
  const clock = new ManualClock(NOW_MS);
  const start = () => new Engine({ ...engineOptions(dataDir), clock, workers: 1 });
  const first = start();
  const message = (fields: object) => ({ polled_at: NOW, scope: 'none', ...fields });
  await first.ingest(WORLD.map((each) => ({ polled_at: NOW, scope: 'event', ...each })));
  const { rejected } = await first.ingest([message(splits(0)), message({ book: 'fanduel', futures: [FUTURE] })]);
  assert.deepEqual(rejected, []);
  await first.close();
  clock.set(NOW_MS + 61_000);
  const engine = start();
  engine.tick();
  t.after(() => engine.close());
  const second = await serving(t, routesOf, {}, undefined, { engine, clock });
  assert.equal((await second.ok('/splits', 'pro')).data[0].event_id, LAKERS);
  assert.equal((await second.ok(`/splits/history?event_id=${LAKERS}`, 'pro')).data.length, 1);
  assert.equal((await second.ok('/futures', 'free')).data[0].market_id, 'nba_championship_winner');
  assert.equal((await second.ok('/gamestate/soccer', 'enterprise')).data[ARSENAL].primary_book, 'betmgm');
});

test('an event is removed with its splits', async (t) => {
  const made = await api(t);
  await fillWorld(made);
  const key = made.key('pro');
  const total = async (path: string) =>
    ((await (await made.fetch(path, { key })).json()) as { meta: { total: number } }).meta.total;
  assert.deepEqual([await total('/splits'), await total(`/splits/history?event_id=${LAKERS}`)], [2, 2]);
  made.clock.set(NOW_MS + 5 * 86_400_000);
  await made.ingest({
    book: 'fanduel',
    polled_at: at(5 * 1440),
    events: [
      {
        league: 'nba',
        home_team: 'Utah Jazz',
        away_team: 'Phoenix Suns',
        start_time: at(5 * 1440 + 60),
        markets: [moneyline(100, 101)],
      },
    ],
  });
  assert.equal(made.server.engine.table.events.get(LAKERS), undefined);
  assert.deepEqual([await total('/splits'), await total(`/splits/history?event_id=${LAKERS}`)], [0, 0]);
});

test('splits, their history and futures are tables too, their nested fields in columns of their own', async (t) => {
  const to = await servingUndelayed(t, routesOf);
  await to.ingest(...WORLD);
  await to.ingest(splits(0), splits(0, { sportsbook: 'draftkings', moneyline: undefined }), {
    book: 'draftkings',
    scope: 'none' as const,
    futures: [{ ...FUTURE, display_name: '=Winner' }],
  });
  const tableOf = async (path: string) => {
    const response = await to.get(path, 'enterprise');
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return { rows: parse(text, { columns: true }) as Record<string, string>[], headers: response.headers };
  };
  const { away_line, handle_pct } = SPLITS.spread;
  for (const [path, lineName] of [
    ['/splits?format=csv', 'spread_away_odds'],
    [`/splits/history?event_id=${LAKERS}&format=csv`, 'spread_away_line'],
  ] as const) {
    const whole = await tableOf(`${path}&limit=all`);
    assert.equal(whole.rows.length, 2, path);
    const [first, second] = whole.rows as [Record<string, string>, Record<string, string>];
    assert.deepEqual(
      [first[lineName], first['spread_handle_pct_home'], first['total_line']],
      [String(away_line), String(handle_pct.home), String(SPLITS.total.line)],
    );
    assert.deepEqual([first['moneyline_away_odds'] === '', second['moneyline_away_odds']], [false, '']);
    const page = await tableOf(`${path}&limit=1`);
    assert.deepEqual([page.rows, page.headers.get('x-total-count')], [whole.rows.slice(0, 1), '2']);
  }
  for (const limit of ['all', '5']) {
    const { rows } = await tableOf(`/futures?format=csv&limit=${limit}`);
    assert.deepEqual(
      rows.map((row) => [row['display_name'], row['books_available']]),
      [["'=Winner", 'draftkings']],
    );
  }
});

test('however much of a message is of games that nobody knows, the answer is bounded', async (t) => {
  const { server } = await api(t);
  const parts = Array.from({ length: LIMITS.rejections.max + 500 }, (_, i) => ({
    league: 'nba',
    home_team: `Home ${i}`,
    away_team: `Away ${i}`,
    start_time: at(60),
  }));
  const head = { book: 'circa', polled_at: NOW };
  const { rejected } = await server.engine.ingest([
    { ...head, splits: parts.map((part) => ({ ...SPLITS, ...part })) },
    { ...head, results: parts.map((part) => ({ ...part, status: 'final', home_score: 1, away_score: 0 })) },
  ]);
  assert.equal(rejected.length, LIMITS.rejections.max + 1);
  assert.match(rejected.at(-1)!.reason, /the rest are not listed/);
});
