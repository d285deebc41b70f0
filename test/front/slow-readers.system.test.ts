// Slow but active readers with large kernel buffers. The clock advances with the bytes they read: some seconds.
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { LONG } from '../long.js';
import { until } from '../support/until.js';
import { type Api, api } from './api.js';
import { ladder } from './stream-rig.js';

const BYTES_A_SECOND = 100_000;
/** Read quickly at first: the kernel's buffers grow to several megabytes, which takes a minute to read. */
const QUICK_BYTES = 6_000_000;
const STEP_MS = 100;
/** Twice as long as a stuck client stays connected. */
const STEPS = LONG ? 500 : 200;

/** Connects and sends a request; nothing is read before the test reads it. */
function ask(t: TestContext, server: Api, lines: string[]): Socket {
  const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1' });
  t.after(() => socket.destroy());
  socket.on('error', () => undefined);
  socket.write(`${lines.join('\r\n')}\r\nHost: x\r\n\r\n`);
  return socket;
}

const TRANSPORTS: Record<string, (key: string) => string[]> = {
  SSE: (key) => ['GET /api/v1/stream/odds HTTP/1.1', `X-API-Key: ${key}`],
  WebSocket: (key) => [
    `GET /ws?channels=odds&api_key=${key} HTTP/1.1`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: YmVuY2htYXJrLWJlbmNobQ==',
  ],
};

for (const [name, request] of Object.entries(TRANSPORTS))
  test(`${name}: a client that reads 100 kB a second behind large buffers does not count as stuck`, async (t) => {
    const server = await api(t);
    const { broadcaster } = server.server;
    await server.ingest(ladder(1, 400, -110));
    const socket = ask(t, server, request(server.key('enterprise')));
    let read = 0;
    const take = (bytes: Buffer) => {
      read += bytes.length;
    };
    socket.on('data', take);
    let second = 2;
    const move = () => server.ingest(ladder(++second, 400, -110 - (second % 50)));
    while (read < QUICK_BYTES) await move();
    socket.off('data', take);
    socket.pause();
    while (broadcaster.fullCount === 0) await move();
    read = 0;
    let steps = 0;
    for (; steps < STEPS && broadcaster.subscriberCount === 1; steps++) {
      server.clock.set(server.clock.now() + STEP_MS);
      while (read < ((steps + 1) * STEP_MS * BYTES_A_SECOND) / 1000) {
        const bytes = socket.read() as Buffer | null;
        read += bytes?.length ?? 0;
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (steps % 5 === 0) broadcaster.sweep();
      if (steps % 20 === 0) await move();
    }
    assert.equal(steps, STEPS, `cut after ${(steps * STEP_MS) / 1000} s`);
  });

test('SSE: a client that has accepted everything stays connected although it empties the buffers slowly', {
  skip: !LONG && 'takes 30 s: OVERROUND_LONG_TESTS=1',
}, async (t) => {
  const server = await api(t);
  const { broadcaster } = server.server;
  await server.ingest(ladder(1, 400, -110));
  const socket = ask(t, server, TRANSPORTS['SSE']!(server.key('enterprise')));
  let read = 0;
  socket.on('data', (bytes: Buffer) => {
    read += bytes.length;
  });
  let second = 2;
  const move = () => server.ingest(ladder(++second, 400, -110 - (second % 50)));
  while (read < QUICK_BYTES) await move();
  socket.removeAllListeners('data');
  socket.pause();
  while (broadcaster.fullCount === 0) await move();
  const timer = setInterval(() => socket.read(), 1_000);
  t.after(() => clearInterval(timer));
  await until('all that waited is in the kernel', () => broadcaster.fullCount === 0);
  await new Promise((resolve) => setTimeout(resolve, 25_000));
  assert.equal(broadcaster.subscriberCount, 1);
});
