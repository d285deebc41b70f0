// The cluster's log on real NATS servers: in order, complete, fenced, and with nothing missing that was acknowledged.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../../../src/base/model/errors.js';
import { FRAME_KIND, type Frame, type LogMark } from '../../../src/replication/nats/frame.js';
import { LogFollower } from '../../../src/replication/nats/log-follower.js';
import { Deposed, LogPublisher } from '../../../src/replication/nats/log-publisher.js';
import {
  type ClusterNats,
  connectCluster,
  type NatsOptions,
  natsHeartbeats,
} from '../../../src/replication/nats/nats.js';
import { answerRequests, WriterRequests } from '../../../src/replication/nats/requests.js';
import { Snapshots, snapshotName } from '../../../src/replication/nats/snapshots.js';
import {
  answerBytes,
  DEADLINE_MS,
  encodeAnswer,
  type RequestKind,
} from '../../../src/replication/requests/requests.js';
import { writeIdentity } from '../../../src/store/data-directory.js';
import { dumpDirectory, restoreDirectory } from '../../../src/store/dump.js';
import { openEngine } from '../../engine-rig.js';
import { event, message, moneyline } from '../../intake/ingest/messages.js';
import { beforeNatsEnds, type NatsNode, startNats, WITHOUT_NATS } from '../../support/nats-server.js';
import { newFolder } from '../../temp-folders.js';
import { until } from './rig.js';

const BOUNDS = { ageMaxMs: 600_000, bytesMax: 256 * 1024 * 1024 };

async function connected(
  t: TestContext,
  servers: readonly NatsNode[],
  connectionName: string,
  more: Partial<NatsOptions> = {},
): Promise<ClusterNats> {
  const nats = await connectCluster(
    { servers: servers.map(({ url }) => url), clusterName: 'odds', connectionName, ...more },
    BOUNDS,
  );
  beforeNatsEnds(t, () => nats.close());
  return nats;
}

interface Received {
  readonly positions: number[];
  readonly bodies: Buffer[];
  readonly follower: LogFollower;
  tooOld: boolean;
}

async function followed(
  t: TestContext,
  nats: ClusterNats,
  after = 0,
  mark: LogMark = { term: 0, counter: 0 },
): Promise<Received> {
  const positions: number[] = [];
  const bodies: Buffer[] = [];
  const received: Received = { positions, bodies, tooOld: false } as unknown as Received;
  const follower = new LogFollower({
    nats,
    after,
    mark,
    onMessage: (message: Frame) => {
      if (message.kind === FRAME_KIND.term) return;
      positions.push(message.position);
      bodies.push(Buffer.from(message.body));
    },
    hasRoom: () => true,
    onTooOld: () => {
      received.tooOld = true;
    },
    onTrouble: () => undefined,
  });
  Object.assign(received, { follower });
  t.after(() => follower.close());
  await follower.start();
  return received;
}

function publisher(
  t: TestContext,
  nats: ClusterNats,
  term: number,
  last: number,
  onDeposed = (): void => {},
): LogPublisher {
  const made = new LogPublisher({ nats, term, last, onTrouble: () => undefined, onDeposed, onLost: () => undefined });
  t.after(() => made.close());
  return made;
}

const entry = (position: number, body: Uint8Array = Buffer.from(String(position))) =>
  ({ kind: FRAME_KIND.entry, shard: 0, position, body }) as const;

const rising = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

test('published messages are followed in order and complete, larger ones in parts', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const servers = await startNats(t);
  const nats = await connected(t, servers, 'writer');
  assert.equal(nats.replicas, 1);
  const early = await followed(t, await connected(t, servers, 'early'));
  const log = publisher(t, nats, 1, 0);
  const large = randomBytes(3 * 1024 * 1024);
  const sent = rising(500).map((position) => log.publish(entry(position, position === 250 ? large : undefined)));
  const sequences = await Promise.all(sent);
  assert.deepEqual(
    sequences,
    [...sequences].sort((a, b) => a - b),
  );
  assert.ok(sequences.at(-1)! > 502, 'the large one went in parts');
  const late = await followed(t, await connected(t, servers, 'late'));
  for (const received of [early, late]) {
    await until('all messages', () => received.positions.length >= 500);
    assert.deepEqual(received.positions, rising(500));
    assert.ok(received.bodies[249]!.equals(large));
  }
});

test('of two writers in one term, as after servers have lost the lease, only one is acknowledged', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const servers = await startNats(t);
  const [a, b] = [await connected(t, servers, 'a'), await connected(t, servers, 'b')];
  const deposed: string[] = [];
  const first = publisher(t, a, 1, 0, () => deposed.push('first'));
  const second = publisher(t, b, 1, 0, () => deposed.push('second'));
  assert.equal(await first.publish(entry(1)), 1);
  await assert.rejects(second.publish(entry(2)), Deposed);
  assert.equal(await first.publish(entry(3)), 2);
  assert.deepEqual(deposed, ['second']);
});

test('a deposed writer is refused by the stream, and messages it still stores are ignored', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const servers = await startNats(t);
  const [a, b] = [await connected(t, servers, 'a'), await connected(t, servers, 'b')];
  const received = await followed(t, await connected(t, servers, 'front'));
  let deposed = false;
  const first = publisher(t, a, 1, 0, () => {
    deposed = true;
  });
  const last = await first.publish(entry(1));
  const second = publisher(t, b, 2, last);
  await second.publish(entry(2));
  // The first writer expects the second's sequence number as its own next one: neither that message nor those it sends
  // after it may be stored.
  const late = [first.publish(entry(100)), first.publish(entry(101))];
  const after = [second.publish(entry(3)), second.publish(entry(4))];
  for (const each of late) await assert.rejects(each, Deposed);
  await Promise.all(after);
  assert.equal(deposed, true);
  await until('the last message', () => received.positions.includes(4));
  assert.deepEqual(received.positions, [1, 2, 3, 4]);
});

test('requests waiting for a suspended writer fail as soon as it no longer has the lease, those of a node that leaves NATS at once', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const servers = await startNats(t);
  const [front, writer] = [await connected(t, servers, 'front'), await connected(t, servers, 'writer')];
  const asked = new Promise<void>((resolve) => {
    writer.connection.subscribe(`${writer.names.node}.one`, { callback: () => resolve() });
  });
  await writer.connection.flush();
  const requests = new WriterRequests(front);
  requests.writer = 'one';
  const isRefused = (): Promise<void> =>
    assert.rejects(
      requests.ask('ingest', { messages: [] }),
      (error) => error instanceof ApiError && error.code === 'unavailable',
    );
  const refusal = isRefused();
  await asked;
  requests.writer = 'another';
  const waits = pause(DEADLINE_MS.ingest / 2, 'waits on', { ref: false });
  assert.equal(await Promise.race([refusal, waits]), undefined);
  // A node that ends still answers HTTP while it leaves NATS.
  const left = front.connection.drain();
  await isRefused();
  await left;
});

test('a node is asked what only another release knows, and receives what it cannot read: it refuses that, and goes on reading', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const servers = await startNats(t);
  const unreadable: unknown[] = [];
  const writer = await connected(t, servers, 'writer', { onUnreadable: (error) => unreadable.push(error) });
  const front = await connected(t, servers, 'front');
  const { connection, names, payloadMax } = writer;
  const disconnects: string[] = [];
  void (async () => {
    for await (const { type } of connection.status()) disconnects.push(type);
  })();
  const heartbeats = natsHeartbeats(writer, 'one', 'all');
  const answering = answerRequests({
    connection,
    subject: `${names.node}.one`,
    payloadMax,
    answer: (body) => answerBytes(body, async ({ body: asked }) => encodeAnswer(asked)),
    onTrouble: assert.ifError,
  });
  beforeNatsEnds(t, async () => {
    heartbeats.close();
    answering.stop();
  });
  await connection.flush();
  for (const subject of [names.heartbeats, `${names.node}.one`])
    for (const bytes of [Buffer.from([0xc1]), Buffer.alloc(0)]) front.connection.publish(subject, bytes);
  const requests = new WriterRequests(front);
  requests.writer = 'one';
  // As a release asks that knows one kind more.
  Object.assign(DEADLINE_MS, { another: DEADLINE_MS.lease });
  await assert.rejects(requests.ask('another' as RequestKind, { front: '', keys: [] }), {
    code: 'unavailable',
    message: /another release: .*unknown kind/,
  });
  const body = { front: 'a', keys: ['k'] };
  assert.deepEqual(await requests.ask('lease', body), body);
  assert.deepEqual(disconnects, [], 'its connection was not replaced');
  assert.equal(unreadable.length, 1, 'reported once a minute');
});

test('a snapshot is read back in its parts, unchanged', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const nats = await connected(t, await startNats(t), 'engine');
  const snapshots = new Snapshots(nats);
  const taken = async (sequence: number, pieces: Uint8Array[]): Promise<Buffer[]> => {
    const place = { sequence, mark: { term: 1, counter: sequence }, position: 1, epoch: 'e', shards: 1 };
    await snapshots.put({ name: snapshotName('node', sequence), ...place }, pieces, new AbortController().signal);
    const reserved = await snapshots.reserve('front');
    const read: Buffer[] = [];
    for await (const piece of snapshots.pieces(reserved!.head)) read.push(Buffer.from(piece));
    await reserved!.release();
    return read;
  };
  const pieces = [1, 300_000, 7, 131_072].map((bytes) => randomBytes(bytes));
  assert.deepEqual(await taken(1, pieces), pieces);
  assert.deepEqual(await taken(2, []), []);
  const even = [Buffer.alloc(100_000, 'row')];
  assert.deepEqual(await taken(3, even), even);
  const { size } = (await nats.snapshots.info(snapshotName('node', 3)))!;
  assert.ok(size < 10_000, `a store goes to the servers in ${size} bytes of 100,000`);
});

test('a connection whose servers are gone can be closed', { skip: WITHOUT_NATS }, async (t) => {
  const servers = await startNats(t);
  const [before, after] = [await connected(t, servers, 'before'), await connected(t, servers, 'after')];
  await servers[0]!.kill('SIGSTOP');
  before.connection.publish(before.names.check);
  await before.close();
  assert.ok(before.connection.isClosed());
  await servers[0]!.kill('SIGKILL');
  await after.close();
  assert.ok(after.connection.isClosed());
});

test('a log that no longer has what a follower needs reports it', { skip: WITHOUT_NATS }, async (t) => {
  const nats = await connected(t, await startNats(t), 'writer');
  const log = publisher(t, nats, 1, 0);
  for (const position of rising(20)) await log.publish(entry(position));
  await nats.streams.streams.purge(nats.names.stream, { seq: 11 });
  const received = await followed(t, nats, 5, { term: 1, counter: 5 });
  await until('the word that it is too old', () => received.tooOld);
  const fits = await followed(t, nats, 10, { term: 1, counter: 10 });
  assert.deepEqual(fits.positions, rising(20).slice(10));
});

test('servers that lost what a follower has are told from those that go on, with a new writer or without', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const servers = await startNats(t);
  const nats = await connected(t, servers, 'writer');
  const log = publisher(t, nats, 1, 0);
  for (const position of rising(20)) await log.publish(entry(position));
  const ahead = await followed(t, nats);
  assert.deepEqual(ahead.positions, rising(20));
  log.close();
  await nats.streams.streams.delete(nats.names.stream);
  const anew = await connected(t, servers, 'anew');
  const next = publisher(t, anew, 2, 0);
  // More than were there before: the last sequence alone tells nothing any more.
  for (const position of rising(30)) await next.publish(entry(position));
  await until('the word of who follows', () => ahead.tooOld);
  assert.deepEqual(ahead.positions, rising(20), 'nothing of the other log');
  const idle = await followed(t, anew, 40, { term: 2, counter: 40 });
  await until('the word of who comes back', () => idle.tooOld);
});

test('the leader of three servers may be killed: nothing acknowledged is lost, duplicated or out of order', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const servers = await startNats(t, 3);
  const nats = await connected(t, servers, 'writer');
  assert.equal(nats.replicas, 3);
  const received = await followed(t, await connected(t, servers, 'front'));
  let trouble: unknown;
  const log = new LogPublisher({
    nats,
    term: 1,
    last: 0,
    onTrouble: (error) => {
      trouble = error;
    },
    onDeposed: () => {
      trouble = new Error('deposed');
    },
    onLost: () => undefined,
  });
  t.after(() => log.close());
  const acknowledged: number[] = [];
  let stop = false;
  t.after(() => {
    stop = true;
  });
  const storm = (async () => {
    for (let position = 1; !stop; position++) {
      void log.publish(entry(position)).then(
        () => acknowledged.push(position),
        () => undefined,
      );
      if (position % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      while (log.depth > 500 && !stop) await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  await until('the beginning', () => acknowledged.length > 200);
  const { cluster } = await nats.streams.streams.info(nats.names.stream);
  const leader = servers[Number(cluster!.leader!.slice(1))]!;
  const before = acknowledged.length;
  await leader.kill('SIGKILL');
  const isBack = () => acknowledged.length > before + 1_000;
  // Mostly within ten seconds, but once two servers of 2.9.10 did not go on by themselves within 150: then the killed one
  // is started again, as a supervisor would do at once.
  await until('two servers', isBack, 60_000).catch(() => leader.start());
  await until('acknowledgements after the kill', isBack, 90_000).catch((error) => {
    throw new Error(`${acknowledged.length - before} acknowledged, ${log.depth} waiting, ${trouble}`, { cause: error });
  });
  stop = true;
  await storm;
  await until('the rest', () => log.depth === 0);
  await until('the follower', () => received.positions.length >= acknowledged.length);
  assert.deepEqual(acknowledged, rising(acknowledged.length));
  assert.deepEqual(received.positions, rising(received.positions.length));
});

test('a data directory is restored completely from a snapshot at another node', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const servers = await startNats(t);
  const [from, to] = [await connected(t, servers, 'from'), await connected(t, servers, 'to')];
  const engine = openEngine(t);
  const polled_at = new Date().toISOString();
  const start_time = new Date(Date.now() + 3_600_000).toISOString();
  await engine.ingest([message([event([moneyline(-110, 100)], { start_time })], { polled_at })]);
  const { epoch, shards, createdPosition } = engine.directory;
  const { position } = engine.table;
  const head = {
    name: snapshotName('from', 7),
    sequence: 7,
    mark: { term: 1, counter: 7 },
    position,
    epoch,
    shards,
  };
  const taken = new Snapshots(from);
  await taken.put(head, dumpDirectory(engine.directory, engine.delayedStore), AbortSignal.timeout(120_000));
  const loading = new Snapshots(to);
  const reserved = (await loading.reserve('to'))!;
  assert.deepEqual(reserved.head, head);
  const dataDir = newFolder();
  await restoreDirectory(dataDir, shards, loading.pieces(reserved.head));
  await reserved.release();
  writeIdentity(dataDir, { epoch, createdPosition, shards });
  const restored = openEngine(t, { dataDir });
  const rowsOf = ({ table }: typeof engine): string[] =>
    table.events.ordered().flatMap(({ rows }) => Array.from(rows.sorted(), (slot) => table.json.text(slot)));
  assert.equal(rowsOf(restored).length, 2);
  assert.deepEqual(rowsOf(restored), rowsOf(engine));
  assert.equal(restored.table.position, position);
});

test('a single server that is killed after a second engine joined has the log when it restarts', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const servers = await startNats(t);
  await connected(t, servers, 'first');
  const { streams, names } = await connected(t, servers, 'second');
  assert.equal((await streams.streams.info(names.stream)).config.num_replicas, 1);
  await servers[0]!.kill('SIGKILL');
  servers[0]!.start();
  await until('the log', async () => (await streams.streams.info(names.stream)).config.num_replicas === 1);
});
