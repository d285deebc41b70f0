// Viewer tokens on a whole server: what they allow and refuse, and when they end.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { NewKey } from '../../src/accounts/key-commands.js';
import { atOnce } from '../accounts/keys-at-once.js';
import { until } from '../support/until.js';
import { type Api, api, fillWorld, type Json } from './api.js';
import { ladder, RawSse } from './stream-rig.js';
import { RawWs } from './ws/raw-ws.js';

interface Shop {
  made: Api;
  key: string;
  keyId: string;
  /** A token of the key. */
  token(body?: object): Promise<string>;
  /** Status and error code of GET with a token (or key). */
  read(
    path: string,
    token: string,
    headers?: Record<string, string>,
  ): Promise<[status: number, code: string | undefined]>;
  rows(path: string, token: string): Promise<Json[]>;
}

async function ask(made: Api, key: string, body: object): Promise<Json> {
  const response = await made.fetch('/account/tokens', {
    key,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, ...((await response.json()) as object) };
}

async function shop(t: TestContext, options: Partial<NewKey> = {}): Promise<Shop> {
  const made = await api(t);
  await fillWorld(made);
  await made.ingest(ladder(1, 2, -110));
  const { key, record } = atOnce(made.server.accounts).create({
    tier: 'pro',
    streaming: true,
    features: ['low_hold'],
    scopes: ['ingest'],
    ...options,
  });
  return {
    made,
    key,
    keyId: record.id,
    token: async (body = {}) => (await ask(made, key, { ttl_s: 600, ...body })).data.token,
    read: async (path, token, headers = {}) => {
      const response = await made.fetch(path, { key: token, headers });
      return [response.status, ((await response.json()) as Json).error?.code];
    },
    rows: async (path, token) => ((await (await made.fetch(path, { key: token })).json()) as Json).data,
  };
}

test('a token reads and streams like its key, is sent like a key, and its requests count for the account', async (t) => {
  const { made, key, token, rows } = await shop(t);
  const created = await ask(made, key, { ttl_s: 86_400 });
  assert.equal(created.status, 201);
  assert.deepEqual(created.data, {
    token: created.data.token,
    expires_at: '2026-11-21T18:00:00.000Z',
    channels: ['odds', 'ev', 'arbitrage', 'middles', 'low_hold', 'results'],
    filters: {},
    origin: null,
  });
  const viewer: string = created.data.token;
  assert.deepEqual(await rows('/odds?limit=200', viewer), await rows('/odds?limit=200', key));
  for (const query of [`token=${viewer}`, `api_key=${viewer}`])
    assert.equal((await made.fetch(`/odds/best?${query}`)).status, 200, query);
  const bearer = await made.fetch('/events', { headers: { authorization: `Bearer ${viewer}` } });
  assert.equal(bearer.status, 200);
  const before = Number(bearer.headers.get('x-ratelimit-remaining'));
  assert.equal((await made.fetch('/odds', { key })).headers.get('x-ratelimit-remaining'), String(before - 1));
  const sse = new RawSse(made, `/stream?channel=all&token=${viewer}`, '');
  const ws = new RawWs(made, { token: viewer, channels: 'odds' });
  await until('complete', () => sse.table.complete);
  await ws.frame('snapshot:complete');
  const usage = await made.fetch('/account/usage', { key });
  assert.equal(((await usage.json()) as Json).data.streams.active, 2);
  assert.notEqual(await token(), viewer);
  sse.vanish();
  ws.socket.terminate();
});

test('a token changes nothing, shows no other key and makes no token', async (t) => {
  const { made, keyId, token, read } = await shop(t);
  const viewer = await token();
  for (const path of ['/account/usage', '/account/keys'])
    assert.deepEqual(await read(path, viewer), [403, 'forbidden']);
  const send = async (method: string, path: string, body: object): Promise<number> =>
    (
      await fetch(path.startsWith('/mcp') ? made.url + path : `${made.url}/api/v1${path}`, {
        method,
        headers: {
          'x-api-key': viewer,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify(body),
      })
    ).status;
  assert.equal(await send('POST', '/account/tokens', { ttl_s: 60 }), 403);
  assert.equal(await send('POST', '/account/keys', { name: 'mine' }), 403);
  assert.equal(await send('POST', `/account/keys/${keyId}/rotate`, {}), 403);
  assert.equal(await send('DELETE', `/account/keys/${keyId}`, {}), 403);
  assert.equal(await send('POST', '/ingest', ladder(5, 1, -120)), 403);
  assert.equal(await send('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }), 403);
  assert.deepEqual(await read('/account', viewer), [200, undefined]);
});

test('a token of some channels opens these alone, on every surface', async (t) => {
  const { made, token, read } = await shop(t);
  const viewer = await token({ channels: ['arbitrage', 'low_hold'] });
  for (const path of ['/opportunities/arbitrage', '/opportunities/low_hold', '/sports', '/account'])
    assert.deepEqual(await read(path, viewer), [200, undefined], path);
  for (const path of ['/odds', '/odds/best', '/events', '/opportunities/ev', '/opportunities/middles', '/splits'])
    assert.deepEqual(await read(path, viewer), [403, 'forbidden'], path);
  const { data } = (await (await made.fetch('/account', { key: viewer })).json()) as Json;
  assert.deepEqual([data.features.arbitrage, data.features.low_hold, data.features.ev], [true, true, false]);
  const sse = new RawSse(made, '/stream?channel=all&max_hold=50&min_ev=-100', viewer);
  await until('complete', () => sse.table.complete);
  assert.equal(sse.table.odds.size, 0);
  assert.ok(sse.table.opportunities.arbitrage.size > 0);
  assert.deepEqual([sse.table.opportunities.ev.size, sse.table.opportunities.middles.size], [0, 0]);
  assert.deepEqual(await read('/stream/odds', viewer), [403, 'forbidden']);
  const ws = new RawWs(made, { token: viewer, channels: 'odds' });
  assert.equal((await ws.frame('error'))['code'], 'forbidden');
  const odds = await token({ channels: ['odds'] });
  assert.deepEqual(await read('/stream/opportunities', odds), [403, 'forbidden']);
  for (const path of [
    '/historical/clv',
    '/historical/predictions?event_id=x',
    '/moves',
    '/gamestate',
    '/opportunities/middles/summary',
  ])
    assert.deepEqual(await read(path, odds), [403, 'forbidden'], path);
  sse.vanish();
  ws.socket.terminate();
});

/** What tokens of one channel may read: paths by channel, `names` those of all. */
const VIEWED: Readonly<Record<string, readonly string[]>> = {
  odds: [
    '/events',
    '/events/{eventId}',
    '/events/{eventId}/markets',
    '/events/{eventId}/odds',
    '/futures',
    '/futures/odds',
    '/historical/odds/closing',
    '/odds',
    '/odds/best',
    '/odds/closing',
    '/odds/comparison',
    '/odds/delta',
    '/odds/executable',
    '/odds/history',
    '/odds/opening',
    '/splits',
    '/splits/history',
  ],
  ev: ['/historical/clv', '/historical/predictions', '/opportunities/ev'],
  arbitrage: ['/opportunities/arbitrage'],
  middles: ['/opportunities/middles', '/opportunities/middles/summary', '/opportunities/middles/{id}'],
  low_hold: ['/opportunities/low_hold'],
  moves: ['/moves'],
  gamestate: ['/gamestate', '/gamestate/{sport}'],
  results: ['/results'],
  names: [
    '/account',
    '/asyncapi.json',
    '/deeplink/{id}',
    '/health',
    '/leagues',
    '/leagues/{leagueId}',
    '/markets',
    '/openapi.json',
    '/sports',
    '/sports/{sportId}',
    '/sportsbooks',
    '/sportsbooks/{bookId}',
    '/teams',
    '/tiers',
    '/warnings',
  ],
};

test('every read is of one channel, of names that any token may read, or closed to tokens', async (t) => {
  const { made, token } = await shop(t, { tier: 'enterprise' });
  const operations = ((await (await made.fetch('/openapi.json')).json()) as Json).paths as Record<string, Json>;
  const channels = Object.keys(VIEWED).filter((name) => name !== 'names');
  const tokens = await Promise.all(channels.map((channel) => token({ channels: [channel] })));
  const found: Record<string, string[]> = Object.fromEntries(Object.keys(VIEWED).map((name) => [name, []]));
  const closed: string[] = [];
  for (const path of Object.keys(operations).sort()) {
    if (operations[path]['get'] === undefined || path.startsWith('/stream')) continue;
    const open: string[] = [];
    for (const [i, channel] of channels.entries()) {
      const answer = await made.fetch(path.replace(/\{\w+\}/, 'x'), { key: tokens[i]!, redirect: 'manual' });
      const text = await answer.text();
      if (!(answer.status === 403 && text.includes('viewer token'))) open.push(channel);
    }
    if (open.length === 0) closed.push(path);
    else found[open.length === channels.length ? 'names' : open.join()]!.push(path);
  }
  assert.deepEqual(found, VIEWED);
  assert.ok(closed.length > 0 && closed.every((path) => path.startsWith('/account/') || path === '/ingest/unmatched'));
});

test('a token with filters shows nothing beyond them: they apply if left out, and requests beyond them are refused', async (t) => {
  const { made, key, token, read, rows } = await shop(t);
  const viewer = await token({ filters: { leagues: ['NBA'], sportsbook: 'draftkings,fanduel' } });
  const all = await rows('/odds?limit=200', key);
  const inside = (row: Json) => row.league === 'nba' && ['draftkings', 'fanduel'].includes(row.sportsbook);
  const wanted = all.filter(inside).map((row: Json) => row.id);
  assert.ok(wanted.length > 0 && wanted.length < all.length);
  assert.deepEqual(
    (await rows('/odds?limit=200', viewer)).map((row) => row.id),
    wanted,
  );
  for (const query of ['league=nba', 'leagues=NBA&sportsbook=fanduel', 'sportsbooks=fanduel&sportsbook=draftkings'])
    assert.ok((await rows(`/odds?limit=200&${query}`, viewer)).every(inside), query);
  for (const query of ['league=nfl', 'league=nba,nfl', 'league=nba&league=nfl', 'leagues=nfl', 'sportsbook=betmgm'])
    assert.deepEqual(await read(`/odds?${query}`, viewer), [403, 'forbidden'], query);
  // Routes that a token's filters cannot restrict are closed; names without prices are not.
  for (const path of ['/events/x', '/events/x/odds?league=nba', '/opportunities/middles/0123456789abcdef'])
    assert.deepEqual(await read(path, viewer), [403, 'forbidden'], path);
  assert.deepEqual(await read('/sportsbooks', viewer), [200, undefined]);
  const sse = new RawSse(made, '/stream?channel=odds', viewer);
  const ws = new RawWs(made, { token: viewer, channels: 'odds' });
  const packed = new RawWs(made, { token: viewer }, ['overround.msgpack']);
  await packed.frame('connected');
  packed.say({ type: 'subscribe', channels: ['odds'], filters: { leagues: ['nfl'] }, id: 3 }, true);
  assert.deepEqual([(await packed.frame('error'))['code'], packed.types.includes('subscribed')], ['forbidden', false]);
  await until('complete', () => sse.table.complete);
  await ws.frame('snapshot:complete');
  for (const { table } of [sse, ws]) {
    assert.ok(table.odds.size > 0);
    assert.ok([...table.odds.values()].every(inside));
  }
  assert.deepEqual(await read('/stream?league=nfl', viewer), [403, 'forbidden']);
  sse.vanish();
  for (const { socket } of [ws, packed]) socket.terminate();
});

test('a token of a market may be asked by any name of that market, and by none that means more', async (t) => {
  const { token, read } = await shop(t);
  const viewer = await token({ filters: { market: ['spreads', 'moneyline'] } });
  for (const path of ['/odds', '/stream']) {
    const status = async (market: string) => (await read(`${path}?market=${market}`, viewer))[0];
    // The category has handicaps of sets besides.
    for (const name of ['spread', 'main', 'props', 'totals', 'h2h,totals', 'spreads_h1', 'h2h_3_way', 'constructor'])
      assert.equal(await status(name), 403, name);
  }
  for (const name of ['spreads', 'Spreads', 'point_spread', 'run_line', 'alternate_spreads', 'h2h', 'h2h,puck_line'])
    assert.equal((await read(`/odds?market=${name}`, viewer))[0], 200, name);
  const props = await token({ filters: { market: ['props'] } });
  assert.deepEqual((await read('/odds?market=Props', props))[0], 200);
  assert.deepEqual((await read('/odds?market=props,h2h', props))[0], 403);
});

test('a token of a league, sport or book may be asked by any name of it, on every surface', async (t) => {
  const { made, token, read, rows } = await shop(t);
  const league = await token({ filters: { league: ['nba'] } });
  const byAlias = await token({ filters: { league: ['basketball_nba'] } });
  const count = (await rows('/odds?limit=200&league=nba', league)).length;
  assert.ok(count > 0);
  for (const viewer of [league, byAlias]) {
    for (const name of ['nba', 'NBA', 'basketball_nba', 'nba,basketball_nba'])
      assert.equal((await rows(`/odds?limit=200&league=${name}`, viewer)).length, count, name);
    for (const name of ['nfl', 'nba,americanfootball_nfl', 'nbax', 'constructor', '__proto__'])
      assert.equal((await read(`/odds?league=${name}`, viewer))[0], 403, name);
    const ws = new RawWs(made, { token: viewer });
    await ws.frame('connected');
    ws.say({ type: 'subscribe', channels: ['odds'], filters: { leagues: ['basketball_nba'] }, id: 1 });
    await ws.frame('snapshot:complete');
    assert.ok(ws.table.odds.size > 0);
    ws.say({ type: 'subscribe', channels: ['odds'], filters: { leagues: ['americanfootball_nfl'] }, id: 2 });
    assert.equal((await ws.frame('error'))['code'], 'forbidden');
    ws.socket.terminate();
  }
  const sport = await token({ filters: { sport: ['esports'] } });
  for (const name of ['esports', 'CS2', 'cs2,dota2'])
    assert.equal((await read(`/odds?sport=${name}`, sport))[0], 200, name);
  assert.equal((await read('/odds?sport=cs2,basketball', sport))[0], 403);
  const one = await token({ filters: { sport: ['cs2'] } });
  assert.equal((await read('/odds?sport=esports', one))[0], 403, 'it means more');
  const book = await token({ filters: { sportsbook: ['williamhill_us'] } });
  for (const name of ['caesars', 'williamhill_us', 'Caesars'])
    assert.equal((await read(`/odds?sportsbook=${name}`, book))[0], 200, name);
  assert.equal((await read('/odds?sportsbook=fanduel', book))[0], 403);
});

test('a token of a league and a book opens the closing prices of a day of these alone', async (t) => {
  const { token, read } = await shop(t, { tier: 'sharp' });
  const day = (query: string) => `/historical/odds/closing?date=2026-11-20&sport=basketball&${query}`;
  const viewer = await token({ filters: { league: ['nba'], sportsbook: ['draftkings'] } });
  for (const query of ['league=nfl', 'league=nba,nfl', 'league=nba&sportsbook=fanduel'])
    assert.deepEqual(await read(day(query), viewer), [403, 'forbidden'], query);
  assert.deepEqual(await read(day('league=nba'), viewer), [404, 'not_found'], 'admitted: here no history is kept');
  const ofEvent = await token({ filters: { event: ['x'] } });
  assert.deepEqual(await read(day('league=nba'), ofEvent), [403, 'forbidden'], 'the route has no such filter');
});

test('a token of an origin is refused without that Origin, on requests and upgrades', async (t) => {
  const { token, read } = await shop(t);
  const viewer = await token({ origin: 'https://odds.example/' });
  assert.deepEqual(await read('/odds', viewer), [401, 'unauthorized']);
  assert.deepEqual(await read('/odds', viewer, { origin: 'https://evil.example' }), [401, 'unauthorized']);
  assert.deepEqual(await read('/stream', viewer, { origin: 'null' }), [401, 'unauthorized']);
  assert.deepEqual(await read('/odds', viewer, { origin: 'https://odds.example' }), [200, undefined]);
});

test('a token ends at its time or with its key, and is refused if altered; its streams end with it', async (t) => {
  const { made, keyId, token, read } = await shop(t);
  const [short, long] = [await token({ ttl_s: 60 }), await token({ ttl_s: 3_600 })];
  const open = (viewer: string) => new RawSse(made, '/stream/odds', viewer);
  const [first, second] = [open(short), open(long)];
  await until('both are open', () => first.events.length > 0 && second.events.length > 0);
  made.clock.set(made.clock.now() + 60_000);
  assert.deepEqual(await read('/odds', short), [401, 'unauthorized']);
  await until('the short one ends', () => first.ended);
  assert.equal(JSON.parse(first.events.at(-1)!.data).code, 'unauthorized');
  assert.equal(second.ended, false);
  assert.deepEqual(await read('/odds', long), [200, undefined]);
  const [body, signature] = long.split('.') as [string, string];
  const payload = JSON.parse(Buffer.from(body.slice(3), 'base64url').toString());
  const forged = `vt_${Buffer.from(JSON.stringify({ ...payload, e: payload.e * 2 })).toString('base64url')}.${signature}`;
  for (const wrong of [forged, body, `${body}.`, `${long}x`, 'vt_', 'vt_.', `vt_${'x'.repeat(5_000)}.y`])
    assert.deepEqual(await read('/odds', wrong), [401, 'unauthorized'], wrong.slice(0, 20));
  atOnce(made.server.accounts).revoke(keyId);
  assert.deepEqual(await read('/odds', long), [401, 'unauthorized']);
  await until('the other ends with its key', () => second.ended);
});

test('a token with invalid values or more rights than the key is refused', async (t) => {
  const { made, key } = await shop(t, { tier: 'hobby' });
  const code = async (body: object) => {
    const { status, error } = await ask(made, key, body);
    return `${status} ${error?.code}`;
  };
  for (const bad of [
    {},
    { ttl_s: 0 },
    { ttl_s: 86_401 },
    { ttl_s: 1.5 },
    { ttl_s: 60, channels: [] },
    { ttl_s: 60, channels: ['everything'] },
    { ttl_s: 60, filter: { league: ['nba'] } },
    { ttl_s: 60, filters: { legue: ['nba'] } },
    { ttl_s: 60, filters: { league: [] } },
    { ttl_s: 60, filters: { league: ['nbaa'] } },
    { ttl_s: 60, filters: { event: Array.from({ length: 100 }, (_, i) => `${'x'.repeat(180)}${i}`) } },
    { ttl_s: 60, origin: 'https://a.example/path' },
    { ttl_s: 60, origin: 'javascript:alert(1)' },
  ])
    assert.equal(await code(bad), '400 invalid_request', JSON.stringify(bad).slice(0, 80));
  assert.equal(await code({ ttl_s: 60, channels: ['ev'] }), '403 tier_restricted');
  assert.equal(await code({ ttl_s: 60, filters: { sportsbook: ['pinnacle'] } }), '403 tier_restricted');
});

test('the tokens of an account leave a quarter of its requests to its keys', async (t) => {
  const { read, token, key } = await shop(t, { requestsPerMinute: 12 });
  // The token itself was one request.
  const tokens = [await token(), await token()];
  for (let i = 0; i < 9; i++) assert.deepEqual(await read('/odds', tokens[i % 2]!), [200, undefined], String(i));
  assert.deepEqual(await read('/odds', tokens[0]!), [429, 'rate_limited']);
  assert.deepEqual(await read('/odds', key), [200, undefined]);
  assert.deepEqual(await read('/odds', key), [429, 'rate_limited']);
});
