// The gate in a server of its own: what it refuses, what it waits for, and what it does if the system is not as
// expected.
import assert from 'node:assert/strict';
import { connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { route } from '../../../src/front/http/context.js';
import { Http10Gate } from '../../../src/front/http/http10-gate.js';
import { Http10Unavailable, loadLibc } from '../../../src/front/http/libc.js';
import { App } from '../../../src/front/http/uws.js';
import type { ApiError } from '../../../src/model/errors.js';
import { Type } from '../../../src/model/json-schema.js';
import { until } from '../stream-rig.js';
import { noGate, rawExchange, running } from './harness.js';

const skip = noGate;

const echo = route({
  method: 'GET',
  path: '/odds',
  auth: 'public',
  query: Type.Object({ sport: Type.Optional(Type.String()) }),
  handler: (context) => context.sendJson({ length: context.query.sport?.length ?? 0 }),
});
const GET = 'GET /odds HTTP/1.1\r\nHost: x\r\n\r\n';

async function gated(t: TestContext) {
  const made = await running(t, [echo], { libc: await loadLibc() });
  return { ...made, connections: made.server.connections };
}

test('every error in a first request is answered with id and JSON, and the connection is closed', {
  skip,
}, async (t) => {
  const { port, connections, get } = await gated(t);
  const line = 'GET /odds HTTP/1.1\r\nHost: x\r\n';
  const refused: [bytes: string, status: number, code: string][] = [
    ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'invalid_request'],
    ['\0 \0 \0\r\n\r\n', 400, 'invalid_request'],
    ['hello world HTTP/9.9\r\n\r\n', 505, 'http_version_not_supported'],
    ['GET /odds HTTP/1.1\r\n\r\n', 400, 'invalid_request'],
    [`${line}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`, 400, 'invalid_request'],
    [`${line}${'a: b\r\n'.repeat(3000)}\r\n`, 431, 'headers_too_large'],
    [`${line}A: ${'y'.repeat(40_000)}\r\n\r\n`, 431, 'headers_too_large'],
    [`${line}A: ${'y'.repeat(1_000_000)}\r\n\r\n`, 431, 'headers_too_large'],
    [`GET /odds?sport=${'y'.repeat(1_000_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 414, 'uri_too_long'],
    [`GET /odds HTTP/1.0\r\nA: ${'y'.repeat(200_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['GET /odds HTTP/1.0\r\nno colon\r\n\r\n', 400, 'invalid_request'],
  ];
  for (const [bytes, status, code] of refused) {
    // Read until the server closes the connection.
    const answer = await rawExchange(port, bytes, /\0never\0/);
    const what = JSON.stringify(bytes.slice(0, 60));
    assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `), what);
    assert.match(answer, /\r\nX-Request-Id: \S+\r\n/, what);
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as {
      error: { code: string; message: string };
    };
    assert.equal(body.error.code, code, what);
    assert.ok(body.error.message.length > 5);
  }
  await until('they are gone', () => connections.open === 0);
  assert.match(await (await get('/metrics')).text(), /requests_total\{method="\*",route="unmatched",status="431"\} 4/);
});

test('a request that arrives in pieces, or late, is served', { skip }, async (t) => {
  const { port, connections } = await gated(t);
  const asked = async (pieces: readonly string[]) => {
    const socket = open(t, port);
    for (const piece of pieces) {
      socket.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 12));
    }
    return new Promise<string>((resolve) => socket.once('data', (bytes) => resolve(bytes.toString('latin1'))));
  };
  const long = `GET /odds?sport=${'x'.repeat(16_000)} HTTP/1.1\r\nHost: x\r\nA: ${'y'.repeat(15_000)}\r\n\r\n`;
  const answers = await Promise.all([
    asked([...GET]),
    asked([GET.slice(0, 20), GET.slice(20)]),
    asked(long.match(/[\s\S]{1,4000}/g)!),
    asked(['GET /odds HTT', 'P/1.0\r\nHost: x\r\n', '\r\n']),
  ]);
  for (const answer of answers) assert.match(answer, /^HTTP\/1.1 200 /);
  assert.match(answers[2]!, /16000\}$/);
  await until('they are counted as long as they stand', () => connections.open <= 5 && connections.open >= 3);
});

test('connections that send nothing, too little or too slowly are closed, and so are those that end', {
  skip,
}, async (t) => {
  const app = App();
  const connections = { open: 0, max: Number.POSITIVE_INFINITY, refused: 0 };
  const gate = new Http10Gate({
    app,
    libc: await loadLibc(),
    connections: connections as never,
    refusal: (error: ApiError) => Buffer.from(`HTTP/1.1 ${error.status} \r\n\r\n`),
    broken: assert.fail,
    giveUpMs: 400,
  });
  const port = await gate.listen('127.0.0.1', 0);
  t.after(() => {
    gate.stopListening();
    gate.end();
    app.close();
  });
  const slow = Array.from({ length: 20 }, () => open(t, port, 'GET /'));
  const dribbling = setInterval(() => slow.forEach((socket) => void socket.write('x')), 50);
  t.after(() => clearInterval(dribbling));
  const ended = await halfClosed(port, 'GET / HT');
  assert.match(ended, /^HTTP\/1.1 400 /);
  const gone = open(t, port, 'GET /');
  await until('they are counted', () => connections.open >= 20);
  gone.resetAndDestroy();
  await Promise.all(slow.map((socket) => new Promise((resolve) => socket.once('close', resolve))));
  assert.equal(connections.open, 0);
});

test('connections without a request count for the limit, and those beyond it are refused with 503', {
  skip,
}, async (t) => {
  const { port, connections } = await gated(t);
  connections.max = 2;
  const begun = [open(t, port, 'GET /'), open(t, port, 'GET /')];
  await until('they are counted', () => connections.open === 2);
  for (const bytes of [GET, GET.replace('1.1', '1.0'), 'GET /'])
    assert.match(await rawExchange(port, bytes, /\}\}$/), /^HTTP\/1.1 503 [\s\S]*X-Request-Id: /);
  for (const socket of begun) socket.destroy();
  await until('they are gone', () => connections.open === 0);
  assert.match(await rawExchange(port, GET, /\}$/), /^HTTP\/1.1 200 /);
});

test('a port in use is reported in the same words with the gate and without', { skip }, async (t) => {
  const taken = createServer().listen(0, '127.0.0.1');
  t.after(() => taken.close());
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as { port: number };
  const words = {
    message: `cannot listen on 127.0.0.1:${port}: the port is in use or the address is not this machine's`,
  };
  const { server } = await running(t, [], { listen: false });
  await assert.rejects(server.listen('127.0.0.1', port, await loadLibc()), words);
  await assert.rejects(server.listen('127.0.0.1', port), words);
});

test('if uWebSockets accepts no sockets, or Node exposes no descriptors, this is reported at once and the port is free again', {
  skip,
}, async (t) => {
  const libc = await loadLibc();
  const { server } = await running(t, [echo], { listen: false });
  Object.defineProperty(server.app, 'adoptSocket', { value: undefined, configurable: true });
  await assert.rejects(server.listen('127.0.0.1', 0, libc), Http10Unavailable);
  Reflect.deleteProperty(server.app, 'adoptSocket');
  const restore = await withoutDescriptors();
  try {
    await assert.rejects(server.listen('127.0.0.1', 0, libc), Http10Unavailable);
  } finally {
    restore();
  }
  await assert.rejects(server.listen('127.0.0.1', 0, { ...libc, acceptWithData: () => false }), Http10Unavailable);
  await assert.rejects(server.listen('127.0.0.1', 0, { ...libc, openWatch: () => -1 }), Http10Unavailable);
  const port = await server.listen('127.0.0.1', 0);
  assert.match(await rawExchange(port, GET, /\}$/), /^HTTP\/1.1 200 /);
});

test('if descriptors become unavailable later, uWebSockets listens on the same port from then on', {
  skip,
}, async (t) => {
  const { port, logged } = await gated(t);
  assert.match(await rawExchange(port, GET, /\}$/), /^HTTP\/1.1 200 /);
  const restore = await withoutDescriptors();
  try {
    const lost = open(t, port, GET);
    await new Promise((resolve) => lost.once('close', resolve));
  } finally {
    restore();
  }
  await until('it is logged', () => logged.some((line) => line.includes('cannot be looked at any more')));
  assert.match(await rawExchange(port, GET, /\}$/), /^HTTP\/1.1 200 /);
});

function open(t: TestContext, port: number, said = ''): Socket {
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  socket.on('error', () => undefined);
  if (said !== '') socket.write(said);
  return socket;
}

/** Sends these bytes and closes its side. */
function halfClosed(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('end', () => resolve(received));
    socket.end(bytes);
  });
}

/** Hides a private property of Node; resolves to a function that restores it. */
async function withoutDescriptors(): Promise<() => void> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const shared = Object.getPrototypeOf((server as unknown as { _handle: object })._handle) as object;
  Object.defineProperty(shared, 'fd', { get: () => undefined, configurable: true });
  await new Promise((resolve) => server.close(resolve));
  return () => void Reflect.deleteProperty(shared, 'fd');
}
