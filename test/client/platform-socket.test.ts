// The WebSocket of Node 22 (undici's), which reports a failed connection only by an error event.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { WebSocket } from 'undici';
import { OverroundClient, type WebSocketConstructor } from '../../src/client/client.js';

test('an unreachable server is retried, and given up', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  const client = new OverroundClient({
    url: `http://127.0.0.1:${port}`,
    WebSocket: WebSocket as unknown as WebSocketConstructor,
  });
  let tries = 0;
  const stream = client.socket(['odds'], {}, { retryMs: 1, firstTriesMax: 3, onLost: () => tries++ });
  assert.equal((await stream.ended)?.code, 'connection_lost');
  assert.equal(tries, 2);
});
