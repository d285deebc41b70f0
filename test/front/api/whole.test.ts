// limit=all: what a filter selects in one answer equals its pages, whatever the form, and counts as what it is.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { bestRoutes } from '../../../src/front/api/best.js';
import { eventsRoutes } from '../../../src/front/api/events.js';
import { oddsRoutes } from '../../../src/front/api/odds.js';
import { shared } from '../../shared.js';
import { until } from '../../support/until.js';
import { type Body, moneyline, overUnder, pastOf, serving } from './serving.js';

const GAMES = 40;
const LINES = 60;

const served = shared(async (t) => {
  const server = await serving(t, (deps) => {
    return [...oddsRoutes(deps, pastOf(deps)), ...bestRoutes(deps, pastOf(deps)), ...eventsRoutes(deps)];
  });
  const events = Array.from({ length: GAMES }, (_, i) => ({
    league: 'nba',
    home_team: 'Boston Celtics',
    away_team: 'Los Angeles Lakers',
    start_time: new Date(Date.UTC(2026, 10, 21 + i, 0, 30)).toISOString(),
    markets: Array.from({ length: LINES }, (_line, k) => overUnder('total_points', 200.5 + k, {}, k > 0)),
  }));
  for (const book of ['draftkings', 'fanduel']) await server.ingest({ book, events: events as never });
  return server;
});

const GAME = 'nba_celtics_lakers_2026-11-20';
const ROWS = GAMES * LINES * 2 * 2;

async function pages(path: string, limit: number): Promise<Body[]> {
  const { ok } = await served();
  const all: Body[] = [];
  for (let offset = 0; ; offset += limit) {
    const { data, pagination } = await ok(`${path}&limit=${limit}&offset=${offset}`, 'pro');
    all.push(...data);
    if (!pagination.has_more) return all;
  }
}

const linesOf = (text: string): Body[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Body);

const ids = (rows: Body[]) => rows.map((row) => row['id'] ?? `${row['event_id']} ${row['line']} ${row['selection']}`);

test('every row of a filter is a line of NDJSON, in the order of its pages', async () => {
  const { get } = await served();
  for (const path of [
    '/odds?sport=basketball',
    '/odds?sport=basketball&sort=-odds_decimal',
    '/odds?is_main_line=true',
    '/odds?sportsbook=fanduel&fields=id,odds_american&state=nj',
    '/odds/best?league=nba',
    '/events?league=nba',
    `/events/${GAME}/odds?sportsbook=fanduel`,
    `/events/${GAME}/odds?state=nj&market=total_points`,
  ]) {
    const answer = await get(`${path}&format=ndjson&limit=all`, 'pro');
    const rows = linesOf(await answer.text());
    const expected = await pages(path, path.startsWith('/odds?') ? 500 : 200);
    assert.deepEqual(ids(rows), ids(expected), path);
    assert.deepEqual(rows[0], expected[0], path);
    assert.equal(answer.headers.get('x-total-count'), String(expected.length));
    assert.equal(answer.headers.get('content-type'), 'application/x-ndjson');
  }
  const none = await get('/odds?event=nothing&format=ndjson&limit=all', 'pro');
  assert.deepEqual([none.status, await none.text(), none.headers.get('x-total-count')], [200, '', '0']);
});

test('a table without pages has one header and every row', async () => {
  const { get } = await served();
  for (const [path, count] of [
    ['/odds?sport=basketball', ROWS],
    ['/odds/best?league=nba', ROWS / 2],
    [`/events/${GAME}/odds?is_active=true`, ROWS / GAMES],
  ] as const) {
    const text = await (await get(`${path}&format=csv&limit=all`, 'pro')).text();
    const lines = text.trimEnd().split('\r\n');
    assert.equal(lines.length, count + 1, path);
    const page = await (await get(`${path}&format=csv&limit=200`, 'pro')).text();
    assert.deepEqual(lines.slice(0, 201), page.trimEnd().split('\r\n'), path);
    assert.equal(lines.filter((line) => line === lines[0]).length, 1);
  }
  const none = await (await get('/odds?event=nothing&format=csv&limit=all', 'pro')).text();
  assert.match(none, /^id,event_id[^\r]*\r\n$/);
});

test('an account may leave sixteen of them half read, and another one is answered', async () => {
  const { get } = await served();
  const path = '/odds?format=ndjson&limit=all';
  const half = await Promise.all(Array.from({ length: 17 }, () => get(path, 'enterprise')));
  const refused = half.filter(({ status }) => status !== 200);
  assert.deepEqual(
    refused.map(({ status, headers }) => [status, headers.get('content-type'), headers.get('content-disposition')]),
    [[429, 'application/json', null]],
  );
  assert.equal(linesOf(await (await get(path, 'sharp')).text()).length, ROWS);
  for (const { body } of half) await body!.cancel();
  await until('one more is sent', async () => (await get('/odds?limit=all&format=csv', 'enterprise')).status === 200);
});

test('it counts as a request for each 200 rows begun', async () => {
  const { get } = await served();
  const left = async (path: string) => Number((await get(path, 'pro')).headers.get('x-ratelimit-remaining'));
  const before = await left('/odds?limit=1');
  assert.equal(before - (await left('/odds?format=ndjson&limit=all')), Math.ceil(ROWS / 200));
  const between = await left('/odds?limit=1');
  assert.equal(between - (await left('/events?league=nba&format=ndjson&limit=all')), 1);
});

test('a reader that stops in the middle gets every row when it goes on, and costs little meanwhile', async () => {
  const { get, engine } = await served();
  const answer = await get('/odds?sport=basketball&format=ndjson&limit=all', 'pro');
  const reader = answer.body!.getReader();
  const parts: Uint8Array[] = [(await reader.read()).value!];
  await new Promise((resolve) => setTimeout(resolve, 300));
  // What is changed meanwhile is shown as it is when it is sent.
  assert.equal(engine.table.rowCount, ROWS);
  for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value);
  const rows = linesOf(Buffer.concat(parts).toString());
  assert.equal(new Set(ids(rows)).size, ROWS);
});

test('all in JSON, or all but a page of it, is refused; a page may be lines', async () => {
  const { refused, get } = await served();
  for (const path of [
    '/odds?limit=all',
    '/odds?limit=all&format=json',
    '/odds?limit=all&format=ndjson&offset=3',
    '/odds?limit=all&format=ndjson&group_by=event',
    '/odds?limit=every&format=ndjson',
    '/odds?limit=all&format=ndjson&fields=id,price',
    '/odds?limit=all&format=csv&fields=id,price',
    '/odds/best?limit=all',
  ])
    assert.deepEqual((await refused(path, 'pro')).slice(0, 2), [400, 'invalid_request'], path);
  const page = await get('/odds?format=ndjson&limit=3', 'pro');
  assert.deepEqual([linesOf(await page.text()).length, page.headers.get('x-total-count')], [3, String(ROWS)]);
  assert.ok(page.headers.get('x-next-cursor'));
});

test('an event in a table has its lists in one column each, and the score in columns named as its fields', async () => {
  const { get, ingest, ok } = await served();
  await ingest({
    book: 'corner_store',
    events: [
      {
        league: 'epl',
        home_team: '=cmd',
        away_team: 'Chelsea',
        start_time: '2026-11-20T17:30:00Z',
        is_live: true,
        external_id: '+7',
        game_state: { home_score: 1, away_score: 0, period: '1H' },
        markets: [moneyline(-120, 300, 240)],
      },
    ],
  } as never);
  const tableOf = async (query: string) => {
    const answer = await get(`/events?${query}`, 'enterprise');
    const text = await answer.text();
    assert.equal(answer.status, 200, text);
    return { lines: parse(text, { columns: true }) as Record<string, string>[], headers: answer.headers, text };
  };
  const page = await tableOf('league=nba&format=csv&limit=3');
  assert.deepEqual([page.lines.length, page.headers.get('x-total-count')], [3, String(GAMES)]);
  const whole = await tableOf('league=nba&format=csv&limit=all');
  assert.deepEqual(whole.lines.slice(0, 3), page.lines);
  assert.equal(whole.lines.length, GAMES);
  const first = (await ok('/events?league=nba&limit=1', 'enterprise')).data[0];
  const shown = page.lines[0]!;
  assert.deepEqual(
    [shown['id'], shown['books'], shown['markets'], shown['is_live'], shown['book_count'], shown['game_state_period']],
    [first.id, 'draftkings;fanduel', 'total_points', 'false', '2', ''],
  );
  const { lines } = await tableOf('league=epl&format=csv');
  const [game] = lines;
  assert.deepEqual(
    [game!['home_team'], game!['event_name'], game!['game_state_home_score'], game!['game_state_period']],
    ["'=cmd", 'Chelsea @ =cmd', '1', '1H'],
  );
  assert.match(game!['external_ids']!, /^\{.*"\+7"\}$/);
  assert.ok(
    Object.values(game!).every((cell) => !/^[=+@-]/.test(cell)),
    JSON.stringify(game),
  );
});
