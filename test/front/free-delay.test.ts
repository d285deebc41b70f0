// What the Free tier sees after everything has changed: on every route, channel and tool either nothing, or what was
// there a minute ago. A route, channel or tool without an entry here fails.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type OddsKey, oddsId, rowKey } from '../../src/base/model/identity.js';
import { CHANNEL_NAMES } from '../../src/base/model/stream-channels.js';
import { until } from '../support/until.js';
import { LAKERS, moneyline } from './api/serving.js';
import { type Api, api, FUTURE, fillWorld, type Json, SPLITS } from './api.js';
import { call, connect } from './mcp/clients.js';
import { RawWs } from './ws/raw-ws.js';

/**
 * `delayed`: the query; Enterprise sees the change at once, Free a minute later.
 * `refused`: Free gets nothing at all.
 * `open`: nothing of odds; what may change at once, and why.
 */
type Rule = { delayed: Json } | { refused: true } | { open: string };
const refused: Rule = { refused: true };
const EVENT = { event: LAKERS };

const HOME_KEY: OddsKey = {
  market: 'moneyline',
  player: null,
  stat: null,
  team: null,
  selectionType: 'home',
  selection: '',
  alternate: false,
  line: null,
};
/** A row of the world. */
const HOME_WINS = oddsId('draftkings', LAKERS, rowKey(HOME_KEY));

const ROUTES: Record<string, Rule> = {
  '/odds': { delayed: { limit: 200 } },
  '/odds/best': { delayed: {} },
  '/odds/comparison': { delayed: EVENT },
  '/odds/executable': { delayed: { odds_id: HOME_WINS, stake: 10 } },
  '/odds/delta': { delayed: { since: '2026-11-20T17:00:00Z' } },
  '/events': { delayed: {} },
  '/events/{eventId}': { delayed: {} },
  '/events/{eventId}/markets': { delayed: {} },
  '/events/{eventId}/odds': { delayed: {} },
  '/futures': { delayed: {} },
  '/futures/odds': { delayed: { future_id: 'nba_championship_winner' } },
  '/splits': { open: 'shown as they were fetched' },
  '/splits/history': { open: 'shown as they were fetched' },
  '/ingest/unmatched': refused,
  '/gamestate': refused,
  '/gamestate/{sport}': refused,
  '/moves': refused,
  '/opportunities/arbitrage': refused,
  '/opportunities/ev': refused,
  '/opportunities/low_hold': refused,
  '/opportunities/middles': refused,
  '/opportunities/middles/summary': refused,
  '/opportunities/middles/{id}': refused,
  '/odds/history': refused,
  '/odds/opening': refused,
  '/odds/closing': refused,
  '/historical/clv': refused,
  '/historical/odds/closing': refused,
  '/historical/predictions': refused,
  '/stream': refused,
  '/stream/{channel}': refused,
  '/account/alerts': refused,
  '/account/bankroll': refused,
  '/account/bets': refused,
  '/account/bets/summary': refused,
  '/account/bets/{id}': refused,
  '/account': { open: 'the key' },
  '/account/keys': { open: 'the key' },
  '/account/usage': { open: 'the key' },
  '/asyncapi.json': { open: 'documents' },
  '/openapi.json': { open: 'documents' },
  '/deeplink/{id}': { open: 'where a row leads, for everybody' },
  '/health': { open: 'the server' },
  '/leagues': { open: 'names and numbers of events' },
  '/leagues/{leagueId}': { open: 'names and numbers of events' },
  '/markets': { open: 'names' },
  '/sportsbooks': { open: 'names and numbers of events' },
  '/sportsbooks/{bookId}': { open: 'names and numbers of events' },
  '/sports': { open: 'names and numbers of events' },
  '/sports/{sportId}': { open: 'names and numbers of events' },
  '/results': { open: 'how games ended' },
  '/tiers': { open: 'the tiers' },
  '/warnings': { open: 'names' },
  '/teams': { open: 'names and numbers of events' },
};

const TOOLS: Record<string, Rule> = {
  get_odds: ROUTES['/odds']!,
  get_odds_delta: ROUTES['/odds/delta']!,
  get_best_odds: ROUTES['/odds/best']!,
  compare_odds: ROUTES['/odds/comparison']!,
  get_events: ROUTES['/events']!,
  get_futures: ROUTES['/futures']!,
  get_futures_odds: ROUTES['/futures/odds']!,
  get_splits: ROUTES['/splits']!,
  find_arbitrage: refused,
  find_ev_opportunities: refused,
  find_low_hold: refused,
  find_middles: refused,
  get_closing_odds: refused,
  get_clv: refused,
  get_moves: refused,
  get_odds_history: refused,
  get_results: ROUTES['/results']!,
  get_account_info: { open: 'the key' },
  get_alerts: refused,
  get_bets: refused,
  get_bets_summary: refused,
  get_predictions: refused,
  place_paper_bet: refused,
  create_alert: refused,
  change_alert: refused,
  get_leagues: { open: 'names and numbers of events' },
  get_markets: { open: 'names' },
  get_sports: { open: 'names and numbers of events' },
  get_sportsbooks: { open: 'names and numbers of events' },
};

/** Without the times of the answer itself, which always move. */
function steady(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(steady);
  if (typeof value !== 'object' || value === null) return value;
  const rest = Object.entries(value).filter(([name]) => !/^(?:updated_at|server_time|next_cursor)$/.test(name));
  return Object.fromEntries(rest.map(([name, each]) => [name, steady(each)]));
}

const filled = (path: string): string =>
  path
    .replace('{eventId}', LAKERS)
    .replace('{sport}', 'basketball')
    .replace('{sportId}', 'basketball')
    .replace('{bookId}', 'draftkings')
    .replace('{id}', '0123456789abcdef');

async function answer(made: Api, key: string, path: string, query: Json = {}): Promise<Json> {
  const response = await made.fetch(`${filled(path)}?${new URLSearchParams(query)}`, { key });
  const { status } = response;
  const body = status === 200 ? steady(await response.json()) : await response.text();
  return { status, delay: response.headers.get('x-data-delay'), body };
}

/** Prices, lines, markets, an event, futures, scores: all of them differ afterwards. */
async function changeEverything(made: Api): Promise<void> {
  const polled_at = new Date(made.clock.now()).toISOString();
  const game = {
    league: 'nba',
    home_team: 'Boston Celtics',
    away_team: 'Los Angeles Lakers',
    start_time: '2026-11-21T00:30:00Z',
  };
  const odd = {
    market_type: 'first_half_moneyline',
    selections: [
      { selection: 'home', selection_type: 'home', odds_american: -101 },
      { selection: 'away', selection_type: 'away', odds_american: 101 },
    ],
  };
  const future = {
    ...FUTURE,
    display_name: 'Another Name',
    selections: [{ selection: 'Boston Celtics', odds_american: 999 }],
  };
  const messages = ['draftkings', 'fanduel'].map((book) => ({
    book,
    scope: 'none',
    polled_at,
    futures: [future],
    splits: [{ ...SPLITS, fetched_at: polled_at }],
    events: [
      { ...game, markets: [moneyline(-999, 888), odd] },
      { ...game, home_team: 'Utah Jazz', away_team: 'Miami Heat', markets: [moneyline(-110, -110)] },
    ],
  }));
  await made.ingest(...messages);
}

async function later(made: Api, seconds: number): Promise<void> {
  made.clock.set(made.clock.now() + seconds * 1_000);
  made.server.engine.tick();
}

async function world(t: TestContext) {
  const made = await api(t);
  await fillWorld(made);
  await later(made, 61);
  const free = made.key('free');
  await until('the delayed table is filled', () => made.server.engine.tableFor('free').rowCount > 0);
  return { made, free, enterprise: made.key('enterprise', { streaming: true }) };
}

test('after a change every GET route shows the Free tier what was there a minute ago, or nothing', async (t) => {
  const { made, free, enterprise } = await world(t);
  const document = (await (await made.fetch('/openapi.json')).json()) as { paths: Record<string, Json> };
  const paths = Object.keys(document.paths).filter((path) => document.paths[path]['get'] !== undefined);
  const unlisted = paths.filter((path) => !(path.replace(/^\/stream\/.*/, '/stream/{channel}') in ROUTES));
  assert.deepEqual(unlisted, [], 'routes without an entry');
  const delayed = Object.entries(ROUTES).flatMap(([path, rule]) => ('delayed' in rule ? [[path, rule.delayed]] : []));
  assert.deepEqual(
    delayed.filter(([path]) => !paths.includes(path as string)),
    [],
  );
  const seen = async (key: string) =>
    Object.fromEntries(
      await Promise.all(
        (delayed as [string, Json][]).map(async ([path, query]) => [path, await answer(made, key, path, query)]),
      ),
    );
  const [before, paid] = [await seen(free), await seen(enterprise)];
  for (const [path, { status, delay }] of Object.entries(before as Record<string, Json>))
    assert.deepEqual([status, delay], [200, '60'], path);
  await changeEverything(made);
  const now = await seen(enterprise);
  for (const path of Object.keys(now)) assert.notDeepEqual(now[path], paid[path], `${path} does change`);
  assert.deepEqual(await seen(free), before);
  await later(made, 50);
  assert.deepEqual(await seen(free), before, 'also 50 s later');
  await later(made, 12);
  const after = await seen(free);
  for (const path of Object.keys(after)) assert.notDeepEqual(after[path], before[path], `${path} follows`);
  for (const path of paths) {
    const rule = ROUTES[path.replace(/^\/stream\/.*/, '/stream/{channel}')]!;
    if (!('refused' in rule)) continue;
    const { status } = await answer(made, free, path, { event_id: LAKERS });
    assert.equal(status, 403, path);
  }
  for (const path of ['/splits', '/splits/history'])
    assert.equal((await answer(made, free, path, { event: LAKERS, event_id: LAKERS })).delay, '0', path);
});

test('no channel is open to the Free tier, on SSE or WebSocket', async (t) => {
  const { made, free } = await world(t);
  for (const channel of [...CHANNEL_NAMES, 'opportunities', 'all']) {
    assert.equal((await made.fetch(`/stream?channel=${channel}`, { key: free })).status, 403, channel);
    const ws = new RawWs(made, { api_key: free, channels: channel });
    await until('closed', () => ws.closed !== null);
    assert.deepEqual([ws.closed, ws.frames], [4003, []], channel);
  }
});

test('after a change every tool of MCP tells the Free tier what was there a minute ago, or nothing', async (t) => {
  const { made, free } = await world(t);
  const client = await connect(t, made.url, free);
  const names = (await client.listTools()).tools.map(({ name }) => name);
  assert.deepEqual(
    names.filter((name) => !(name in TOOLS)),
    [],
    'tools without an entry',
  );
  const delayed = Object.entries(TOOLS).flatMap(([name, rule]) => ('delayed' in rule ? [[name, rule.delayed]] : []));
  const told = async () => {
    const all: Json = {};
    for (const [name, args] of delayed as [string, Json][]) {
      const { isError, structuredContent } = await call(client, name, args);
      assert.notEqual(isError, true, name);
      all[name] = steady(structuredContent);
    }
    return all;
  };
  const before = await told();
  await changeEverything(made);
  assert.deepEqual(await told(), before);
  await later(made, 62);
  const after = await told();
  for (const [name] of delayed as [string, Json][]) assert.notDeepEqual(after[name], before[name], `${name} follows`);
  for (const [name, rule] of Object.entries(TOOLS)) {
    if (!('refused' in rule) || !names.includes(name)) continue;
    const { isError } = await call(client, name, { event: LAKERS, event_id: LAKERS });
    assert.equal(isError, true, name);
  }
});
