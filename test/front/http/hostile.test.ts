import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { Type } from '../../../src/base/model/json-schema.js';
import { LIMITS } from '../../../src/base/model/limits.js';
import { fixedAnswer } from '../../../src/front/api/answer.js';
import { type RequestContext, type Route, route } from '../../../src/front/http/context.js';
import { mockTimeouts } from '../../mocked-timeouts.js';
import { until } from '../../support/until.js';
import { errorOf, rawExchange, running } from './harness.js';

const query = Type.Object({
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  offset: Type.Integer({ minimum: 0, default: 0 }),
  live: Type.Optional(Type.Boolean()),
  since: Type.Optional(Type.String({ format: 'date-time' })),
  sport: Type.Optional(Type.Array(Type.String())),
});

const echo = route({
  method: 'GET',
  path: '/odds',
  auth: 'public',
  query,
  handler: (context) => context.sendJson({ query: context.query, ignored: context.asked.ignored }),
});

const batch = route({
  method: 'POST',
  path: '/batch',
  auth: 'public',
  body: Type.Object({
    ids: Type.Array(Type.String(), { minItems: 1, maxItems: 3 }),
    state: Type.Optional(Type.String()),
  }),
  handler: (context) => context.sendJson(context.body),
});

const push = route({
  method: 'POST',
  path: '/push',
  auth: 'public',
  rawBody: ['application/json', 'application/msgpack'],
  largeBody: true,
  handler: async (context) => context.sendJson({ type: context.contentType, size: context.body!.length }),
});

async function post(url: string, body: string | Buffer, headers: Record<string, string> = JSON_TYPE) {
  return fetch(url, { method: 'POST', body: new Uint8Array(Buffer.from(body)), headers });
}

const JSON_TYPE = { 'content-type': 'application/json' };

test('broken percent-encoding and NUL in path or query are 400', async (t) => {
  const named = route({ method: 'GET', path: '/events/:id', auth: 'public', handler: (c) => c.sendJson(c.params) });
  const { port } = await running(t, [echo, named]);
  for (const target of [
    '/odds?sport=%zz',
    '/odds?%=1',
    '/odds?sport=%C3',
    '/odds?a=%00',
    '/events/%',
    '/events/a%00b',
  ]) {
    const answer = await rawExchange(port, `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`, /\}\}$/);
    assert.match(answer, /^HTTP\/1.1 400 /, target);
    assert.match(answer, /"code":"invalid_request"/, target);
  }
});

test('an address longer than its bound is 414 with id and body, one longer than all headers may be a bare 431', async (t) => {
  const { get, port } = await running(t, [echo]);
  assert.equal((await get(`/odds?sport=${'a,'.repeat(7500)}`)).status, 200);
  for (const target of [
    `/odds?sport=${'x'.repeat(20_000)}`,
    `/odds?sport=${'x'.repeat(100_000)}`,
    `/${'x'.repeat(100_000)}`,
    `/events/${'x'.repeat(10_000)}`,
    `/odds/${'x/'.repeat(10_000)}`,
  ]) {
    const answer = await get(target);
    const { status, code } = await errorOf(answer);
    assert.deepEqual([status, code], [414, 'uri_too_long'], target.slice(0, 20));
    assert.ok(answer.headers.get('x-request-id'));
  }
  const header = (chars: number) => `GET /odds HTTP/1.1\r\nHost: x\r\nA: ${'y'.repeat(chars)}\r\n\r\n`;
  assert.match(await rawExchange(port, header(60_000), /\r\n\r\n/), /^HTTP\/1.1 200 /);
  assert.match(await rawExchange(port, header(200_000), /\r\n\r\n/), /^HTTP\/1.1 431 /);
  assert.equal((await get('/odds')).status, 200);
});

test('bytes that are not HTTP are refused and the server continues', async (t) => {
  const { get, port } = await running(t, [echo]);
  for (const bytes of [
    '\0 \0 \0\r\n\r\n',
    'hello world HTTP/9.9\r\n\r\n',
    `GET / HTTP/1.1\r\n${'a: b\r\n'.repeat(3000)}\r\n`,
  ]) {
    assert.doesNotMatch(await rawExchange(port, bytes, /\r\n\r\n/), /^HTTP\/1.1 2/);
  }
  assert.equal((await get('/odds')).status, 200);
});

test('names that belong to every object are parameters like any other', async (t) => {
  const { get } = await running(t, [echo]);
  const body = await (await get('/odds?__proto__=1&constructor=2&toString=3&limit=7')).json();
  assert.deepEqual(body, { query: { limit: 7, offset: 0 }, ignored: ['__proto__', 'constructor', 'toString'] });
});

test('bodies of the wrong kind are refused with the reason', async (t) => {
  const { url, get } = await running(t, [batch]);
  const refused: [body: string | Buffer, status: number, message: RegExp][] = [
    ['{"ids":', 400, /not JSON/],
    ['', 400, /^ids is required$/],
    ['{}', 400, /^ids is required$/],
    ['[]', 400, /^the body must be object$/],
    ['null', 400, /^the body must be object$/],
    ['{"ids":[]}', 400, /^ids must not have fewer than 1/],
    ['{"ids":["a",7]}', 400, /^ids.1 must be string$/],
    ['{"ids":["a","b","c","d"]}', 400, /^ids must not have more than 3/],
    ['{"ids":"a"}', 400, /^ids must be array$/],
    [Buffer.from([0x22, 0xff, 0x22]), 400, /not UTF-8/],
    ['['.repeat(200_000), 400, /^the body is nested more than 32 levels deep$/],
    ['['.repeat(33) + ']'.repeat(33), 400, /nested/],
    ['['.repeat(32) + ']'.repeat(32), 400, /must be object/],
    [`{"ids":[${'1,'.repeat(30_000)}1]}`, 400, /^the body has more than 20000 values$/],
    [`{${Array.from({ length: 1_001 }, (_, i) => `"k${i}":1`)}}`, 400, /1000 different names/],
    [`{"ids":["a"],"ids":["a",{"b":[]}]}`, 400, /^ids.1 must be string$/],
    [`{"ids":["a"],"state":1e999}`, 400, /^state must be string$/],
    ['x'.repeat(256 * 1024 + 1), 413, /larger than 262144 bytes/],
  ];
  for (const [body, status, message] of refused) {
    const error = await errorOf(await post(`${url}/batch`, body));
    assert.equal(error.status, status);
    assert.match(error.message, message);
  }
  assert.equal((await errorOf(await post(`${url}/batch`, '{}', { 'content-type': 'text/csv' }))).status, 415);
  const bytes = Buffer.from('{"ids":["a"]}');
  assert.equal((await post(`${url}/batch`, bytes, {})).status, 200, 'without a content type it is JSON');
  const body = '{"ids":["a"],"__proto__":{"state":"xx"},"constructor":{"prototype":{"x":1}}}';
  const taken = await post(`${url}/batch`, body, { 'content-type': 'Application/JSON; charset=utf-8' });
  assert.equal(taken.status, 200);
  assert.equal(({} as { x?: number }).x, undefined);
  assert.equal((await get('/batch')).status, 405);
});

test('a body over the limit is 413 with or without a stated length, and nothing of it is buffered', async (t) => {
  const { url, port } = await running(t, [push, echo], { bodyBytesMax: 100_000 });
  assert.deepEqual(await (await post(`${url}/push`, Buffer.from('{}'), {})).json(), { type: '', size: 2 });
  assert.deepEqual(await (await post(`${url}/push`, 'x'.repeat(100_000))).json(), {
    type: 'application/json',
    size: 100_000,
  });
  assert.equal((await errorOf(await post(`${url}/push`, 'x'.repeat(100_001)))).code, 'payload_too_large');
  const chunk = `${(10_000).toString(16)}\r\n${'x'.repeat(10_000)}\r\n`;
  const undeclared = `POST /push HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
  // The connection stands, so that a client still sending is not reset before it has read the answer.
  const next = 'GET /odds HTTP/1.1\r\nHost: x\r\n\r\n';
  const answers = await rawExchange(port, `${undeclared}${chunk.repeat(80)}0\r\n\r\n${next}`, /200 OK[\s\S]*\}$/);
  assert.match(answers, /^HTTP\/1.1 413 [\s\S]*\}\}HTTP\/1.1 200 OK/);
  const long = `${next.replace('GET /odds', 'POST /push')}`.replace(
    '\r\n\r\n',
    '\r\nContent-Type: application/json\r\n',
  );
  const reply = await rawExchange(
    port,
    `${long}Content-Length: 900000\r\n\r\n${'x'.repeat(900_000)}${next}`,
    /200 OK[\s\S]*\}$/,
  );
  assert.match(reply, /^HTTP\/1.1 413 [\s\S]*\}\}HTTP\/1.1 200 OK/);
  // Refused before the first byte of the body, so that the client need not send it.
  const early = `POST /push HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 999999999\r\n\r\n`;
  assert.match(await rawExchange(port, early, /\}\}$/), /^HTTP\/1.1 413 /);
});

test('a client that wants the connection closed reads why its body was refused, however long that is', async (t) => {
  const { port } = await running(t, [push, batch], { bodyBytesMax: 100_000 });
  const head = (request: string, ...headers: string[]): string =>
    [`${request} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n');
  const text = 'x'.repeat(8_000_000);
  const length = `Content-Length: ${text.length}`;
  const chunk = `${(100_000).toString(16)}\r\n${text.slice(0, 100_000)}\r\n`;
  const json = 'Content-Type: application/json';
  for (const [bytes, status] of [
    [`${head('POST /push', json, length)}${text}`, 413],
    [`${head('POST /push', json, 'Transfer-Encoding: chunked')}${chunk.repeat(80)}0\r\n\r\n`, 413],
    [`${head('POST /push', 'Content-Type: text/csv', length)}${text}`, 415],
    [`${head('POST /nowhere', length)}${text}`, 404],
  ] as const) {
    const answer = await sentWhole(port, bytes);
    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*\\}\\}$`));
  }
});

test('such a body is not awaited for long, and not at all if the client waits for the answer itself', async (t) => {
  mockTimeouts(t);
  const { port } = await running(t, [push], { bodyBytesMax: 100_000 });
  const head = 'POST /push HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 999999\r\n';
  const json = 'Content-Type: application/json\r\n';
  assert.match(await rawExchange(port, `${head}${json}Expect: 100-continue\r\n\r\n`, /\}\}$/), /413 /);
  const passing = setInterval(() => t.mock.timers.tick(LIMITS.unreadBodyWait.max), 5);
  t.after(() => clearInterval(passing));
  assert.match(await rawExchange(port, `${head}${json}\r\nx`, /\}\}$/), /413 /);
});

/** As a simple client does it: it reads once everything is sent, and fails where that cannot be. */
function sentWhole(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('error', reject);
    socket.on('end', () => resolve(received));
    socket.end(bytes, () => {
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
      });
    });
  });
}

test('chunked bodies arrive complete, in whatever pieces they are sent', async (t) => {
  const { port } = await running(t, [batch]);
  const head = 'POST /batch HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
  const pieces = [...'{"ids":["a","b"]}'].map((piece) => `1\r\n${piece}\r\n`).join('');
  const answer = await rawExchange(port, `${head}${pieces}0\r\n\r\n`, /\}$/);
  assert.ok(answer.endsWith('{"ids":["a","b"]}'), answer);
});

test('gzip bodies are unzipped within the limit; a bomb and a lie are refused', async (t) => {
  const { url } = await running(t, [push], { bodyBytesMax: 100_000 });
  const zipped = { ...JSON_TYPE, 'content-encoding': 'gzip' };
  assert.equal(
    ((await (await post(`${url}/push`, gzipSync('x'.repeat(90_000)), zipped)).json()) as { size: number }).size,
    90_000,
  );
  assert.equal((await post(`${url}/push`, gzipSync(Buffer.alloc(10_000_000)), zipped)).status, 413);
  assert.match((await errorOf(await post(`${url}/push`, 'plain', zipped))).message, /not gzip/);
  assert.equal((await post(`${url}/push`, 'x', { ...JSON_TYPE, 'content-encoding': 'br' })).status, 415);
});

test('a small body that unpacks to a large one is refused where a large one is', async (t) => {
  const { url } = await running(t, [batch]);
  const zipped = { ...JSON_TYPE, 'content-encoding': 'gzip' };
  const bomb = gzipSync(`{"ids":[${'1,'.repeat(4_000_000)}1]}`);
  assert.ok(bomb.length < 20_000);
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(`${url}/batch`, bomb, zipped)));
  // An answer that is not read to its end fails the process minutes later.
  for (const answer of answers) await answer.text();
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([413]));
  assert.equal((await post(`${url}/batch`, gzipSync('{"ids":["a"]}'), zipped)).status, 200);
});

test('bodies that wait unpacked count as large as they are', async (t) => {
  const waiting: (() => void)[] = [];
  const held = route({
    method: 'POST',
    path: '/held',
    auth: 'required',
    rawBody: ['application/json'],
    largeBody: true,
    handler: async (context) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      context.sendJson({});
    },
  });
  const { url, key } = await running(t, [held], { bodyBytesMax: 100_000 });
  const headers = { ...JSON_TYPE, 'content-encoding': 'gzip', 'x-api-key': key('enterprise') };
  const bomb = gzipSync(Buffer.alloc(99_000));
  const most = LIMITS.bodiesOfAccount.max;
  const answers = Array.from({ length: most + 3 }, () => post(`${url}/held`, bomb, headers));
  const settled: number[] = [];
  for (const answer of answers) void answer.then(({ status }) => settled.push(status));
  await until('the rest is refused', () => settled.length === 3);
  assert.deepEqual([settled, waiting.length], [[429, 429, 429], most]);
  for (const go of waiting) go();
  for (const answer of await Promise.all(answers)) await answer.text();
  assert.equal(settled.length, most + 3);
});

test('a body that does not end is given up after a minute, and bodies under way leave room for other accounts', async (t) => {
  mockTimeouts(t);
  const keyed: Route = { ...push, auth: 'required', path: '/keyed' };
  const { port, key } = await running(t, [keyed], { bodyBytesMax: 10_000 });
  const keys = [key('enterprise'), key('enterprise')];
  const head = (key: string) =>
    `POST /keyed HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n`;
  const most = LIMITS.bodiesOfAccount.max;
  const begun = Array.from({ length: most }, () => opened(t, port, `${head(keys[0]!)}${'x'.repeat(9_999)}`));
  const answers = (await Promise.all(begun)).map((socket) => firstData(socket));
  assert.match(await rawExchange(port, head(keys[0]!), /\}\}$/), /429 [\s\S]*too many large requests of this account/);
  assert.match(await rawExchange(port, `${head(keys[1]!)}${'x'.repeat(10_000)}`, /\}$/), /^HTTP\/1.1 200 /);
  t.mock.timers.tick(LIMITS.bodyTime.max);
  for (const answer of answers) assert.match(await answer, /^HTTP\/1.1 400 [\s\S]*not ended after 60 s/);
  assert.match(await rawExchange(port, `${head(keys[0]!)}${'x'.repeat(10_000)}`, /\}$/), /^HTTP\/1.1 200 /);
});

test('a client that sends its headers or body slowly delays no other', async (t) => {
  const { port, get, url } = await running(t, [echo, batch]);
  const slow = await Promise.all(
    ['GET /odds HTTP/1.1\r\nHo', 'POST /batch HTTP/1.1\r\nHost: x\r\nContent-Length: 16\r\n\r\n{"ids"'].map((start) =>
      opened(t, port, start),
    ),
  );
  for (let i = 0; i < 20; i++) assert.equal((await get('/odds')).status, 200);
  assert.equal((await post(`${url}/batch`, '{"ids":["a"]}')).status, 200);
  const answers = slow.map((socket) => firstData(socket));
  slow[0]!.write('st: x\r\n\r\n');
  slow[1]!.write(':["slow"]}');
  for (const answer of answers) assert.match(await answer, /^HTTP\/1.1 200 OK/);
});

test('a client that disconnects before, during or after its answer breaks nothing', async (t) => {
  const contexts: RequestContext[] = [];
  let arrived: () => void = () => undefined;
  const waiting = route({
    method: 'GET',
    path: '/wait',
    auth: 'public',
    handler: (context) => {
      contexts.push(context);
      arrived();
      return new Promise((resolve) => {
        finishers.push(() => {
          context.sendJson({ late: true });
          context.sendBuffer(200, 'text/plain', Buffer.alloc(10));
          context.redirect('/x');
          resolve();
        });
      });
    },
  });
  const finishers: (() => void)[] = [];
  const large = route({
    method: 'GET',
    path: '/large',
    auth: 'public',
    handler: (context) => context.sendBuffer(200, 'text/plain', Buffer.alloc(20_000_000, 0x61)),
  });
  const { port, get, server } = await running(t, [waiting, large, batch]);
  for (let i = 0; i < 5; i++) {
    const here = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const socket = await opened(t, port, 'GET /wait HTTP/1.1\r\nHost: x\r\n\r\n');
    await here;
    socket.resetAndDestroy();
  }
  await until('all are aborted', () => contexts.every((context) => context.aborted));
  for (const finish of finishers) finish();

  const reader = await opened(t, port, 'GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
  await firstData(reader);
  reader.resetAndDestroy();
  const sender = await opened(t, port, 'POST /batch HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{"ids"');
  sender.resetAndDestroy();

  await until('none is under way', () => server.inFlight === 0);
  assert.equal((await (await get('/large')).arrayBuffer()).byteLength, 20_000_000);
});

test('pipelined requests are answered in order, also after a body that was not read', async (t) => {
  const { port } = await running(t, [echo]);
  const one = (n: number) => `GET /odds?limit=${n} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const refused = 'POST /odds HTTP/1.1\r\nHost: x\r\nContent-Length: 30\r\n\r\nGET /odds?limit=99 HTTP/1.1\r\n\r\n';
  const answers = await rawExchange(port, one(1) + refused.slice(0, -1) + one(2) + one(3), /"limit":3[\s\S]*\}$/);
  assert.deepEqual(
    [...answers.matchAll(/HTTP\/1.1 (\d+)|"limit":(\d+)/g)].map((match) => match[1] ?? match[2]),
    ['200', '1', '405', '200', '2', '200', '3'],
  );
});

test('of requests pipelined in one write no more are worked off than fit into a turn, and the connection is closed', async (t) => {
  let worked = 0;
  const slow = route({
    method: 'GET',
    path: '/slow',
    auth: 'public',
    handler: (context) => {
      worked++;
      const until = performance.now() + 4;
      while (performance.now() < until);
      context.sendJson({});
    },
  });
  const { port } = await running(t, [slow]);
  const socket = await opened(t, port, 'GET /slow HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(200));
  socket.resume();
  await new Promise<void>((resolve) => socket.once('close', () => resolve()));
  assert.ok(worked < 20, `${worked} of 200 were worked off`);
});

test('a client that reads nothing is owed little: of large answers one, of files one, of refusals a few', async (t) => {
  const worked = new Map<string, number>();
  const count = (path: string): void => void worked.set(path, (worked.get(path) ?? 0) + 1);
  const large = Buffer.alloc(8_000_000, 'x');
  const page = fixedAnswer('text/plain', 'no-cache', Buffer.alloc(4_000_000, 'y'), true);
  const routes: Route[] = [
    route({
      method: 'GET',
      path: '/large',
      auth: 'public',
      handler: (context) => {
        count('/large');
        context.sendBuffer(200, 'text/plain', large);
      },
    }),
    route({
      method: 'GET',
      path: '/file',
      auth: 'public',
      headers: ['if-none-match'],
      handler: (context) => {
        count('/file');
        context.sendTagged(page, () => page.bytes);
      },
    }),
  ];
  const { port, server } = await running(t, routes);
  for (const path of ['/large', '/file']) {
    const socket = await opened(t, port, '');
    socket.pause();
    const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
    for (let i = 0; i < 40 && !socket.destroyed; i++) {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    await until('nothing is under way', () => server.inFlight === 0);
    socket.resume();
    await closed;
    assert.ok(worked.get(path)! <= 4, `${path}: ${worked.get(path)}`);
  }
});

test('small answers without a charge pile up at no client that does not read: their connection ends', async (t) => {
  const { port, server } = await running(t, []);
  const socket = await opened(t, port, '');
  socket.pause();
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  for (let i = 0; i < 100; i++) socket.write('GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n');
  await until('nothing is under way', () => server.inFlight === 0);
  socket.resume();
  await closed;
});

test('a large answer arrives whole at a client that reads slowly', async (t) => {
  const large = Buffer.from(Array.from({ length: 4_000_000 }, (_, i) => i % 251));
  const { port } = await running(t, [
    route({
      method: 'GET',
      path: '/large',
      auth: 'public',
      handler: (context) => context.sendBuffer(200, 'application/octet-stream', large),
    }),
  ]);
  const socket = await opened(t, port, 'GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  const parts: Buffer[] = [];
  for await (const part of socket) {
    parts.push(part as Buffer);
    if (parts.length % 8 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    if (Buffer.concat(parts).length >= large.length + 100) break;
  }
  const answer = Buffer.concat(parts);
  assert.ok(answer.subarray(answer.indexOf('\r\n\r\n') + 4).equals(large));
});

async function opened(t: TestContext, port: number, start: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  await new Promise<void>((resolve) => socket.write(start, () => resolve()));
  return socket;
}

function firstData(socket: Socket): Promise<string> {
  return new Promise((resolve) => socket.once('data', (chunk) => resolve(chunk.toString('latin1'))));
}

// The client has a thread of its own: this one is within the handler when the connection is reset.
const RESETTING = `
const { connect } = require('node:net');
const { workerData } = require('node:worker_threads');
const { port, state, requests } = workerData;
const one = (left) => {
  if (left === 0) return;
  const socket = connect(port, '127.0.0.1', () => {
    socket.write('GET /large HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n', () => {
      Atomics.wait(state, 0, 0);
      socket.resetAndDestroy();
      Atomics.store(state, 0, 0);
      Atomics.store(state, 1, 1);
      Atomics.notify(state, 1);
      one(left - 1);
    });
  });
  socket.pause();
  socket.on('error', () => undefined);
};
one(requests);
`;

test('a client that resets its connection while a large answer is written loses that answer alone', async (t) => {
  const state = new Int32Array(new SharedArrayBuffer(8));
  const bytes = Buffer.alloc(300_000, 'a');
  const large = route({
    method: 'GET',
    path: '/large',
    auth: 'public',
    handler: (context) => {
      Atomics.store(state, 0, 1);
      Atomics.notify(state, 0);
      Atomics.wait(state, 1, 0, 10_000);
      Atomics.store(state, 1, 0);
      context.sendBuffer(200, 'text/plain', bytes);
    },
  });
  const { port, get } = await running(t, [large, echo]);
  // Of answers that nobody is charged for, one in 64 ends its connection.
  const client = new Worker(RESETTING, { eval: true, workerData: { port, state, requests: 130 } });
  await once(client, 'exit');
  assert.equal((await get('/odds')).status, 200);
});

test('of requests in one write, none is run on the connection that an answer before it has closed', async (t) => {
  const bytes = Buffer.alloc(300_000, 'a');
  let runs = 0;
  const large = route({
    method: 'POST',
    path: '/large',
    auth: 'public',
    rawBody: ['application/json'],
    handler: (context) => {
      runs++;
      context.sendBuffer(200, 'text/plain', bytes);
    },
  });
  const { port, server } = await running(t, [large, echo]);
  const head = 'POST /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
  const bodies = {
    length: `${head}Content-Length: 2\r\n\r\n{}`,
    chunks: `${head}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n`,
    expected: `${head}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
  };
  for (const [name, request] of Object.entries(bodies)) {
    runs = 0;
    await rawExchange(port, request.repeat(3), /never/);
    assert.equal(runs, 1, name);
    assert.match(await rawExchange(port, request, /never/), /a{300000}$/, name);
  }
  // Two in one write whose first answer only leaves uWebSockets' own buffer once the second one comes.
  await rawExchange(
    port,
    'POST /no HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}'.repeat(200),
    /never/,
  );
  await until('every request to have ended', () => server.inFlight === 0);
});
