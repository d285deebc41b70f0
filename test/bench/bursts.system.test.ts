// Bursts of the bench: a peer publishes as many messages as requested, and a round counts what every client received.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { buildLoad, StreamClients } from '../../bench/load.js';
import { nodePeer } from '../../bench/peers.js';
import { messagesOf, nowDigits } from '../../bench/servers/serving.js';
import { messageOf, type Published, peerStream, runBursts, type Stream } from '../../bench/streams.js';
import { newFolder } from '../temp-folders.js';

const CLIENTS = 3;

test('a program is requested to send one message or several, all with the same time and each with its own bytes', () => {
  const before = nowDigits();
  assert.equal(messagesOf('', messageOf('json', 100)).length, 1);
  assert.equal(messagesOf(undefined, messageOf('json', 100)).length, 1);
  const [first, ...others] = messagesOf('40', messageOf('event', 120));
  assert.equal(others.length, 39);
  assert.ok(others.every((message) => message.equals(first!)));
  assert.ok(first!.toString().includes('evt_') && first!.length === 120);
  assert.ok(Number(/evt_(\d{16})/.exec(first!.toString())?.[1]) >= Number(before));
  first!.fill('x');
  assert.ok(others.every((message) => !message.equals(first!)));
});

test('a request without a valid number of messages is an error', () => {
  for (const query of ['0', '-1', '1.5', 'many'])
    assert.throws(() => messagesOf(query, messageOf('json', 100)), /no number of messages/);
});

for (const posted of [false, true])
  test(`every client gets every message of a burst, ${posted ? 'each in a post of its own' : 'by a loop'}`, async (t) => {
    await withStream(t, { burst: 5, posted }, async (folder, stream) => {
      const round = await runBursts(folder, stream, { connections: CLIENTS, perSecond: 50, ms: 100 }, 5);
      assert.ok(round.sent > 0);
      assert.equal(round.messages, round.sent * 5 * CLIENTS);
      assert.deepEqual([round.least, round.most], [round.sent * 5, round.sent * 5]);
      assert.equal(round.wholeMs.length, round.sent);
    });
  });

test('a round with more messages than expected does not count', async (t) => {
  await withStream(t, { burst: 5 }, async (folder, stream) => {
    await assert.rejects(
      runBursts(folder, stream, { connections: CLIENTS, perSecond: 50, ms: 100 }, 4),
      /node-http SSE: \d+ of \d+ came/,
    );
  });
});

test('messages that never arrive are reported as missing', async (t) => {
  await withStream(t, { burst: 5 }, async (folder, stream) => {
    const clients = await StreamClients.open(folder, stream.target, { ...stream.load, connections: CLIENTS });
    t.after(() => clients.close());
    await clients.begin(0, false);
    await stream.publish(0);
    await clients.arrived(5 * CLIENTS);
    await assert.rejects(clients.arrived(5 * CLIENTS + 1, 50), /missing 1 of 16/);
  });
});

async function withStream(
  t: TestContext,
  published: Published,
  run: (folder: string, stream: Stream) => Promise<void>,
): Promise<void> {
  const folder = newFolder('overround-bursts-');
  const why = buildLoad(folder);
  if (why !== undefined) return t.skip(why);
  const peer = await nodePeer('node-http', folder);
  t.after(() => peer.stop());
  const stream = await peerStream(peer, 'sse', 'event', 150, published);
  t.after(() => stream.close());
  await run(folder, stream);
}
