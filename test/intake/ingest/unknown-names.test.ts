// What a message names that the catalogue does not know is accepted, and told with the nearest known names.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { systemClock } from '../../../src/base/model/clock.js';
import { SimMarket } from '../../../src/intake/feeds/sim/market.js';
import { UnknownNames } from '../../../src/intake/ingest/unknown-names.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { NearestNames } from '../../../src/rules/catalogue/nearest-names.js';
import { createLog } from '../../../src/server/observe/log.js';
import { type RunningServer, startServer } from '../../../src/server/start.js';
import { atOnce } from '../../accounts/keys-at-once.js';
import { newFolder } from '../../temp-folders.js';
import { event, market, message, moneyline, selection } from './messages.js';

const catalogue = loadCatalogue();
let server: RunningServer;
let key: string;
const logged: { msg: string; nearest?: string[] }[] = [];

before(async () => {
  const settings = {
    data: newFolder(),
    port: '0',
    workers: '1',
    commission: 'betfare=0.02;mine=0.01;betfair=0.02',
  };
  server = await startServer({
    settings,
    log: createLog('warn', { write: (line: string) => logged.push(JSON.parse(line)) }),
  });
  key = atOnce(server.server.accounts).create({ tier: 'enterprise', scopes: ['ingest'] }).key;
});

test.after(() => server.close());

interface Receipt {
  accepted: number;
  rejected: { path: string; reason: string }[];
  unknown: Record<string, { name: string; league?: string; nearest: string[] }[]>;
  error?: { code: string; message: string };
}

async function push(messages: unknown, query = ''): Promise<Receipt & { status: number }> {
  const answer = await fetch(`${server.url}/api/v1/ingest${query}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(messages),
  });
  return { status: answer.status, ...((await answer.json()) as Receipt) };
}

const misspelled = [
  message([event([{ ...moneyline(-110, 100), market_type: 'moneylin' }], { home_team: 'LA Lakerz' })]),
  message([event([moneyline(-110, 100)], { league: 'nbaa' })], { book: 'draftking' }),
];

test('misspelled names are accepted and listed with the nearest known ones, and counted', async () => {
  const { accepted, unknown } = await push(misspelled);
  assert.equal(accepted, 4);
  assert.deepEqual(unknown, {
    teams: [{ name: 'LA Lakerz', league: 'nba', nearest: ['Los Angeles Lakers'] }],
    leagues: [{ name: 'nbaa', nearest: ['nba'] }],
    markets: [{ name: 'moneylin', nearest: ['moneyline'] }],
    books: [{ name: 'draftking', nearest: ['draftkings'] }],
  });
  const metrics = await server.server.metricsText();
  for (const kind of ['teams', 'leagues', 'markets', 'books'])
    assert.match(metrics, new RegExp(`overround_ingest_unknown_names_total\\{kind="${kind}"\\} [1-9]`));
});

test('the nearest types of a market are found by what other services call them, too', () => {
  const nearest = new NearestNames(catalogue);
  assert.deepEqual(nearest.markets('spread'), ['point_spread', 'puck_line', 'run_line']);
  assert.deepEqual(nearest.markets('team_totls'), ['team_total']);
  assert.deepEqual(nearest.markets('nonsense'), []);
});

test('names in results and settlements are told as well, and a source of results need not be a book', async () => {
  const game = {
    league: 'nba',
    home_team: 'LA Lakerz',
    away_team: 'Boston Celtics',
    start_time: '2026-11-21T00:30:00Z',
  };
  const result = { ...game, status: 'final', home_score: 1, away_score: 0 };
  const told = await push({ source: 'scorekeeper', results: [result] });
  // The name is why there is no such game.
  assert.match(told.rejected[0]!.reason, /unknown event/);
  assert.deepEqual([told.unknown['teams']!.map(({ name }) => name), told.unknown['books']], [['LA Lakerz'], []]);
  const settlement = { ...game, market_type: 'moneylin', selection_type: 'home', outcome: 'won' };
  const { unknown } = await push({ book: 'draftking', settlements: [settlement] });
  assert.deepEqual(
    ['teams', 'markets', 'books'].map((kind) => unknown[kind]!.map(({ nearest }) => nearest[0])),
    [['Los Angeles Lakers'], ['moneyline'], ['draftkings']],
  );
});

test('with strict=true a message with an unknown name is rejected as a whole, the others are accepted', async () => {
  const right = message([event([moneyline(-120, 100)])], { book: 'fanduel' });
  const mixed = await push([...misspelled, right], '?strict=true');
  assert.deepEqual(
    [mixed.accepted, mixed.rejected],
    [
      2,
      [
        { path: '[0]', reason: 'unknown team "LA Lakerz" (strict)' },
        { path: '[1]', reason: 'unknown book "draftking" (strict)' },
      ],
    ],
  );
  const alone = await push(misspelled[1], '?strict=true');
  assert.deepEqual([alone.status, alone.error!.code], [400, 'invalid_request']);
  assert.match(alone.error!.message, /unknown book "draftking" \(strict\); known names like "nbaa": nba$/);
  assert.equal((await push(right, '?strict=perhaps')).status, 400);
});

test('a message without anything the engine reads is refused, and removes nothing', async () => {
  const { status, error } = await push({
    ...message([]),
    events: undefined,
    evnts: [],
    scope: 'league',
    league: 'nba',
  });
  assert.equal(status, 400);
  assert.match(error!.message, /nothing to read: needs one of events, splits, futures, game_states/);
  assert.equal((await push(message([]))).status, 200, 'an empty list is a statement');
});

test('an American and a decimal price that are not the same are rejected; rounded ones are the same', async () => {
  const priced = (odds_american: unknown, odds_decimal: unknown) => {
    const quote = { ...selection({ odds_american }), odds_decimal };
    return push(message([event([market([quote])])], { book: 'betmgm' }));
  };
  for (const [american, decimal] of [
    [-110, 1.91],
    [-110, '1.909'],
    [160, 2.62],
    [-2000, 1.05],
    ['EVEN', 2],
    [750, 8.5],
    [-110, null],
  ])
    assert.deepEqual((await priced(american, decimal)).rejected, [], `${american} and ${decimal}`);
  for (const [american, decimal] of [
    [-110, 2.1],
    [150, 1.5],
    [-110, 0.9],
    [100, 'x'],
  ]) {
    const { rejected, accepted } = await priced(american, decimal);
    assert.equal(accepted, 0);
    assert.match(rejected[0]!.reason, /^another price than odds_american: /, `${american} and ${decimal}`);
  }
});

test('of thousands of unknown names ten of a kind are listed and looked up', async () => {
  const teams = Array.from({ length: 5_000 }, (_, i) =>
    event([], { home_team: `Los Angeles Laker ${i}`, away_team: `Boston Celtix ${i}` }),
  );
  const { unknown, status } = await push(message(teams, { scope: 'none' }));
  assert.equal(status, 200);
  assert.equal(unknown['teams']!.length, 10);
  const names = new UnknownNames(catalogue);
  for (let i = 0; i < 5_000; i++)
    names.note({ book: `b${i}`, polledUs: 0, scope: 'none', league: null, events: [], splits: [], futures: [] }).next();
  assert.deepEqual([names.lists.books.length, names.counts.books], [10, 5_000]);
});

test('names near none, too long or of no letters get no hint', () => {
  const near = new NearestNames(catalogue);
  assert.deepEqual(near.leagues('zzzzzz'), []);
  assert.deepEqual(near.books('x'.repeat(200)), []);
  assert.deepEqual(near.teams('nba', '...'), []);
  assert.deepEqual(near.teams('no-such-league', 'Lakers'), []);
  assert.deepEqual(near.teams('nba', 'Bostn Celtcs'), ['Boston Celtics']);
});

test('a name that is asked again has the same hints, and its own in another league or as another kind', () => {
  const near = new NearestNames(catalogue);
  for (let again = 0; again < 2; again++) {
    assert.deepEqual(near.teams('nba', 'Celticz'), ['Boston Celtics']);
    assert.deepEqual(near.teams('mlb', 'Celticz'), []);
    assert.deepEqual(near.books('nbaa'), []);
    assert.deepEqual(near.leagues('nbaa'), ['nba']);
  }
});

test('the simulated market names nothing unknown', () => {
  const now = systemClock.now();
  const sim = new SimMarket({ events: 60, rate: 5_000 }, catalogue, now);
  const books = new Set(sim.opening().map(({ book }) => book));
  for (const book of books) assert.ok(catalogue.isKnownBook(book));
  for (const { league, markets, home_team, away_team } of sim.step(now + 10_000).flatMap(({ events = [] }) => events)) {
    for (const { market_type } of markets) assert.ok(catalogue.marketType(market_type), market_type);
    for (const team of [home_team!, away_team!])
      if (catalogue.teams(league!).length > 0) assert.ok(catalogue.resolveTeam(league!, team).known, team);
  }
});

test('a commission for a book outside the catalogue is warned of at the start, with the nearest books', () => {
  const warned = logged.filter(({ msg }) => msg.startsWith('--commission names a book')) as {
    book?: string;
    nearest?: string[];
  }[];
  assert.deepEqual(
    warned.map(({ book, nearest }) => [book, nearest?.[0]]),
    [
      ['betfare', 'betfair'],
      ['mine', undefined],
    ],
  );
});
