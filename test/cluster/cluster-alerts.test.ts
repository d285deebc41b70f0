// The alerts of the node that writes, over a real NATS server: opened with its term, again where the servers refuse it,
// and closed whatever fails.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { AlertSharing } from '../../src/alerts/alerts.js';
import { ClusterAlerts, type ClusterAlertsOptions } from '../../src/cluster/cluster-alerts.js';
import { type ClusterNats, connectCluster } from '../../src/cluster/nats.js';
import { encode } from '../../src/wire/codec.js';
import { tempFolder } from '../engine-rig.js';
import { ruleFor } from '../outbox/rules.js';
import { beforeNatsEnds, startNats, WITHOUT_NATS } from './nats-server.js';
import { until } from './rig.js';

async function writer(t: TestContext, close: () => Promise<void>) {
  const [server] = await startNats(t);
  const nats: ClusterNats = await connectCluster(
    { servers: [server!.url], clusterName: 'odds', connectionName: 'alerts' },
    null,
  );
  beforeNatsEnds(t, () => nats.close());
  const opened: AlertSharing[] = [];
  const lines: string[] = [];
  const note = (_: unknown, line: string): unknown => lines.push(line);
  const alerts = new ClusterAlerts({
    nats,
    dataDir: tempFolder(t),
    writer: { request: () => assert.fail('this node writes') },
    open: (_path, sharing) => {
      opened.push(sharing);
      return { close } as ReturnType<ClusterAlertsOptions['open']>;
    },
    log: { info() {}, warn: note, error: note } as ClusterAlertsOptions['log'],
    againMs: 1,
  });
  beforeNatsEnds(t, () => alerts.end());
  return { nats, alerts, opened, lines };
}

test('a writer whose entries the servers changed takes its alerts over again; one that a later writer follows says so', {
  skip: WITHOUT_NATS,
}, async (t) => {
  let closed = 0;
  const { nats, alerts, opened, lines } = await writer(t, async () => {
    closed++;
  });
  alerts.begin(5);
  await until(() => opened.length === 1, 'alerts to be opened');
  const rule = ruleFor('https://example.com/');
  await opened[0]!.add(rule);
  // As after an election of the servers that lost the newest entry.
  const entry = await nats.state.get('alerts.index');
  await nats.state.put('alerts.index', entry!.value);
  await assert.rejects(opened[0]!.remove(rule.id), { code: 'unavailable' });
  await until(() => opened.length === 2, 'alerts to be opened again');
  assert.equal(closed, 1);
  await opened[1]!.remove(rule.id);

  await nats.state.put('alerts.index', encode({ term: 6, ids: [] }));
  await assert.rejects(opened[1]!.add(rule), { code: 'unavailable' });
  await until(() => lines.length > 0, 'it to say so');
  assert.match(lines.join(), /a later writer stores the alerts/);
  assert.throws(() => alerts.here, { code: 'unavailable' });
  assert.deepEqual([opened.length, closed], [2, 2]);
});

test('nothing is shared any more after the end of a term, even if the alerts could not be closed', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const { alerts, opened, lines } = await writer(t, () => Promise.reject(new Error('the disk is full')));
  alerts.begin(1);
  await until(() => opened.length === 1, 'alerts to be opened');
  await alerts.end();
  assert.deepEqual(lines, ['alerts were not closed in order']);
  await assert.rejects(opened[0]!.add(ruleFor('https://example.com/')), { code: 'unavailable' });
});
