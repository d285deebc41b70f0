// What became of games, as the venues say it: local servers that speak their protocols, and a recorded market's own winner.
// Bets at a venue are graded by its own word.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KalshiFeed } from '../../../src/intake/feeds/kalshi/feed.js';
import { PolymarketFeed } from '../../../src/intake/feeds/polymarket/feed.js';
import { TheOddsApiFeed } from '../../../src/intake/feeds/the-odds-api/poller.js';
import { eventually } from '../../support/until.js';
import { feedIn } from './access.js';
import { isRecorded, recordedFile, recordedLines } from './betfair/recorded.js';
import { KalshiVenue, KEY, KEY_ID } from './kalshi/venue.js';
import { catalogue, type Served, type ShownRow, served } from './kit/served.js';
import { feedBench } from './kit/venue.js';
import { PolymarketVenue } from './polymarket/venue.js';
import { json, stage, upstream } from './the-odds-api/upstream.js';

const START = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 3_600_000).toISOString();
const settings = { history: '1' };

/** Results of bets on these rows, by their side and line. */
async function graded({ server }: Served, rows: readonly ShownRow[]): Promise<Record<string, string>> {
  const response = await fetch(`${server.url}/api/v1/grade`, {
    method: 'POST',
    headers: { 'x-api-key': server.ownKey('enterprise')!, 'content-type': 'application/json' },
    body: JSON.stringify({ bets: rows.map(({ id }) => ({ odds_id: id, odds_decimal: 2 })) }),
  });
  const { data } = (await response.json()) as { data: { result: string }[] };
  const named = (row: ShownRow) => `${row.market_type} ${row.selection_type}${row.line == null ? '' : ` ${row.line}`}`;
  return Object.fromEntries(rows.map((row, i) => [named(row), data[i]!.result]));
}

async function rowsOf(world: Served, book: string, count: number): Promise<ShownRow[]> {
  let rows: ShownRow[] = [];
  await eventually(async () => {
    rows = await world.rows(book);
    assert.equal(rows.length, count);
  });
  return rows;
}

test('Kalshi: contracts that are listed no longer are settled by their result, and a tie pays half', async (t) => {
  const venue = new KalshiVenue();
  await venue.listen();
  t.after(() => venue.close());
  const title = 'Los Angeles L at Boston';
  const winners = [
    { code: 'LAL', yes: 'Los Angeles L' },
    { code: 'BOS', yes: 'Boston' },
  ];
  const [lal, bos] = venue.list('KXNBAGAME', '26NOV22LALBOS', title, winners, START);
  const [total] = venue.list('KXNBATOTAL', '26NOV22LALBOS', `${title}: Total Points`, [
    { code: '224', yes: 'Over 224.5 points scored', strike: 224.5 },
  ]);
  for (const ticker of [lal!, bos!, total!]) {
    venue.set(ticker, 'yes', 40, 100);
    venue.set(ticker, 'no', 55, 100);
  }
  const feed = new KalshiFeed({
    ...venue.settings,
    series: ['KXNBAGAME', 'KXNBATOTAL'],
    catalogue,
    random: Math.random,
    discoverEveryMs: 200,
    settleEveryMs: 100,
    key: { id: KEY_ID, key: KEY.privateKey },
  });
  const world = await served(t, feed, { settings });
  const rows = await rowsOf(world, 'kalshi', 4);
  venue.settled.set(lal!, { status: 'closed', result: '' });
  venue.settled.set(bos!, { status: 'finalized', result: 'yes' });
  venue.settled.set(total!, { status: 'settled', result: '', settlement_value_dollars: '0.2400' });
  venue.events.length = 0;
  const half = { 'total_points over 224.5': 'half', 'total_points under 224.5': 'half' };
  await eventually(async () =>
    assert.deepEqual(await graded(world, rows), { 'moneyline away': 'pending', 'moneyline home': 'won', ...half }),
  );
  // The other contract is settled later.
  venue.settled.set(lal!, { status: 'finalized', result: 'no' });
  await eventually(async () => assert.equal((await graded(world, rows))['moneyline away'], 'lost'));
});

test("Kalshi: what a contract paid at a value is the venue's own word, whatever the score says later", async (t) => {
  const venue = new KalshiVenue();
  await venue.listen();
  t.after(() => venue.close());
  const names = [
    { code: 'DEN', yes: 'Denver' },
    { code: 'LV', yes: 'Las Vegas' },
  ];
  const [den, lv] = venue.list('KXNFLGAME', '26NOV22DENLV', 'Denver at Las Vegas', names, START);
  for (const ticker of [den!, lv!]) {
    venue.set(ticker, 'yes', 40, 100);
    venue.set(ticker, 'no', 55, 100);
  }
  const feed = new KalshiFeed({
    ...{ ...venue.settings, series: ['KXNFLGAME'], catalogue, random: Math.random },
    ...{ discoverEveryMs: 200, settleEveryMs: 100, key: { id: KEY_ID, key: KEY.privateKey } },
  });
  const world = await served(t, feed, { settings });
  const rows = await rowsOf(world, 'kalshi', 2);
  venue.settled.set(den!, { status: 'finalized', result: 'scalar', settlement_value_dollars: '0.2400' });
  venue.settled.set(lv!, { status: 'finalized', result: 'scalar', settlement_value_dollars: '0.7600' });
  venue.events.length = 0;
  const returns = async () => {
    const response = await fetch(`${world.server.url}/api/v1/grade`, {
      method: 'POST',
      headers: { 'x-api-key': world.server.ownKey('enterprise')!, 'content-type': 'application/json' },
      body: JSON.stringify({ bets: rows.map(({ id }) => ({ odds_id: id, odds_decimal: 2.5 })) }),
    });
    const { data } = (await response.json()) as { data: { result: string; profit_units: number | null }[] };
    return rows.map(({ selection_type }, i) => `${selection_type} ${data[i]!.result} ${data[i]!.profit_units}`).sort();
  };
  // A contract bought at 0.40 and its fee.
  let settled: string[] = [];
  await eventually(async () => {
    settled = await returns();
    assert.ok(
      settled.every((one) => one.includes(' half ')),
      settled.join(),
    );
  });
  const [away, home] = settled.map((one) => Number(one.split(' ')[2]));
  assert.ok(away! < -0.4 && away! > -0.45 && home! > 0.8 && home! < 0.9, settled.join());
  const game = { league: 'nfl', home_team: 'Las Vegas', away_team: 'Denver', start_time: START };
  for (const home_score of [20, 27]) {
    const result = { ...game, status: 'final', home_score, away_score: 20 };
    await world.server.ingest([{ source: 'scores', polled_at: new Date().toISOString(), results: [result] }] as never);
    assert.deepEqual(await returns(), settled);
  }
});

test('Polymarket: closed markets are settled by what their outcomes are worth, once that is not disputed', async (t) => {
  const venue = new PolymarketVenue();
  await venue.listen();
  t.after(() => venue.close());
  const { tokens } = venue.list({
    slug: `nba-bos-lal-${START.slice(0, 10)}`,
    series: '10345',
    start: START,
    title: 'Celtics vs. Lakers',
    markets: [
      { kind: 'moneyline', outcomes: ['Celtics', 'Lakers'] },
      { kind: 'totals', outcomes: ['Over', 'Under'], line: 224.5 },
    ],
  });
  for (const token of tokens.flat()) venue.set(token, 'asks', 52, 100);
  const feed = new PolymarketFeed({
    ...venue.settings,
    sports: ['nba'],
    catalogue,
    random: Math.random,
    discoverEveryMs: 200,
    settleEveryMs: 100,
  });
  const world = await served(t, feed, { settings });
  const rows = await rowsOf(world, 'polymarket', 4);
  const [winner, total] = venue.events[0]!.body['markets'] as Record<string, unknown>[];
  Object.assign(venue.events[0]!.body, { closed: true });
  Object.assign(winner!, { closed: true, outcomePrices: '["1", "0"]', umaResolutionStatus: 'resolved' });
  Object.assign(total!, { closed: true, outcomePrices: '["0", "1"]', umaResolutionStatus: 'proposed' });
  const decided = { 'moneyline away': 'won', 'moneyline home': 'lost' };
  const open = { 'total_points over 224.5': 'pending', 'total_points under 224.5': 'pending' };
  await eventually(async () => assert.deepEqual(await graded(world, rows), { ...decided, ...open }));
  Object.assign(total!, { umaResolutionStatus: 'resolved' });
  const settled = { 'total_points over 224.5': 'lost', 'total_points under 224.5': 'won' };
  await eventually(async () => assert.deepEqual(await graded(world, rows), { ...decided, ...settled }));
});

test('Betfair: bets on a recorded market are graded by its own winner and loser', {
  skip: !isRecorded && 'no recorded stream',
}, async (t) => {
  // Its beginning and its end: the whole of it is played elsewhere.
  const lines = recordedLines();
  const path = recordedFile([...lines.slice(0, 60), lines.at(-1)!]);
  const runners = (JSON.parse(lines.at(-1)!) as { mc: { marketDefinition: { runners: { status: string }[] } }[] }).mc[0]!
    .marketDefinition.runners; // biome-ignore format: a path
  const bench = feedBench();
  const feed = await feedIn(`betfair-stream:replay=${path},speed=0,timestamps=shift`);
  await feed.run(bench.context);
  const messages = bench.batches.flat();
  const closes = messages.findIndex(({ settlements }) => settlements !== undefined);
  const quiet = { name: 'quiet', simulated: false, run: async () => {}, stop: () => {} };
  const world = await served(t, quiet, { settings });
  await world.server.ingest(messages.slice(0, closes));
  const rows = await rowsOf(world, 'betfair', 2);
  await world.server.ingest(messages.slice(closes));
  const words = runners.map(({ status }) => (status === 'WINNER' ? 'won' : 'lost'));
  const expected = { 'moneyline home': words[0], 'moneyline away': words[1] };
  await eventually(async () => assert.deepEqual(await graded(world, rows), expected));
});

test('The Odds API: scores are asked for seldom, their cost is counted, and each is sent once', async () => {
  const game = {
    id: 'e1',
    sport_key: 'baseball_mlb',
    commence_time: '2026-05-02T17:00:00Z',
    home_team: 'New York Yankees',
    away_team: 'Boston Red Sox',
    last_update: '2026-05-02T17:59:00Z',
  };
  const scores = (home: string, away: string) => [
    { name: 'Boston Red Sox', score: away },
    { name: 'New York Yankees', score: home },
  ];
  let polls = 0;
  const server = await upstream((request, response) => {
    const isScores = request.url!.includes('/scores');
    const headers = {
      'x-requests-remaining': '20000000',
      'x-requests-used': '5',
      'x-requests-last': isScores ? '2' : '1',
    };
    if (isScores) polls++;
    const over = polls > 1;
    const live = { ...game, completed: over, scores: over ? scores('5', '3') : scores('2', '3') };
    json(response, 200, isScores ? [live, { ...game, id: 'e2', scores: null }, 7] : [], headers);
  });
  let feed: TheOddsApiFeed | undefined;
  const played = stage(40, () => feed?.stop());
  feed = new TheOddsApiFeed({
    sports: ['baseball_mlb'],
    regions: ['us'],
    markets: ['h2h'],
    everyS: 30,
    scores: true,
    apiKey: 'k',
    baseUrl: server.url,
    leagues: catalogue,
    random: () => 1,
    wait: played.wait,
  });
  await feed.run(played.context);
  await server.close();
  const asked = server.requests.filter((path) => path.includes('/scores'));
  assert.match(asked[0]!, /^\/v4\/sports\/baseball_mlb\/scores\?daysFrom=3/);
  // Every 300 s, beside odds every 30 s.
  const others = server.requests.length - asked.length;
  assert.ok(others / asked.length > 6 && others / asked.length < 12, `${asked.length} of ${server.requests.length}`);
  const sent = played.batches.flat().flatMap(({ results = [], source }) => results.map((one) => ({ source, ...(one as object) }))); // biome-ignore format: one list
  const said = { source: 'the-odds-api', league: 'mlb', home_team: 'New York Yankees', away_team: 'Boston Red Sox', start_time: '2026-05-02T17:00:00Z' }; // biome-ignore format: one game
  const at = '2026-05-02T17:59:00Z';
  assert.deepEqual(sent, [
    { ...said, status: 'live', home_score: 2, away_score: 3, at },
    { ...said, status: 'final', home_score: 5, away_score: 3, at },
  ]);
});
