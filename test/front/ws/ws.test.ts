import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { PROTOCOL_VERSION } from '../../../src/schema/frames.js';
import { shared } from '../../shared.js';
import { until } from '../../support/until.js';
import { api } from '../api.js';
import { ladder, RawSse } from '../stream-rig.js';
import { type Frame, RawWs } from './raw-ws.js';

/** Without odds; each test ends its own streams. */
const empty = shared((t) => api(t));

test('a refused socket is upgraded and closed with its code', async () => {
  const server = await empty();
  const one = server.key('enterprise', { maxStreams: 1 });
  const sse = new RawSse(server, '/stream/odds', one);
  await until('complete', () => sse.table.complete);
  const cases: [query: Record<string, string>, code: number, reason: string][] = [
    [{}, 4001, 'unauthorized'],
    [{ api_key: 'sk_live_nonsense' }, 4001, 'unauthorized'],
    [{ api_key: server.key('free') }, 4003, 'tier_restricted'],
    [{ api_key: server.key('pro') }, 4003, 'forbidden'],
    // SSE and WebSocket share the key's slots.
    [{ api_key: one }, 4029, 'stream_limit_exceeded'],
  ];
  for (const [query, code, reason] of cases) {
    const socket = new RawWs(server, query);
    await until('closed', () => socket.closed !== null);
    assert.deepEqual([socket.opened, socket.closed, socket.reason, socket.frames.length], [true, code, reason, 0]);
  }
  sse.vanish();
  await until('the slot is free', () => server.server.broadcaster.subscriberCount === 0);
  const socket = new RawWs(server, { api_key: one });
  await socket.frame('connected');
  socket.socket.close();
  await until('the slot is free', () => server.server.broadcaster.subscriberCount === 0);
  const next = new RawWs(server, { api_key: one });
  await next.frame('connected');
  next.socket.terminate();
});

test('only connected is sent before a subscription; then its rows, snapshot:complete, and changes', async (t) => {
  const server = await api(t);
  await server.ingest(ladder(1, 3, -110), ladder(1, 3, -105, 'draftkings'));
  for (const protocols of [[], ['overround.msgpack'], ['nonsense', 'overround.json']]) {
    const socket = new RawWs(server, { api_key: server.key('enterprise') }, protocols);
    const connected = await socket.frame('connected');
    assert.equal(socket.socket.protocol, protocols.at(-1) ?? '');
    assert.deepEqual(
      [connected['protocol'], connected['epoch']],
      [PROTOCOL_VERSION, server.server.engine.directory.epoch],
    );
    const filters = { leagues: ['nba'], sportsbooks: ['fanduel'] };
    socket.say({ type: 'subscribe', id: 'a1', channels: ['odds', 'ev'], filters }, protocols.length === 1);
    const complete = await socket.frame('snapshot:complete');
    const [, subscribed, initial, alive] = socket.frames as [Frame, Frame, Frame, Frame];
    assert.deepEqual(
      [subscribed['id'], subscribed['channels'], subscribed['filters']],
      ['a1', ['odds', 'ev'], filters],
    );
    assert.deepEqual([initial.type, initial['source'], initial['count']], ['initial', 'fanduel', 6]);
    assert.equal(alive.type, 'opportunities_snapshot');
    assert.deepEqual([complete['books'], complete['total_odds'], complete['resumed']], [['fanduel'], 6, false]);
    assert.equal(complete['global_seq'], subscribed['position']);
    socket.socket.terminate();
  }
});

test('a subscription replaces the previous one; a refused one does not; unsubscribe ends it', async (t) => {
  const server = await api(t);
  await server.ingest(ladder(1, 2, -110), ladder(1, 2, -105, 'draftkings'));
  const key = server.key('hobby', { streaming: true });
  const socket = new RawWs(server, { api_key: key, channels: 'odds', sportsbook: 'fanduel' });
  await socket.frame('snapshot:complete');
  assert.deepEqual((await socket.frame('subscribed'))['filters'], { sportsbooks: ['fanduel'] });
  const refusals: [message: object, code: string][] = [
    [{ type: 'subscribe', id: 1, channels: ['odds'], filters: { leagues: ['quidditch'] } }, 'invalid_request'],
    [{ type: 'subscribe', id: 2, channels: ['odds', 'ev'] }, 'tier_restricted'],
    [{ type: 'subscribe', id: 3, channels: ['gamestate'] }, 'tier_restricted'],
    [{ type: 'subscribe', id: 4, channels: ['odds'], filters: { sportsbooks: ['pinnacle'] } }, 'tier_restricted'],
    [{ type: 'subscribe', channels: ['everything'] }, 'invalid_request'],
    [{ type: 'subscribe', channels: [] }, 'invalid_request'],
    [{ type: 'shout' }, 'invalid_request'],
    [[1, 2], 'invalid_request'],
  ];
  for (const [message, code] of refusals) {
    const from = socket.frames.length;
    socket.say(message);
    const error = await socket.frame('error', from);
    const id = (message as { id?: number }).id;
    assert.deepEqual([error['code'], error['id']], [code, id], JSON.stringify(message));
  }
  await server.ingest(ladder(2, 2, -120));
  const update = await socket.frame('odds:update');
  assert.deepEqual([update['source'], update['count']], ['fanduel', 8]);
  let from = socket.frames.length;
  const filters = { sportsbooks: ['draftkings'], leagues: null, min_ev: null };
  socket.say({ type: 'subscribe', id: null, channels: ['odds'], filters });
  await socket.frame('snapshot:complete', from);
  await server.ingest(ladder(3, 2, -130), ladder(3, 2, -125, 'draftkings'));
  assert.equal((await socket.frame('odds:update', from))['source'], 'draftkings');
  assert.equal(socket.table.odds.size, 8);
  from = socket.frames.length;
  socket.say({ type: 'unsubscribe', id: 'u' });
  assert.deepEqual((await socket.frame('subscribed', from))['channels'], []);
  await server.ingest(ladder(4, 2, -140, 'draftkings'));
  socket.say({ type: 'ping', id: 'p' });
  assert.deepEqual((await socket.frame('pong', from))['id'], 'p');
  assert.deepEqual(socket.types.slice(from), ['subscribed', 'pong']);
  socket.socket.terminate();
});

test('parameters that make no sense are answered with an error frame, and the socket may still subscribe', async () => {
  const server = await empty();
  for (const query of [
    { channels: 'odds,rumours' },
    { channels: 'odds', min_ev: 'much' },
    { channels: 'odds', from_seq: 'x' },
  ]) {
    const socket = new RawWs(server, { api_key: server.key('enterprise'), ...(query as Record<string, string>) });
    assert.equal((await socket.frame('error'))['code'], 'invalid_request');
    socket.say({ type: 'subscribe', channels: ['odds'] });
    await socket.frame('snapshot:complete');
    socket.socket.terminate();
  }
});

test('resume replays what was missed, marked as replayed, up to a complete state; too old a position is refused', async (t) => {
  const server = await api(t);
  await server.ingest(ladder(1, 3, -110));
  const api_key = server.key('enterprise');
  const first = new RawWs(server, { api_key, channels: 'odds' });
  await first.frame('snapshot:complete');
  first.socket.terminate();
  await server.ingest(ladder(2, 3, -120));
  await server.ingest(ladder(3, 4, -120));
  const resumed = { resume: 'true', from_seq: String(first.position) };
  for (const query of [{ channels: 'odds' }, {}] as Record<string, string>[]) {
    const second = new RawWs(server, { api_key, ...resumed, ...query });
    await second.frame('connected');
    if (query['channels'] === undefined) second.say({ type: 'subscribe', channels: ['odds'] });
    const complete = await second.frame('snapshot:complete');
    assert.deepEqual(second.types, ['connected', 'subscribed', 'odds:added', 'odds:update', 'snapshot:complete']);
    assert.deepEqual(
      second.frames.map((frame) => frame['replay']),
      [undefined, undefined, true, true, undefined],
    );
    assert.deepEqual([complete['resumed'], complete['total_odds']], [true, 16]);
    await server.ingest(ladder(4, 4, -120));
    second.socket.terminate();
  }
  const old = new RawWs(server, { api_key, channels: 'odds', resume: 'true', from_seq: '17' });
  await old.frame('snapshot:complete');
  assert.deepEqual(old.types.slice(0, 4), ['connected', 'subscribed', 'snapshot_required', 'initial']);
  assert.equal(old.frames[2]!['reason'], 'too_old');
  old.socket.terminate();
});

test('floods and nonsense are closed with 4009, oversized messages refused, and closed where they are far too large', async () => {
  const server = await empty();
  const api_key = server.key('enterprise');
  const nonsense = new RawWs(server, { api_key });
  await nonsense.frame('connected');
  for (let i = 0; i < 20; i++) nonsense.socket.send(i % 2 === 0 ? '{"type"' : Buffer.from([0xc1]));
  await until('closed', () => nonsense.closed !== null);
  assert.deepEqual([nonsense.closed, nonsense.frames.length], [4009, 21]);
  const flood = new RawWs(server, { api_key });
  await flood.frame('connected');
  for (let second = 0; second <= 5; second++) {
    assert.equal(flood.closed, null, `after ${second} s`);
    const from = flood.frames.length;
    for (let i = 0; i < 101; i++) flood.say({ type: 'ping' });
    await until('answers', () => flood.closed !== null || flood.frames.length === from + 101);
    server.clock.set(server.clock.now() + 1_000);
  }
  await until('closed', () => flood.closed !== null);
  assert.equal(flood.closed, 4009);
  const large = new RawWs(server, { api_key });
  await large.frame('connected');
  large.say({ type: 'subscribe', channels: ['odds'] });
  await large.frame('snapshot:complete');
  // As many events as a subscription may name, with ids of 70 characters.
  const eventIds = Array.from({ length: 1_000 }, (_, i) => `nba_${'x'.repeat(62)}${i + 1_000}`);
  large.say({ type: 'subscribe', id: 'large', channels: ['odds'], filters: { eventIds } });
  assert.equal((await large.frame('error'))['code'], 'payload_too_large');
  large.say({ type: 'ping' });
  await large.frame('pong');
  large.socket.send('x'.repeat(2 * 1024 * 1024));
  await until('closed', () => large.closed !== null);
});

test('of large messages that come faster than they are read no more than a megabyte waits of each socket', async () => {
  const server = await empty();
  const sockets = Array.from({ length: 20 }, () => new RawWs(server, { api_key: server.key('enterprise') }));
  for (const socket of sockets) await socket.frame('connected');
  const eventIds = Array.from({ length: 800 }, (_, i) => `nba_${'x'.repeat(62)}${i + 1_000}`);
  const message = JSON.stringify({ type: 'subscribe', channels: ['odds'], filters: { eventIds } });
  for (let i = 0; i < 40; i++) for (const { socket } of sockets) socket.send(message);
  await until('closed', () => sockets.some(({ closed }) => closed !== null));
  assert.equal(sockets.find(({ closed }) => closed !== null)!.closed, 4009);
  for (const { socket } of sockets) socket.terminate();
});

test('each subscribe takes one of the openings of the minute; beyond them it is refused and the stream goes on', async () => {
  const server = await empty();
  const api_key = server.key('pro', { streaming: true, maxStreams: 1 });
  const socket = new RawWs(server, { api_key, channels: 'odds' });
  await socket.frame('snapshot:complete');
  // Of 60, the connection took one.
  for (let i = 1; i <= 80; i++)
    socket.say({ type: 'subscribe', id: i, channels: ['odds'], filters: { max_hz: i / 10 } });
  socket.say({ type: 'ping', id: 'last' });
  await socket.frame('pong');
  const refused = socket.frames.filter(({ type }) => type === 'error');
  assert.deepEqual(
    refused.map(({ id, code }) => [id, code]),
    Array.from({ length: 21 }, (_, i) => [i + 60, 'rate_limited']),
  );
  server.clock.set(server.clock.now() + 60_000);
  socket.say({ type: 'subscribe', id: 'again', channels: ['odds'] });
  await until('subscribed', () => socket.frames.some(({ type, id }) => type === 'subscribed' && id === 'again'));
  socket.socket.terminate();
});

test('pings and pongs of the protocol count as messages of a flood', async () => {
  const server = await empty();
  for (const signal of ['ping', 'pong'] as const) {
    const socket = new RawWs(server, { api_key: server.key('enterprise') });
    await socket.frame('connected');
    for (let second = 0; second <= 6 && socket.closed === null; second++) {
      for (let i = 0; i < 101; i++) socket.socket[signal]();
      const from = socket.frames.length;
      socket.say({ type: 'ping' });
      await until('answered', () => socket.closed !== null || socket.frames.length > from);
      server.clock.set(server.clock.now() + 1_000);
    }
    await until('closed', () => socket.closed !== null);
    assert.equal(socket.closed, 4009, signal);
  }
});

test('a silent client is pinged: one that answers stays, one that is gone is disconnected', async (t) => {
  const server = await empty();
  const key = server.key('enterprise');
  const there = new RawWs(server, { api_key: key, channels: 'odds' });
  await there.frame('snapshot:complete');
  const gone = connect(Number(new URL(server.url).port), '127.0.0.1');
  t.after(() => gone.destroy());
  gone.on('error', () => undefined);
  let closed = false;
  gone.on('close', () => {
    closed = true;
  });
  // It reads everything and never answers.
  gone.resume();
  gone.write(
    `GET /ws?channels=odds&api_key=${key} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: YmVuY2htYXJrLWJlbmNobQ==\r\n\r\n',
  );
  const { broadcaster, webSockets } = server.server;
  await until('both are there', () => broadcaster.subscriberCount === 2);
  let pings = 0;
  there.socket.on('ping', () => {
    pings++;
  });
  for (let look = 1; look < 12; look++) webSockets.watch();
  await until('it was asked', () => pings > 0);
  assert.equal(closed, false, 'not yet');
  there.say({ type: 'ping' });
  await there.frame('pong');
  webSockets.watch();
  await until('the silent one is cut off', () => closed);
  assert.equal(there.closed, null);
  there.socket.terminate();
});

test('a server that shuts down closes its sockets with 1001', async () => {
  const server = await empty();
  const socket = new RawWs(server, { api_key: server.key('enterprise'), channels: 'odds' });
  await socket.frame('snapshot:complete');
  await server.close();
  await until('closed', () => socket.closed !== null);
  assert.equal(socket.closed, 1001);
});
