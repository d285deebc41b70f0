// Limits hold across all nodes of a cluster, as precisely as the contract says.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { KeyRecord } from '../../../src/accounts/key-record.js';
import { RateLimiter } from '../../../src/accounts/rate-limit.js';
import { StreamSlots } from '../../../src/accounts/stream-slots.js';
import { ManualClock } from '../../../src/base/model/clock.js';
import { connectCluster, natsHeartbeats } from '../../../src/replication/nats/nats.js';
import type { Heartbeats } from '../../../src/replication/port/heartbeats.js';
import { beforeNatsEnds, type NatsNode, startNats, WITHOUT_NATS } from '../../support/nats-server.js';
import { stopwatch } from '../../support/own-time.js';
import { until } from './rig.js';

const LIMIT = 300;
const clock = new ManualClock(Date.parse('2026-11-20T18:00:10Z'));

interface Counting {
  counts: Heartbeats;
  /** Stops without publishing anything more, as if killed. */
  die(): Promise<void>;
}

async function countsOf(t: TestContext, { url }: NatsNode, node: string): Promise<Counting> {
  const nats = await connectCluster({ servers: [url], clusterName: 'odds', connectionName: node }, null);
  const counts = natsHeartbeats(nats, node, 'front');
  beforeNatsEnds(t, async () => {
    counts.close();
    await nats.close();
  });
  return { counts, die: () => nats.connection.close() };
}

test('requests at several nodes are limited as if they came to one, within a tenth', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const [server] = await startNats(t);
  const nodes = await Promise.all(['a', 'b', 'c'].map((node) => countsOf(t, server!, node)));
  const limiters = nodes.map(({ counts: shared }) => new RateLimiter({ clock, shared }));
  let allowed = 0;
  for (let i = 0; i < 3 * LIMIT; i++) {
    if (limiters[i % 3]!.take('caller', LIMIT).allowed) allowed++;
    // As fast as one caller who awaits each answer.
    if (i % 3 === 2) await pause(1);
  }
  assert.ok(allowed >= LIMIT && allowed <= 1.1 * LIMIT, `${allowed} of ${LIMIT}`);
  assert.equal(limiters[0]!.peek('another', LIMIT).remaining, LIMIT);
});

test('streams at several nodes use the slots of one account, and those of a dead node are free within ten seconds', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const [server] = await startNats(t);
  const [first, second] = await Promise.all(['a', 'b'].map((node) => countsOf(t, server!, node)));
  const [here, there] = [new StreamSlots(clock, first!.counts), new StreamSlots(clock, second!.counts)];
  const key = { id: 'key', account: 'account', tier: 'enterprise', maxStreams: 2 } as KeyRecord;
  const open = [here.acquire(key), here.acquire(key)];
  await until('both to be known', () => there.active('account') === 2);
  assert.throws(() => there.acquire(key), /may hold 2 streams/);
  open[0]!.release();
  await until('one to be free', () => there.active('account') === 1);
  there.acquire(key);
  assert.equal(there.active('account'), 2);
  const passed = stopwatch(t);
  await first!.die();
  await until('those of the dead node to be free', () => there.active('account') === 1);
  assert.ok(passed() < 10_000);
});
