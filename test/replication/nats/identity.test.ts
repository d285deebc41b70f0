// A node's start: the log position stored beside its data directory, on a full disk and after a loss of power; servers
// that do not answer yet.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { errors } from '@nats-io/transport-node';
import { systemClock } from '../../../src/base/model/clock.js';
import { decode, encode } from '../../../src/base/wire/codec.js';
import { FrontStore } from '../../../src/replication/nats/front-store.js';
import { adopt, invalidatePlace, keepPlace, placeOf, settleIdentity } from '../../../src/replication/nats/identity.js';
import { connectCluster } from '../../../src/replication/nats/nats.js';
import { answered, NatsUnavailable } from '../../../src/replication/nats/retries.js';
import { bootId } from '../../../src/store/checkpoints.js';
import { makeIdentity, openDataDirectory, readIdentity, writeIdentity } from '../../../src/store/data-directory.js';
import { newFolder } from '../../temp-folders.js';

const REAL = { shards: 1, simulated: false };

test('a directory that must be filled again is marked as such although the disk is full', () => {
  const dataDir = newFolder();
  const identity = { ...writeIdentity(dataDir, makeIdentity(1, false, systemClock)), empty: false };
  const place = { sequence: 12_345, mark: { term: 7, counter: 12_345 } };
  keepPlace(dataDir, identity.epoch, place);
  mkdirSync(join(dataDir, 'cluster.json.new'));
  assert.throws(() => keepPlace(dataDir, identity.epoch, { ...place, sequence: 12_346 }));
  assert.deepEqual(placeOf(dataDir, identity), place);
  invalidatePlace(dataDir, identity.epoch);
  assert.equal(placeOf(dataDir, identity), null);
  rmdirSync(join(dataDir, 'cluster.json.new'));
  keepPlace(dataDir, identity.epoch, place);
  assert.deepEqual(placeOf(dataDir, identity), place);
});

test('a directory that falls back to a checkpoint when it is opened must be filled again', async (t) => {
  const boot = bootId();
  if (boot === null) return t.skip('this system has no boot id');
  const dataDir = newFolder();
  const directory = openDataDirectory(dataDir, 2, systemClock);
  await directory.close();
  const place = { sequence: 12_345, mark: { term: 7, counter: 12_345 } };
  keepPlace(dataDir, directory.epoch, place);
  const identity = { epoch: directory.epoch, createdPosition: directory.createdPosition, shards: 2, empty: false };
  assert.deepEqual(placeOf(dataDir, identity), place);
  const file = join(dataDir, 'shard-1', 'safe-point');
  const checkpoint = readFileSync(file);
  checkpoint.write('another boot', checkpoint.indexOf(boot), 'latin1');
  writeFileSync(file, checkpoint);
  assert.equal(placeOf(dataDir, identity), null);
});

test('a node does not start where the servers lose the identity they have stored, and says so', async () => {
  const written: Uint8Array[] = [];
  const state = {
    get: async () => null,
    create: async (_key: string, bytes: Uint8Array) => written.push(bytes),
    update: async () => assert.fail('nothing is there to be changed'),
  };
  await assert.rejects(settleIdentity(state, newFolder(), REAL, systemClock, 50), (error: Error) => {
    assert.ok(error instanceof NatsUnavailable);
    return /their state is damaged/.test(error.message);
  });
  assert.equal(written.length, 1);
});

/** A key-value store that keeps the one entry. */
function keptState() {
  let stored: { value: Uint8Array; revision: number } | null = null;
  const put = async (_key: string, value: Uint8Array) => {
    stored = { value, revision: (stored?.revision ?? 0) + 1 };
    return stored.revision;
  };
  return { state: { get: async () => stored as never, create: put, update: put }, put };
}

test('every node of a cluster has one secret for ids, also where the cluster is of an earlier release', async () => {
  const { state, put } = keptState();
  const settled = () => settleIdentity(state, newFolder(), REAL, systemClock, 50);
  const { idSecret, ...rest } = await settled();
  assert.match(idSecret!, /^[0-9a-f]{64}$/);
  assert.equal((await settled()).idSecret, idSecret);
  await put('identity', encode(rest));
  const added = await settled();
  assert.match(added.idSecret!, /^[0-9a-f]{64}$/);
  assert.deepEqual(await settled(), added);
  const dataDir = newFolder();
  const directory = openDataDirectory(dataDir, 1, systemClock);
  await directory.close();
  assert.notEqual(directory.idSecret, added.idSecret);
  adopt(dataDir, added);
  assert.equal(readIdentity(dataDir)!.idSecret, added.idSecret);
  assert.equal(readIdentity(dataDir)!.epoch, directory.epoch);
});

test('of a cluster that is begun with a restored directory, no node takes what the directory was restored over for its log', async () => {
  const { state } = keptState();
  const dataDir = newFolder();
  const directory = openDataDirectory(dataDir, 1, systemClock);
  const last = directory.createdPosition;
  await directory.close();
  const made = await settleIdentity(state, dataDir, REAL, systemClock, 50);
  const begun = made.restored![1];
  assert.ok(begun > last && begun <= systemClock.now() * 1000);
  assert.deepEqual(await settleIdentity(state, newFolder(), REAL, systemClock, 50), made);
  adopt(dataDir, made);
  const node = openDataDirectory(dataDir, 1, systemClock, { ofCluster: true });
  const front = new FrontStore(join(newFolder(), 'front'), made, 900);
  for (const { hasPosition, close } of [node, front.directory]) {
    const known = [last, last + 1, begun - 1, begun, begun + 1_000_000].map((position) => hasPosition(position));
    assert.deepEqual(known, [true, false, false, true, true]);
    await close();
  }
});

test('a node with real feeds does not join a cluster of simulated odds, nor the other way round', async () => {
  const { state } = keptState();
  const settled = (simulated: boolean) => settleIdentity(state, newFolder(), { shards: 1, simulated }, systemClock, 50);
  const made = await settled(true);
  assert.equal(made.simulated, true);
  assert.equal((await settled(true)).epoch, made.epoch);
  await assert.rejects(settled(false), /^OtherOdds: the cluster holds simulated odds, and real ones/);
});

test('without a NATS server a start says at once that it waits, and in the end names the servers', async () => {
  const waits: number[] = [];
  const options = { servers: ['nats://127.0.0.1:1'], clusterName: 'c', connectionName: 'test', patienceMs: 700 };
  await assert.rejects(
    connectCluster({ ...options, onWaiting: (_error, forMs) => waits.push(forMs) }, null),
    /^NatsUnavailable: no NATS server answers \(nats:\/\/127\.0\.0\.1:1\)/,
  );
  assert.equal(waits.length, 1);
  assert.ok(waits[0]! > 0 && waits[0]! <= 700);
});

test('a node that starts repeats what the servers do not answer, and gives up at once what they refuse', async () => {
  let asked = 0;
  const slow = (): Promise<number> =>
    ++asked < 3 ? Promise.reject(new errors.TimeoutError()) : Promise.resolve(asked);
  assert.equal(await answered(slow), 3);
  const refused = (): Promise<number> => {
    asked++;
    return Promise.reject(new errors.AuthorizationError('no'));
  };
  await assert.rejects(answered(refused), NatsUnavailable);
  assert.equal(asked, 4);
  const unreadable = async (): Promise<unknown> => {
    asked++;
    return decode(Buffer.alloc(0));
  };
  await assert.rejects(answered(unreadable), (error) => !(error instanceof NatsUnavailable));
  assert.equal(asked, 5, 'what cannot be read is not read again');
});
