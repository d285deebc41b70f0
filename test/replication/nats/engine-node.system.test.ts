// An engine of a cluster that is closed while it is about to write the log, on a real NATS server.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../../src/base/model/clock.js';
import { EngineNode } from '../../../src/replication/nats/engine-node.js';
import { settleIdentity } from '../../../src/replication/nats/identity.js';
import { type ClusterNats, connectCluster } from '../../../src/replication/nats/nats.js';
import { Snapshots } from '../../../src/replication/nats/snapshots.js';
import { writeIdentity } from '../../../src/store/data-directory.js';
import { engineOptions } from '../../engine-rig.js';
import { beforeNatsEnds, startNats, WITHOUT_NATS } from '../../support/nats-server.js';
import { newFolder } from '../../temp-folders.js';
import { until } from './rig.js';

/** The same, but the log seems to have one message more than can be read of it, once `waits()` is true. */
function neverRead(nats: ClusterNats, waits: () => boolean): ClusterNats {
  const streams = {
    info: async (name: string) => {
      const info = await nats.streams.streams.info(name);
      if (waits()) info.state.last_seq++;
      return info;
    },
    getMessage: nats.streams.streams.getMessage.bind(nats.streams.streams),
    update: nats.streams.streams.update.bind(nats.streams.streams),
  };
  return { ...nats, streams: { direct: nats.streams.direct, streams } as unknown as ClusterNats['streams'] };
}

test('an engine that takes over and cannot read the log to its end can be closed', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const [server] = await startNats(t);
  const bounds = { ageMaxMs: 600_000, bytesMax: 256 * 1024 * 1024 };
  const real = await connectCluster({ servers: [server!.url], clusterName: 'odds', connectionName: 'one' }, bounds);
  beforeNatsEnds(t, () => real.close());
  let started = false;
  const nats = neverRead(real, () => started);
  const dataDir = newFolder();
  const identity = await settleIdentity(nats.state, dataDir, { shards: 1, simulated: false }, systemClock);
  writeIdentity(dataDir, identity);
  const { log, ...engine } = engineOptions(dataDir);
  const node = new EngineNode({
    nats,
    snapshots: new Snapshots(nats),
    identity,
    from: { sequence: 0, mark: { term: 0, counter: 0 } },
    role: 'engine',
    engine: { ...engine, log, workers: 1 },
    retentionMs: 600_000,
    logBytesMax: bounds.bytesMax,
    log,
    onEnd: () => undefined,
  });
  t.after(() => node.engine.close());
  await node.engine.shards!.begun();
  await node.start();
  started = true;
  await until('it to hold the lease', () => node.writer === node.node);
  await pause(200);
  assert.equal(node.leads, false);
  const closed = node.close().then(() => true);
  assert.equal(await Promise.race([closed, pause(60_000, false, { ref: false })]), true, 'it is closed');
});
