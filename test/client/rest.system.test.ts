// The client's calls to a server that is slow, overloaded, unreachable, or not overround.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { backupCommand } from '../../src/cli/backup.js';
import { OverroundClient, OverroundError } from '../../src/client/client.js';
import { newFolder } from '../temp-folders.js';

type Reply = (response: ServerResponse, request: IncomingMessage, count: number) => void;

/** A server on its own port; `paths` are the paths that were requested. */
async function serving(t: TestContext, reply: Reply): Promise<{ url: string; paths: string[] }> {
  const paths: string[] = [];
  const server = createServer((request, response) => reply(response, request, paths.push(request.url ?? '')));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths };
}

function send(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

const OK = { success: true, data: [], meta: {}, updated_at: '2026-11-20T18:00:00Z' };
const busy = (retryAfter: number) => ({ error: { code: 'rate_limited', message: 'too many', retryAfter } });

async function failure(call: Promise<unknown>): Promise<OverroundError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof OverroundError, String(error));
  return error;
}

test('a read is retried after 429 and 503, not before the time the server states, and a write is not', async (t) => {
  const times: number[] = [];
  const { url, paths } = await serving(t, (response, _request, count) => {
    times.push(performance.now());
    if (count === 1) send(response, 429, busy(0.2));
    else if (count === 2) send(response, 503, 'starting', { 'retry-after': '0' });
    else send(response, 200, OK, {});
  });
  const client = new OverroundClient({ url });
  assert.deepEqual((await client.odds({ league: ['nba', 'nfl'], live: true })).data, []);
  assert.deepEqual(paths, Array(3).fill('/api/v1/odds?league=nba%2Cnfl&live=true'));
  assert.ok(times[1]! - times[0]! >= 190);
  const server = await serving(t, (response) => send(response, 503, {}));
  await failure(new OverroundClient({ url: server.url }).createKey('x'));
  assert.equal(server.paths.length, 1);
});

test('a redirect is not followed: the key is for the server alone', async (t) => {
  const elsewhere = await serving(t, (response) => send(response, 200, OK));
  const { url } = await serving(t, (response) => send(response, 302, {}, { location: `${elsewhere.url}/bet` }));
  const client = new OverroundClient({ url, apiKey: 'sk_live_secret', retries: 0 });
  assert.match((await failure(client.get('/deeplinks/1'))).message, /redirect/);
  const stream = client.stream('odds', {}, { firstTriesMax: 1, onError: () => undefined });
  assert.match((await stream.ended)!.message, /redirect/);
  const out = join(newFolder('overround-redirect-'), 'copy');
  const backup = backupCommand({ url, key: 'sk_live_secret', out }, { out: () => undefined, terminal: undefined });
  await assert.rejects(backup, /redirect/);
  assert.deepEqual(elsewhere.paths, []);
});

test('a wait longer than ten seconds is left to the caller: the error has its length', async (t) => {
  const { url, paths } = await serving(t, (response) =>
    send(response, 429, busy(30), {
      'x-request-id': 'req_7',
      'x-ratelimit-limit': '12',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1795197600',
    }),
  );
  const client = new OverroundClient({ url });
  assert.equal(client.rateLimit, undefined);
  const { code, status, retryAfter, requestId } = await failure(client.events());
  assert.deepEqual([code, status, retryAfter, requestId], ['rate_limited', 429, 30, 'req_7']);
  assert.equal(paths.length, 1);
  assert.deepEqual(client.rateLimit, { limit: 12, remaining: 0, resetsAt: new Date(1_795_197_600_000) });
});

test('a server that is unreachable, silent, or not overround is an OverroundError', async (t) => {
  const away = new OverroundClient({ url: 'http://127.0.0.1:1', retries: 0 });
  const gone = await failure(away.odds());
  assert.deepEqual([gone.code, gone.status], ['network_error', 0]);
  assert.match(gone.message, /could not be reached: .*(?:ECONNREFUSED|bad port)/);
  const silent = await serving(t, () => undefined);
  const { code, message } = await failure(new OverroundClient({ url: silent.url, timeoutMs: 400, retries: 1 }).odds());
  assert.deepEqual([code, message], ['timeout', 'the server did not answer within 400 ms']);
  assert.equal(silent.paths.length, 2);
  const page = await serving(t, (response, { url }) =>
    url === '/api/v1/sports' ? send(response, 200, '<html>') : send(response, 418, '<html>'),
  );
  const other = new OverroundClient({ url: page.url });
  assert.deepEqual((await failure(other.odds())).message, 'the server answered 418');
  assert.deepEqual((await failure(other.sports())).message, 'the answer is no JSON');
});

test('a call can be called off, before, while it waits and between two tries', async (t) => {
  const silent = await serving(t, () => undefined);
  const client = new OverroundClient({ url: silent.url });
  const early = await failure(client.odds({}, { signal: AbortSignal.abort('no more') }));
  assert.deepEqual([early.code, early.cause], ['aborted', 'no more']);
  assert.equal(silent.paths.length, 0);
  assert.equal((await failure(client.odds({}, { signal: AbortSignal.timeout(30) }))).code, 'aborted');
  const off = new AbortController();
  const full = await serving(t, (response) => {
    response.once('finish', () => setTimeout(() => off.abort(), 60));
    send(response, 429, busy(9));
  });
  const calls = failure(new OverroundClient({ url: full.url }).odds({}, { signal: off.signal }));
  assert.equal((await calls).code, 'aborted');
  assert.equal(full.paths.length, 1);
});

test('a stream whose server is unreachable ends after some attempts with the reason; each attempt is reported', async () => {
  const client = new OverroundClient({ url: 'http://127.0.0.1:1' });
  const lost: string[] = [];
  const options = { retryMs: 1, firstTriesMax: 3, onLost: ({ code }: OverroundError) => lost.push(code) };
  const { ready, ended } = client.stream('odds', {}, options);
  const error = await ended;
  assert.equal(error?.code, 'network_error');
  await assert.rejects(ready, error);
  assert.deepEqual(lost, ['network_error', 'network_error']);
});

test('invalid events are reported, and not merged', async (t) => {
  const { url } = await serving(t, (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(
      'event: connected\ndata: {"stream_id":"s","epoch":"e","resumed":false}\n\nevent: snapshot\ndata: {"odds":\n\n',
    );
  });
  const codes: string[] = [];
  const stream = new OverroundClient({ url }).stream(
    'odds',
    {},
    { retryMs: 1, onLost: ({ code }) => codes.push(code) },
  );
  while (codes.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  stream.close();
  await stream.ended;
  assert.equal(codes[0], 'bad_frame');
});

/** Runs code in a process of its own, because an uncaught exception ends the process. */
function program(text: string): Promise<{ code: number | null; err: string }> {
  const client = JSON.stringify(new URL('../../src/client/client.js', import.meta.url).href);
  const args = ['--input-type=module', '-e', `import { OverroundClient } from ${client};\n${text}`];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { timeout: 120_000 }, (_error, _out, err) =>
      resolve({ code: child.exitCode, err }),
    );
  });
}

test('without error handlers a refusal and an exception of a callback end the program visibly', async (t) => {
  const { url } = await serving(t, (response, request) => {
    if (request.headers['x-api-key'] === 'bad')
      return send(response, 401, { error: { code: 'unauthorized', message: 'no such key' } });
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: connected\ndata: {"stream_id":"s","epoch":"e","resumed":false}\n\n');
  });
  const refused = await program(`new OverroundClient({ url: '${url}', apiKey: 'bad' }).stream('odds');`);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /OverroundError: no such key/);
  const thrown = await program(
    `new OverroundClient({ url: '${url}' }).stream('odds', {}, { onEvent: () => { throw new Error('mine'); } });`,
  );
  assert.equal(thrown.code, 1);
  assert.match(thrown.err, /Error: mine/);
});
