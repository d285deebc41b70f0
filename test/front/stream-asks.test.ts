// Parameters of streams: names, values, echoes, and the effects of a refusal.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { encode } from '../../src/base/wire/codec.js';
import { shared } from '../shared.js';
import { until } from '../support/until.js';
import { type Api, api } from './api.js';
import { ladder, RawSse } from './stream-rig.js';
import { RawWs } from './ws/raw-ws.js';

/** With two lines of one book; each test ends its own streams. */
const priced = shared(async (t) => {
  const server = await api(t);
  await server.ingest(ladder(1, 2, -110));
  return server;
});

let second = 1;
/** Every price of it changes. */
async function change(server: Api): Promise<void> {
  second++;
  await server.ingest(ladder(second, 2, -110 - second));
}

test('an unknown name in the query of a stream is refused, and named, over SSE and WebSocket', async () => {
  const server = await priced();
  const key = server.key('enterprise');
  for (const path of ['/stream?channel=odds&legue=nba', '/stream/odds?legue=nba', '/stream/events/x?legue=nba']) {
    const response = await server.fetch(path, { key });
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    assert.deepEqual([response.status, error.code], [400, 'invalid_request'], path);
    assert.match(error.message, /legue/);
  }
  assert.equal((await server.fetch('/stream/odds?channel=all', { key })).status, 400, 'another channel than the path');
  const socket = new RawWs(server, { api_key: key, channels: 'odds', legue: 'nba' });
  const error = await socket.frame('error');
  assert.equal(error['code'], 'invalid_request');
  assert.match(String(error['message']), /legue/);
  assert.deepEqual(socket.types, ['connected', 'error']);
  socket.socket.terminate();
});

test('plural and singular names mean the same, repeated ones mean all their values, and the echo shows what applies', async (t) => {
  const server = await api(t);
  await server.ingest(ladder(1, 2, -110), ladder(1, 2, -105, 'draftkings'));
  const key = server.key('enterprise');
  const asked = 'leagues=NBA&league=nfl&sportsbooks=FanDuel&sport=us_major';
  const client = new RawSse(server, `/stream/odds?${asked}`, key);
  await until('complete', () => client.table.complete);
  const { filters } = JSON.parse(client.events[0]!.data) as { filters: Record<string, string[]> };
  assert.deepEqual([filters['league'], filters['sportsbook']], [['nba', 'nfl'], ['fanduel']]);
  assert.ok(filters['sport']!.includes('basketball') && filters['sport']!.length > 1);
  assert.equal(client.table.odds.size, 8);
  client.vanish();

  const queried = new RawWs(server, { api_key: key, channels: 'odds', leagues: 'nba' });
  await queried.frame('snapshot:complete');
  assert.deepEqual((await queried.frame('subscribed'))['filters'], { leagues: ['nba'] });
  assert.equal(queried.table.odds.size, 8);
  const events = [...new Set([...queried.table.odds.values()].map((row) => row.event_id))];
  for (const filters of [
    { league: ['NBA'] },
    { league: 'nba' },
    { leagues: 'nba', sports: ['basketball'] },
    { events },
    { event_id: events[0] },
    { eventIds: events },
  ]) {
    const from = queried.frames.length;
    queried.say({ type: 'subscribe', channels: ['odds'], filters });
    const complete = await queried.frame('snapshot:complete', from);
    assert.equal(complete['total_odds'], 8, JSON.stringify(filters));
    const echo = (await queried.frame('subscribed', from))['filters'] as Record<string, unknown>;
    assert.deepEqual(echo['leagues'] ?? echo['eventIds'], echo['leagues'] === undefined ? events : ['nba']);
  }
  queried.socket.terminate();
});

test('an unknown name in filters or beside them is refused, and the previous subscription continues', async () => {
  const server = await priced();
  const socket = new RawWs(server, { api_key: server.key('enterprise'), channels: 'odds', league: 'nba' });
  await socket.frame('snapshot:complete');
  const cases: [message: Record<string, unknown>, name: RegExp][] = [
    [{ filters: { legues: ['nba'] } }, /legues/],
    [{ filters: JSON.parse('{"__proto__": 1}') }, /__proto__/],
    [{ leagues: ['nfl'] }, /leagues/],
    [{ filter: { league: ['nfl'] } }, /filter/],
    [{ filters: { leagues: [1] } }, /leagues/],
    [{ filters: { leagues: { nba: true } } }, /leagues/],
    [{ filters: ['nba'] }, /filters/],
  ];
  for (const [i, [message, name]] of cases.entries()) {
    const from = socket.frames.length;
    socket.say({ type: 'subscribe', id: `m${i}`, channels: ['odds'], ...message });
    const error = await socket.frame('error', from);
    assert.deepEqual([error['code'], error['id']], ['invalid_request', `m${i}`], JSON.stringify(message));
    assert.match(String(error['message']), name);
  }
  const from = socket.frames.length;
  await change(server);
  await socket.frame('odds:update', from);
  socket.socket.terminate();
});

test('an error carries the id of the message it answers wherever that could be read', async () => {
  const server = await priced();
  const socket = new RawWs(server, { api_key: server.key('enterprise') });
  await socket.frame('connected');
  const messages: [message: unknown, id: string | number | undefined][] = [
    [{ type: 'shout', id: 7 }, 7],
    [{ id: 'no type' }, 'no type'],
    [{ type: 'subscribe', id: 'a' }, 'a'],
    [{ type: 'subscribe', id: 'b', channels: ['everything'] }, 'b'],
    [{ type: 'subscribe', id: 'c', channels: ['odds'], from_seq: -1 }, 'c'],
    [{ type: 'subscribe', id: 'd', channels: ['odds'], filters: { leagues: ['quidditch'] } }, 'd'],
    [{ type: 'shout', id: { deep: 1 } }, undefined],
    [{ type: 'shout', id: 'x'.repeat(1_000) }, undefined],
    [['id'], undefined],
  ];
  for (const [message, id] of messages)
    for (const binary of [false, true]) {
      const from = socket.frames.length;
      socket.socket.send(binary ? encode(message) : JSON.stringify(message));
      assert.equal((await socket.frame('error', from))['id'], id, JSON.stringify(message));
    }
  socket.socket.terminate();
});

test('a refused subscribe has no effect: the next one starts where it says, not where the refused one did', async () => {
  const server = await priced();
  const socket = new RawWs(server, { api_key: server.key('enterprise'), channels: 'odds' });
  await socket.frame('snapshot:complete');
  const position = socket.position;
  await change(server);
  for (const refused of [
    { channels: ['odds'], filters: { leagues: ['quidditch'] }, from_seq: position },
    { channels: ['everything'], from_seq: position },
  ]) {
    let from = socket.frames.length;
    socket.say({ type: 'subscribe', ...refused });
    await socket.frame('error', from);
    from = socket.frames.length;
    socket.say({ type: 'subscribe', channels: ['odds'] });
    const subscribed = await socket.frame('subscribed', from);
    assert.deepEqual([subscribed['resumed'], subscribed['global_seq']], [false, 0]);
    await socket.frame('snapshot:complete', from);
  }
  socket.socket.terminate();
  const other = new RawWs(server, { api_key: server.key('enterprise') });
  await other.frame('connected');
  other.say({ type: 'subscribe', channels: ['odds'], from_seq: position });
  const subscribed = await other.frame('subscribed');
  assert.deepEqual([subscribed['resumed'], subscribed['global_seq']], [true, position]);
  other.socket.terminate();
});

test('a client that starts over is told to forget its position', async () => {
  const server = await priced();
  const key = server.key('enterprise');
  const fresh = new RawSse(server, '/stream/odds', key);
  await until('complete', () => fresh.table.complete);
  assert.equal(fresh.events[0]!.id, '', 'an empty id line with connected');
  const refused = new RawSse(server, '/stream/odds?resume=true', key, { 'last-event-id': 'evt_17' });
  await until('complete', () => refused.table.complete);
  assert.deepEqual(
    refused.events.slice(0, 2).map(({ event, id }) => [event, id]),
    [
      ['connected', ''],
      ['snapshot_required', ''],
    ],
  );
  const position = fresh.ids.at(-1)!;
  const resumed = new RawSse(server, '/stream/odds?resume=true', key, { 'last-event-id': `evt_${position}` });
  await until('connected', () => resumed.events.length > 0);
  assert.equal(resumed.events[0]!.id, undefined);
  for (const client of [fresh, refused, resumed]) client.vanish();

  const old = new RawWs(server, { api_key: key, channels: 'odds', resume: 'true', from_seq: '17' });
  await old.frame('snapshot:complete');
  assert.deepEqual(
    old.frames.slice(1).map((frame) => [frame.type, frame['global_seq']]),
    [
      ['subscribed', 0],
      ['snapshot_required', 0],
      ['initial', 0],
      ['snapshot:complete', old.position],
    ],
  );
  old.socket.terminate();
});

test('what is small comes in one piece with the head of the answer', async () => {
  const server = await priced();
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(
    `GET /api/v1/stream/odds?league=nba HTTP/1.1\r\nHost: x\r\nX-API-Key: ${server.key('enterprise')}\r\nAccept: text/event-stream\r\n\r\n`,
  );
  const [first] = (await once(socket, 'data')) as [Buffer];
  assert.match(first.toString(), /^HTTP\/1\.1 200.*event: connected.*event: snapshot\n.*event: snapshot:complete/s);
  socket.destroy();
});

test('callers who ask in the same words at the same time each get what they may see', async () => {
  const server = await priced();
  const query = '/stream/odds?sport=us_major&league=nba';
  const keys = [server.key('enterprise'), server.key('enterprise'), server.key('enterprise')];
  for (const key of keys) {
    const client = new RawSse(server, query, key);
    await until('complete', () => client.table.complete);
    assert.equal(client.table.odds.size, 4);
    client.vanish();
  }
  for (const key of keys) {
    const response = await server.fetch(`${query}&sportsbook=pinnacle`, { key });
    assert.equal(response.status, 200);
    await response.body?.cancel();
  }
  for (let time = 0; time < 3; time++) {
    const low = await server.fetch(`${query}&sportsbook=pinnacle`, { key: server.key('hobby') });
    assert.equal(low.status, 403, await low.text());
  }
});
