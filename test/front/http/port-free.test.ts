// Two servers must not share a fixed port unnoticed.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { assertPortFree } from '../../../src/front/http/port-free.js';
import { App, us_listen_socket_close } from '../../../src/front/http/uws.js';
import { type Api, api } from '../api.js';
import { running } from './harness.js';

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as { port: number };
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

test('a server begun on a free port can be begun again on it at once, though it had open connections', async (t) => {
  const open = (): Promise<Api> => api(t);
  const first = await open();
  const key = first.key('enterprise');
  const stream = await first.fetch('/stream?channel=odds', { key });
  const reader = stream.body!.getReader();
  await reader.read();
  const port = Number(new URL(first.url).port);
  await first.close();
  await reader.cancel().catch(() => undefined);
  const app = App();
  const socket = await new Promise((resolve) => app.listen('127.0.0.1', port, resolve));
  assert.notEqual(socket, false);
  us_listen_socket_close(socket as never);
});

test('two servers on free ports never share one', async (t) => {
  const servers = await Promise.all(Array.from({ length: 6 }, () => running(t, [])));
  assert.equal(new Set(servers.map(({ port }) => port)).size, 6);
});

test('a fixed port another uWebSockets server listens on is refused, a free one and port 0 are not', async (t) => {
  const port = await freePort();
  await assertPortFree('127.0.0.1', port);
  await assertPortFree('127.0.0.1', 0);
  const app = App();
  const socket = await new Promise((resolve) => app.listen('127.0.0.1', port, resolve));
  t.after(() => us_listen_socket_close(socket as never));
  await assert.rejects(assertPortFree('127.0.0.1', port), new RegExp(`127.0.0.1:${port}: the port is in use`));
});

test('an address that cannot be listened on is refused with what is wrong with it', async (t) => {
  await assert.rejects(assertPortFree('192.0.2.1', 8080), /192\.0\.2\.1:8080: the address is not this machine's$/);
  await assert.rejects(assertPortFree('nowhere.invalid', 8080), /: the (?:host has no address$|.* \(EAI_AGAIN\)$)/);
  // Whoever is root may use any.
  if (process.geteuid?.() === 0) {
    process.seteuid!(65_534);
    t.after(() => process.seteuid!(0));
  }
  if (process.platform === 'linux')
    await assert.rejects(assertPortFree('127.0.0.1', 81), /127\.0\.0\.1:81: this user may not use the port/);
});
