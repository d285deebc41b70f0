// Requests that two servers could read as different ones, on a whole server.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { runs } from '../long.js';
import { type Api, api } from './api.js';
import { rawExchange } from './http/harness.js';
import { RawWs } from './ws/raw-ws.js';

const NEVER = /\0never\0/;

async function serving(t: TestContext) {
  const made = await api(t);
  const key = made.key('pro', { streaming: true });
  return { made, key, port: Number(new URL(made.url).port) };
}

/** The victim's own key, whose deletion an attacker puts into the body of a request of their own. */
async function hiddenDeletion(made: Api, key: string): Promise<{ bytes: string; stands: () => Promise<boolean> }> {
  const create = await made.fetch('/account/keys', {
    method: 'POST',
    key,
    headers: { 'content-type': 'application/json' },
    body: '{"name":"spare"}',
  });
  const { id } = ((await create.json()) as { data: { id: string } }).data;
  return {
    bytes: `DELETE /api/v1/account/keys/${id} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`,
    stands: async () => {
      const listed = (await (await made.fetch('/account/keys', { key })).json()) as { data: { id: string }[] };
      return listed.data.some((one) => one.id === id);
    },
  };
}

test('a request hidden in the body of another, for a proxy that reads the length in the other way, is not run', async (t) => {
  const { made, key, port } = await serving(t);
  const { bytes: hidden, stands } = await hiddenDeletion(made, key);
  const chunk = `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`;
  const post = 'POST /api/v1/odds/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  const attacks = [
    `GET /healthz HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`,
    `GET /healthz HTTP/1.0\r\nHost: x\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
    `${post}Content-Length: ${chunk.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    `${post}Content-Length: 2\r\nContent-Length: ${hidden.length + 2}\r\n\r\n{}${hidden}`,
    `${post}Content-Length:\r\nContent-Length: ${hidden.length + 2}\r\n\r\n${hidden}`,
    `${post}Content-Length: ${hidden.length + 5}\r\nTransfer-Encoding:\r\n\r\n${hidden}`,
    `${post}Transfer-Encoding: identity\r\n\r\n0\r\n\r\n${hidden}`,
    `${post}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${hidden}`,
    `${post}Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    `GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n${hidden}`,
    `OPTIONS /api/v1/odds HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
    `GET /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
  ];
  for (const attack of attacks) {
    // Read until the server closes the connection.
    const answer = await rawExchange(port, attack, NEVER);
    assert.doesNotMatch(answer, /^HTTP\/1\.1 2|HTTP\/1\.1 204/, JSON.stringify(attack.slice(0, 120)));
    assert.ok(await stands(), JSON.stringify(attack));
  }
});

test('a length or host that can be read in two ways is 400 with id and JSON, and the connection is closed', async (t) => {
  const { port, made, key } = await serving(t);
  const post = 'POST /api/v1/odds/batch HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
  for (const request of [
    `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} `,
    `${post}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`,
    `${post}Content-Length: 2\r\ntransfer-encoding:\r\n\r\n{}`,
    `${post}Transfer-Encoding: gzip\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    'GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
    'HEAD /healthz HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n',
    'OPTIONS /api/v1/odds HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n',
    'GET /nowhere HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
  ]) {
    const answer = await rawExchange(port, request, NEVER);
    assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/, request);
    assert.match(answer, /\r\nX-Request-Id: \S+\r\n/, request);
    assert.match(answer, /\r\nConnection: close\r\n/, request);
    if (!request.startsWith('HEAD')) assert.match(answer, /"code":"invalid_request"/, request);
  }
  // Beside what uWebSockets refuses by itself, with its own page.
  const both = `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
  assert.match(await rawExchange(port, both, NEVER), /^HTTP\/1\.1 400 /);
  const old = 'GET /healthz HTTP/1.0\r\nHost: x\r\n\r\n';
  assert.match(await rawExchange(port, old, NEVER), /^HTTP\/1\.1 505 /);
  const chunked = `${post}X-API-Key: ${key}\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
  assert.match(
    await rawExchange(port, chunked, /\}\}$/),
    /odds_ids is required|is required/,
    'chunked bodies are read',
  );
  const get = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
  const twice = await rawExchange(port, get + get, /\}[\s\S]*\}/);
  assert.equal(twice.match(/HTTP\/1.1 200 OK/g)?.length, 2, 'requests may follow each other at once');
  const ws = new RawWs(made, { api_key: key, channels: 'odds' });
  await ws.frame('snapshot:complete');
  ws.socket.terminate();
});

test('whatever lines of length and host a request has, a request after it runs only if the first was clear', async (t) => {
  const { port } = await serving(t);
  const line = fc.constantFrom(
    'Host: x',
    'Host: y',
    'Content-Length: 0',
    'Content-Length: 5',
    'Content-Length:',
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: x',
    'Transfer-Encoding:',
    'A: b',
  );
  const next = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 4 }), async (lines) => {
      const request = ['GET /healthz HTTP/1.1', 'Host: x', ...lines, '', next].join('\r\n');
      const telling = lines.filter((one) => one !== 'A: b');
      const bothRun = telling.length === 0 || telling.join() === 'Content-Length: 0';
      const answer = await rawExchange(port, request, /HTTP\/1.1 200 OK[\s\S]*HTTP\/1.1 200 OK[\s\S]*\}/);
      assert.equal(answer.split('HTTP/1.1 200 OK').length === 3, bothRun, request);
    }),
    { numRuns: runs(100) },
  );
});
