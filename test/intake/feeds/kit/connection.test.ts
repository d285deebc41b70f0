import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type WebSocket, WebSocketServer } from 'ws';
import { Connection } from '../../../../src/intake/feeds/kit/connection.js';
import { webSocket } from '../../../../src/intake/feeds/kit/web-socket.js';
import { until } from '../../../support/until.js';
import { feedBench } from './venue.js';

/** A venue's WebSocket server, and a Connection to it. */
async function connect(t: TestContext, refuse?: () => number | undefined, silenceMsMax = 6_000) {
  const http = createServer((_, response) => response.writeHead(404).end());
  const server = new WebSocketServer({ noServer: true, autoPong: false });
  const clients: WebSocket[] = [];
  http.on('upgrade', (request, socket, head) => {
    const status = refuse?.();
    if (status !== undefined) {
      socket.end(`HTTP/1.1 ${status} No\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    server.handleUpgrade(request, socket, head, (client) => void clients.push(client));
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const bench = feedBench();
  const events: string[] = [];
  const url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}/`;
  const connection: Connection = new Connection({
    name: 'books',
    dial: webSocket({ url }),
    context: bench.context,
    random: () => 0.5,
    pingEveryMs: 50,
    silenceMsMax,
    opened: () => {
      events.push('opened');
      connection.send('hello');
    },
    received: (text) => {
      if (text === 'poison') throw new TypeError('Cannot read properties of null');
      if (text === 'accepted') connection.proved();
      if (text === 'broken') connection.drop('the venue says so');
      events.push(text);
    },
    down: (reason) => void events.push(`down: ${reason}`),
  });
  const stopping = new AbortController();
  const running = connection.run(stopping.signal);
  t.after(async () => {
    stopping.abort();
    await running;
    for (const client of clients) client.terminate();
    http.closeAllConnections();
    http.close();
  });
  return { bench, clients, connection, events, stopping, running };
}

test('a lost connection is reported at once, and re-established', async (t) => {
  const { clients, events, bench } = await connect(t);
  await until('the first connection', () => clients.length === 1 && events.includes('opened'));
  clients[0]!.send('first');
  await until('a message', () => events.includes('first'));
  clients[0]!.terminate();
  await until('the second one', () => clients.length === 2 && events.filter((each) => each === 'opened').length === 2);
  assert.match(events.join(), /^opened,first,down: closed with 1006,opened/);
  assert.equal(bench.counts.get('reconnects'), 1);
  assert.equal(bench.failures[0], 'books: closed with 1006');
});

test('what a message breaks is its connection, and no more', async (t) => {
  const { clients, events, bench } = await connect(t);
  await until('the first connection', () => events.includes('opened'));
  clients[0]!.send('poison');
  clients[0]!.send('after it');
  await until('the second one', () => events.filter((each) => each === 'opened').length === 2);
  assert.deepEqual(events, ['opened', 'down: a message was not understood: Cannot read properties of null', 'opened']);
  assert.match(bench.failures[0]!, /^books: a message was not understood/);
});

test('of connections that have to be dropped soon after their login the waits grow, and one line tells of them', async (t) => {
  const { bench, clients } = await connect(t);
  for (let n = 1; n <= 3; n++) {
    await until(`connection ${n}`, () => clients.length === n);
    clients[n - 1]!.send('accepted');
    clients[n - 1]!.send('broken');
    await until(`its end`, () => bench.failures.length === n);
  }
  assert.deepEqual(
    bench.log.map(({ level, fields }) => [level, fields['failures']]),
    [['warn', 1]],
  );
});

test('a connection that never opened was not a good one, however long it was waited for: one line tells of all', async (t) => {
  const bench = feedBench();
  let nowMs = Date.now();
  const connection = new Connection({
    name: 'books',
    dial: ({ ended }) => {
      nowMs += 60_000;
      queueMicrotask(() => ended({ reason: 'no answer' }));
      return { send: () => false, ping: () => {}, close: () => {} };
    },
    context: { ...bench.context, clock: { ...bench.context.clock, now: () => nowMs } },
    random: () => 0.5,
    opened: () => {},
    received: () => {},
    down: () => {},
  });
  const stopping = new AbortController();
  const running = connection.run(stopping.signal);
  t.after(async () => {
    stopping.abort();
    await running;
  });
  await until('three attempts', () => bench.failures.length === 3);
  assert.deepEqual(
    bench.log.map(({ fields }) => fields['failures']),
    [1],
  );
});

test('an open connection without a sign of life is dropped', async (t) => {
  const { clients, events } = await connect(t, undefined, 300);
  await until('the silence', () => events.some((each) => each.startsWith('down')));
  assert.match(events.find((each) => each.startsWith('down'))!, /no sign of life for \d+ ms/);
  assert.ok(clients.length >= 1);
});

test('answers to pings are signs of life even without messages', async (t) => {
  const { clients, events } = await connect(t, undefined, 1_000);
  await until('the connection', () => clients.length === 1);
  const sinceMs = performance.now();
  let pongs = 0;
  clients[0]!.on('ping', () => {
    pongs++;
    clients[0]!.pong();
  });
  await until('longer than it bears silence', () => pongs > 20 && performance.now() - sinceMs > 1_200);
  assert.deepEqual(events, ['opened']);
});

test('a refused handshake is reported with its status; a refused key is not retried soon, however often the venue failed before', async (t) => {
  const statuses = [503, 401];
  const { bench, events } = await connect(t, () => statuses.shift());
  await until('the refusal', () => bench.failures.length === 2);
  assert.deepEqual(
    events,
    [503, 401].map((status) => `down: HTTP ${status} in place of a WebSocket`),
  );
  const { message, fields } = bench.log.at(-1)!;
  assert.match(message, /refuses the key, or the clock is wrong/);
  // Three quarters of the first wait, as the chance is one half.
  assert.equal(fields['retry_ms'], 3_750);
});

test('stopping the feed also ends a wait for the next attempt', async (t) => {
  const { bench, running, stopping } = await connect(t, () => 503);
  await until('the first failure', () => bench.failures.length === 1);
  stopping.abort();
  await running;
});
