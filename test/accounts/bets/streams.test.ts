// The channel `bets` from outside: every judgement and grading to the account's own streams, and to no others.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Api, api, type Json } from '../../front/api.js';
import { RawSse } from '../../front/stream-rig.js';
import { RawWs } from '../../front/ws/raw-ws.js';
import { until } from '../../support/until.js';

const GAME = { league: 'nba', home_team: 'Utah Jazz', away_team: 'Miami Heat', start_time: '2026-11-20T23:30:00Z' };

async function world(t: TestContext): Promise<{ made: Api; id: string }> {
  const made = await api(t, { history: '2', 'bet-delay': 'draftkings=4' });
  await quote(made, -110);
  const { data } = (await (await made.fetch('/odds?market=moneyline', { key: made.key('pro') })).json()) as Json;
  return { made, id: data.find((row: Json) => row.selection_type === 'home').id };
}

async function quote(made: Api, price: number, more: object = {}): Promise<void> {
  const selections = [
    { selection: 'Utah Jazz', selection_type: 'home', odds_american: price },
    { selection: 'Miami Heat', selection_type: 'away', odds_american: -120 },
  ];
  const polled_at = new Date(made.clock.now()).toISOString();
  const markets = [{ market_type: 'moneyline', max_bet: 250, selections }];
  await made.ingest({ book: 'draftkings', polled_at, events: [{ ...GAME, markets, ...more }] });
}

async function final(made: Api, home_score: number): Promise<void> {
  made.clock.set(made.clock.now() + 60_000);
  const at = new Date(made.clock.now()).toISOString();
  await made.ingest({ source: 'league', results: [{ ...GAME, status: 'final', home_score, away_score: 99, at }] });
}

async function place(made: Api, key: string, odds_id: string, client_id: string, more: object = {}): Promise<Json> {
  const bet = { client_id, odds_id, stake: 20, odds_american: -110, mode: 'paper', ...more };
  const init = {
    method: 'POST',
    body: JSON.stringify({ bets: [bet] }),
    headers: { 'content-type': 'application/json' },
  };
  const response = await made.fetch('/account/bets', { key, ...init });
  const { data } = (await response.json()) as Json;
  assert.equal(response.status, 201);
  return data[0];
}

/** What a stream told of bets, in order. */
const told = (events: readonly { event: string; data: string }[]): Json[] =>
  events.flatMap(({ event, data }) =>
    event.startsWith('bets:') ? JSON.parse(data).data.map((bet: Json) => ({ event, ...bet })) : [],
  );

test('every judgement and every grading is told to the own streams of the account, and to no others', async (t) => {
  const { made, id } = await world(t);
  const key = made.key('pro', { streaming: true, account: 'a' });
  const other = made.key('pro', { streaming: true, account: 'b' });
  const sse = new RawSse(made, '/stream/bets', key);
  const ws = new RawWs(made, { api_key: key, channels: 'bets,odds' });
  const packed = new RawWs(made, { api_key: key, channels: 'bets' }, ['overround.msgpack']);
  const narrow = new RawSse(made, '/stream?channel=bets&league=nfl', key);
  const foreign = new RawSse(made, '/stream?channel=bets', other);
  for (const each of [sse, ws, packed, narrow, foreign]) await until('complete', () => each.table.complete);
  const first = await place(made, key, id, 'first');
  const dear = await place(made, key, id, 'dear', { odds_american: 150 });
  const unknown = await place(made, key, '1', 'unknown');
  assert.deepEqual([first.status, dear.reason, unknown.reason], ['filled', 'price_moved', 'unknown_odds']);
  await until('three judgements', () => told(sse.events).length === 3);
  assert.deepEqual(
    told(sse.events),
    [first, dear, unknown].map((bet) => ({ event: 'bets:filled', ...bet })),
  );

  made.clock.set(Date.parse(GAME.start_time) + 60_000);
  await quote(made, 120, { is_live: true });
  const waiting = await place(made, key, id, 'in-play', { odds_american: 100 });
  assert.equal(waiting.status, 'pending');
  made.clock.set(made.clock.now() + 4_000);
  await until('judged', () => told(sse.events).length === 4);
  assert.deepEqual(told(sse.events)[3]!.fills[0].odds_decimal, 2.2);

  await final(made, 110);
  await until('graded', () => told(sse.events).length === 6);
  await final(made, 90);
  await until('graded again', () => told(sse.events).length === 8);
  assert.deepEqual(
    told(sse.events)
      .slice(4)
      .map(({ event, client_id, result, profit }) => [event, client_id, result, profit]),
    [
      ['bets:graded', 'first', 'won', 18.18],
      ['bets:graded', 'in-play', 'won', 24],
      ['bets:graded', 'first', 'lost', -20],
      ['bets:graded', 'in-play', 'lost', -20],
    ],
  );
  const { data } = (await (await made.fetch('/account/bets', { key })).json()) as Json;
  for (const { table } of [sse, ws, packed]) {
    await until('the same as the list', () => table.bets.get(first.id)?.profit === -20);
    assert.deepEqual(
      [...table.bets.values()].sort((a, b) => (a.id < b.id ? 1 : -1)),
      data,
    );
  }
  assert.deepEqual([...narrow.table.bets.keys()], [unknown.id], 'a bet of no known game passes every filter');
  assert.deepEqual(told(foreign.events), []);
});

test('a stream of bets resumes from the position of a bet', async (t) => {
  const { made, id } = await world(t);
  const key = made.key('pro', { streaming: true });
  const sse = new RawSse(made, '/stream/bets', key);
  await until('complete', () => sse.table.complete);
  await place(made, key, id, 'before');
  await until('told', () => told(sse.events).length === 1);
  const last = sse.events.findLast((event) => event.id !== undefined)!.id!;
  sse.vanish();
  const missed = [await place(made, key, id, 'missed'), await place(made, key, id, 'too much', { stake: 500 })];
  await final(made, 110);
  const again = new RawSse(made, '/stream/bets?resume=true', key, { 'last-event-id': last });
  await until('all', () => told(again.events).filter(({ event }) => event === 'bets:graded').length === 3);
  assert.deepEqual(
    told(again.events)
      .filter(({ event }) => event === 'bets:filled')
      .map(({ client_id }) => client_id),
    missed.map(({ client_id }) => client_id),
  );
  assert.equal(JSON.parse(again.events[0]!.data).resumed, true);
  const ws = new RawWs(made, { api_key: key, channels: 'bets', resume: 'true', from_seq: last.slice(4) });
  await until('the same over WebSocket', () => ws.table.bets.size === 3);
});

test('what a viewer token shows never includes bets, and below Pro there are none', async (t) => {
  const { made } = await world(t);
  const codeOf = async (key: string): Promise<string> =>
    ((await (await made.fetch('/stream?channel=bets', { key })).json()) as Json).error.code;
  const key = made.key('pro', { streaming: true });
  const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const made200 = await made.fetch('/account/tokens', { key, ...init, body: JSON.stringify({ ttl_s: 600 }) });
  const { data } = (await made200.json()) as Json;
  assert.ok(!data.channels.includes('bets'));
  assert.equal(await codeOf(data.token), 'forbidden');
  assert.equal(await codeOf(made.key('hobby', { streaming: true })), 'tier_restricted');
  const body = JSON.stringify({ ttl_s: 600, channels: ['bets'] });
  assert.equal((await made.fetch('/account/tokens', { key, ...init, body })).status, 400);
});
