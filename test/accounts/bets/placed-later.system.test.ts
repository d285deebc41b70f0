// Bets that were placed elsewhere and are recorded when their game has left the table: history still knows it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW } from '../../front/api/serving.js';
import { type Api, api, type Json } from '../../front/api.js';
import { FLAGS, json, MINUTE, post, START } from '../../store/history/rig.js';
import { end, startFronts } from '../../support/processes.js';
import { eventually } from '../../support/until.js';
import { newFolder } from '../../temp-folders.js';

const GONE_MS = Date.parse(START) + 40 * 60 * MINUTE;

const bet = (client_id: string, odds_id: string, more: object = {}) => ({
  client_id,
  odds_id,
  stake: 20,
  odds_decimal: 2.3,
  mode: 'placed',
  ...more,
});

async function record(made: Api, key: string, ...bets: object[]): Promise<Json[]> {
  const headers = { 'content-type': 'application/json' };
  const response = await made.fetch('/account/bets', { key, method: 'POST', headers, body: JSON.stringify({ bets }) });
  const body = (await response.json()) as Json;
  assert.equal(response.status, 201, JSON.stringify(body));
  return body['data'];
}

const told = ({ status, reason, event_name, sportsbook, line, currency, result, profit }: Json) =>
  [status, reason, event_name, sportsbook, line, currency, result, profit] as const;

test('a placed bet is recorded and graded after its game left the table, also after a restart; paper finds nothing', async (t) => {
  const data = newFolder('overround-');
  const before = await api(t, { ...FLAGS, fx: 'GBP=2', data });
  const key = before.key('sharp', { account: 'a' });
  await post(before, Date.parse(NOW), 'draftkings', { home: 120, away: -140 });
  await post(before, Date.parse(NOW) + MINUTE, 'unibet', { home: 125, away: -145 });
  await post(before, Date.parse(NOW) + MINUTE, 'draftkings', { home: 130, away: -150, line: -4.5 });
  const rows = (await json(before, '/odds', key))['data'] as Json[];
  const idOf = (book: string) => rows.find((row) => row.sportsbook === book && row.selection_type === 'home')!.id;
  const [usd, gbp] = [idOf('draftkings'), idOf('unibet')];
  await before.ingest({
    source: 'league',
    polled_at: new Date(before.clock.now()).toISOString(),
    results: [{ event_id: rows[0]!.event_id, status: 'final', home_score: 104, away_score: 100 }],
  });
  const gone = async (made: Api): Promise<void> => {
    made.clock.set(GONE_MS);
    await eventually(async () => {
      // A tick lets the shard forget the game.
      await made.ingest({ book: 'draftkings', polled_at: new Date(GONE_MS).toISOString(), scope: 'none', events: [] });
      assert.equal((await json(made, '/odds', key)).pagination.total, 0);
    });
  };
  await gone(before);
  const known = ['Los Angeles Lakers @ Boston Celtics', 'draftkings', -4.5, 'USD'] as const;
  const recorded = await record(
    before,
    key,
    bet('a', usd),
    bet('paper', usd, { mode: 'paper' }),
    bet('pounds', gbp),
    bet('never', '1'),
  );
  assert.deepEqual(recorded.map(told), [
    ['filled', null, ...known, null, null],
    ['rejected', 'unknown_odds', null, null, null, null, null, null],
    ['filled', null, known[0], 'unibet', -3.5, 'GBP', null, null],
    ['rejected', 'unknown_odds', null, null, null, null, null, null],
  ]);
  assert.equal((await record(before, key, bet('a', usd)))[0]!.id, recorded[0]!.id);
  await eventually(async () => {
    const { data: list } = await json(before, '/account/bets?status=filled', key);
    assert.deepEqual(list.map(told), [
      ['filled', null, known[0], 'unibet', -3.5, 'GBP', 'won', 52],
      ['filled', null, ...known, 'lost', -20],
    ]);
  });
  await before.close();

  const after = await api(t, { ...FLAGS, fx: 'GBP=2', data });
  await gone(after);
  const [again] = await record(after, key, bet('b', usd));
  assert.deepEqual(told(again!), ['filled', null, ...known, null, null]);
  await eventually(async () => {
    assert.equal((await json(after, `/account/bets/${again!.id}`, key)).data.result, 'lost');
  });
});

test('a front records a placed bet on a row that no table has any more', async (t) => {
  const served = await startFronts(t, 2, [{ tier: 'pro', scopes: ['ingest'], requestsPerMinute: 10_000 }]);
  const [key] = served.keys as [string];
  const poll = (s: number, events: object[]) => ({
    book: 'draftkings',
    scope: 'league',
    league: 'nba',
    polled_at: new Date(Date.now() + s * 1000).toISOString(),
    events,
  });
  const selections = [
    { selection_type: 'home', selection: 'home', odds_american: 110 },
    { selection_type: 'away', selection: 'away', odds_american: -130 },
  ];
  const start_time = new Date(Date.now() + 3_600_000).toISOString();
  const game = { league: 'nba', home_team: 'Boston Celtics', away_team: 'Los Angeles Lakers', start_time };
  const post = async (s: number, events: object[]): Promise<void> =>
    assert.equal((await served.post([poll(s, events)], key)).status, 200);
  const total = ['over', 'under'].map((side) => ({
    selection_type: side,
    selection: side,
    line: 110.5,
    odds_american: -110,
  }));
  const markets = [
    { market_type: 'moneyline', selections },
    { market_type: 'team_total', team: 'away', selections: total },
  ];
  await post(-2, [{ ...game, markets }]);
  const rows = async () => ((await (await served.get('/odds', key)).json()) as Json)['data'] as Json[];
  await served.until('the row is there', async () => (await rows()).length === 4);
  const idOf = (type: string, all: Json[]): string => all.find(({ market_type }) => market_type === type)!['id'];
  const shown = await rows();
  const ids = [idOf('moneyline', shown), idOf('team_total', shown)];
  const placed = async (name: string): Promise<Json[]> => {
    const response = await fetch(`${served.url}/account/bets`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ bets: ids.map((id, i) => bet(`${name}-${i}`, id)) }),
    });
    return ((await response.json()) as Json)['data'];
  };
  const expected = [
    ['filled', 'Los Angeles Lakers @ Boston Celtics', null, 20],
    ['filled', 'Los Angeles Lakers @ Boston Celtics', 'Los Angeles Lakers', 20],
  ];
  const said = (bets: Json[]) =>
    bets.map((one) => [one['status'], one['event_name'], one['team_name'], one['stake_filled']]);
  assert.deepEqual(said(await placed('standing')), expected);
  await post(0, []);
  await served.until('the row is gone', async () => (await rows()).length === 0);
  assert.deepEqual(said(await placed('gone')), expected);
  // Its folder is removed next.
  assert.deepEqual((await end(served, ['engine', 'front-1', 'front-2'])).left, []);
});
