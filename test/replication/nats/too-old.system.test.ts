// A front that was suspended for longer than the log's retention: a process on a real NATS server, which must load a
// new snapshot, and never continue across a gap.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectCluster } from '../../../src/replication/nats/nats.js';
import { LEAGUES, seqOf, stormMessage } from '../../crash/storm.js';
import { beforeNatsEnds, WITHOUT_NATS } from '../../support/nats-server.js';
import { clusterRig, until } from './rig.js';

const LONG = process.env['OVERROUND_LONG_TESTS'] === '1';
/** The minimum: a snapshot is taken after a quarter of it. */
const RETENTION_S = 60;

test('a front that is further behind than the log starts over by itself, from a snapshot with what it missed', {
  skip: WITHOUT_NATS || (LONG ? false : 'takes a while: OVERROUND_LONG_TESTS=1'),
}, async (t) => {
  const rig = await clusterRig(t);
  const retention = ['--log-retention', String(RETENTION_S)];
  const [engine, front] = [rig.node('engine', 'engine', ...retention), rig.node('front', 'front', ...retention)];
  await engine.start();
  await front.start();
  await Promise.all([engine, front].map((node) => node.ready()));
  const { key } = rig;
  const [server] = rig.nats;
  const nats = await connectCluster({ servers: [server!.url], clusterName: 'overround', connectionName: 'test' }, null);
  beforeNatsEnds(t, () => nats.close());
  const post = async (seq: number): Promise<void> => {
    assert.equal((await engine.ask('/api/v1/ingest', key, { body: stormMessage(seq) })).status, 200);
  };
  const snapshots = (): number => engine.lines.filter((line) => line.includes('took a snapshot')).length;
  await post(0);
  front.signal('SIGSTOP');
  t.after(() => front.signal('SIGCONT'));
  const taken = snapshots();
  for (const seq of [4, 8]) await post(seq);
  await until('a snapshot of what the front has missed', () => snapshots() > taken);
  // What the writer does once the log is old enough.
  const { state } = await nats.streams.streams.info(nats.names.stream);
  const { sequence } = JSON.parse(engine.lines.findLast((line) => line.includes('took a snapshot'))!) as {
    sequence: number;
  };
  assert.ok(sequence <= state.last_seq);
  await nats.streams.streams.purge(nats.names.stream, { seq: sequence + 1 });
  await post(12);
  front.signal('SIGCONT');
  await until('the front to start anew', () => front.lines.some((line) => line.includes('this node starts anew')));
  const shows12 = async (as: string): Promise<boolean> => {
    const { body } = await front.ask(`/api/v1/odds?limit=200&league=${LEAGUES[0]}`, as);
    const rows = body.data as { odds_american: number }[];
    return rows.length > 0 && rows.every(({ odds_american }) => seqOf(odds_american) === 12);
  };
  await until('the front to show what came last', () => shows12(key));
  const rights = ['--tier', 'free', '--requests-per-minute', '1000000'];
  const free = (JSON.parse(rig.cli('keys', 'create', ...rights)) as { key: string }).key;
  assert.equal(await shows12(free), false, 'a front shows the Free tier what is a minute old');
  await until('the Free tier to see it a minute later', () => shows12(free), 90_000);
});
