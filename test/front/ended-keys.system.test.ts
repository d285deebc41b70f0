// What happens to the streams of a key that ends while they are open.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { atOnce } from '../accounts/keys-at-once.js';
import { shared } from '../shared.js';
import { until } from '../support/until.js';
import { type Api, api } from './api.js';
import { ladder, RawSse } from './stream-rig.js';
import { RawWs } from './ws/raw-ws.js';

const HOUR_MS = 3_600_000;
const run = promisify(execFile);

/** Each test has keys of its own, and ends its own streams. */
const served = shared((t) => api(t));

let second = 0;
/** Every price changes. */
async function change(made: Api): Promise<void> {
  second++;
  await made.ingest(ladder(second, 2, -110 - second));
}

interface Viewers {
  made: Api;
  key: string;
  keyId: string;
  sse: RawSse;
  json: RawWs;
  packed: RawWs;
  /** Without a subscription. */
  silent: RawWs;
  /** Of another account. */
  other: RawSse;
}

async function viewers(): Promise<Viewers> {
  const made = await served();
  await change(made);
  const { key, record } = atOnce(made.server.accounts).create({ tier: 'pro', streaming: true });
  const sse = new RawSse(made, '/stream?channel=all', key);
  const json = new RawWs(made, { api_key: key, channels: 'odds' });
  const packed = new RawWs(made, { api_key: key, channels: 'odds' }, ['overround.msgpack']);
  const silent = new RawWs(made, { api_key: key });
  const other = new RawSse(made, '/stream/odds', made.key('pro', { streaming: true }));
  await until('all are complete', () => sse.table.complete && other.table.complete);
  for (const socket of [json, packed]) await socket.frame('snapshot:complete');
  await silent.frame('connected');
  return { made, key, keyId: record.id, sse, json, packed, silent, other };
}

async function allEnd({ made, key, sse, json, packed, silent, other }: Viewers): Promise<void> {
  const sockets = [json, packed, silent];
  await until('all are closed', () => sse.ended && sockets.every(({ closed }) => closed !== null));
  const last = sse.events.at(-1)!;
  assert.deepEqual([last.event, JSON.parse(last.data).code], ['error', 'unauthorized']);
  for (const socket of sockets) {
    assert.deepEqual([socket.closed, socket.reason], [4001, 'unauthorized']);
    assert.equal(socket.frames.at(-1)!['code'], 'unauthorized');
  }
  await until('slots are free', () => made.server.broadcaster.subscriberCount === 1);
  assert.equal((await made.fetch('/stream', { key })).status, 401);
  await change(made);
  await until('another account goes on', () => other.events.at(-1)!.event === 'odds:update');
  other.vanish();
}

test('a revoked key ends its streams, SSE and WebSocket, and no others', async () => {
  const seen = await viewers();
  atOnce(seen.made.server.accounts).revoke(seen.keyId);
  await allEnd(seen);
});

test('a key deleted by another key of its account ends its streams', async () => {
  const seen = await viewers();
  const { accounts } = seen.made.server;
  const { account } = accounts.find(seen.keyId)!;
  const second = atOnce(accounts).create({ tier: 'pro', account, streaming: true }).key;
  const response = await seen.made.fetch(`/account/keys/${seen.keyId}`, { method: 'DELETE', key: second });
  assert.equal(response.status, 204);
  await allEnd(seen);
});

test('a key revoked by another process ends its streams', async () => {
  const seen = await viewers();
  const main = new URL('../../src/main.js', import.meta.url).pathname;
  await run(process.execPath, [main, 'keys', 'revoke', seen.keyId, '--data', seen.made.server.engine.directory.path]);
  await allEnd(seen);
});

test('a WebSocket of a key that has just ended may not subscribe any more', async () => {
  const made = await served();
  const { key, record } = atOnce(made.server.accounts).create({ tier: 'pro', streaming: true });
  const socket = new RawWs(made, { api_key: key });
  await socket.frame('connected');
  // Sent before the server's own periodic check.
  atOnce(made.server.accounts).revoke(record.id);
  socket.say({ type: 'subscribe', channels: ['odds'], id: 7 });
  await until('closed', () => socket.closed !== null);
  assert.deepEqual([socket.closed, socket.types.includes('subscribed')], [4001, false]);
});

// The last one: its clock is hours later.
test('streams of a rotated key live through its grace and end with it', async () => {
  const seen = await viewers();
  const { made, keyId, sse, json } = seen;
  atOnce(made.server.accounts).rotate(keyId, 2);
  made.clock.set(made.clock.now() + 2 * HOUR_MS - 1);
  json.say({ type: 'ping', id: 1 });
  await json.frame('pong');
  assert.equal(sse.ended, false);
  made.clock.set(made.clock.now() + 1);
  await allEnd(seen);
});
