import assert from 'node:assert/strict';
import { connect as connectSocket } from 'node:net';
import { test } from 'node:test';
import { atOnce } from '../../accounts/keys-at-once.js';
import { until } from '../../support/until.js';
import { rawExchange } from '../http/harness.js';
import { connect, envelope, initialize, post, request, toolCall } from './clients.js';
import { echoing, READING } from './echoes.js';

interface RpcBody {
  jsonrpc: string;
  id: unknown;
  error?: { code: number; message: string; data?: Record<string, unknown> };
  result?: Record<string, unknown>;
}

const rpc = async (response: Response): Promise<RpcBody> => (await response.json()) as RpcBody;

test('without a key, or with an unknown one, the answer is 401 with a challenge and a JSON-RPC error', async (t) => {
  const { url } = await echoing(t);
  for (const [headers, reason, challenge] of [
    [{}, 'missing_api_key', 'Bearer realm="overround"'],
    [{ authorization: 'Bearer sk_nobody' }, 'invalid_api_key', 'Bearer realm="overround", error="invalid_token"'],
  ] as const) {
    const response = await post(url, initialize(), headers);
    assert.equal(response.status, 401);
    assert.equal(response.headers.get('www-authenticate'), challenge);
    const { jsonrpc, id, error } = await rpc(response);
    assert.deepEqual([jsonrpc, id, error!.code], ['2.0', null, -32000]);
    assert.deepEqual([error!.data!['code'], error!.data!['reason']], ['unauthorized', reason]);
  }
  await assert.rejects(connect(t, url, undefined, 'sessions'), /API key is needed/);
  await assert.rejects(connect(t, url, undefined, 'stateless'));
});

test('malformed parameters are -32602 with the id and one short line, not the words of a validator', async (t) => {
  const { url, key } = await echoing(t);
  const auth = { 'x-api-key': key('pro') };
  const cases: [method: string, params: unknown][] = [
    ['initialize', {}],
    ['initialize', undefined],
    ['initialize', { protocolVersion: 5, capabilities: {}, clientInfo: { name: 'x', version: '1' } }],
    ['initialize', { protocolVersion: '2025-06-18', capabilities: [], clientInfo: 'x' }],
    ['tools/call', { name: 7 }],
    ['tools/call', { name: 'get_sports', arguments: 'x' }],
    ['tools/list', { cursor: 5 }],
  ];
  for (const [i, [method, params]] of cases.entries()) {
    const response = await post(url, { jsonrpc: '2.0', id: i, method, params }, auth);
    const { id, error } = await rpc(response);
    assert.deepEqual([response.status, id, error?.code], [200, i, -32602], `${method} ${JSON.stringify(params)}`);
    assert.match(error!.message, /^the parameters of [a-z/]+ must be: .{1,100}$/);
  }
});

test('the key may be in either header or in the URL, as everywhere', async (t) => {
  const { url, key } = await echoing(t);
  const pro = key('pro');
  assert.equal((await post(url, initialize(), { 'x-api-key': pro })).status, 200);
  assert.equal((await post(url, initialize(), { authorization: `Bearer ${pro}` })).status, 200);
  const inQuery = await fetch(`${url}/mcp?api_key=${pro}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(initialize()),
  });
  assert.equal(inQuery.status, 200, 'a client that does not say what it accepts takes JSON');
});

for (const version of ['2025-03-26', '2025-06-18', '2025-11-25'])
  test(`revision ${version}: initialize begins a session, DELETE ends it, and then it is 404`, async (t) => {
    const { url, key, sessions } = await echoing(t);
    const auth = { 'x-api-key': key('pro') };
    const begun = await post(url, initialize(version), auth);
    const id = begun.headers.get('mcp-session-id')!;
    const { result } = await rpc(begun);
    assert.equal(result!['protocolVersion'], version);
    assert.deepEqual(result!['capabilities'], { tools: {} });
    assert.match(result!['instructions'] as string, /get_sports/);
    const headers = { ...auth, 'mcp-session-id': id, 'mcp-protocol-version': version };
    const ready = await post(url, { jsonrpc: '2.0', method: 'notifications/initialized' }, headers);
    assert.deepEqual([ready.status, await ready.text()], [202, '']);
    assert.equal(
      ((await rpc(await post(url, request('tools/list'), headers))).result!['tools'] as []).length,
      READING.length,
    );
    assert.deepEqual((await rpc(await post(url, request('ping'), headers))).result, {});
    assert.equal(sessions.size, 1);
    assert.equal((await fetch(`${url}/mcp`, { method: 'DELETE', headers })).status, 204);
    assert.equal(sessions.size, 0);
    const gone = await post(url, request('ping'), headers);
    assert.deepEqual([gone.status, (await rpc(gone)).error!.code], [404, -32001]);
    assert.equal((await fetch(`${url}/mcp`, { method: 'DELETE', headers })).status, 404);
    assert.equal((await fetch(`${url}/mcp`, { method: 'DELETE', headers: auth })).status, 400);
  });

test("a session is its key's alone", async (t) => {
  const { url, key, sessions } = await echoing(t);
  const begun = await post(url, initialize(), { 'x-api-key': key('pro') });
  const stolen = { 'x-api-key': key('pro'), 'mcp-session-id': begun.headers.get('mcp-session-id')! };
  assert.equal((await post(url, request('ping'), stolen)).status, 404);
  assert.equal((await fetch(`${url}/mcp`, { method: 'DELETE', headers: stolen })).status, 404);
  assert.equal(sessions.size, 1);
});

test('a revoked key ends with its sessions at the next request', async (t) => {
  const { url, key, accounts } = await echoing(t);
  const pro = key('pro');
  const begun = await post(url, initialize(), { 'x-api-key': pro });
  atOnce(accounts).revoke(accounts.authenticate(pro)!.id);
  const headers = { 'x-api-key': pro, 'mcp-session-id': begun.headers.get('mcp-session-id')! };
  assert.equal((await post(url, request('ping'), headers)).status, 401);
});

test('a request without a session is answered by itself', async (t) => {
  const { url, key, sessions } = await echoing(t);
  const { result } = await rpc(await post(url, toolCall('get_odds', { limit: 2 }), { 'x-api-key': key('pro') }));
  assert.equal((result!['structuredContent'] as { data: { query: { limit: number } } }).data.query.limit, 2);
  assert.equal(sessions.size, 0);
});

test('revision 2026-07-28: no session, discovery, calls; headers must match the body', async (t) => {
  const { url, key, sessions } = await echoing(t);
  const headers = { 'x-api-key': key('pro'), 'mcp-protocol-version': '2026-07-28' };
  const send = (method: string, params: object, more: Record<string, string> = {}) =>
    post(url, request(method, { ...params, ...envelope }), { ...headers, 'mcp-method': method, ...more });
  const discovered = await send('server/discover', {});
  assert.equal(discovered.headers.get('mcp-session-id'), null);
  assert.deepEqual((await rpc(discovered)).result!['supportedVersions'], ['2026-07-28']);
  const called = await send('tools/call', { name: 'get_odds', arguments: {} }, { 'mcp-name': 'get_odds' });
  assert.equal((await rpc(called)).result!['resultType'], 'complete');
  const mismatched = await send('tools/call', { name: 'get_odds', arguments: {} }, { 'mcp-name': 'get_splits' });
  assert.deepEqual([mismatched.status, (await rpc(mismatched)).error!.code], [400, -32020]);
  const listening = await rpc(await send('subscriptions/listen', { notifications: { toolsListChanged: true } }));
  assert.equal(listening.error!.code, -32603, 'there is nothing to subscribe to');
  assert.equal(sessions.size, 0);
});

test('an unknown protocol version is refused', async (t) => {
  const { url, key } = await echoing(t);
  const headers = { 'x-api-key': key('pro'), 'mcp-protocol-version': '1999-01-01' };
  const response = await post(url, request('ping'), headers);
  assert.equal(response.status, 400);
  assert.match((await rpc(response)).error!.message, /1999-01-01/);
  const { result } = await rpc(await post(url, initialize('1999-01-01'), { 'x-api-key': key('pro') }));
  assert.equal(result!['protocolVersion'], '2025-11-25', 'initialize offers the newest instead');
});

test('GET is refused: the server sends no messages of its own', async (t) => {
  const { url, key } = await echoing(t);
  const response = await fetch(`${url}/mcp`, { headers: { 'x-api-key': key('pro'), accept: 'text/event-stream' } });
  assert.deepEqual([response.status, response.headers.get('allow')], [405, 'DELETE, OPTIONS, POST']);
});

test('pages from elsewhere are refused, pages of this machine and callers other than pages are not', async (t) => {
  const local = await echoing(t);
  const status = async (server: typeof local, headers: Record<string, string>, host: string) => {
    const body = JSON.stringify(initialize());
    const lines = Object.entries({ 'x-api-key': server.key('pro'), ...headers }).map(([n, v]) => `${n}: ${v}\r\n`);
    const head = `POST /mcp HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
    const answer = await rawExchange(server.port, `${head}\r\n${lines.join('')}\r\n${body}`, /\}$/);
    return Number(answer.split(' ')[1]);
  };
  const here = `127.0.0.1:${local.port}`;
  assert.equal(await status(local, {}, here), 200);
  assert.equal(await status(local, { origin: 'http://localhost:6274' }, here), 200);
  assert.equal(await status(local, { origin: `http://${here}` }, here), 200);
  assert.equal(await status(local, { origin: 'http://[::1]:3000' }, here), 200);
  assert.equal(await status(local, { origin: 'https://evil.example' }, here), 403);
  assert.equal(await status(local, { origin: 'null' }, here), 403);
  assert.equal(await status(local, { origin: 'http://localhost.evil.example' }, here), 403);
  const rebound = `evil.example:${local.port}`;
  assert.equal(await status(local, { origin: `http://${rebound}` }, rebound), 403, 'DNS rebinding');
  const open = await echoing(t, { host: '0.0.0.0' });
  assert.equal(await status(open, { origin: 'https://odds.example' }, 'odds.example'), 200);
  assert.equal(await status(open, { origin: 'https://evil.example' }, 'odds.example'), 403);
  const forwarded = { origin: 'https://odds.example', 'x-forwarded-host': 'odds.example' };
  assert.equal(await status(open, forwarded, 'upstream'), 403, 'anybody can say that without a proxy');
  // As nginx passes them on from another port of this machine.
  const behind = await echoing(t, { trustProxy: true });
  assert.equal(await status(behind, { origin: 'https://odds.example' }, 'odds.example'), 200);
  assert.equal(await status(behind, { origin: 'https://odds.example:8443' }, 'odds.example:8443'), 200);
  assert.equal(await status(behind, forwarded, 'upstream'), 200);
  assert.equal(await status(behind, { origin: 'https://evil.example' }, 'odds.example'), 403);
  assert.equal(await status(behind, { ...forwarded, origin: 'https://evil.example' }, 'evil.example'), 403);
});

test('bodies that are not JSON-RPC are refused as JSON-RPC requires', async (t) => {
  const { url, key } = await echoing(t);
  const auth = { 'x-api-key': key('enterprise') };
  const refused = async (body: unknown, headers = {}) => {
    const response = await post(url, body, { ...auth, ...headers });
    return [response.status, (await rpc(response)).error?.code];
  };
  assert.deepEqual(await refused('{'), [400, -32700]);
  assert.deepEqual(await refused(''), [400, -32700]);
  assert.deepEqual(await refused('"x"'), [400, -32600]);
  assert.deepEqual(await refused('null'), [400, -32600]);
  assert.deepEqual(await refused({ jsonrpc: '1.0', id: 1, method: 'ping' }), [400, -32600]);
  assert.deepEqual(await refused([]), [400, -32600]);
  assert.deepEqual(await refused([null]), [400, -32600]);
  assert.deepEqual(await refused({ id: 1 }, { 'content-type': 'text/plain' }), [415, -32000]);
  assert.deepEqual(await refused({ pad: 'x'.repeat(256 * 1024) }), [413, -32000]);
  assert.deepEqual(await refused({ pad: 'x'.repeat(9 * 1024 * 1024) }), [413, -32000]);
  const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_odds","arguments":{"sport":${'['.repeat(50_000)}${']'.repeat(50_000)}}}}`;
  assert.deepEqual(await refused(deep), [400, -32700]);
  assert.equal((await rpc(await post(url, request('resources/list'), auth))).error!.code, -32601);
});

test('batches are bounded, and each message is answered once', async (t) => {
  const { url, key } = await echoing(t);
  const auth = { 'x-api-key': key('enterprise') };
  const calls = Array.from({ length: 21 }, () => toolCall('get_odds'));
  const tooMany = await post(url, calls, auth);
  assert.deepEqual([tooMany.status, (await rpc(tooMany)).error!.code], [400, -32600]);
  const twins = await post(url, [calls[0], calls[0]], auth);
  assert.deepEqual([twins.status, (await rpc(twins)).error!.code], [400, -32600]);
  const mixed = (await (
    await post(url, [request('ping'), calls[0], { jsonrpc: '2.0', method: 'notifications/initialized' }], auth)
  ).json()) as unknown[];
  assert.equal(mixed.length, 2);
  const bad = { ...request('tools/call'), params: { name: 5 } };
  const partly = await post(url, [request('ping'), bad], auth);
  const answers = (await partly.json()) as RpcBody[];
  assert.deepEqual([answers.length, answers[1]!.id, answers[1]!.error!.code], [2, bad.id, -32602]);
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  assert.equal((await post(url, [cancel], auth)).status, 202);
});

test('a call that is cancelled in its own batch is still answered', async (t) => {
  const { url, key } = await echoing(t);
  const asked = toolCall('get_odds', { sport: 'later' });
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: asked.id } };
  const response = await post(url, [asked, cancel], { 'x-api-key': key('pro') });
  assert.equal(((await response.json()) as RpcBody[])[0]!.id, asked.id);
});

test('messages other than calls have a limit of their own', async (t) => {
  const { url, key, mcpClock } = await echoing(t);
  const auth = { 'x-api-key': key('free') };
  const pings = () => Array.from({ length: 20 }, () => request('ping'));
  for (let i = 0; i < 6; i++) assert.equal((await post(url, pings(), auth)).status, 200);
  const spent = await post(url, toolCall('get_rich'), auth);
  assert.deepEqual([spent.status, spent.headers.get('retry-after')], [429, '30']);
  assert.equal((await rpc(spent)).error!.data!['code'], 'rate_limited');
  const wrong = { ...request('tools/call'), params: { name: 'get_odds', arguments: 5 } };
  assert.equal((await post(url, wrong, auth)).status, 429, 'nor is what no tool is given');
  assert.equal((await post(url, toolCall('get_odds'), auth)).status, 200, 'calls are not among them');
  mcpClock.set(mcpClock.now() + 30_000);
  assert.equal((await post(url, request('ping'), auth)).status, 200);
});

test('clients that vanish in the middle of a call or of a body leave nothing behind', async (t) => {
  const { url, key, port, server, sessions, logged } = await echoing(t);
  const apiKey = key('enterprise');
  const body = JSON.stringify(toolCall('get_odds', { sport: 'later' }));
  const head = `POST /mcp HTTP/1.1\r\nhost: x\r\nx-api-key: ${apiKey}\r\ncontent-type: application/json\r\n`;
  const vanish = (text: string) =>
    new Promise<void>((resolve) => {
      const socket = connectSocket(port, '127.0.0.1', () => {
        socket.write(text, () => setTimeout(() => resolve(void socket.destroy()), 5));
      });
    });
  await Promise.all(
    Array.from({ length: 50 }, (_, i) =>
      vanish(`${head}content-length: ${body.length + (i % 2) * 1000}\r\n\r\n${body}`),
    ),
  );
  await until('nothing is under way', () => server.inFlight === 0);
  assert.equal(sessions.size, 0);
  assert.deepEqual(
    logged.filter((line) => line.includes('"level":50')),
    [],
  );
  assert.equal((await post(url, request('ping'), { 'x-api-key': apiKey })).status, 200);
});

test('a browser may send and read the headers of the protocol', async (t) => {
  const { url } = await echoing(t);
  const preflight = await fetch(`${url}/mcp`, { method: 'OPTIONS', headers: { origin: 'http://localhost:6274' } });
  const allowed = preflight.headers.get('access-control-allow-headers')!.toLowerCase();
  for (const name of ['mcp-session-id', 'mcp-protocol-version', 'mcp-method', 'mcp-name'])
    assert.ok(allowed.includes(name), name);
  const refused = await post(url, initialize());
  assert.match(refused.headers.get('access-control-expose-headers')!, /Mcp-Session-Id/);
});
