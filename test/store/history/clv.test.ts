// Closing line value as a client requests it: predictions of a real server and a caller's own bets.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LAKERS, NOW } from '../../front/api/serving.js';
import { api, type Json } from '../../front/api.js';
import { eventually } from '../../support/until.js';
import { FLAGS, json, MINUTE, post, START } from './rig.js';

const BEGIN = Date.parse(NOW);
const CLOSE = Date.parse(START);
/** No result is known. */
const UNSETTLED = {
  total_settled: 0,
  win_rate: null,
  roi_percent: null,
  roi_error_percent: null,
  expected_roi_percent: null,
};

test('the close determines the value of a price above fair and of a bet', async (t) => {
  const made = await api(t, FLAGS);
  const key = made.key('enterprise');
  const bets = async (...asked: object[]): Promise<Json[]> => {
    const response = await made.fetch('/clv', {
      key,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ bets: asked }),
    });
    assert.equal(response.status, 200);
    return ((await response.json()) as Json).data;
  };
  await post(made, BEGIN, 'pinnacle', { home: -104, away: -104 });
  // Fair is one half: +120 is worth 0.5 * 2.2 - 1, ten percent.
  await post(made, BEGIN + 1000, 'draftkings', { home: 120, away: -140 });
  await post(made, BEGIN + 61_000, 'draftkings', { home: 115, away: -135 });
  const bet = {
    event: LAKERS,
    market: 'point_spread',
    selection: 'home',
    sportsbook: 'draftkings',
    line: -3.5,
    odds_american: 110,
    at: new Date(BEGIN + 2_000).toISOString(),
  };
  // Predictions are stored asynchronously.
  await eventually(async () => {
    const { data: noted } = await json(made, '/historical/clv', key);
    assert.equal(noted.groups[0]?.total_predictions, 1);
  });
  const [early] = await bets(bet);
  assert.deepEqual([early.clv_percent, early.reason, early.odds_american], [null, 'not_closed', 110]);
  const before = await json(made, '/historical/clv', key);
  assert.deepEqual(before.data.groups, [
    {
      group_key: 'draftkings',
      total_predictions: 1,
      total_graded: 0,
      total_at_close: 0,
      avg_clv_percent: null,
      median_clv_percent: null,
      positive_clv_rate: null,
      avg_ev_percent: 10,
      ...UNSETTLED,
    },
  ]);
  // It closes at -200 without a margin: two thirds.
  await post(made, CLOSE - MINUTE, 'pinnacle', { home: -200, away: 200 });
  made.clock.set(CLOSE + MINUTE);
  const { data } = await json(made, '/historical/clv?group_by=devig_book', key);
  // 2/3 * 2.2 - 1
  assert.deepEqual(data.groups, [
    {
      group_key: 'pinnacle',
      total_predictions: 1,
      total_graded: 1,
      total_at_close: 0,
      avg_clv_percent: 46.6667,
      median_clv_percent: 46.6667,
      positive_clv_rate: 1,
      avg_ev_percent: 10,
      ...UNSETTLED,
    },
  ]);
  for (const [filter, count] of [
    ['sportsbook=draftkings', 1],
    ['sportsbook=fanduel', 0],
    ['league=nba&sport=basketball', 1],
    ['devig_book=consensus', 0],
    ['devig_book=consensus&devig_book=pinnacle', 1],
    [`from=${new Date(BEGIN + MINUTE).toISOString()}`, 0],
    // A day is all of it, in UTC.
    ['from=2026-11-20&to=2026-11-20', 1],
    ['to=2026-11-19', 0],
    ['from=2026-11-21', 0],
  ] as const)
    assert.equal((await json(made, `/historical/clv?${filter}`, key)).data.groups.length, count, filter);
  const graded = await bets(
    bet,
    { ...bet, odds_american: undefined },
    { ...bet, sportsbook: 'pinnacle', selection: 'away', line: 3.5, odds_american: -104 },
    { ...bet, line: -7 },
    { ...bet, event: 'nba_nobody_nowhere_2026-11-20' },
    { odds_id: early.odds_id, odds_american: 110, at: bet.at },
  );
  assert.deepEqual(
    graded.map(({ clv_percent, reason = null, odds_american, devig_book }) => [
      clv_percent,
      reason,
      odds_american,
      devig_book,
    ]),
    [
      [40, null, 110, 'pinnacle'],
      [46.6667, null, 120, 'pinnacle'],
      [-34.6154, null, -104, 'pinnacle'],
      [null, 'no_closing_line', 110, null],
      [null, 'unknown_bet', 110, null],
      [40, null, 110, 'pinnacle'],
    ],
  );
  await json(made, '/historical/clv', made.key('sharp'), 403);
});

test('on a whole line closing value counts pushes as EV does, and the last five minutes are left out and counted', async (t) => {
  const made = await api(t, FLAGS);
  const key = made.key('enterprise');
  await post(made, BEGIN, 'pinnacle', { home: -104, away: -104, line: -3 });
  await post(made, BEGIN + 1000, 'draftkings', { home: 120, away: -140, line: -3 });
  const { data: found } = await json(made, '/opportunities/ev?min_ev=0', key);
  assert.equal(found.length, 1);
  const { ev_percentage } = found[0];
  assert.ok(ev_percentage < 9.99, `${ev_percentage}: some of it is a push`);
  await post(made, CLOSE - 4 * MINUTE, 'pinnacle', { home: -104, away: -104, line: -3 });
  await post(made, CLOSE - 4 * MINUTE, 'fanduel', { home: 125, away: -145, line: -3 });
  await post(made, CLOSE - 3 * MINUTE, 'pinnacle', { home: -104, away: -104, line: -3 });
  await eventually(async () => {
    const { data } = await json(made, '/historical/clv?group_by=league', key);
    assert.equal(data.groups[0]?.total_predictions, 2);
  });
  made.clock.set(CLOSE + MINUTE);
  const { data } = await json(made, '/historical/clv?group_by=league', key);
  const { total_predictions, total_graded, total_at_close, avg_clv_percent } = data.groups[0];
  assert.deepEqual([total_predictions, total_graded, total_at_close], [2, 1, 1]);
  assert.ok(
    Math.abs(avg_clv_percent - ev_percentage) < 0.01,
    `${avg_clv_percent} at the close, ${ev_percentage} before`,
  );
});

test('what a book does in play changes no closing value: a price that was down at the close is no reference when it is back', async (t) => {
  const made = await api(t, FLAGS);
  const key = made.key('enterprise');
  await post(made, CLOSE - 5 * MINUTE, 'pinnacle', { home: -104, away: -104 });
  await post(made, CLOSE - 4 * MINUTE, 'draftkings', { home: 120, away: -140 });
  const at = CLOSE - 2 * MINUTE;
  made.clock.set(at);
  await made.ingest({
    book: 'pinnacle',
    polled_at: new Date(at).toISOString(),
    scope: 'league',
    league: 'nba',
    events: [],
  });
  const reason = async (): Promise<unknown> => {
    const side = { event: LAKERS, market: 'point_spread', selection: 'home', line: -3.5 };
    const bet = { ...side, sportsbook: 'draftkings', odds_american: 110, at: new Date(at).toISOString() };
    const body = JSON.stringify({ bets: [bet] });
    const headers = { 'content-type': 'application/json' };
    const response = await made.fetch('/clv', { key, method: 'POST', headers, body });
    return ((await response.json()) as Json).data[0].reason;
  };
  made.clock.set(CLOSE + MINUTE);
  assert.equal(await reason(), 'no_reference');
  await post(made, CLOSE + MINUTE, 'pinnacle', { home: -150, away: 130 });
  assert.equal(await reason(), 'no_reference');
});

test('a price at which next to nothing could be had at the close is no reference, whatever could be before and after', async (t) => {
  const made = await api(t, FLAGS);
  const key = made.key('enterprise');
  // It begins later than was said: what was in play is before the close.
  const later = new Date(CLOSE + 5 * MINUTE).toISOString();
  const games = [
    { teams: ['Boston Celtics', 'Los Angeles Lakers'], sizes: [100, 5, 100], start: START, reason: 'no_reference' },
    { teams: ['Miami Heat', 'Chicago Bulls'], sizes: [5, 100, 5], start: START, reason: null },
    { teams: ['Utah Jazz', 'Denver Nuggets'], sizes: [100, 5, 100], start: later, reason: null },
    { teams: ['Phoenix Suns', 'Dallas Mavericks'], sizes: [5, 100, 5], start: later, reason: 'no_reference' },
  ] as const;
  const even = { home: -104, away: -104 };
  for (const { teams } of games) await post(made, CLOSE - 6 * MINUTE, 'draftkings', { home: 120, away: -140, teams });
  for (const i of [0, 1, 2])
    for (const { teams, sizes } of games)
      await post(made, CLOSE + (3 * i - 5) * MINUTE, 'pinnacle', { ...even, teams, size: sizes[i]! });
  for (const { teams, sizes, start } of games)
    for (const book of ['draftkings', 'pinnacle', 'betmgm'])
      await post(made, CLOSE + 2 * MINUTE, book, {
        ...{ ...even, teams, start },
        ...(book === 'pinnacle' ? { size: sizes[2] } : {}),
      });
  made.clock.set(CLOSE + 6 * MINUTE);
  const { data: events } = await json(made, '/events', key);
  const at = new Date(CLOSE - 6 * MINUTE).toISOString();
  const bets = games.map(({ teams: [home] }) => ({
    event: events.find((event: Json) => event.home_team === home).event_id,
    ...{ market: 'point_spread', selection: 'home', line: -3.5, sportsbook: 'draftkings', odds_american: 110, at },
  }));
  const headers = { 'content-type': 'application/json' };
  const response = await made.fetch('/clv', { key, method: 'POST', headers, body: JSON.stringify({ bets }) });
  const { data } = (await response.json()) as Json;
  assert.deepEqual(
    data.map((graded: Json) => graded.reason ?? null),
    games.map(({ reason }) => reason),
  );
});

test('a placed bet has its closing value from the price exactly as it was stated', async (t) => {
  const made = await api(t, FLAGS);
  const key = made.key('enterprise');
  await post(made, BEGIN, 'pinnacle', { home: -104, away: -104 });
  await post(made, BEGIN + 1000, 'draftkings', { home: -120, away: 100 });
  const { data: rows } = await json(made, '/odds?sportsbook=draftkings', key);
  const { id } = rows.find((row: Json) => row.selection_type === 'home');
  // As an American price it is rounded to -122.
  const bet = { client_id: 'a', odds_id: id, stake: 10, odds_decimal: 1.82, mode: 'placed' };
  const headers = { 'content-type': 'application/json' };
  const placed = await made.fetch('/account/bets', {
    key,
    method: 'POST',
    headers,
    body: JSON.stringify({ bets: [bet] }),
  });
  assert.equal(placed.status, 201);
  await post(made, CLOSE - MINUTE, 'pinnacle', { home: -104, away: -104 });
  made.clock.set(CLOSE + MINUTE);
  const at = new Date(CLOSE + MINUTE).toISOString();
  await made.ingest({ results: [{ event_id: LAKERS, status: 'final', home_score: 100, away_score: 90, at }] });
  await eventually(async () => {
    const [{ clv_percent, result }] = (await json(made, '/account/bets', key)).data;
    // 0.5 * 1.82 - 1
    assert.deepEqual([result, clv_percent], ['won', -9]);
  });
});

test('a bet at a line that its book left is judged by all others there, whichever row says what it closed at', async (t) => {
  const made = await api(t, FLAGS);
  const key = made.key('enterprise');
  await post(made, BEGIN, 'draftkings', { home: 100, away: -120 });
  const { data: rows } = await json(made, '/odds?sportsbook=draftkings', key);
  const { id: odds_id } = rows.find((row: Json) => row.selection_type === 'home');
  await post(made, CLOSE - 3 * MINUTE, 'draftkings', { home: -110, away: -110, line: -6 });
  // Fair are 2/3, 1/2, 2/5 and 5/9.
  await post(made, CLOSE - 2 * MINUTE, 'fanduel', { home: -200, away: 200 });
  await post(made, CLOSE - 2 * MINUTE, 'caesars', { home: 100, away: 100 });
  await post(made, CLOSE - 2 * MINUTE, 'espnbet', { home: 150, away: -150 });
  await post(made, CLOSE - 2 * MINUTE, 'betmgm', { home: -125, away: 125 });
  made.clock.set(CLOSE + MINUTE);
  const bet = { odds_id, line: -3.5, odds_decimal: 2, at: new Date(BEGIN + 1000).toISOString() };
  const headers = { 'content-type': 'application/json' };
  const response = await made.fetch('/clv', { key, method: 'POST', headers, body: JSON.stringify({ bets: [bet] }) });
  const [{ closing_no_vig_probability, devig_book }] = ((await response.json()) as Json).data;
  assert.deepEqual([closing_no_vig_probability, devig_book], [0.527778, 'consensus'], 'the median of four');
});

test('what an exchange charges is margin at the close too: its closing prices have the probability that bets are graded by', async (t) => {
  const made = await api(t, FLAGS);
  const key = made.key('enterprise');
  await post(made, CLOSE - 2 * MINUTE, 'betfair', { home: 150, away: -160 });
  await post(made, CLOSE - 2 * MINUTE, 'draftkings', { home: 140, away: -160 });
  made.clock.set(CLOSE + MINUTE);
  const day = await json(made, '/historical/odds/closing?date=2026-11-21&sport=basketball&league=nba', key);
  const { lines } = day.data.events[0].books.find(({ book }: Json) => book === 'betfair');
  const of = (side: string) => lines.find(({ selection_type }: Json) => selection_type === side).no_vig_probability;
  const bet = { event: LAKERS, market: 'point_spread', selection: 'home', line: -3.5, sportsbook: 'draftkings' };
  const body = JSON.stringify({ bets: [{ ...bet, odds_decimal: 2 }], devig_book: 'betfair' });
  const headers = { 'content-type': 'application/json' };
  const response = await made.fetch('/clv', { key, method: 'POST', headers, body });
  const [graded] = ((await response.json()) as Json).data;
  assert.deepEqual([graded.devig_book, graded.closing_no_vig_probability], ['betfair', of('home')]);
  assert.ok(Math.abs(of('home') + of('away') - 1) < 1e-5);
});

test('main and alternate rows at one number are a pair each at the close, and the main one is what the book means', async (t) => {
  const made = await api(t, FLAGS);
  const key = made.key('enterprise');
  const pair = (line: number, home: number, away: number, is_alternate_line: boolean) =>
    [
      ['home', line, home],
      ['away', -line, away],
    ].map(([type, at, odds_american]) => ({
      ...{ selection: type, selection_type: type, line: at, odds_american, is_alternate_line },
    }));
  const listed = [...pair(-3.5, -110, -110, false), ...pair(-3.5, 105, -130, true), pair(-5, 130, -150, true)[0]];
  made.clock.set(CLOSE - 2 * MINUTE);
  await made.ingest({
    ...{ book: 'pinnacle', polled_at: new Date(CLOSE - 2 * MINUTE).toISOString() },
    events: [
      {
        ...{ league: 'nba', home_team: 'Boston Celtics', away_team: 'Los Angeles Lakers', start_time: START },
        markets: [{ market_type: 'point_spread', selections: listed }],
      },
    ],
  });
  await post(made, CLOSE - 2 * MINUTE, 'draftkings', { home: 140, away: -160 });
  made.clock.set(CLOSE + MINUTE);
  const day = await json(made, '/historical/odds/closing?date=2026-11-21&sport=basketball&league=nba', key);
  const { lines } = day.data.events[0].books.find(({ book }: Json) => book === 'pinnacle');
  const shown = lines
    .map((one: Json) => [one.selection_type, one.line, one.is_main_line, one.no_vig_probability])
    .sort();
  const alternate = shown.find(
    ([type, at, main]: [string, number, boolean]) => type === 'home' && at === -3.5 && !main,
  )[3];
  assert.ok(alternate > 0.46 && alternate < 0.47);
  assert.deepEqual(shown, [
    ['away', 3.5, false, Number((1 - alternate).toFixed(6))],
    ['away', 3.5, true, 0.5],
    ['home', -3.5, false, alternate],
    ['home', -3.5, true, 0.5],
    ['home', -5, false, null],
  ]);
  const bet = { event: LAKERS, market: 'point_spread', selection: 'home', line: -3.5, sportsbook: 'draftkings' };
  const body = JSON.stringify({ bets: [{ ...bet, odds_decimal: 2.1 }] });
  const headers = { 'content-type': 'application/json' };
  const [graded] = ((await (await made.fetch('/clv', { key, method: 'POST', headers, body })).json()) as Json).data;
  assert.deepEqual([graded.devig_book, graded.closing_no_vig_probability], ['pinnacle', 0.5]);
});

test('the close of a price without a draw is not that of prices with one', async (t) => {
  const made = await api(t, FLAGS);
  const key = made.key('enterprise');
  const game = { league: 'nhl', home_team: 'Boston Bruins', away_team: 'New York Rangers', start_time: START };
  const list = async (atMs: number, book: string, prices: Record<string, number>) => {
    made.clock.set(atMs);
    const selections = Object.entries(prices).map(([type, odds_decimal]) => ({
      ...{ selection: type, selection_type: type, odds_decimal },
    }));
    const markets = selections.length === 0 ? [] : [{ market_type: 'moneyline', selections }];
    await made.ingest({
      book,
      polled_at: new Date(atMs).toISOString(),
      scope: 'event',
      events: [{ ...game, markets }],
    });
  };
  await list(CLOSE - 120 * MINUTE, 'draftkings', { home: 2, away: 1.9 });
  await list(CLOSE - 60 * MINUTE, 'draftkings', {});
  for (const book of ['betmgm', 'caesars', 'fanatics', 'bovada'])
    await list(CLOSE - 2 * MINUTE, book, { home: 2.5, draw: 4.2, away: 2.6 });
  made.clock.set(CLOSE + MINUTE);
  const bet = {
    event: 'nhl_bruins_rangers_2026-11-20',
    market: 'moneyline',
    selection: 'home',
    sportsbook: 'draftkings',
  };
  const body = JSON.stringify({
    bets: [
      { ...bet, odds_decimal: 2 },
      { ...bet, sportsbook: 'betmgm', odds_decimal: 2.6 },
    ],
  });
  const headers = { 'content-type': 'application/json' };
  const { data } = (await (await made.fetch('/clv', { key, method: 'POST', headers, body })).json()) as Json;
  assert.deepEqual([data[0].clv_percent, data[0].reason, data[1].reason], [null, 'no_closing_line', undefined]);
});

test('a player’s bet at a line that its book has left is valued by who closed there, however they write him', async (t) => {
  const made = await api(t, FLAGS);
  const key = made.key('enterprise');
  const list = async (atMs: number, book: string, player_name: string, line: number, rest: object = {}) => {
    made.clock.set(atMs);
    const selections = ['Over', 'Under'].map((selection) => ({
      ...{ selection, selection_type: selection.toLowerCase(), line, odds_american: -110 },
    }));
    const game = { league: 'nba', home_team: 'Boston Celtics', away_team: 'Los Angeles Lakers', start_time: START };
    const markets = [{ market_type: 'player_points', player_name, selections, ...rest }];
    await made.ingest({
      book,
      polled_at: new Date(atMs).toISOString(),
      scope: 'event',
      events: [{ ...game, markets }],
    });
  };
  await list(CLOSE - 120 * MINUTE, 'draftkings', 'Luka Doncic', 30.5);
  await list(CLOSE - 2 * MINUTE, 'draftkings', 'Luka Doncic', 31.5);
  await list(CLOSE - 2 * MINUTE, 'pinnacle', 'Luka Dončić', 30.5, { stat_category: 'points' });
  made.clock.set(CLOSE + MINUTE);
  const bet = { event: LAKERS, market: 'player_points', selection: 'over', line: 30.5, sportsbook: 'draftkings' };
  const body = JSON.stringify({ bets: [{ ...bet, player_name: 'Luka Doncic', odds_decimal: 2.1 }] });
  const headers = { 'content-type': 'application/json' };
  const [graded] = ((await (await made.fetch('/clv', { key, method: 'POST', headers, body })).json()) as Json).data;
  assert.deepEqual([graded.devig_book, graded.clv_percent], ['pinnacle', 5]);
});

test('two players of one name close for themselves, and what the son had before the father was listed stays his', async (t) => {
  const made = await api(t, FLAGS);
  const key = made.key('enterprise');
  const list = async (atMs: number, book: string, lines: Record<string, number>) => {
    made.clock.set(atMs);
    const markets = Object.entries(lines).map(([player_name, line]) => ({
      ...{ market_type: 'player_points', player_name },
      selections: ['Over', 'Under'].map((selection) => ({
        ...{ selection, selection_type: selection.toLowerCase(), line, odds_american: -110 },
      })),
    }));
    const game = { league: 'nba', home_team: 'Boston Celtics', away_team: 'Los Angeles Lakers', start_time: START };
    const polled_at = new Date(atMs).toISOString();
    await made.ingest({ book, polled_at, scope: 'event', events: [{ ...game, markets }] });
  };
  await list(CLOSE - 120 * MINUTE, 'draftkings', { 'Larry Nance Jr.': 30.5 });
  await list(CLOSE - 90 * MINUTE, 'pinnacle', { 'Larry Nance': 30.5, 'Larry Nance Jr.': 20.5 });
  await list(CLOSE - 60 * MINUTE, 'draftkings', { 'Larry Nance': 30.5, 'Larry Nance Jr.': 20.5 });
  await list(CLOSE - 2 * MINUTE, 'pinnacle', { 'Larry Nance': 30.5, 'Larry Nance Jr.': 20.5 });
  made.clock.set(CLOSE + MINUTE);
  const asked = `/odds/history?event=${LAKERS}&sportsbook=draftkings&selection=over&limit=200`;
  const { data } = (await (await made.fetch(asked, { key })).json()) as Json;
  assert.deepEqual(
    data
      .filter((one: Json) => one.selection_type === 'over')
      .map((one: Json) => `${one.player_name} ${one.line}`)
      .sort(),
    ['Larry Nance 30.5', 'Larry Nance Jr. 20.5', 'Larry Nance Jr. 30.5'],
  );
  const bet = { event: LAKERS, market: 'player_points', selection: 'over', line: 30.5, sportsbook: 'draftkings' };
  const described = ['Larry Nance', 'Larry Nance Jr.'].map((player_name) => ({
    ...bet,
    player_name,
    odds_decimal: 2.1,
  }));
  const odds_id = data.find((one: Json) => one.player_name === 'Larry Nance').odds_id;
  const named = [30, 100].map((ago) => ({
    odds_id,
    at: new Date(CLOSE - ago * MINUTE).toISOString(),
    odds_decimal: 2.1,
  }));
  const bets = [...described, ...named];
  const headers = { 'content-type': 'application/json' };
  const init = { key, method: 'POST', headers, body: JSON.stringify({ bets }) };
  const graded = ((await (await made.fetch('/clv', init)).json()) as Json).data;
  assert.deepEqual(
    graded.map((one: Json) => [one.clv_percent, one.reason]),
    [
      [5, undefined],
      [null, 'no_closing_line'],
      [5, undefined],
      [null, 'no_closing_line'],
    ],
  );
  // Nor is one graded by what the other did.
  const resultsOf = async (points: Record<string, number>): Promise<Json> => {
    made.clock.set(made.clock.now() + 200 * MINUTE);
    const players = Object.entries(points).map(([player_name, count]) => ({ player_name, stats: { points: count } }));
    const result = { event_id: LAKERS, status: 'final', home_score: 99, away_score: 90, players };
    const told = new Date(made.clock.now()).toISOString();
    await made.ingest({ source: 'league', polled_at: told, results: [{ ...result, at: told }] });
    const both = described.map((each) => ({ ...each, line: each.player_name === 'Larry Nance' ? 30.5 : 20.5 }));
    return await gradeOf(...both);
  };
  const gradeOf = async (...asked: readonly object[]): Promise<string[]> => {
    const body = JSON.stringify({ bets: asked });
    const { data } = (await (await made.fetch('/grade', { key, method: 'POST', headers, body })).json()) as Json;
    return data.map((one: Json) => one.reason ?? one.result);
  };
  assert.deepEqual(await resultsOf({ 'Larry Nance Jr.': 31 }), ['player_not_told', 'won']);
  assert.deepEqual(await resultsOf({ 'Larry Nance Jr.': 19, 'Larry Nance': 31 }), ['won', 'lost']);
  assert.deepEqual(await gradeOf(...named), ['won', 'lost'], 'the id was the son’s');
  // Their book settles them the other way round.
  const settlements = described.map(({ event: event_id, market: market_type, player_name }, i) => {
    const outcome = i === 0 ? 'lost' : 'won';
    return { event_id, market_type, selection_type: 'over', line: 30.5, player_name, outcome };
  });
  await made.ingest({ book: 'draftkings', polled_at: new Date(made.clock.now()).toISOString(), settlements });
  assert.deepEqual(await gradeOf(...described, ...named), ['lost', 'won', 'lost', 'won']);
});

test('what its book has left has no close but that of the same selection', async (t) => {
  const made = await api(t, FLAGS);
  const key = made.key('enterprise');
  const list = async (atMs: number, book: string, names: readonly string[]) => {
    made.clock.set(atMs);
    const selections = names.map((selection) => ({ selection, selection_type: 'made', odds_american: 150 }));
    const game = { league: 'nba', home_team: 'Boston Celtics', away_team: 'Los Angeles Lakers', start_time: START };
    const markets = [{ market_type: 'player_milestones', player_name: 'Luka Doncic', selections }];
    const polled_at = new Date(atMs).toISOString();
    await made.ingest({ book, polled_at, scope: 'event', events: [{ ...game, markets }] });
  };
  await list(CLOSE - 120 * MINUTE, 'draftkings', ['20+', '30+']);
  await list(CLOSE - 60 * MINUTE, 'draftkings', ['30+']);
  await list(CLOSE - 2 * MINUTE, 'pinnacle', ['30+']);
  made.clock.set(CLOSE + MINUTE);
  const bet = { event: LAKERS, market: 'player_milestones', sportsbook: 'draftkings', player_name: 'Luka Doncic' };
  const body = JSON.stringify({ bets: [{ ...bet, selection: '20+', odds_decimal: 2.6 }] });
  const headers = { 'content-type': 'application/json' };
  const [graded] = ((await (await made.fetch('/clv', { key, method: 'POST', headers, body })).json()) as Json).data;
  assert.deepEqual([graded.selection, graded.reason], ['20+', 'no_closing_line']);
});
