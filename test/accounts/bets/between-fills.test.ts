// What a level states between two fills of an account's paper bets.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Api, api, type Json } from '../../front/api.js';

const GAME = { league: 'nba', home_team: 'Utah Jazz', away_team: 'Miami Heat', start_time: '2026-11-20T23:30:00Z' };

async function world(t: TestContext): Promise<{
  state(back: [number, number][], max?: number): Promise<void>;
  bet(stake: number, decimal: number): Promise<number>;
  made: Api;
}> {
  const made = await api(t, { history: '2', fx: 'GBP=1' });
  let polls = 0;
  let bets = 0;
  const state = async (back: [number, number][]): Promise<void> => {
    made.clock.set(made.clock.now() + 1_000);
    const own = { selection: 'Utah Jazz', selection_type: 'home', odds_decimal: back[0]![0], size: back[0]![1] };
    const selections = [
      { ...own, depth: { back, lay: [] } },
      { selection: 'Miami Heat', selection_type: 'away', odds_decimal: 1.5 + ++polls / 100, size: 10 },
    ];
    const markets = [{ market_type: 'moneyline', selections }];
    const polled_at = new Date(made.clock.now()).toISOString();
    await made.ingest({ book: 'betfair', polled_at, events: [{ ...GAME, markets }] });
  };
  const bet = async (stake: number, odds_decimal: number): Promise<number> => {
    const key = made.key('enterprise', { account: 'one' });
    const { data: rows } = (await (await made.fetch('/odds?sportsbook=betfair&limit=50', { key })).json()) as Json;
    const { id: odds_id } = rows.find((row: Json) => row.selection_type === 'home' && row.home_team === 'Utah Jazz');
    const body = JSON.stringify({ bets: [{ client_id: `c${++bets}`, odds_id, stake, odds_decimal, mode: 'paper' }] });
    const headers = { 'content-type': 'application/json' };
    const answer = (await (await made.fetch('/account/bets', { key, method: 'POST', headers, body })).json()) as Json;
    return answer.data[0].stake_filled;
  };
  return { state, bet, made };
}

test('a fall between two fills is the account’s money first, and the rise after it adds', async (t) => {
  const { state, bet } = await world(t);
  await state([[2.2, 60]]);
  assert.equal(await bet(100, 2.2), 60);
  await state([[2.2, 45]]);
  await state([[2.2, 65]]);
  assert.equal(await bet(100, 2.2), 20);
  assert.equal(await bet(100, 2.2), 0);
});

test('a price that was another one in between is new money', async (t) => {
  const { state, bet } = await world(t);
  await state([[2.2, 60]]);
  assert.equal(await bet(100, 2.2), 60);
  await state([[2.1, 30]]);
  await state([[2.2, 60]]);
  assert.equal(await bet(100, 2.2), 60);
});

test('a lower level is seen as well, and what a cut ladder hides stays taken', async (t) => {
  const { state, bet } = await world(t);
  await state([
    [2.2, 10],
    [2.1, 40],
  ]);
  assert.equal(await bet(100, 2.1), 50);
  await state([[2.2, 10]]);
  await state([
    [2.2, 10],
    [2.1, 30],
  ]);
  await state([
    [2.2, 10],
    [2.1, 45],
  ]);
  assert.equal(await bet(100, 2.1), 15);
});
