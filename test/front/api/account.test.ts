// Account endpoints and deep links on a whole server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atOnce } from '../../accounts/keys-at-once.js';
import { shared } from '../../shared.js';
import { until } from '../../support/until.js';
import { type Api, api, fillWorld, type Json } from '../api.js';
import { RawSse } from '../stream-rig.js';
import { RawWs } from '../ws/raw-ws.js';
import { LAKERS, moneyline } from './serving.js';

async function json(made: Api, path: string, key: string, init: RequestInit = {}): Promise<Json> {
  const response = await made.fetch(path, { key, ...init });
  return response.status === 204 ? null : { status: response.status, ...((await response.json()) as object) };
}
const post = (body: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Each test creates its own keys. The first one needs it empty, and the last one passes the time. */
const plain = shared((t) => api(t));

test('a deep link leads to the selection, the event or the book, in the caller’s state', async () => {
  const made = await plain();
  const game = {
    league: 'nba',
    home_team: 'Boston Celtics',
    away_team: 'Los Angeles Lakers',
    start_time: '2026-11-21T00:30:00Z',
  };
  const line = moneyline(-150, 130);
  const own = {
    ...line,
    selections: line.selections.map((each) => ({ ...each, deep_link: 'https://book.example/slip?x=1' })),
  };
  await made.ingest(
    { book: 'draftkings', events: [{ ...game, external_id: '77', markets: [line] }] },
    { book: 'fanduel', events: [{ ...game, markets: [line] }] },
    { book: 'betmgm', events: [{ ...game, markets: [own] }] },
    { book: 'corner_store', events: [{ ...game, markets: [line] }] },
  );
  const { data } = await json(made, `/odds?event=${LAKERS}`, made.key('sharp'));
  const idOf = (book: string): string => data.find((row: Json) => row.sportsbook === book).id;
  const follow = async (path: string) => {
    const { status, headers } = await made.fetch(`/deeplink/${path}`);
    return [status, headers.get('location'), headers.get('x-deep-link-type'), headers.get('cache-control')];
  };
  const cached = 'private, max-age=60';
  assert.deepEqual(await follow(idOf('draftkings')), [
    302,
    'https://sportsbook.draftkings.com/event/77',
    'event',
    cached,
  ]);
  assert.deepEqual(await follow(`${idOf('fanduel')}?state=NJ`), [
    302,
    'https://nj.sportsbook.fanduel.com/',
    'homepage',
    cached,
  ]);
  assert.deepEqual((await follow(idOf('betmgm'))).slice(0, 3), [302, 'https://book.example/slip?x=1', 'outcome']);
  assert.equal((await follow(idOf('corner_store')))[0], 404);
  for (const unknown of ['1', '0123456789abcdef', 'x', '%2e%2e'])
    assert.equal((await follow(unknown))[0], 404, unknown);
  assert.equal((await follow(`${idOf('fanduel')}?state=new`))[0], 400);
  const batch = async (body: object, tier: 'hobby' | 'free' = 'hobby') =>
    json(made, '/deeplinks/batch', made.key(tier), post(body));
  const [dk, fd, shop] = [idOf('draftkings'), idOf('fanduel'), idOf('corner_store')];
  assert.deepEqual((await batch({ ids: [dk, shop, '1', 'junk'] })).data, {
    [dk]: `/api/v1/deeplink/${dk}`,
    [shop]: null,
    '1': null,
    junk: null,
  });
  assert.deepEqual((await batch({ ids: [fd], state: 'NJ' })).data, { [fd]: `/api/v1/deeplink/${fd}?state=nj` });
  for (const bad of [{}, { ids: [] }, { ids: Array(501).fill('1') }, { ids: 'x' }, { ids: [dk], state: 'new' }]) {
    const { status, error } = await batch(bad);
    assert.deepEqual([status, error.code], [400, 'bad_request']);
  }
  assert.deepEqual((await batch({ ids: [dk] }, 'free')).error.tier, 'hobby');
});

test('the account shows what the key may do, and usage what it has done', async () => {
  const made = await plain();
  const { key, record } = atOnce(made.server.accounts).create({
    tier: 'pro',
    name: 'mine',
    streaming: true,
    features: ['low_hold'],
  });
  const { data } = await json(made, '/account', key);
  assert.deepEqual(data, {
    key: { id: record.id, name: 'mine', tier: 'pro' },
    key_id: record.id,
    tier: 'pro',
    rate_limit: { requests_per_minute: 300, max_books: 15 },
    streaming: { enabled: true, max_connections: 10 },
    limits: { requests_per_minute: 300, max_streams: 10, odds_delay_seconds: 0, max_books: 15 },
    features: { ev: true, arbitrage: true, middles: true, low_hold: true, moves: false, streaming: true },
    addons: ['streaming', 'low_hold'],
  });
  const { data: free } = await json(made, '/account', atOnce(made.server.accounts).create({ tier: 'free' }).key);
  assert.deepEqual(
    [free.limits.odds_delay_seconds, free.limits.max_streams, free.addons, free.features.arbitrage],
    [60, 0, [], false],
  );
  await json(made, '/odds', key);
  const { data: usage } = await json(made, '/account/usage', key);
  assert.deepEqual(usage.requests, {
    today: 3,
    this_week: 3,
    this_month: 3,
    limit: { per_minute: 300, remaining: 297, resets_at: '2026-11-20T18:01:00.000Z' },
  });
  assert.deepEqual(usage.period, { start: '2026-11-01T00:00:00.000Z', end: '2026-12-01T00:00:00.000Z' });
  assert.deepEqual(usage.streams, { active: 0, max: 10 });
});

test('keys are created with the rights of the one in use except ingest, listed masked, and revoked by another key of the account', async () => {
  const made = await plain();
  const { key, record } = atOnce(made.server.accounts).create({
    tier: 'sharp',
    streaming: true,
    features: ['low_hold'],
    scopes: ['ingest'],
    requestsPerMinute: 5_000,
  });
  const stranger = atOnce(made.server.accounts).create({ tier: 'sharp' });
  made.clock.set(made.clock.now() + 1);
  const created = await json(made, '/account/keys', key, post({ name: 'second' }));
  assert.deepEqual(
    [created.status, Object.keys(created.data), created.data.tier],
    [201, ['id', 'key', 'name', 'tier'], 'sharp'],
  );
  const second = made.server.accounts.authenticate(created.data.key)!;
  assert.deepEqual(
    [second.account, second.streaming, second.features, second.scopes, second.requestsPerMinute],
    [record.account, true, ['low_hold'], ['read'], 5_000],
  );
  const { data: list } = await json(made, '/account/keys', key);
  assert.deepEqual(
    list.map((each: Json) => [each.id, each.is_active]),
    [
      [record.id, true],
      [second.id, true],
    ],
  );
  assert.ok(!JSON.stringify(list).includes(key) && list[0].id_masked.startsWith('sk_live_'));
  const remove = async (id: string, by: string) =>
    (await made.fetch(`/account/keys/${id}`, { method: 'DELETE', key: by })).status;
  assert.deepEqual(
    [await remove(record.id, key), await remove(stranger.record.id, key), await remove('key_none', key)],
    [400, 404, 404],
  );
  assert.deepEqual([await remove(second.id, key), await remove(record.id, created.data.key)], [204, 401]);
  for (const body of [{}, { name: '' }, { name: 'a\nb' }, { name: 'x'.repeat(101) }, { name: 7 }])
    assert.equal((await json(made, '/account/keys', key, post(body))).error.code, 'invalid_request');
});

test('an account makes ten active keys itself; those of the operator and those in their grace do not count', async () => {
  const made = await plain();
  const { key, record } = atOnce(made.server.accounts).create({ tier: 'pro', requestsPerMinute: 1_000 });
  for (let i = 0; i < 12; i++) atOnce(made.server.accounts).create({ tier: 'pro', account: record.account });
  const ids: string[] = [];
  const make = async () => json(made, '/account/keys', key, post({ name: 'mine' }));
  for (let i = 0; i < 10; i++) ids.push((await make()).data.id);
  const refused = await make();
  assert.deepEqual([refused.status, refused.error.code], [400, 'invalid_request']);
  assert.match(refused.error.message, /at most 10 active keys/);
  const rotated = await json(made, `/account/keys/${ids[0]}/rotate`, key, post({ gracePeriodHours: 1 }));
  assert.equal(rotated.status, 200, 'a rotation is no further key');
  assert.equal((await make()).status, 400, 'its successor stands in its place');
  await made.fetch(`/account/keys/${ids[1]}`, { method: 'DELETE', key });
  assert.equal((await make()).status, 201);
  assert.equal((await make()).status, 400);
});

test('a grace period has either name, and what a body has besides is named in the answer', async () => {
  const made = await plain();
  const { key, record } = atOnce(made.server.accounts).create({ tier: 'pro' });
  const ended = await json(
    made,
    `/account/keys/${record.id}/rotate`,
    key,
    post({ grace_period_hours: 0, graceHours: 1 }),
  );
  assert.equal(ended.status, 200);
  assert.deepEqual(ended.meta, { ignored: ['graceHours'] });
  assert.equal((await made.fetch('/account', { key })).status, 401, 'ended at once');
});

test('a key neither rotates nor ends one with more rights, and the operator’s keys rotate themselves only', async () => {
  const made = await plain();
  const { accounts } = made.server;
  const { key: operators, record } = atOnce(accounts).create({ tier: 'pro', requestsPerMinute: 1_000 });
  const own = (options: object) => atOnce(accounts).create({ tier: 'pro', account: record.account, ...options }).record;
  const mine = (await json(made, '/account/keys', operators, post({ name: 'mine' }))).data;
  const rotate = async (id: string, by: string) =>
    (await json(made, `/account/keys/${id}/rotate`, by, post({}))).status;
  const end = async (id: string, by: string) =>
    (await made.fetch(`/account/keys/${id}`, { method: 'DELETE', key: by })).status;
  const stronger = [
    own({ scopes: ['ingest'] }),
    own({ tier: 'enterprise' }),
    own({ features: ['low_hold'] }),
    own({ streaming: true }),
    own({ requestsPerMinute: 5_000 }),
  ];
  for (const { id } of stronger) {
    for (const by of [mine.key, operators]) {
      assert.equal(await rotate(id, by), 403, id);
      assert.equal(await end(id, by), 403, id);
    }
    assert.equal(accounts.find(id)!.active, true);
  }
  const { key: ingest, record: ingesting } = atOnce(accounts).create({
    tier: 'pro',
    account: record.account,
    scopes: ['ingest'],
    requestsPerMinute: 1_000,
  });
  assert.equal(await rotate(record.id, mine.key), 403, 'the same rights, but the operator’s');
  assert.equal(await rotate(record.id, ingest), 403);
  assert.equal(await rotate(mine.id, ingest), 200, 'self-made, and covered');
  const rotated = await json(made, `/account/keys/${ingesting.id}/rotate`, ingest, post({}));
  assert.equal(rotated.status, 200, 'itself');
  assert.deepEqual(accounts.find(rotated.data.new_key_id)!.scopes, ['read', 'ingest']);
  // In its grace period a key reads on: whoever found it cannot keep a hold on the account.
  assert.equal((await json(made, '/account', ingest)).status, 200);
  assert.equal((await json(made, '/account/keys', ingest, post({ name: 'hold' }))).status, 403);
  assert.equal(await rotate(ingesting.id, ingest), 403);
  assert.equal(await end(record.id, ingest), 403);
  assert.equal(await end(record.id, rotated.data.new_key), 204, 'covered');
});

test('keys of one account share its requests, its streams and its usage', async () => {
  const made = await plain();
  const { key, record } = atOnce(made.server.accounts).create({ tier: 'pro', streaming: true, maxStreams: 2 });
  const second = (await json(made, '/account/keys', key, post({ name: 'second' }))).data.key;
  const remaining = async (by: string) =>
    Number((await made.fetch('/odds', { key: by })).headers.get('x-ratelimit-remaining'));
  assert.deepEqual([await remaining(key), await remaining(second), await remaining(key)], [298, 297, 296]);
  assert.equal((await json(made, '/account/usage', second)).data.requests.today, 5);
  const streams = [new RawSse(made, '/stream/odds', key), new RawSse(made, '/stream/odds', second)];
  await until('both are open', () => streams.every(({ events }) => events.length > 0));
  const { error } = await json(made, '/stream/odds', second);
  assert.equal(error.code, 'stream_limit_exceeded');
  assert.deepEqual((await json(made, '/account/usage', key)).data.streams, { active: 2, max: 2 });
  assert.equal(await remaining(key), 293, 'streams are no requests, opened or refused');
  for (const stream of streams) stream.vanish();
  assert.equal(made.server.accounts.authenticate(second)!.account, record.account);
});

test('a feature above the tier is refused on every interface, whatever the key lists', async () => {
  const made = await plain();
  await fillWorld(made);
  const key = made.key('hobby', { streaming: true, features: ['low_hold', 'ev', 'game_state'] });
  for (const path of ['/opportunities/low_hold', '/opportunities/ev', '/gamestate'])
    assert.equal((await json(made, path, key)).error.code, 'tier_restricted', path);
  const { data } = await json(made, '/account', key);
  assert.deepEqual(
    [data.features.low_hold, data.features.ev, data.features.arbitrage, data.addons],
    [false, false, true, ['streaming']],
  );
  const kindsOf = async (by: string) => {
    const sse = new RawSse(made, '/stream?channel=all&max_hold=50&min_ev=-100', by);
    await until('complete', () => sse.table.complete);
    sse.vanish();
    return Object.entries(sse.table.opportunities).flatMap(([kind, { size }]) => (size > 0 ? kind : []));
  };
  assert.deepEqual(await kindsOf(key), ['arbitrage']);
  const above = await kindsOf(made.key('pro', { streaming: true, features: ['low_hold'] }));
  assert.ok(above.includes('low_hold') && above.includes('ev'), above.join());
  for (const channel of ['low_hold', 'ev', 'gamestate']) {
    const socket = new RawWs(made, { api_key: key, channels: channel });
    assert.equal((await socket.frame('error'))['code'], 'tier_restricted', channel);
    socket.socket.terminate();
  }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'find_low_hold', arguments: {} } };
  const answer: Json = await (await fetch(`${made.url}/mcp`, { ...post(call), headers: mcpHeaders(key) })).json();
  assert.deepEqual([answer.result.isError, answer.result.structuredContent.error.code], [true, 'tier_restricted']);
});

function mcpHeaders(key: string): Record<string, string> {
  return { 'x-api-key': key, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
}

test('an opportunity leads to its event at one of its books', async () => {
  const made = await plain();
  await fillWorld(made);
  const { data } = await json(made, '/opportunities/arbitrage', made.key('sharp'));
  const [first, second] = data[0].legs.map((leg: Json) => leg.sportsbook) as [string, string];
  const [, other] = await Promise.all(
    ['', `?book=${second}`].map(async (query) => {
      const { status, headers } = await made.fetch(`/deeplink/${data[0].id}${query}`);
      assert.equal(status, 302);
      assert.notEqual(headers.get('x-deep-link-type'), 'outcome');
      return headers.get('location')!;
    }),
  );
  assert.ok(other!.includes(second), `${other} is not of ${second}, beside ${first}`);
  assert.equal((await made.fetch(`/deeplink/${data[0].id}?book=unibet`)).status, 404);
});

test('a fallback is followed only to hosts the operator lists, whole, and only by http or https', async (t) => {
  const made = await api(t, { 'deeplink-fallback-hosts': 'good.example,other.example:8443' });
  const follow = async (fallback: string) => {
    const { status, headers } = await made.fetch(`/deeplink/1?fallback=${encodeURIComponent(fallback)}`);
    return headers.get('location') ?? status;
  };
  for (const fine of [
    'https://good.example/a?b=c#d',
    'http://good.example/',
    'https://other.example:8443/',
    'https://GOOD.example/',
  ])
    assert.equal(await follow(fine), new URL(fine).href);
  const bad = [
    '//good.example/',
    'good.example',
    'https://good.example.evil.example/',
    'https://notgood.example/',
    'https://sub.good.example/',
    'https://evil.example/?good.example',
    'https://good.example@evil.example/',
    'https://user@good.example/',
    'https://good.example:444/',
    'https://other.example/',
    'javascript:alert(1)//good.example',
    'data:text/html,x',
    'https:\\\\evil.example',
    'https://good.example/\r\nSet-Cookie: a=b',
    '\thttps://good.example/',
    'https://evil.example\\@good.example/',
  ];
  for (const each of bad) assert.equal(await follow(each), 400, each);
  const none = await plain();
  assert.equal((await none.fetch('/deeplink/1?fallback=https%3A%2F%2Fgood.example%2F')).status, 400);
  const any = await api(t, { 'deeplink-fallback-hosts': '*' });
  assert.equal(
    (await any.fetch('/deeplink/1?fallback=https%3A%2F%2Fgood.example%2F')).headers.get('location'),
    'https://good.example/',
  );
  assert.equal((await any.fetch('/deeplink/1?fallback=javascript%3Aalert(1)')).status, 400);
});

test('the docs page loads nothing from elsewhere, and its script is that of the installed package', async () => {
  const made = await plain();
  const at = (path: string, headers: Record<string, string> = {}) => fetch(`${made.url}${path}`, { headers });
  const page = await at('/docs/api');
  const html = await page.text();
  assert.match(page.headers.get('content-security-policy')!, /default-src 'none'; script-src 'self'/);
  assert.doesNotMatch(html, /https?:\/\/|<script(?![^>]*src)|\son\w+=/);
  const files = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path!);
  assert.ok(files.length >= 2);
  for (const path of files) {
    const zipped = await at(path, { 'accept-encoding': 'gzip' });
    const plain = await at(path, { 'accept-encoding': 'identity' });
    assert.deepEqual([zipped.status, plain.status], [200, 200], path);
    assert.equal(await zipped.text(), await plain.text(), path);
  }
});

test('a rotated key works through its grace and not a moment longer', async () => {
  const made = await plain();
  made.clock.set(Date.parse('2026-11-20T19:00:00Z'));
  const { key, record } = atOnce(made.server.accounts).create({ tier: 'hobby', name: 'old' });
  const rotated = await json(
    made,
    `/account/keys/${record.id}/rotate`,
    key,
    post({ gracePeriodHours: 2, name: 'new' }),
  );
  assert.deepEqual(
    [rotated.status, rotated.data.old_key_id, rotated.data.old_key_expires_at, rotated.data.new_key_name],
    [200, record.id, '2026-11-20T21:00:00.000Z', 'new'],
  );
  made.clock.set(Date.parse('2026-11-20T20:59:59.999Z'));
  assert.equal((await json(made, '/account', key)).status, 200);
  made.clock.set(Date.parse('2026-11-20T21:00:00Z'));
  assert.equal((await json(made, '/account', key)).status, 401);
  assert.equal((await json(made, '/account', rotated.data.new_key)).data.key.id, rotated.data.new_key_id);
  const again = await json(made, `/account/keys/${rotated.data.new_key_id}/rotate`, rotated.data.new_key, post({}));
  assert.equal(again.data.old_key_expires_at, '2026-11-21T21:00:00.000Z', 'a day where nothing is said');
  assert.equal((await json(made, `/account/keys/${record.id}/rotate`, again.data.new_key, post({}))).status, 400);
  for (const gracePeriodHours of [-1, 73, '5'])
    assert.equal(
      (
        await json(
          made,
          `/account/keys/${again.data.new_key_id}/rotate`,
          again.data.new_key,
          post({ gracePeriodHours }),
        )
      ).status,
      400,
    );
});
