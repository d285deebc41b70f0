// The opportunity endpoints over HTTP, fed with detection's output.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { newBankroll } from '../../../src/accounts/bets/ledger.js';
import { Universes } from '../../../src/answers/opportunities/universes.js';
import { costlyQueue } from '../../../src/front/api/cost.js';
import type { RouteDeps } from '../../../src/front/api/deps.js';
import { opportunityRoutes } from '../../../src/front/api/opportunities.js';
import type { Opportunity } from '../../../src/log/delta/opportunity.js';
import { example, idOf, NOW_MS, news, TestSource } from '../../answers/opportunities/examples.js';
import { shared } from '../../shared.js';
import { type Body, engineFor, serving } from './serving.js';

/** The opportunities of these tests do not reach the engine, so all tests share one. */
const engine = shared(async (t) => engineFor(t));

async function made(t: TestContext) {
  const existing = await engine();
  const source = new TestSource();
  const makeRoutes = (deps: RouteDeps) => {
    const { catalogue, clock } = deps.engine;
    const universes = new Universes({
      source,
      catalogue,
      clock,
      onReady: () => undefined,
      onFailed: () => undefined,
    });
    const bets = { open: async () => [], bankroll: () => newBankroll('USD') };
    return opportunityRoutes({ ...deps, universes, source, bets }, costlyQueue());
  };
  const served = await serving(t, makeRoutes, {}, undefined, existing);
  served.clock.set(NOW_MS);
  let position = 0;
  const tell = (universe: string, ...detected: Opportunity[]) =>
    source.opportunities.apply({ position: ++position, shard: 0, opportunities: [news(universe, { detected })] });
  return { ...served, source, tell };
}

const ids = (body: Body): string[] => body['data'].map((item: { id: string }) => item.id);

test('access: arbitrage from Hobby, +EV and middles from Pro, low holds with the feature', async (t) => {
  const { ok, refused } = await made(t);
  const tier = async (path: string, asker: 'free' | 'hobby' | 'pro' | 'sharp') =>
    (await refused(`/opportunities/${path}`, asker)).slice(0, 2);
  assert.deepEqual(await tier('arbitrage', 'free'), [403, 'tier_restricted']);
  for (const path of ['ev', 'middles', 'middles/summary', 'middles/0000000000000001', 'low_hold'])
    assert.deepEqual(await tier(path, 'hobby'), [403, 'tier_restricted'], path);
  assert.deepEqual(await tier('low_hold', 'sharp'), [403, 'forbidden']);
  for (const [path, asker] of [
    ['arbitrage', 'hobby'],
    ['ev', 'pro'],
    ['middles', 'pro'],
    ['low_hold', 'enterprise'],
  ] as const)
    assert.deepEqual((await ok(`/opportunities/${path}`, asker))['data'], [], path);
});

test('each tier gets the opportunities among its own books', async (t) => {
  const { ok, tell } = await made(t);
  tell('hobby', example('arbitrage', { id: idOf(1) }));
  tell('pro', example('arbitrage', { id: idOf(2) }));
  tell('sharp', example('arbitrage', { id: idOf(3) }));
  for (const [n, tier] of ['hobby', 'pro', 'sharp'].entries())
    assert.deepEqual(ids(await ok('/opportunities/arbitrage', tier as 'hobby')), [idOf(n + 1)]);
  const body = await ok('/opportunities/arbitrage', 'hobby');
  assert.equal(body['meta'].source, 'live/hobby');
  assert.deepEqual(body['meta'].books, ['draftkings', 'fanduel', 'betmgm', 'caesars', 'espnbet']);
});

test('a list of each kind has the documented shape and its page', async (t) => {
  const { ok, tell } = await made(t);
  for (const [path, kind] of [
    ['ev', 'ev'],
    ['arbitrage', 'arbitrage'],
    ['middles', 'middle'],
  ] as const) {
    const id = (edge: number) => `${kind.length.toString(16)}`.repeat(15) + edge;
    tell('sharp', ...[1, 2, 3].map((edge) => example(kind, { id: id(edge), edge, item: { quality_score: edge } })));
    const page = await ok(`/opportunities/${path}?limit=2`, 'enterprise');
    assert.deepEqual(ids(page), [3, 2].map(id), path);
    const pagination = { limit: 2, offset: 0, count: 2, total: 3, has_more: true, next_offset: 2 };
    assert.deepEqual(page['pagination'], pagination);
    assert.deepEqual(page['meta'].pagination, pagination);
    assert.deepEqual(ids(await ok(`/opportunities/${path}?limit=2&offset=2`, 'enterprise')), [id(1)]);
  }
});

test('low holds: the summary covers all matches, not the page; max_hold is 5 by default', async (t) => {
  const { ok, tell } = await made(t);
  tell('sharp', ...[1, 4, 6].map((edge) => example('low_hold', { id: idOf(edge), edge })));
  const body = await ok('/opportunities/low_hold?limit=1', 'enterprise');
  assert.deepEqual(ids(body), [idOf(1)]);
  assert.deepEqual(body['meta'].summary, {
    count: 2,
    avg_hold: 2.5,
    min_hold: 1,
    by_market: { point_spread: 2 },
    by_sport: { basketball: 2 },
  });
  assert.equal(body['meta'].filters.max_hold, 5);
  assert.equal(body['meta'].filters.state, 'pa');
});

test('low holds above the default limit are evaluated for the request', async (t) => {
  const { ok, source } = await made(t);
  source.answer = [1, 4, 6].map((edge) => example('low_hold', { id: idOf(edge), edge }));
  assert.equal((await ok('/opportunities/low_hold?max_hold=10', 'enterprise'))['pagination'].total, 3);
  assert.equal(source.questions.at(-1)?.maxHold, 10);
});

test('middles: the list, the summary of the same filters, and one by its id', async (t) => {
  const { ok, refused, tell } = await made(t);
  tell(
    'pro',
    ...[1, 2, 3].map((edge) => example('middle', { id: idOf(edge), edge, league: edge === 3 ? 'wnba' : 'nba' })),
  );
  const summary = await ok('/opportunities/middles/summary?league=nba', 'pro');
  assert.equal(summary['data'].total, 2);
  assert.equal((await ok('/opportunities/middles?league=nba', 'pro'))['pagination'].total, 2);
  const one = await ok(`/opportunities/middles/${idOf(3)}?state=nj`, 'pro');
  assert.equal(one['data'].id, idOf(3));
  assert.deepEqual((await refused(`/opportunities/middles/${idOf(9)}`, 'pro')).slice(0, 2), [404, 'not_found']);
  tell('pro', example('ev', { id: idOf(9) }));
  assert.deepEqual((await refused(`/opportunities/middles/${idOf(9)}`, 'pro')).slice(0, 2), [404, 'not_found']);
});

test('suspicious opportunities are listed only on request', async (t) => {
  const { ok, tell } = await made(t);
  tell('pro', example('arbitrage', { edge: 40 }));
  assert.equal((await ok('/opportunities/arbitrage', 'pro'))['pagination'].total, 0);
  assert.equal((await ok('/opportunities/arbitrage?include_suspicious=true', 'pro'))['pagination'].total, 1);
});

test('another devig method is evaluated on request; the default one is ready', async (t) => {
  const { ok, refused, source, tell } = await made(t);
  tell('pro', example('ev', { id: idOf(1) }));
  source.answer = [example('ev', { id: idOf(2), edge: -3 }), example('ev', { id: idOf(3), edge: 1 })];
  assert.deepEqual(ids(await ok('/opportunities/ev?devig=power', 'pro')), [idOf(1)]);
  assert.equal(source.questions.length, 0);
  assert.deepEqual(ids(await ok('/opportunities/ev?min_ev=-5', 'pro')), [idOf(3), idOf(2)]);
  assert.deepEqual(ids(await ok('/opportunities/ev?devig=shin', 'pro')), [idOf(3)]);
  await ok('/opportunities/ev?devig_book=DraftKings&sportsbook=fanduel', 'pro');
  assert.deepEqual(
    source.questions.map(({ books, method, devigBook, minEv }) => [books?.length, method, devigBook, minEv]),
    [
      [15, 'power', null, -5],
      [15, 'shin', null, 0],
      [1, 'power', 'draftkings', 0],
    ],
  );
  assert.deepEqual((await refused('/opportunities/ev?devig_book=pinnacle', 'pro')).slice(0, 2), [
    403,
    'tier_restricted',
  ]);
  assert.deepEqual((await refused('/opportunities/ev?devig_book=nosuch', 'pro')).slice(0, 2), [400, 'invalid_request']);
});

test('a parameter out of its type or range is refused by name; unknown names match nothing and are listed', async (t) => {
  const { ok, refused, tell } = await made(t);
  tell('pro', example('ev'));
  for (const query of [
    'limit=0',
    'limit=201',
    'limit=abc',
    'offset=-1',
    'offset=5001',
    'live=maybe',
    'min_ev=x',
    'devig=guess',
    'sort=best',
    'date_range=month',
    'max_odds_age=-1',
    'state=penn',
    'format=xml',
    'at=2026-11-20T18:00:00Z',
  ]) {
    const [status, code, message] = await refused(`/opportunities/ev?${query}`, 'pro');
    assert.deepEqual([status, code], [400, 'invalid_request'], query);
    assert.ok(message.includes(query.split('=')[0]!), message);
  }
  const body = await ok('/opportunities/ev?league=nosuch&colour=red', 'pro');
  assert.deepEqual([body['data'], body['meta'].unknown, body['meta'].ignored], [[], ['nosuch'], ['colour']]);
  const nobody = await ok('/opportunities/ev?sportsbook=nosuchbook', 'pro');
  assert.deepEqual([nobody['data'], nobody['meta'].unknown], [[], ['nosuchbook']]);
  assert.deepEqual((await refused('/opportunities/ev?sportsbook=pinnacle', 'pro')).slice(0, 2), [
    403,
    'tier_restricted',
  ]);
});

test('a sportsbook filter is a universe of its own', async (t) => {
  const { ok, source, tell } = await made(t);
  tell('pro', example('arbitrage', { id: idOf(1) }));
  source.ensure = async ({ key }) => tell(key, example('arbitrage', { id: idOf(2) }));
  assert.deepEqual(ids(await ok('/opportunities/arbitrage?sportsbook=fanduel,DraftKings', 'pro')), [idOf(2)]);
  assert.deepEqual(
    source.asked.map(({ key }) => key),
    ['=draftkings,fanduel'],
  );
});

test('CSV has the page and the total count, and escapes formulas', async (t) => {
  const { get, tell } = await made(t);
  tell(
    'hobby',
    ...[1, 2, 3].map((edge) => example('arbitrage', { id: idOf(edge), edge, item: { home_team: '=cmd()' } })),
  );
  const response = await get('/opportunities/arbitrage?format=csv&limit=2', 'hobby');
  assert.equal(response.headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
  assert.equal(response.headers.get('x-total-count'), '3');
  const lines = (await response.text()).trimEnd().split('\r\n');
  assert.equal(lines.length, 3);
  assert.ok(lines[1]!.startsWith(idOf(3)));
  assert.ok(lines[1]!.includes(",'=cmd(),"));
});
