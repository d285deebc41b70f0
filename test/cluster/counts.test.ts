// Limits hold over all nodes of a cluster together, as nearly as the contract says.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { KeyRecord } from '../../src/accounts/key-record.js';
import { RateLimiter } from '../../src/accounts/rate-limit.js';
import { StreamSlots } from '../../src/accounts/stream-slots.js';
import { ClusterCounts } from '../../src/cluster/cluster-counts.js';
import { connectCluster } from '../../src/cluster/nats.js';
import { ManualClock } from '../../src/model/clock.js';
import { type NatsNode, startNats, WITHOUT_NATS } from './nats-server.js';

const LIMIT = 300;
const clock = new ManualClock(Date.parse('2026-11-20T18:00:10Z'));

async function countsOf(t: TestContext, { url }: NatsNode, node: string): Promise<ClusterCounts> {
  const nats = await connectCluster({ servers: [url], clusterName: 'odds', connectionName: node }, null);
  const counts = new ClusterCounts(nats, node);
  t.after(async () => {
    counts.close();
    await nats.connection.close();
  });
  return counts;
}

test('requests at several nodes are let through as if they came to one, within a tenth', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const [server] = await startNats(t);
  const nodes = await Promise.all(['a', 'b', 'c'].map((node) => countsOf(t, server!, node)));
  const limiters = nodes.map((shared) => new RateLimiter({ clock, shared }));
  let allowed = 0;
  for (let i = 0; i < 3 * LIMIT; i++) {
    if (limiters[i % 3]!.take('caller', LIMIT).allowed) allowed++;
    // As fast as one caller who waits for each answer.
    if (i % 3 === 2) await pause(1);
  }
  assert.ok(allowed >= LIMIT && allowed <= 1.1 * LIMIT, `${allowed} of ${LIMIT}`);
  assert.equal(limiters[0]!.peek('another', LIMIT).remaining, LIMIT);
});

test('streams at several nodes take slots of one account, and those of a node that is gone are free again', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const [server] = await startNats(t);
  const [first, second] = await Promise.all(['a', 'b'].map((node) => countsOf(t, server!, node)));
  const [here, there] = [new StreamSlots(clock, first), new StreamSlots(clock, second)];
  const key = { id: 'key', account: 'account', tier: 'enterprise', maxStreams: 2 } as KeyRecord;
  const held = [here.acquire(key), here.acquire(key)];
  for (let i = 0; i < 500 && there.active('account') < 2; i++) await pause(5);
  assert.throws(() => there.acquire(key), /may hold 2 streams/);
  held[0]!.release();
  for (let i = 0; i < 500 && there.active('account') > 1; i++) await pause(5);
  there.acquire(key);
  first!.close();
  for (let i = 0; i < 500 && there.active('account') > 1; i++) await pause(5);
  assert.equal(there.active('account'), 1);
});
