import assert from 'node:assert/strict';
import { test } from 'node:test';
import { at } from '../../engine/replay/recordings.js';
import { replayed } from '../../engine/replay/rig.js';
import type { Body } from '../../front/api/serving.js';
import { recording } from '../../intake/feeds/replay/recordings.js';
import { until } from '../../support/until.js';

const GAME = { league: 'nba', home_team: 'Boston Celtics', away_team: 'Los Angeles Lakers', start_time: at(100) };

function poll(s: number, home: number, away: number, more: object = {}): object {
  const selections = [
    { selection: 'Boston Celtics', selection_type: 'home', odds_american: home },
    { selection: 'Los Angeles Lakers', selection_type: 'away', odds_american: away },
  ];
  const markets = [{ market_type: 'moneyline', max_bet: 250, selections }];
  return { book: 'draftkings', polled_at: at(s), scope: 'event', events: [{ ...GAME, markets, ...more }] };
}

const FINAL = { ...GAME, status: 'final', source: 'desk' };

test('paper bets are filled, wait in play, are graded by the result and again by its correction', async (t) => {
  const file = recording([
    poll(0, -110, -110),
    poll(50, 120, -140),
    poll(120, 150, -170, { is_live: true }),
    poll(124, 160, -190, { is_live: true }),
    poll(400, 160, -190, { is_live: true }),
  ]);
  const results = recording(
    [
      { ...FINAL, home_score: 101, away_score: 99, at: at(200) },
      { ...FINAL, home_score: 98, away_score: 99, at: at(300) },
    ],
    'results.ndjson',
  );
  const server = await replayed(t, { replay: file, results, lockstep: 'yes', 'bet-delay': 'draftkings=3' });
  const call = async (method: string, path: string, body?: object): Promise<{ status: number; body: Body }> => {
    const headers = { 'x-api-key': server.key, 'content-type': 'application/json' };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(`${server.running.url}/api/v1/account${path}`, init);
    return { status: response.status, body: (await response.json()) as Body };
  };
  const place = (...bets: object[]) => call('POST', '/bets', { bets });
  const step = (s: number) => server.act({ action: 'step', until: at(s) });
  await step(10);
  const rows = (await server.get('/odds'))['data'] as { id: string; selection_type: string }[];
  const home = rows.find((row) => row.selection_type === 'home')!.id;
  const bet = (client_id: string, stake: number, odds_american: number, more: object = {}) => ({
    client_id,
    odds_id: home,
    stake,
    odds_american,
    mode: 'paper',
    ...more,
  });

  const before = (await call('GET', '/bankroll')).body['data'];
  assert.equal((await call('PUT', '/bankroll', { deposits: 5 })).body['data'].cash, 5);
  assert.equal((await place(bet('dear', 10, -110))).body['data'][0].reason, 'insufficient_funds');
  const back = await call('PUT', '/bankroll', { deposits: null });
  assert.deepEqual([back.status, back.body['data']], [200, before], 'without deposits there is no limit again');
  assert.equal((await call('PUT', '/bankroll', {})).status, 400);
  assert.equal((await call('PUT', '/bankroll', { deposits: 1_000 })).body['data'].cash, 1_000);
  const first = await place(bet('a', 200, -110, { tag: 'early' }), bet('b', 200, -110), bet('c', 10, 100));
  assert.equal(first.status, 201);
  const shown = (body: Body) =>
    body['data'].map((one: Body) => [one['status'], one['stake_filled'], one['reason'], one['limited_by']]);
  assert.deepEqual(shown(first.body), [
    ['filled', 200, null, 'max_bet'],
    ['part_filled', 50, null, 'max_bet'],
    ['rejected', 0, 'price_moved', null],
  ]);
  assert.deepEqual((await place(bet('a', 200, -110, { tag: 'early' }))).body['data'], [first.body['data'][0]]);
  assert.equal((await place(bet('a', 100, -110))).status, 409);
  assert.equal((await place(bet('d', 1.234, -110))).status, 400);
  assert.equal((await place(bet('d', 1, -110), bet('d', 1, -110))).status, 400);
  for (const wrong of [{ client_id: 'half \ud800' }, { odds_american: undefined, odds_decimal: 1.0000001 }]) {
    const refused = await place(bet('d', 1, -110, { mode: 'placed', ...wrong }));
    assert.equal(refused.status, 400, JSON.stringify(wrong));
  }
  const [own] = (await place(bet('e', 30, 110, { mode: 'placed' }))).body['data'];
  assert.equal((await call('DELETE', `/bets/${own.id}`)).body['data'].status, 'struck');
  assert.equal((await call('DELETE', `/bets/${first.body['data'][0].id}`)).status, 409);

  await step(121);
  const [waiting] = (await place(bet('f', 100, 140))).body['data'];
  assert.deepEqual([waiting.status, waiting.judged_at, waiting.is_live], ['pending', at(124), true]);
  await step(123);
  assert.equal((await call('GET', `/bets/${waiting.id}`)).body['data'].status, 'pending');
  await step(130);
  const judged = (await call('GET', `/bets/${waiting.id}`)).body['data'];
  assert.deepEqual(judged.fills, [{ odds_decimal: 2.6, stake: 100, at: at(124) }], 'at the price of then');

  const money = async () => {
    const { cash, open_stakes, profit } = (await call('GET', '/bankroll')).body['data'];
    return [cash, open_stakes, profit];
  };
  assert.deepEqual(await money(), [650, 350, 0]);
  assert.equal((await call('GET', '/bankroll')).body['data'].paper_max, 100);
  await step(201);
  // 250 at 1.909091 and 100 at 2.6 won.
  assert.deepEqual(await money(), [1387.27, 0, 387.27]);
  await step(301);
  assert.deepEqual(await money(), [650, 0, -350]);
  const { groups, struck } = (await call('GET', '/bets/summary?group_by=tag')).body['data'];
  assert.equal(struck, 1);
  assert.deepEqual(
    groups.map((group: Body) => [
      group['group_key'],
      group['bets'],
      group['stake'],
      group['profit'],
      group['roi_percent'],
      group['win_rate'],
    ]),
    [
      ['early', 1, 200, -200, -100, 0],
      ['', 2, 150, -150, -100, 0],
    ],
  );
  const page = await call('GET', '/bets?limit=2&status=filled');
  assert.deepEqual(
    [page.body['data'].map((one: Body) => one['client_id']), page.body['pagination'].total],
    [['f', 'a'], 2],
  );
  assert.deepEqual((await call('GET', '/bets?limit=2')).body['data'].length, 2);
  const day = page.body['data'][0].recorded_at.slice(0, 10);
  for (const [query, total] of [
    [`from=${day}&to=${day}`, 6],
    [`to=${day}T00:00:00Z`, 0],
  ] as const)
    assert.equal((await call('GET', `/bets?${query}`)).body['pagination'].total, total, query);
  const { next_cursor } = (await call('GET', '/bets?limit=2')).body['pagination'];
  assert.deepEqual(
    (await call('GET', `/bets?limit=3&cursor=${next_cursor}`)).body['data'].map((one: Body) => one['client_id']),
    ['c', 'b', 'a'],
  );
  const csv = await fetch(`${server.running.url}/api/v1/account/bets?format=csv`, {
    headers: { 'x-api-key': server.key },
  });
  assert.deepEqual(
    [csv.headers.get('content-type'), (await csv.text()).trim().split('\r\n').length],
    ['text/csv; charset=utf-8; header=present', 7],
  );
  // All of them in one answer, as lines and as a table.
  const whole = async (query: string) => {
    const answer = await fetch(`${server.running.url}/api/v1/account/bets?limit=all&${query}`, {
      headers: { 'x-api-key': server.key },
    });
    return [answer.status, answer.headers.get('x-total-count'), (await answer.text()).trim().split(/\r?\n/)] as const;
  };
  const [status, count, lines] = await whole('format=ndjson');
  const { data } = (await call('GET', '/bets?limit=100')).body;
  assert.deepEqual([status, count, lines.map((line) => JSON.parse(line))], [200, String(data.length), data]);
  assert.equal((await whole('format=csv'))[2].length, data.length + 1);
  assert.equal((await whole('format=json'))[0], 400);

  // A bet that was placed elsewhere, changed after its game ended: graded by the results, then by hand, and back.
  const late = (await place(bet('g', 40, 150, { mode: 'placed' }))).body['data'][0];
  const change = (of: string, body: object) => call('PATCH', `/bets/${of}`, body);
  const changed = await change(late.id, { odds_decimal: 3, stake: 50.5, tag: 'late', note: null });
  assert.deepEqual([changed.status, changed.body['data'].stake_filled], [200, 50.5]);
  const byHand = (await change(late.id, { result: 'won' })).body['data'];
  assert.deepEqual([byHand.result, byHand.result_reason, byHand.profit], ['won', 'by_hand', 101]);
  assert.deepEqual(await money(), [751, 0, -249]);
  assert.equal((await change(late.id, { result: null })).status, 200);
  await until('it is graded again', async () => {
    const { result, profit } = (await call('GET', `/bets/${late.id}`)).body['data'];
    return result === 'lost' && profit === -50.5;
  });
  assert.equal((await change(late.id, { struck: true })).body['data'].status, 'struck');
  assert.deepEqual(await money(), [650, 0, -350]);
  assert.equal((await change(late.id, { struck: false })).body['data'].status, 'filled');
  const conflict = await change(first.body['data'][0].id, { stake: 1 });
  assert.deepEqual([conflict.status, conflict.body['error'].code], [409, 'conflict']);
  for (const wrong of [{}, { stake: 1.234 }, { result: 'pending' }, { odds_american: 20 }, { odds_id: '1' }])
    assert.equal((await change(late.id, wrong)).status, 400, JSON.stringify(wrong));
  assert.equal((await change('bet_00009999', { tag: 'x' })).status, 404);
});
