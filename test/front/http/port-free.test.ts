// Two servers must not share a fixed port unnoticed.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { assertPortFree } from '../../../src/front/http/port-free.js';
import { App, us_listen_socket_close } from '../../../src/front/http/uws.js';

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

test('a fixed port another uWebSockets server listens on is refused, a free one and port 0 are not', async (t) => {
  const port = await freePort();
  await assertPortFree('127.0.0.1', port);
  await assertPortFree('127.0.0.1', 0);
  const app = App();
  const socket = await new Promise((resolve) => app.listen('127.0.0.1', port, resolve));
  t.after(() => us_listen_socket_close(socket as never));
  await assert.rejects(assertPortFree('127.0.0.1', port), new RegExp(`127.0.0.1:${port}: the port is in use`));
});
