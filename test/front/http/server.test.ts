import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Type } from '../../../src/base/model/json-schema.js';
import { route } from '../../../src/front/http/context.js';
import { sendPieces } from '../../../src/front/http/streamed-body.js';
import { until } from '../../support/until.js';
import { errorOf, rawExchange, running } from './harness.js';

const ok = { handler: (context: { sendJson(value: unknown): void }) => context.sendJson({ data: [] }) };

const routes = [
  route({ method: 'GET', path: '/free', auth: 'required', ...ok }),
  route({ method: 'GET', path: '/pro', auth: 'required', right: 'history', ...ok }),
  route({ method: 'GET', path: '/hold', auth: 'required', right: 'low_hold', ...ok }),
  route({ method: 'POST', path: '/ingest', auth: 'required', scope: 'ingest', ...ok }),
  route({ method: 'GET', path: '/live', auth: 'required', streaming: true, ...ok }),
  route({ method: 'GET', path: '/sports', auth: 'optional', ...ok }),
  route({ method: 'GET', path: '/copy', auth: 'public', noHead: true, ...ok }),
  route({ method: 'GET', path: '/open', auth: 'public', ...ok }),
  route({ method: 'DELETE', path: '/open', auth: 'public', handler: (context) => context.sendEmpty(204) }),
  route({
    method: 'GET',
    path: '/events/:eventId/odds/:book',
    auth: 'public',
    query: Type.Object({ limit: Type.Integer({ default: 50 }) }),
    handler: (context) =>
      context.sendJson({ ...context.params, limit: context.query.limit, text: context.questionKey(7) }),
  }),
  route({
    method: 'GET',
    path: '/later',
    auth: 'public',
    handler: async (context) => {
      await new Promise((resolve) => setImmediate(resolve));
      context.sendJson({ later: true }, 201);
    },
  }),
  route({ method: 'GET', path: '/boom', auth: 'public', handler: () => assert.fail('the secret inside') }),
  route({ method: 'GET', path: '/boom-later', auth: 'public', handler: () => Promise.reject(new Error('the secret')) }),
  route({ method: 'GET', path: '/silent', auth: 'public', handler: () => undefined }),
  route({ method: 'GET', path: '/twice', auth: 'public', handler: (c) => void [1, 2].map((n) => c.sendJson(n)) }),
  ...[0, 20].map((ms) =>
    route({
      method: 'GET',
      path: `/pieces-after-${ms}`,
      auth: 'public',
      handler: async (context) => {
        if (ms > 0) await setTimeout(ms);
        const pieces = ['a', 'b'].map((text) => Buffer.from(text));
        await sendPieces(context.stream('body'), Buffer.from('text/csv'), () => pieces.shift());
      },
    }),
  ),
  route({ method: 'GET', path: '/away', auth: 'public', handler: (c) => c.redirect('https://example.com/a?b=c') }),
  route({
    method: 'GET',
    path: '/inject',
    auth: 'public',
    query: Type.Object({ to: Type.String() }),
    handler: (context) => context.redirect(context.query.to),
  }),
];

test('every answer has a request id of its own and may be read by any page', async (t) => {
  const { get, key } = await running(t, routes);
  const pro = key('pro');
  const ids = new Set<string>();
  for (const [path, apiKey] of [
    ['/free', pro],
    ['/free'],
    ['/nowhere'],
    ['/pro', 'x'],
    ['/boom'],
    ['/open'],
  ] as const) {
    const response = await get(path, apiKey);
    ids.add(response.headers.get('x-request-id')!);
    assert.equal(response.headers.get('access-control-allow-origin'), '*', path);
    assert.match(response.headers.get('access-control-expose-headers')!, /X-RateLimit-Remaining/);
    await response.text();
  }
  assert.equal(ids.size, 6);
  assert.ok(!ids.has(null as never));
});

test('an answer to a key carries its tier, delay and place in the minute', async (t) => {
  const { get, key, clock } = await running(t, routes);
  const free = key('free');
  await get('/free', free);
  const { headers } = await get('/free', free);
  assert.equal(headers.get('x-tier'), 'free');
  assert.equal(headers.get('x-data-delay'), '60');
  assert.equal(headers.get('x-ratelimit-limit'), '12');
  assert.equal(headers.get('x-ratelimit-remaining'), '10');
  assert.equal(Number(headers.get('x-ratelimit-reset')), Math.ceil(clock.now() / 60_000) * 60);
  assert.equal((await get('/free', key('pro'))).headers.get('x-data-delay'), '0');
});

test('a key with a limit of its own is counted by it and shows it', async (t) => {
  const { get, key } = await running(t, routes);
  const two = key('pro', { requestsPerMinute: 2 });
  assert.equal((await get('/free', two)).headers.get('x-ratelimit-limit'), '2');
  assert.equal((await get('/free', two)).status, 200);
  assert.equal((await get('/free', two)).status, 429);
});

test('a key is read from X-API-Key, then Authorization, then api_key; the first one given decides', async (t) => {
  const { url, key } = await running(t, routes);
  const good = key('pro');
  const status = async (headers: Record<string, string>, query = '') =>
    (await fetch(`${url}/free${query}`, { headers })).status;
  assert.equal(await status({ 'x-api-key': good }), 200);
  assert.equal(await status({ authorization: `Bearer ${good}` }), 200);
  assert.equal(await status({ authorization: `bearer ${good}` }), 200);
  assert.equal(await status({}, `?api_key=${good}`), 200);
  assert.equal(await status({}, `?a=1&api%5Fkey=${good}&b=2`), 200);
  assert.equal(await status({ authorization: 'Basic abc' }, `?api_key=${good}`), 200);
  assert.equal(await status({ 'x-api-key': 'sk_live_wrong', authorization: `Bearer ${good}` }), 401);
  assert.equal(await status({ authorization: 'Bearer sk_live_wrong' }, `?api_key=${good}`), 401);
});

test('a missing and a wrong key have different reasons', async (t) => {
  const { get } = await running(t, routes);
  const missing = await errorOf(await get('/free'));
  assert.deepEqual([missing.status, missing.code, missing.reason], [401, 'unauthorized', 'missing_api_key']);
  const wrong = await errorOf(await get('/sports', 'sk_live_nonsense'));
  assert.deepEqual([wrong.status, wrong.code, wrong.reason], [401, 'unauthorized', 'invalid_api_key']);
});

test('a refusal for the tier names the tier that unlocks, one for a missing feature or scope only that', async (t) => {
  const { get, key, url } = await running(t, routes);
  const low = await errorOf(await get('/pro', key('hobby')));
  assert.deepEqual([low.status, low.code, low.tier], [403, 'tier_restricted', 'pro']);
  assert.equal((await errorOf(await get('/hold', key('hobby')))).code, 'tier_restricted');
  const bare = await errorOf(await get('/hold', key('pro')));
  assert.deepEqual([bare.status, bare.code], [403, 'forbidden']);
  assert.equal((await get('/hold', key('pro', { features: ['low_hold'] }))).status, 200);
  assert.equal((await get('/hold', key('enterprise'))).status, 200);

  const push = (apiKey: string) => fetch(`${url}/ingest`, { method: 'POST', headers: { 'x-api-key': apiKey } });
  assert.equal((await errorOf(await push(key('enterprise')))).code, 'forbidden');
  assert.equal((await push(key('hobby', { scopes: ['ingest'] }))).status, 200);

  const free = await errorOf(await get('/live', key('free', { streaming: true })));
  assert.deepEqual([free.code, free.tier], ['tier_restricted', 'hobby']);
  assert.equal((await errorOf(await get('/live', key('sharp')))).code, 'forbidden');
  assert.equal((await get('/live', key('hobby', { streaming: true }))).status, 200);
});

test('over the limit: 429 with the wait in header, body and message, until the next minute', async (t) => {
  const { get, key, clock, usage, accounts } = await running(t, routes);
  const free = key('free');
  for (let i = 0; i < 12; i++) assert.equal((await get('/free', free)).status, 200);
  const response = await get('/free', free);
  assert.equal(response.headers.get('retry-after'), '30');
  assert.equal(response.headers.get('x-ratelimit-remaining'), '0');
  const error = await errorOf(response);
  assert.deepEqual([error.status, error.code, error.retryAfter], [429, 'rate_limited', 30]);
  assert.match(error.message, /30 s/);
  assert.equal((await get('/free', key('free'))).status, 200);
  assert.equal(usage.read(accounts.authenticate(free)!.account).today, 12);
  clock.set(clock.now() + 30_000);
  assert.equal((await get('/free', free)).status, 200);
});

test('without a key the reference paths give an address ten requests a minute, a key gives the tier its own', async (t) => {
  const { get, key } = await running(t, routes);
  for (let i = 0; i < 10; i++) assert.equal((await get('/sports')).status, 200);
  const refused = await get('/sports');
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get('x-ratelimit-limit'), '10');
  assert.equal((await get('/sports', key('free'))).headers.get('x-ratelimit-limit'), '12');
  assert.equal((await get('/open')).status, 200);
});

test('X-Forwarded-For counts only if a proxy is trusted, and then its last entry', async (t) => {
  const asked = async (url: string, forwarded: string) =>
    (await fetch(`${url}/sports`, { headers: { 'x-forwarded-for': forwarded } })).status;
  const direct = await running(t, routes);
  for (let i = 0; i < 10; i++) await asked(direct.url, `10.0.0.${i}`);
  assert.equal(await asked(direct.url, '10.0.0.99'), 429);
  const behind = await running(t, routes, { trustProxy: true });
  for (let i = 0; i < 10; i++) await asked(behind.url, `6.6.6.${i}, 10.0.0.1`);
  assert.equal(await asked(behind.url, '6.6.6.99, 10.0.0.1'), 429);
  assert.equal(await asked(behind.url, '10.0.0.1, 10.0.0.2'), 200);
});

test('behind a proxy that adds a line of X-Forwarded-For, the last line counts; ports and the rest of an IPv6 address do not', async (t) => {
  const { port } = await running(t, routes, { trustProxy: true });
  const asked = async (...lines: string[]) => {
    const head = ['GET /sports HTTP/1.1', 'Host: x', ...lines.map((line) => `X-Forwarded-For: ${line}`), '', ''];
    return (await rawExchange(port, head.join('\r\n'), /\r\n\r\n/)).slice(9, 12);
  };
  const many: [first: (i: number) => string[], last: string[], other: string[]][] = [
    [(i) => [`6.6.6.${i}`, '10.0.0.1'], ['6.6.6.99', '10.0.0.1'], ['10.0.0.1', '10.0.0.2']],
    [(i) => [`10.1.0.1:${1000 + i}`], ['10.1.0.1'], ['10.1.0.2:1000']],
    [(i) => [`2001:db8:0:1::${i}`], ['[2001:DB8::1:9:0:0:1]:443'], ['2001:db8::2:0:0:0:1']],
    [(i) => [`::ffff:10.2.0.1, ::ffff:10.2.0.1%${i}`], ['::ffff:10.2.0.1'], ['::ffff:10.2.0.2']],
  ];
  for (const [first, last, other] of many) {
    for (let i = 0; i < 10; i++) assert.equal(await asked(...first(i)), '200');
    assert.deepEqual([await asked(...last), await asked(...other)], ['429', '200'], last.join());
  }
  for (const odd of ['%', '[', '::%', ':::', '[::1', 'x'.repeat(5_000)]) assert.equal(await asked(odd), '200', odd);
});

test('unknown paths are 404, known ones with another method 405 with the allowed methods', async (t) => {
  const { url, get } = await running(t, routes);
  assert.equal((await errorOf(await get('/nowhere'))).code, 'not_found');
  assert.equal((await get('/events//odds/x')).status, 404);
  const refused = await fetch(`${url}/open`, { method: 'POST', body: 'x' });
  assert.equal(refused.headers.get('allow'), 'DELETE, GET, HEAD, OPTIONS');
  assert.equal((await errorOf(refused)).code, 'method_not_allowed');
  assert.equal((await fetch(`${url}/live`, { method: 'HEAD' })).headers.get('allow'), 'GET, OPTIONS');
  assert.equal((await fetch(`${url}/copy`, { method: 'HEAD' })).headers.get('allow'), 'GET, OPTIONS');
  assert.equal((await fetch(`${url}/open`, { method: 'PATCH' })).status, 405);
});

test('HEAD answers as GET does, without the body', async (t) => {
  const { url, port } = await running(t, routes);
  const get = await fetch(`${url}/open`);
  const head = await fetch(`${url}/open`, { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.equal(head.headers.get('content-length'), get.headers.get('content-length'));
  // A body after HEAD would be read as the next answer on the connection.
  const twice = 'HEAD /open HTTP/1.1\r\nHost: x\r\n\r\nGET /away HTTP/1.1\r\nHost: x\r\n\r\n';
  const answers = await rawExchange(port, twice, /302 Found[\s\S]*\r\n\r\n/);
  assert.match(answers, /^HTTP\/1.1 200 OK\r\n[\s\S]*\r\n\r\nHTTP\/1.1 302/);
  assert.equal((await fetch(`${url}/nowhere`, { method: 'HEAD' })).status, 404);
});

test('HEAD of an answer in pieces has no body, and the connection stays', async (t) => {
  const { url, port, server } = await running(t, routes);
  for (const path of ['/pieces-after-0', '/pieces-after-20']) {
    assert.equal(await (await fetch(url + path)).text(), 'ab');
    const answer = await rawExchange(port, `HEAD ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`, /never/);
    assert.match(answer, /^HTTP\/1.1 200 OK\r\n[\s\S]*text\/csv\r\n(?:[^\r]+\r\n)*\r\n$/);
    const socket = connect(port, '127.0.0.1');
    for (let times = 0; times < 3; times++) {
      socket.write(`HEAD ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      const [bytes] = (await once(socket, 'data')) as [Buffer];
      assert.match(bytes.toString(), /^HTTP\/1.1 200 OK\r\n(?:[^\r]+\r\n)+\r\n$/);
    }
    socket.destroy();
  }
  assert.equal(server.streamCount(), 0);
});

test('a client that leaves before an answer in pieces begins is no error', async (t) => {
  let begun = false;
  let ended = false;
  const late = route({
    method: 'GET',
    path: '/late',
    auth: 'public',
    handler: async (context) => {
      begun = true;
      try {
        await until('the client has left', () => context.aborted);
        await sendPieces(context.stream('body'), Buffer.from('text/csv'), () => undefined);
      } finally {
        ended = true;
      }
    },
  });
  const { port, logged } = await running(t, [late]);
  const socket = connect(port, '127.0.0.1');
  socket.write('GET /late HTTP/1.1\r\nHost: x\r\n\r\n');
  await until('it is asked', () => begun);
  socket.destroy();
  await until('it has ended', () => ended);
  assert.ok(logged.some((line) => line.includes('client gone')));
  assert.deepEqual(
    logged.filter((line) => !line.includes('"level":"debug"')),
    [],
  );
});

test('preflight requests are answered for every path', async (t) => {
  const { url } = await running(t, routes);
  const response = await fetch(`${url}/free`, { method: 'OPTIONS', headers: { origin: 'https://a.example' } });
  assert.equal(response.status, 204);
  assert.equal(response.headers.get('access-control-allow-origin'), '*');
  assert.match(response.headers.get('access-control-allow-headers')!, /X-API-Key.*Prefer/);
  assert.match(response.headers.get('access-control-allow-methods')!, /GET, POST, PUT, PATCH, DELETE, OPTIONS/);
});

test('path and query parameters arrive decoded, the key cut out of the query', async (t) => {
  const { get } = await running(t, routes);
  const response = await get('/events/nba_a%20b%2Fc/odds/x?limit=7&api_key=sk_live_secret');
  assert.deepEqual(await response.json(), { eventId: 'nba_a b/c', book: 'x', limit: 7, text: 'free 7 limit=7' });
});

test('a handler may answer later, with any status', async (t) => {
  const { get, url } = await running(t, routes);
  const response = await get('/later');
  assert.equal(response.status, 201);
  assert.deepEqual(await response.json(), { later: true });
  const removed = await fetch(`${url}/open`, { method: 'DELETE' });
  assert.deepEqual([removed.status, await removed.text()], [204, '']);
  const away = await fetch(`${url}/away`, { redirect: 'manual' });
  assert.deepEqual([away.status, away.headers.get('location')], [302, 'https://example.com/a?b=c']);
});

test('a failing handler is a 500 without details for the caller, and with all of them in the log', async (t) => {
  const { get, logged } = await running(t, routes);
  for (const path of ['/boom', '/boom-later', '/silent', '/inject?to=https://a.example/%0d%0aSet-Cookie:%20a=b']) {
    const response = await get(path);
    const id = response.headers.get('x-request-id')!;
    assert.equal(response.headers.get('set-cookie'), null);
    assert.deepEqual(await errorOf(response), { status: 500, code: 'internal_error', message: 'internal error' });
    assert.ok(
      logged.some((line) => line.includes(id) && line.includes('"level":"error"')),
      path,
    );
  }
});

test('an answer is sent once', async (t) => {
  const { get } = await running(t, routes);
  assert.equal(await (await get('/twice')).json(), 1);
});

test('requests are logged and counted per route, and no key is in the log', async (t) => {
  const { get, key, logged, url } = await running(t, routes);
  const pro = key('pro');
  await get(`/free?sport=nba&api_key=${pro}`);
  await get(`/free?api%5Fkey=${pro}`, pro);
  await get('/nowhere');
  const lines = logged.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.equal(lines.filter((line) => line['path'] === '/free' && line['status'] === 200).length, 2);
  assert.equal(lines[0]!['query'], 'sport=nba');
  assert.ok(!logged.join('').includes(pro.slice(8)));
  const metrics = await (await fetch(`${url}/metrics`)).text();
  assert.match(metrics, /overround_http_requests_total\{method="GET",route="\/free",status="200"\} 2/);
  assert.match(metrics, /overround_http_requests_total\{method="\*",route="unmatched",status="404"\} 1/);
  assert.match(metrics, /overround_http_requests_in_flight 1/);
});
