// HTTP/1.0 on a whole server, beside everything else on the same port.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { api, fillWorld } from './api.js';
import { noGate, rawExchange } from './http/harness.js';
import { ladder, RawSse, until } from './stream-rig.js';
import { RawWs } from './ws/raw-ws.js';

const skip = noGate;

test('with --http10 no an HTTP/1.0 request is refused with 505, and the server continues', async (t) => {
  const made = await api(t, { http10: 'no' });
  const port = Number(new URL(made.url).port);
  assert.match(await rawExchange(port, 'GET /healthz HTTP/1.0\r\nHost: x\r\n\r\n', /<\/i>/), /^HTTP\/1.1 505 /);
  assert.equal((await fetch(`${made.url}/healthz`)).status, 200);
});

test('plain requests of HTTP/1.0 are answered as those of 1.1, and their connections closed', {
  skip,
}, async (t) => {
  const made = await api(t);
  await fillWorld(made);
  const key = made.key('pro', { scopes: ['ingest'] });
  const port = Number(new URL(made.url).port);
  const old = async (request: string, headers: string[] = [], body = '') => {
    const head = [`${request} HTTP/1.0`, 'Host: odds.example', `X-API-Key: ${key}`, ...headers].join('\r\n');
    // Read until the server closes the connection.
    const answer = await rawExchange(port, `${head}\r\n\r\n${body}`, /\0never\0/);
    const at = answer.indexOf('\r\n\r\n');
    return { status: Number(answer.slice(9, 12)), head: answer.slice(0, at).toLowerCase(), body: answer.slice(at + 4) };
  };
  const odds = await old('GET /api/v1/odds?limit=200', ['Connection: close']);
  assert.equal(odds.status, 200);
  const same = (await (await made.fetch('/odds?limit=200', { key })).json()) as { data: object[] };
  assert.deepEqual(JSON.parse(odds.body).data, same.data);
  assert.match(odds.head, /x-request-id: /);
  assert.match(odds.head, /x-ratelimit-remaining: /);
  assert.doesNotMatch(odds.head, /transfer-encoding/);
  const message = JSON.stringify({ book: 'fanduel', polled_at: '2026-11-20T18:00:00Z', scope: 'none', events: [] });
  const sent = await old(
    'POST /api/v1/ingest',
    ['Content-Type: application/json', `Content-Length: ${message.length}`],
    message,
  );
  assert.deepEqual([sent.status, JSON.parse(sent.body).success], [200, true]);
  const missing = await old('GET /nowhere');
  assert.deepEqual([missing.status, JSON.parse(missing.body).error.code], [404, 'not_found']);
  const head = await old('HEAD /api/v1/odds');
  assert.deepEqual([head.status, head.body], [200, '']);
  const many = await Promise.all(Array.from({ length: 50 }, () => old('GET /healthz')));
  assert.ok(many.every(({ status }) => status === 200));
  await until('their connections are over', () => made.server.connections.open <= 12);
});

test('HTTP/1.1 is unaffected by it: keep-alive, streams, WebSockets, the limit on connections', {
  skip,
}, async (t) => {
  const made = await api(t, { 'max-connections': '4' });
  await made.ingest(ladder(1, 2, -110));
  const key = made.key('pro', { streaming: true });
  const port = Number(new URL(made.url).port);
  const get = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';
  const twice = await rawExchange(port, get + get, /\}[\s\S]*\}/);
  assert.equal(twice.match(/HTTP\/1.1 200 OK/g)?.length, 2);
  await until('it is gone', () => made.server.connections.open === 0);
  const sse = new RawSse(made, '/stream/odds', key);
  const ws = new RawWs(made, { api_key: key, channels: 'odds' });
  await until('complete', () => sse.table.complete);
  await ws.frame('snapshot:complete');
  await made.ingest(ladder(2, 2, -120));
  await until('news on both', () => ws.types.includes('odds:update') && sse.events.at(-1)!.event === 'odds:update');
  assert.equal(made.server.connections.open, 2);
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => rawExchange(port, get, /\}/).then((answer) => answer.slice(9, 12))),
  );
  assert.ok(answers.includes('503') && answers.every((status) => status === '200' || status === '503'), answers.join());
  sse.vanish();
  ws.socket.terminate();
});
