// The bound on open connections, on a whole server.
import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { until } from '../support/until.js';
import { type Api, api } from './api.js';
import { ladder, RawSse } from './stream-rig.js';
import { RawWs } from './ws/raw-ws.js';

interface Client {
  socket: Socket;
  text: string;
  closed: boolean;
}

/** A connection that sends a request at once and stays open. */
function client(made: Api): Client {
  const { hostname, port } = new URL(made.url);
  const one: Client = { socket: connect(Number(port), hostname), text: '', closed: false };
  one.socket.on('data', (bytes) => (one.text += bytes.toString('latin1')));
  one.socket.on('error', () => undefined);
  one.socket.on('close', () => {
    one.closed = true;
  });
  one.socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
  return one;
}

test('connections beyond the limit get a 503 with its body and are closed; existing ones continue, including WebSockets', async (t) => {
  const made = await api(t, { 'max-connections': '6' });
  await made.ingest(ladder(1, 2, -110));
  const key = made.key('pro', { streaming: true });
  const sse = new RawSse(made, '/stream/odds', key);
  const ws = new RawWs(made, { api_key: key, channels: 'odds' });
  await until('complete', () => sse.table.complete);
  await ws.frame('snapshot:complete');
  const clients = Array.from({ length: 40 }, () => client(made));
  await until('all are answered', () => clients.every(({ text }) => text.includes('}')));
  const refused = clients.filter(({ text }) => text.startsWith('HTTP/1.1 503'));
  const served = clients.filter(({ text }) => text.startsWith('HTTP/1.1 200'));
  assert.deepEqual([served.length, refused.length], [4, 36]);
  await until('refused ones are closed', () => refused.every(({ closed }) => closed));
  for (const { text } of refused) {
    assert.match(text, /x-request-id: \S+/i);
    assert.match(text, /retry-after: 1/i);
    assert.equal(JSON.parse(text.slice(text.indexOf('{'))).error.code, 'unavailable');
  }
  await made.ingest(ladder(2, 2, -120));
  await until('news on both', () => ws.types.includes('odds:update') && sse.events.at(-1)!.event === 'odds:update');
  // A connection of each kind frees its slot when it ends.
  ws.socket.terminate();
  sse.vanish();
  for (const { socket } of served) socket.destroy();
  await until('all are gone', () => made.server.connections.open === 0);
  const again = Array.from({ length: 6 }, () => client(made));
  await until('all are served', () => again.every(({ text }) => text.startsWith('HTTP/1.1 200')));
  for (const { socket } of again) socket.destroy();
});
