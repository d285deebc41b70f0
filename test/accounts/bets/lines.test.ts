// The line of a bet whose row has moved: a main line keeps its id, so the bet's own line says what was bet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Api, api, type Json } from '../../front/api.js';
import { shared } from '../../shared.js';

const GAME = { league: 'epl', home_team: 'Arsenal', away_team: 'Everton', start_time: '2026-11-21T15:00:00Z' };
const now = (made: Api): string => new Date(made.clock.now()).toISOString();

function sides(line: number, more: object = {}): object[] {
  return ['over', 'under'].map((side) => ({ selection: side, selection_type: side, line, odds_decimal: 1.9, ...more }));
}

/** Its total at a main line, beside an alternate one of 4.5, a handicap and a line that nothing has. */
async function offer(made: Api, total: number, handicap: number): Promise<void> {
  const markets = [
    { market_type: 'total_goals', selections: [...sides(total), ...sides(4.5, { is_alternate_line: true })] },
    {
      market_type: 'point_spread',
      selections: [
        { selection: 'Arsenal', selection_type: 'home', line: handicap, odds_decimal: 1.9 },
        { selection: 'Everton', selection_type: 'away', line: -handicap, odds_decimal: 1.9 },
      ],
    },
    {
      market_type: 'moneyline',
      selections: [
        { selection: 'Arsenal', selection_type: 'home', odds_decimal: 1.9 },
        { selection: 'Draw', selection_type: 'draw', odds_decimal: 3.6 },
        { selection: 'Everton', selection_type: 'away', odds_decimal: 4.2 },
      ],
    },
  ];
  await made.ingest({ book: 'draftkings', polled_at: now(made), events: [{ ...GAME, markets }] });
}

interface World {
  made: Api;
  rows: Json[];
  id(market: string, side: string, line?: number): string;
}

/** The total has moved from 2.5 to 3.5 and the handicap from -1.5 to -0.5 since account `early` bet. */
const world = shared(async (t): Promise<World & { early: string }> => {
  const made = await api(t, { history: '7' });
  await offer(made, 2.5, -1.5);
  const early = made.key('sharp', { account: 'early' });
  const { data: rows } = (await (await made.fetch('/odds?league=epl&limit=50', { key: early })).json()) as Json;
  const id = (market: string, side: string, line?: number): string =>
    rows.find(
      (row: Json) =>
        row.market_type === market && row.selection_type === side && (line === undefined || row.line === line),
    ).id;
  const bets = [
    { client_id: 'total', odds_id: id('total_goals', 'over', 2.5) },
    { client_id: 'handicap', odds_id: id('point_spread', 'home') },
    { client_id: 'winner', odds_id: id('moneyline', 'home') },
    { client_id: 'alternate', odds_id: id('total_goals', 'under', 4.5) },
  ];
  await recorded(made, early, ...bets.map((bet) => ({ ...PLACED, ...bet })));
  made.clock.set(made.clock.now() + 60_000);
  await offer(made, 3.5, -0.5);
  return { made, rows, id, early };
});

const PLACED = { stake: 10, odds_decimal: 1.9, mode: 'placed' };

async function post(made: Api, key: string, ...bets: object[]): Promise<{ status: number; body: Json }> {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ bets }) };
  const response = await made.fetch('/account/bets', { key, ...init });
  return { status: response.status, body: (await response.json()) as Json };
}

async function recorded(made: Api, key: string, ...bets: object[]): Promise<Json[]> {
  const { status, body } = await post(made, key, ...bets);
  assert.equal(status, 201, JSON.stringify(body));
  return body.data;
}

const told = ({ client_id, line, status, reason }: Json) => [client_id, line, status, reason];

test('a list goes in again at the lines of its bets after their rows have moved, and pays the same', async () => {
  const { made, early } = await world();
  const late = made.key('sharp', { account: 'late' });
  const table = await (await made.fetch('/account/bets?format=csv', { key: early })).text();
  const headers = { 'content-type': 'text/csv' };
  for (const key of [early, late]) {
    const response = await made.fetch('/account/bets/csv', { key, method: 'POST', headers, body: table });
    const { data } = (await response.json()) as Json;
    assert.equal(response.status, 201);
    assert.deepEqual(data.map(told), [
      ['alternate', 4.5, 'filled', null],
      ['winner', null, 'filled', null],
      ['handicap', -1.5, 'filled', null],
      ['total', 2.5, 'filled', null],
    ]);
  }
});

test('a bet placed at an earlier line of its row is recorded at it, by the id or by its words', async () => {
  const { made, rows, id } = await world();
  const key = made.key('sharp', { account: 'words' });
  const total = id('total_goals', 'over', 2.5);
  const described = {
    event_id: rows[0].event_id,
    market_type: 'total_goals',
    selection: 'over',
    sportsbook: 'draftkings',
  };
  const bets = await recorded(
    made,
    key,
    { client_id: 'id', odds_id: total, line: 2.5, ...PLACED },
    { client_id: 'now', odds_id: total, ...PLACED },
    { client_id: 'words', ...described, line: 2.5, ...PLACED },
    { client_id: 'main', ...described, ...PLACED },
    { client_id: 'away', ...described, market_type: 'point_spread', selection: 'away', line: 1.5, ...PLACED },
    { client_id: 'no line', odds_id: id('moneyline', 'home'), line: null, ...PLACED },
    // Null says nothing, as where the field is absent.
    { client_id: 'null', odds_id: total, line: null, ...PLACED },
    { client_id: 'null in words', ...described, line: null, ...PLACED },
    // What a float made of it, as ingest reads it.
    { client_id: 'float', odds_id: total, line: 2.4999999, ...PLACED },
    { client_id: 'float in words', ...described, line: 2.5000001, ...PLACED },
    { client_id: 'float now', ...described, line: 3.4999999, ...PLACED },
    { client_id: 'alternate', ...described, line: 4.5000001, ...PLACED },
  );
  assert.deepEqual(bets.map(told), [
    ['id', 2.5, 'filled', null],
    ['now', 3.5, 'filled', null],
    ['words', 2.5, 'filled', null],
    ['main', 3.5, 'filled', null],
    ['away', 1.5, 'filled', null],
    ['no line', null, 'filled', null],
    ['null', 3.5, 'filled', null],
    ['null in words', 3.5, 'filled', null],
    ['float', 2.5, 'filled', null],
    ['float in words', 2.5, 'filled', null],
    ['float now', 3.5, 'filled', null],
    ['alternate', 4.5, 'filled', null],
  ]);
  assert.equal(bets[11]!['odds_id'], id('total_goals', 'over', 4.5));
  assert.deepEqual([bets[2]!['odds_id'], bets[3]!['odds_id']], [total, total]);
  const again = await recorded(made, key, { client_id: 'id', odds_id: total, line: 2.5, ...PLACED });
  assert.equal(again[0]!['id'], bets[0]!['id']);
  const float = await recorded(made, key, { client_id: 'float', odds_id: total, line: 2.4999999, ...PLACED });
  assert.equal(float[0]!['id'], bets[8]!['id']);
  const other = await post(made, key, { client_id: 'id', odds_id: total, line: 3.5, ...PLACED });
  assert.deepEqual([other.status, other.body.error.code], [409, 'conflict']);
  const never = await post(made, key, { client_id: 'never', ...described, line: 1.5, ...PLACED });
  assert.equal(never.status, 400);
  assert.match(never.body.error.message, /draftkings has no total_goals over at 1.5/);
});

test('a paper bet on a line that has moved is rejected', async () => {
  const { made, rows, id } = await world();
  const key = made.key('sharp', { account: 'paper' });
  const paper = { stake: 10, odds_decimal: 1.9, mode: 'paper' };
  const described = { event_id: rows[0].event_id, market_type: 'total_goals', sportsbook: 'draftkings' };
  const bets = await recorded(
    made,
    key,
    { client_id: 'moved', odds_id: id('total_goals', 'over', 2.5), line: 2.5, ...paper },
    { client_id: 'words', ...described, selection: 'over', line: 2.5, ...paper },
    { client_id: 'stands', odds_id: id('total_goals', 'over', 2.5), line: 3.5, ...paper },
    { client_id: 'alternate', odds_id: id('total_goals', 'over', 4.5), line: 4.5, ...paper },
  );
  assert.deepEqual(bets.map(told), [
    ['moved', 2.5, 'rejected', 'price_moved'],
    ['words', 2.5, 'rejected', 'price_moved'],
    ['stands', 3.5, 'filled', null],
    ['alternate', 4.5, 'filled', null],
  ]);
});

test('a line that its row cannot have is refused with the reason', async () => {
  const { made, id } = await world();
  const key = made.key('sharp', { account: 'wrong' });
  const main = id('total_goals', 'over', 2.5);
  for (const [odds_id, line, why] of [
    [id('total_goals', 'over', 4.5), 2.5, /^bet x: the line of this odds_id is 4.5, not 2.5/],
    [main, 2.3, /^bet x: 2.3 is no multiple of 0.25/],
    [main, 0, /^bet x: a total is above 0/],
    [id('moneyline', 'home'), 1.5, /^bet x: moneyline has no line/],
  ] as const)
    for (const mode of ['paper', 'placed']) {
      const { status, body } = await post(made, key, { client_id: 'x', odds_id, line, ...PLACED, mode });
      assert.equal(status, 400, `${line} ${JSON.stringify(body)}`);
      assert.match(body.error.message, why);
    }
});

test('each is graded at its own line', async (t) => {
  const made = await api(t, { history: '7' });
  await offer(made, 2.5, -1.5);
  const key = made.key('sharp', { account: 'graded' });
  const { data: rows } = (await (await made.fetch('/odds?league=epl&limit=50', { key })).json()) as Json;
  const { id: odds_id } = rows.find((row: Json) => row.selection_type === 'over' && row.line === 2.5);
  made.clock.set(made.clock.now() + 60_000);
  await offer(made, 3.5, -0.5);
  await recorded(
    made,
    key,
    { client_id: 'before', odds_id, line: 2.5, ...PLACED },
    { client_id: 'after', odds_id, ...PLACED },
  );
  made.clock.set(Date.parse(GAME.start_time) + 3 * 3_600_000);
  const result = { ...GAME, status: 'final', home_score: 2, away_score: 1, at: now(made) };
  await made.ingest({ source: 'league', polled_at: now(made), results: [result] });
  await made.server.bets.graded();
  const { data } = (await (await made.fetch('/account/bets', { key })).json()) as Json;
  assert.deepEqual(
    data.map(({ client_id, line, result: end, profit }: Json) => [client_id, line, end, profit]),
    [
      ['after', 3.5, 'lost', -10],
      ['before', 2.5, 'won', 9],
    ],
  );
});
