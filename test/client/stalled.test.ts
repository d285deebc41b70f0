// Requests whose answer begins and never ends, in a process that has collected its garbage meanwhile: Node must not have
// forgotten what ends them.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { OverroundClient } from '../../src/client/client.js';
import { boundedFetch } from '../../src/intake/feeds/bounded-fetch.js';
import { eventStream } from '../../src/intake/feeds/kit/event-stream.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** The address of a server that says something and then nothing, and the request that it is asked. */
async function stalling(t: TestContext): Promise<{ url: string; asked: Promise<ServerResponse> }> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: connected\ndata: {"position":1}\n\n');
    server.emit('asked', response);
  });
  const asked = once(server, 'asked').then(([response]) => response as ServerResponse);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** Fails if the connection is still there some time after what ends it. */
async function isEnded(asked: Promise<ServerResponse>, end?: () => void): Promise<void> {
  const gone = once(await asked, 'close');
  for (let i = 0; i < 5; i++) {
    await wait(30);
    collect();
  }
  end?.();
  assert.notEqual(await Promise.race([gone, wait(10_000, 'still there', { ref: false })]), 'still there');
}

test('a stream ends when it is closed', async (t) => {
  const { url, asked } = await stalling(t);
  const stream = new OverroundClient({ url }).stream('odds');
  await isEnded(asked, () => stream.close());
  assert.equal(await stream.ended, undefined);
});

test('a call ends in its time', async (t) => {
  const { url, asked } = await stalling(t);
  const call = assert.rejects(new OverroundClient({ url, timeoutMs: 500, retries: 0 }).odds({}));
  await isEnded(asked);
  await call;
});

test('an answer to a feed ends in its time', async (t) => {
  const { url, asked } = await stalling(t);
  const limits = { timeoutMs: 500, bodyBytesMax: 1_000 };
  const { signal } = new AbortController();
  const answer = assert.rejects(boundedFetch(new URL(url), {}, limits, signal), /no complete answer within 500 ms/);
  await isEnded(asked);
  await answer;
});

test('the stream of a feed ends when it is closed', async (t) => {
  const { url, asked } = await stalling(t);
  const nothing = (): void => undefined;
  const events = { opened: nothing, received: nothing, alive: nothing, ended: nothing };
  const transport = eventStream({ url: () => new URL(url) })(events as never);
  await isEnded(asked, () => transport.close());
});
