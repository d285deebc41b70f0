// Fields and paths by which clients written for other odds APIs read ours, beside our own names.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { createLog } from '../../../src/server/observe/log.js';
import { type RunningServer, startServer } from '../../../src/server/start.js';
import { atOnce } from '../../accounts/keys-at-once.js';
import { event, market, message, moneyline, selection, total } from '../../intake/ingest/messages.js';
import { follow } from '../../support/processes.js';
import { until } from '../../support/until.js';
import { newFolder } from '../../temp-folders.js';

// biome-ignore lint/suspicious/noExplicitAny: answers as other programs read them
type Item = Record<string, any>;

const GAME = 'nba_lakers_celtics_';
let server: RunningServer;
let key: string;
let id: string;

async function get(path: string): Promise<Item> {
  const response = await fetch(`${server.url}/api/v1${path}`, { headers: { 'x-api-key': key } });
  const body = (await response.json()) as Item;
  assert.equal(response.status, 200, `${path}: ${JSON.stringify(body)}`);
  return body['data'];
}

before(async () => {
  server = await startServer({
    settings: { data: newFolder(), port: '0', workers: '1' },
    log: createLog('silent'),
  });
  const accounts = server.server.accounts;
  key = atOnce(accounts).create({ tier: 'enterprise', scopes: ['ingest'], features: ['low_hold'] }).key;
  const polled_at = new Date().toISOString();
  const start_time = new Date(Date.now() - 600_000).toISOString();
  const game_state = { home_score: 54, away_score: 51, period: 'Q3', clock: '07:12' };
  const game = (markets: unknown[], external_id?: string) =>
    event(markets, { start_time, is_live: true, game_state, ...(external_id === undefined ? {} : { external_id }) });
  const player = (over: number, under: number, external_id?: string) => ({
    ...market(
      [
        selection({
          selection: 'Over',
          selection_type: 'over',
          line: 24.5,
          odds_american: over,
          ...(external_id === undefined
            ? {}
            : { exchange_token_id: external_id, deep_link: 'https://book.example/coupon?single|7|' }),
        }),
        selection({ selection: 'Under', selection_type: 'under', line: 24.5, odds_american: under }),
      ],
      { market_type: 'player_points', player_name: 'LeBron James', stat_category: 'points' },
    ),
  });
  await server.ingest([
    message([game([moneyline(-105, -105), total(214.5, -105, -105), player(-105, -105)])], {
      book: 'pinnacle',
      polled_at,
    }),
    message([game([moneyline(102, -130), total(205.5, -110, -110), player(130, -160, 'sel-7')], 'dk-1')], {
      book: 'draftkings',
      polled_at,
    }),
    message([game([moneyline(-130, -103), total(225.5, -110, -110)])], { book: 'nolinks', polled_at }),
  ]);
  [{ id }] = (await get('/events')) as unknown as [{ id: string }];
  assert.ok(id.startsWith(GAME));
});

after(() => server.close());

test('game states are there by sport and event, and streamed at a path of their own', async () => {
  const all = await get('/gamestate');
  assert.deepEqual(all['sports'], [{ sport: 'basketball', event_count: 1 }]);
  assert.deepEqual(all['basketball'], await get('/gamestate/basketball'));
  const { period, clock, game_period, game_clock } = all['basketball'][id];
  assert.deepEqual([period, clock, game_period, game_clock], ['Q3', '07:12', 'Q3', '07:12']);
  const abort = new AbortController();
  const headers = { 'x-api-key': key };
  const stream = await follow(
    await fetch(`${server.url}/api/v1/stream/gamestate`, { headers, signal: abort.signal }),
    abort,
  );
  assert.equal(stream.status, 200);
  await until('a snapshot', () => stream.events.some(({ type }) => type === 'snapshot:complete'));
  const { data } = stream.events.find(({ type }) => type === 'gamestate:snapshot')!;
  assert.equal(JSON.parse(data).data[0].event_id, id);
  stream.close();
  const pro = atOnce(server.server.accounts).create({ tier: 'pro', streaming: true }).key;
  const refused = await fetch(`${server.url}/api/v1/stream/gamestate`, { headers: { 'x-api-key': pro } });
  assert.equal(refused.status, 403);
  await refused.body?.cancel();
});

test("an event's game state names the game, in both forms of period and clock", async () => {
  const { game_state } = await get(`/events/${id}`);
  assert.deepEqual(game_state, {
    home_score: 54,
    away_score: 51,
    score_home: 54,
    score_away: 51,
    period: 'Q3',
    clock: '07:12',
    home_team: 'Los Angeles Lakers',
    away_team: 'Boston Celtics',
    sport: 'basketball',
    league: 'nba',
    is_live: true,
    game_period: 'Q3',
    game_clock: '07:12',
    primary_book: 'pinnacle',
    book_count: 3,
  });
});

test('one league, by id or alias; an account with its limits in a second form; prices of an event also flat', async () => {
  assert.equal((await get('/leagues/nba'))['sport'], 'basketball');
  assert.equal((await get('/leagues/basketball_nba'))['id'], 'nba');
  const unknown = await fetch(`${server.url}/api/v1/leagues/nbaa`, { headers: { 'x-api-key': key } });
  assert.equal(unknown.status, 404);
  const account = await get('/account');
  assert.deepEqual(
    [account['key_id'], account['tier'], account['rate_limit'], account['streaming']],
    [
      account['key'].id,
      'enterprise',
      { requests_per_minute: 6000, max_books: null },
      { enabled: true, max_connections: account['limits'].max_streams },
    ],
  );
  for (const row of (await get(`/events/${id}/odds`)) as unknown as Item[])
    assert.deepEqual(
      [row['odds_american'], row['odds_decimal'], row['odds_probability'], row['probability']],
      [row['odds'].american, row['odds'].decimal, row['odds'].odds_probability, row['odds'].probability],
    );
});

test('opportunities have the ids of the book, and middles what they guarantee', async () => {
  const evs = (await get('/opportunities/ev?limit=50')) as unknown as Item[];
  const prop = evs.find(({ is_player_prop }) => is_player_prop);
  assert.deepEqual(
    [prop?.['external_event_id'], prop?.['selection_id'], prop?.['player_id'], prop?.['deep_link']],
    ['dk-1', 'sel-7', 'lebron-james', 'https://book.example/coupon?single%7C7%7C'],
  );
  const other = evs.find(({ is_player_prop }) => !is_player_prop)!;
  assert.deepEqual([other['selection_id'], other['player_id']], [null, null]);
  const middles = (await get('/opportunities/middles?limit=50')) as unknown as Item[];
  assert.ok(middles.length > 0);
  for (const one of middles) {
    assert.equal(one['odds_age_seconds'], one['oldest_odds_age_seconds']);
    assert.equal(one['guaranteed_roi'], one['is_guaranteed_profit'] ? one['worst_case_loss'] : null);
    assert.equal(one['is_team_total'], false);
  }
});

test('books without a link have no key among the links of a low hold', async () => {
  const holds = (await get('/opportunities/low_hold?market=moneyline')) as unknown as Item[];
  assert.ok(holds.length > 0);
  const links = holds.flatMap(({ side1, side2 }) => [side1, side2]).map(({ books, deep_links }) => [books, deep_links]);
  assert.ok(links.some(([books]) => books.includes('nolinks')));
  for (const [, byBook] of links) for (const link of Object.values(byBook)) assert.equal(typeof link, 'string');
});

test('no link of the catalogue has a character that no URL may have', () => {
  for (const { id: book, deepLink } of loadCatalogue().books)
    for (const template of Object.values(deepLink ?? {}))
      if (typeof template === 'string') assert.doesNotMatch(template, /[|\s"<>\\^`]/, book);
});

test('the root leads to the board, and the root of the API says what it is', async () => {
  const root = await fetch(`${server.url}/`, { redirect: 'manual' });
  assert.deepEqual([root.status, root.headers.get('location')], [302, '/dashboard']);
  const index = (await (await fetch(`${server.url}/api/v1`)).json()) as Item;
  assert.equal(index['data'].name, 'overround');
  for (const path of ['docs', 'openapi', 'asyncapi', 'dashboard', 'health']) {
    const answer = await fetch(server.url + index['data'][path]);
    await answer.arrayBuffer();
    assert.equal(answer.status, 200, path);
  }
});
