// CSV tables of bets over HTTP: what comes out of an account's list goes in again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMITS } from '../../../src/base/model/limits.js';
import { shared } from '../../shared.js';
import { type Api, api, type Json } from '../api.js';

const GAME = { league: 'nba', home_team: 'Utah Jazz', away_team: 'Miami Heat', start_time: '2026-11-20T23:30:00Z' };

const world = shared(async (t) => {
  const made = await api(t);
  const selections = [
    { selection: 'Utah Jazz', selection_type: 'home', odds_american: -110 },
    { selection: 'Miami Heat', selection_type: 'away', odds_decimal: 1.953 },
  ];
  const markets = [{ market_type: 'moneyline', max_bet: 250, selections }];
  await made.ingest({ book: 'draftkings', events: [{ ...GAME, markets }] });
  const { data } = (await (await made.fetch('/odds?market=moneyline', { key: made.key('pro') })).json()) as Json;
  const id = (side: string): string => data.find((row: Json) => row.selection_type === side).id;
  return { made, home: id('home'), away: id('away') };
});

async function put(made: Api, key: string, table: string): Promise<{ status: number; body: Json }> {
  const init = { method: 'POST', body: table, headers: { 'content-type': 'text/csv' } };
  const response = await made.fetch('/account/bets/csv', { key, ...init });
  return { status: response.status, body: (await response.json()) as Json };
}

async function record(made: Api, key: string, ...bets: object[]): Promise<Json[]> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const response = await made.fetch('/account/bets', { key, ...init, body: JSON.stringify({ bets }) });
  const { data } = (await response.json()) as Json;
  assert.equal(response.status, 201);
  return data;
}

const out = async (made: Api, key: string, query = ''): Promise<string> =>
  (await made.fetch(`/account/bets?format=csv${query}`, { key })).text();

test('a list that came out goes in again: at its own account nothing happens, at another the bets are recorded', async () => {
  const { made, home, away } = await world();
  const [key, other] = [made.key('pro', { account: 'one' }), made.key('pro', { account: 'other' })];
  const placed = { mode: 'placed', stake: 12.5 };
  await record(
    made,
    key,
    { client_id: '=1+1', odds_id: home, odds_american: -110, ...placed, tag: '-steam', note: 'said "so",\nand so' },
    { client_id: 'b', odds_id: away, odds_decimal: 1.9531234, ...placed, tag: '' },
    { client_id: 'c', odds_id: home, odds_decimal: 1.2, mode: 'paper', stake: 30 },
    { client_id: 'd', odds_id: home, odds_decimal: 5, mode: 'paper', stake: 30 },
    { client_id: 'e', odds_id: home, odds_american: 12_345.678, ...placed },
    { client_id: "'=9", odds_id: home, odds_american: 105, ...placed, tag: "''-a", note: "a\n=cmd()\r\n+1\r@x\n'=2" },
    { client_id: 'g\nh', odds_id: home, odds_american: 104, ...placed, note: '=1\n\n' },
    { client_id: 'h', odds_id: home, odds_decimal: 1_000_000, ...placed },
    { client_id: 'f', odds_id: home, odds_american: 100, ...placed },
  );
  const { data: before } = (await (await made.fetch('/account/bets', { key })).json()) as Json;
  assert.equal(before.find((bet: Json) => bet.client_id === 'h').odds_decimal, 1_000_000);
  const struck = before[0];
  await made.fetch(`/account/bets/${struck.id}`, { key, method: 'DELETE' });
  const table = await out(made, key);
  const again = await put(made, key, table);
  assert.equal(again.status, 201, JSON.stringify(again.body));
  assert.equal(again.body.meta.skipped, 2);
  assert.deepEqual(
    again.body.data.map((bet: Json) => bet.id),
    before.filter((bet: Json) => bet.status === 'filled' && bet.id !== struck.id).map((bet: Json) => bet.id),
  );
  assert.equal(await out(made, key), table, 'nothing was recorded');

  const moved = await put(made, other, table);
  const told = ({ client_id, odds_id, stake, odds_decimal, mode, tag, note, status }: Json) =>
    JSON.stringify([client_id, odds_id, stake, odds_decimal, mode, tag, note, status]);
  assert.deepEqual(moved.body.data.map(told), again.body.data.map(told));
  const twice = await put(made, other, table);
  assert.deepEqual(twice.body.data, moved.body.data);
  const changed = await put(made, other, table.replaceAll(',12.5,', ',13.5,'));
  assert.deepEqual([changed.status, changed.body.error.code], [409, 'conflict']);
});

test('each line that is wrong is told with its number and why, and nothing is recorded', async () => {
  const { made, home } = await world();
  const key = made.key('pro', { account: 'wrong' });
  const refused = async (table: string): Promise<string> => {
    const { status, body } = await put(made, key, table);
    assert.equal(status, 400, JSON.stringify(body));
    return body.error.message;
  };
  const head = 'client_id,odds_id,stake,odds_american,odds_decimal,mode';
  const lines = (...rows: string[]): string => [head, ...rows].join('\r\n');
  assert.equal(
    await refused(
      lines(
        `a,${home},10,-110,,paper`,
        `b,${home},ten,-110,,paper`,
        '',
        `c,${home},10,,,paper`,
        `a,${home},10,-110,,paper`,
        `d,4.61169E+18,10,-110,,paper`,
        `e,${home},10,-110,2.5,paper`,
        `f,${home},10.001,-110,,placed`,
        `g,${home},10,-110,,lay`,
        `h,${home},0,-110,,paper`,
        `i,${home},10,50,,paper`,
        `,${home},10,-110,,paper`,
      ),
    ),
    [
      'line 3: stake must be number',
      'line 5: either odds_american or odds_decimal is needed',
      'line 6: client_id a is that of line 2 too',
      'line 7: odds_id 4.61169E+18 is a number that a spreadsheet has shortened: keep the column as text',
      'line 8: odds_american and odds_decimal are different prices',
      'line 9: stake must have at most two decimals',
      'line 10: mode must be one of paper, placed',
      'line 11: stake must be > 0',
      'line 12: odds_american: 50 is no price',
      'line 13: client_id is required',
    ].join('; '),
  );
  assert.match(await refused(lines(...Array(20).fill(',,,,,'))), /line 11: .*; and 10 more lines$/);
  assert.match(await refused('client_id,odds_id,stake,odds_american\n'), /line 1: there is no column mode/);
  assert.match(await refused(`${head},odds_amercan\n`), /line 1: a list of bets has no column odds_amercan/);
  assert.match(await refused(`${head},mode\n`), /line 1: two columns mode/);
  assert.match(await refused(lines(`a,${home},10`)), /line 2: /);
  assert.match(await refused(lines(`a,"${home}`)), /line 2: /);
  assert.equal(await refused(''), 'the table is empty');
  assert.match(await refused(lines('a'.repeat(10))), /line 2/);
  const most = LIMITS.betLines.max;
  const many = Array.from({ length: most + 1 }, (_, i) => `m${i},${home},1,-110,,placed`);
  assert.match(await refused(lines(...many)), /at most 500 bets/);
  assert.equal((await out(made, key)).trim().split('\r\n').length, 1, 'nothing was recorded');
  const { status, body } = await put(made, key, lines(...many.slice(1)));
  assert.deepEqual([status, body.data.length], [201, most]);
  const pages = await made.fetch('/account/bets?format=csv&limit=400', { key });
  const cursor = pages.headers.get('x-next-cursor')!;
  assert.equal((await pages.text()).trim().split('\r\n').length, 401);
  assert.equal((await out(made, key, `&limit=400&cursor=${cursor}`)).trim().split('\r\n').length, 101);
  const empty = await put(made, key, `${head}\r\n`);
  assert.deepEqual([empty.status, empty.body.data], [201, []]);
});

test('no line of a table begins with what a spreadsheet would run', async () => {
  const { made, home } = await world();
  const key = made.key('pro', { account: 'formulas' });
  const note = 'a\n=cmd()\r\n+1\r-x\n@y';
  await record(made, key, { client_id: 'a\n=b', odds_id: home, odds_american: 100, mode: 'placed', stake: 1, note });
  const lines = (await out(made, key)).split(/[\r\n,"]+/);
  assert.deepEqual(
    lines.filter((line) => /^[=+@]|^-[^\d]/.test(line)),
    [],
  );
});

test('a table of a few zipped bytes that unpacks to very many values is refused before it is read', async () => {
  const { made } = await world();
  const key = made.key('pro', { account: 'many' });
  for (const filling of [',', '\n', '\r']) {
    const began = process.cpuUsage();
    const { status, body } = await put(made, key, `client_id,odds_id,stake,mode\n${filling.repeat(250_000)}`);
    const { user } = process.cpuUsage(began);
    assert.deepEqual([status, /at most 40000 values/.test(body.error.message)], [400, true], body.error.message);
    assert.ok(user < 2e6, `${user} µs`);
  }
});

test('a bet may name its event, market, selection and book in place of its row, in JSON and in a table', async () => {
  const { made, home, away } = await world();
  const key = made.key('pro', { account: 'described' });
  const { data } = (await (await made.fetch('/odds?market=moneyline&limit=1', { key })).json()) as Json;
  const event_id = data[0].event_id;
  const placed = { mode: 'placed', stake: 5, odds_american: -110 };
  const recorded = await record(
    made,
    key,
    {
      client_id: 'x1',
      event_id,
      market_type: 'moneyline',
      selection: 'Utah Jazz',
      sportsbook: 'draftkings',
      ...placed,
    },
    { client_id: 'x2', event: event_id, market: 'h2h', selection_type: 'away', book: 'DraftKings', ...placed },
    { client_id: 'x3', odds_id: home, ...placed },
  );
  assert.deepEqual(
    recorded.map(({ odds_id, status }) => [odds_id, status]),
    [
      [home, 'filled'],
      [away, 'filled'],
      [home, 'filled'],
    ],
  );
  const table = [
    'client_id,event_id,market,selection,book,stake,odds_decimal,mode',
    `y1,${event_id},h2h,Heat,draftkings,10,1.95,placed`,
    `x2,${event_id},moneyline,away,draftkings,5,1.909091,placed`,
    '',
  ].join('\r\n');
  const put1 = await put(made, key, table);
  assert.equal(put1.status, 201, JSON.stringify(put1.body));
  assert.deepEqual(
    put1.body.data.map(({ client_id, odds_id }: Json) => [client_id, odds_id]),
    [
      ['y1', away],
      ['x2', away],
    ],
  );
  const wrong = await put(
    made,
    key,
    `client_id,event_id,market_type,selection,sportsbook,stake,odds_decimal,mode\r\nz1,${event_id},total_points,over,draftkings,10,1.95,placed\r\nz2,nothing,moneyline,home,draftkings,10,1.95,placed\r\n`,
  );
  assert.equal(wrong.status, 400);
  assert.match(wrong.body.error.message, /line 2: draftkings has no total_points over .*line 3: draftkings has no/);
  const lacking = await put(
    made,
    key,
    `client_id,event_id,stake,odds_decimal,mode\r\nz1,${event_id},10,1.95,placed\r\n`,
  );
  assert.match(lacking.body.error.message, /no column odds_id, nor, in its place, market_type/);
});
