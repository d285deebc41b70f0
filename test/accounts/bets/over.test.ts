// Paper bets on what is over, called off or old: whoever only knows results, or reads prices late, is paid nothing.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Api, api, type Json } from '../../front/api.js';
import { eventually } from '../../support/until.js';

const START = '2026-11-20T23:30:00Z';
const GAMES = [
  ['Utah Jazz', 'Miami Heat'],
  ['Denver Nuggets', 'Chicago Bulls'],
  ['Boston Celtics', 'Los Angeles Lakers'],
] as const;
const MINUTE = 60_000;

async function quote(made: Api, books: readonly string[], more: object = {}): Promise<void> {
  const events = GAMES.map(([home_team, away_team]) => {
    const selections = [
      { selection: home_team, selection_type: 'home', odds_decimal: 2.2 },
      { selection: away_team, selection_type: 'away', odds_decimal: 1.8 },
    ];
    const markets = [{ market_type: 'moneyline', selections }];
    return { league: 'nba', home_team, away_team, start_time: START, markets, ...more };
  });
  for (const book of books) await made.ingest({ book, polled_at: now(made), events });
}

const now = (made: Api): string => new Date(made.clock.now()).toISOString();

function pass(made: Api, ms: number): void {
  made.clock.set(made.clock.now() + ms);
}

async function tell(made: Api, game: number, result: object, source = 'league'): Promise<void> {
  const [home_team, away_team] = GAMES[game]!;
  const of = { league: 'nba', home_team, away_team, start_time: START };
  await made.ingest({ source, results: [{ ...of, at: now(made), ...result }] });
}

interface Bettor {
  /** On a side of every row of a game: what each bet came to. */
  bet(game: number, side: 'home' | 'away'): Promise<Json[]>;
  list(): Promise<Json[]>;
}

function bettor(made: Api): Bettor {
  const key = made.key('enterprise', { account: 'bot' });
  let count = 0;
  const read = async (path: string, init: RequestInit = {}): Promise<Json> =>
    (await (await made.fetch(path, { key, ...init } as never)).json()) as Json;
  return {
    list: async () => (await read('/account/bets?limit=1000')).data,
    bet: async (game, side) => {
      const [home, away] = GAMES[game]!;
      const { data } = await read('/odds?limit=200');
      const rows = data.filter(
        (row: Json) => row.home_team === home && row.away_team === away && row.selection_type === side,
      );
      const bets = rows.map(({ id }: Json) => {
        return { client_id: `b${++count}`, odds_id: id, stake: 10, odds_decimal: 1.5, mode: 'paper' };
      });
      if (bets.length === 0) return [];
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ bets });
      return (await read('/account/bets', { method: 'POST', headers, body })).data;
    },
  };
}

async function world(t: TestContext): Promise<{ made: Api; bot: Bettor }> {
  const made = await api(t, { history: '7', 'bet-delay': 'draftkings=0;fanduel=0;kalshi=0' });
  await quote(made, ['draftkings', 'fanduel']);
  return { made, bot: bettor(made) };
}

const reasons = (bets: readonly Json[]): (string | null)[] => [...new Set(bets.map(({ reason }) => reason))];

test('a bot that only reads results wins nothing, whatever its books go on offering', async (t) => {
  const { made, bot } = await world(t);
  pass(made, 3 * 60 * MINUTE);
  const live = { is_live: true, status: 'live' };
  await quote(made, ['draftkings', 'fanduel'], live);
  await tell(made, 0, { status: 'final', home_score: 110, away_score: 100 });
  await tell(made, 1, { status: 'abandoned', home_score: 50, away_score: 60 }, 'desk');
  const [home_team, away_team] = GAMES[2];
  const settlement = { league: 'nba', home_team, away_team, start_time: START, market_type: 'moneyline' };
  await made.ingest({
    sportsbook: 'kalshi',
    polled_at: now(made),
    settlements: [{ ...settlement, selection_type: 'home', outcome: 'won' }],
  });
  for (let round = 0; round < 3; round++) {
    for (const game of GAMES.keys())
      for (const side of ['home', 'away'] as const) {
        const bets = await bot.bet(game, side);
        assert.equal(bets.length, 2);
        assert.deepEqual(reasons(bets), ['game_over'], `${game} ${side}`);
      }
    pass(made, 30_000);
    await quote(made, ['draftkings', 'fanduel'], live);
  }
  const all = await bot.list();
  assert.equal(all.length, 36);
  assert.ok(all.every(({ stake_filled }) => stake_filled === 0));
});

test('a price that detection would pass over fills nothing: too old before the start and in play', async (t) => {
  const { made, bot } = await world(t);
  pass(made, 299_000);
  assert.deepEqual(reasons(await bot.bet(0, 'home')), [null]);
  pass(made, 2_000);
  assert.deepEqual(reasons(await bot.bet(0, 'home')), ['stale_price']);
  pass(made, 3 * 60 * MINUTE);
  await quote(made, ['draftkings', 'fanduel'], { is_live: true });
  pass(made, 61_000);
  assert.deepEqual(reasons(await bot.bet(0, 'home')), ['stale_price']);
});

test('a game that is called off fills nothing until it has a new start', async (t) => {
  const { made, bot } = await world(t);
  await tell(made, 0, { status: 'postponed' });
  assert.deepEqual(reasons(await bot.bet(0, 'home')), ['postponed']);
  await tell(made, 1, { status: 'cancelled' });
  assert.deepEqual(reasons(await bot.bet(1, 'home')), ['game_over']);
  const later = '2026-11-21T01:30:00Z';
  await quote(made, ['draftkings'], { start_time: later });
  await quote(made, ['fanduel']);
  assert.deepEqual(reasons(await bot.bet(0, 'home')), [null]);
});

test('in play every book holds a bet before it is judged, five seconds where nothing else is known', async (t) => {
  const made = await api(t, { history: '7' });
  pass(made, 3 * 60 * MINUTE);
  await quote(made, ['draftkings'], { is_live: true });
  const [bet] = await bettor(made).bet(0, 'home');
  assert.deepEqual(
    [bet.status, Date.parse(bet.judged_at) - made.clock.now() <= 5_000, Date.parse(bet.judged_at) > made.clock.now()],
    ['pending', true, true],
  );
});

test('a handicap on the rest of the game keeps the score at which it was made, and needs one', async (t) => {
  const made = await api(t, { history: '7', 'bet-delay': 'pinnacle=4' });
  pass(made, 6 * 60 * MINUTE);
  const soccer = { league: 'epl', home_team: 'Arsenal', away_team: 'Everton', start_time: START };
  const offer = async (): Promise<void> => {
    const selections = [
      { selection: 'Arsenal', selection_type: 'home', line: -0.5, odds_decimal: 2.4 },
      { selection: 'Everton', selection_type: 'away', line: 0.5, odds_decimal: 1.6 },
    ];
    const markets = [{ market_type: 'point_spread_rest', selections }];
    await made.ingest({ book: 'pinnacle', polled_at: now(made), events: [{ ...soccer, is_live: true, markets }] });
  };
  const state = async (home_score: number, away_score: number): Promise<void> => {
    const { start_time, ...game } = soccer;
    const states = [{ ...game, start_time, home_score, away_score, period: '1st Half' }];
    await made.ingest({ book: 'pinnacle', polled_at: now(made), scope: 'none', events: [], game_states: states });
  };
  await offer();
  const key = made.key('enterprise', { account: 'rest' });
  const headers = { 'content-type': 'application/json' };
  const { data: rows } = (await (await made.fetch('/odds?league=epl&limit=50', { key })).json()) as Json;
  const home = rows.find((row: Json) => row.selection_type === 'home').id;
  const place = async (client_id: string): Promise<Json> => {
    const bet = { client_id, odds_id: home, stake: 10, odds_decimal: 2.4, mode: 'paper' };
    const body = JSON.stringify({ bets: [bet] });
    const response = await made.fetch('/account/bets', { key, method: 'POST', headers, body });
    return ((await response.json()) as Json).data[0];
  };
  assert.equal((await place('unscored')).reason, 'no_score');
  await state(0, 1);
  const { id } = await place('scored');
  pass(made, 2_000);
  await state(1, 1);
  pass(made, 3_000);
  await offer();
  await made.server.bets.passTime();
  pass(made, 90 * MINUTE);
  const result = { ...soccer, status: 'final', home_score: 2, away_score: 2, at: now(made) };
  await made.ingest({ source: 'league', results: [{ ...result, regulation: { home_score: 2, away_score: 2 } }] });
  await made.server.bets.graded();
  const bet = ((await (await made.fetch(`/account/bets/${id}`, { key })).json()) as Json).data;
  assert.deepEqual([bet.status, bet.result, bet.profit], ['filled', 'lost', -10], 'from 1-1 on it was 1-1');
  await made.ingest({
    source: 'league',
    results: [{ ...result, home_score: 3, at: now(made), regulation: { home_score: 3, away_score: 2 } }],
  });
  await made.server.bets.graded();
  const again = ((await (await made.fetch(`/account/bets/${id}`, { key })).json()) as Json).data;
  assert.deepEqual([again.result, again.profit], ['won', 14], 'from 1-1 on it was 2-1');
});

test('of two players of one name, each bet stays his on whom it was made, whoever has its id by then', async (t) => {
  const made = await api(t, { history: '7', 'bet-delay': 'draftkings=4' });
  const key = made.key('enterprise', { account: 'bot' });
  const [home_team, away_team] = GAMES[0];
  const game = { league: 'nba', home_team, away_team, start_time: START };
  const points = (player_name: string, over: number) => ({
    ...{ market_type: 'player_points', player_name },
    selections: [
      { selection: 'Over', selection_type: 'over', line: 20.5, odds_decimal: over },
      { selection: 'Under', selection_type: 'under', line: 20.5, odds_decimal: 1.7 },
    ],
  });
  const list = (...markets: readonly object[]) =>
    made.ingest({ book: 'draftkings', polled_at: now(made), events: [{ ...game, markets }] });
  const read = async (path: string, init: object = {}): Promise<Json> =>
    ((await (await made.fetch(path, { key, ...init })).json()) as Json).data;
  await list(points('Larry Nance Jr.', 2.1));
  const { id } = (await read('/odds')).find((row: Json) => row.selection_type === 'over');
  const place = (client_id: string, mode: string): Promise<Json> => {
    const body = JSON.stringify({ bets: [{ client_id, odds_id: id, stake: 10, odds_decimal: 2, mode }] });
    return read('/account/bets', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  };
  await place('placed', 'placed');
  made.clock.set(Date.parse(START) + MINUTE);
  await list(points('Larry Nance Jr.', 2.1));
  assert.equal((await place('waits', 'paper'))[0].status, 'pending');
  await list(points('Larry Nance Jr.', 2.1), points('Larry Nance', 3));
  assert.equal((await read('/odds')).find((row: Json) => row.id === id).player_name, 'Larry Nance');
  pass(made, 5_000);
  const of = async (client: string): Promise<Json> =>
    (await read('/account/bets')).find((bet: Json) => bet.client_id === client);
  await eventually(async () => assert.notEqual((await of('waits')).status, 'pending'));
  assert.deepEqual([(await of('waits')).status, (await of('waits')).reason], ['rejected', 'unknown_odds']);
  pass(made, 150 * MINUTE);
  const players = Object.entries({ 'Larry Nance Jr.': 19, 'Larry Nance': 31 }).map(([player_name, count]) => ({
    ...{ player_name, stats: { points: count } },
  }));
  await tell(made, 0, { status: 'final', home_score: 99, away_score: 90, players });
  await eventually(async () => assert.equal((await of('placed')).result, 'lost'));
});
