// The WebSocket of Node 22 (undici's), which reports a failed connection only by an error event.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebSocket } from 'undici';
import { OverroundClient, type WebSocketConstructor } from '../../src/client/client.js';
import { freePort } from '../support/free-port.js';

test('an unreachable server is retried, and given up', async () => {
  const client = new OverroundClient({
    url: `http://127.0.0.1:${await freePort()}`,
    WebSocket: WebSocket as unknown as WebSocketConstructor,
  });
  let tries = 0;
  const stream = client.socket(['odds'], {}, { retryMs: 1, firstTriesMax: 3, onLost: () => tries++ });
  assert.equal((await stream.ended)?.code, 'connection_lost');
  assert.equal(tries, 2);
});
