// A front whose disk refuses what the log says: it must not go on without it, neither without a key nor without a price.
// An engine whose store is damaged: the log has what was in it.
import assert from 'node:assert/strict';
import { closeSync, fstatSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SystemFaults } from '../../../torture/shim.js';
import { LEAGUES, seqOf, stormMessage } from '../../crash/storm.js';
import { WITHOUT_NATS } from '../../support/nats-server.js';
import { newFolder } from '../../temp-folders.js';
import { clusterRig, type Node, until } from './rig.js';

async function shows(node: Node, seq: number, as: string): Promise<boolean> {
  const { status, body } = await node.ask(`/api/v1/odds?limit=200&league=${LEAGUES[0]}`, as);
  const rows = status === 200 ? (body.data as { odds_american: number }[]) : [];
  return rows.length > 0 && rows.every(({ odds_american }) => seqOf(odds_american) === seq);
}

test('a front that cannot store what the log says ends, and has everything when it is started again', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const faults = SystemFaults.build('torture/shim.c', newFolder());
  if (faults === null) return t.skip('there is no C compiler here');
  t.after(() => faults.close());
  const rig = await clusterRig(t);
  const [engine, front] = [rig.node('engine', 'engine'), rig.node('front', 'front')];
  front.env = faults.env;
  await engine.start();
  await front.start();
  await Promise.all([engine, front].map((node) => node.ready()));
  const { key } = rig;
  const post = async (seq: number): Promise<void> => {
    assert.equal((await engine.ask('/api/v1/ingest', key, { body: stormMessage(seq) })).status, 200);
  };
  await post(0);
  await until('the front to show the first prices', () => shows(front, 0, key));

  for (const [seq, change] of [
    [4, 'a key'],
    [8, 'prices'],
  ] as const) {
    faults.set('headFails', 1);
    const made =
      change === 'a key' ? (JSON.parse(rig.cli('keys', 'create', '--tier', 'enterprise')) as { key: string }).key : key;
    if (change === 'prices') await post(seq);
    await until('the front to end', () => !front.alive);
    if (!front.crashed) assert.match(front.lines.join('\n'), /what the log says cannot be stored/);
    if (change === 'a key') await post(seq);
    faults.set('headFails', 0);
    front.lines.length = 0;
    await front.start();
    await until(`the front to show what it could not store: ${change}`, () => shows(front, seq, made));
  }
});

test('an engine that follows the log ends where its store is given up, and goes on from its last commit when it is started again', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const faults = SystemFaults.build('torture/shim.c', newFolder());
  if (faults === null) return t.skip('there is no C compiler here');
  t.after(() => faults.close());
  const rig = await clusterRig(t);
  const [first, second] = [rig.node('first', 'engine'), rig.node('second', 'engine')];
  second.env = faults.env;
  for (const node of [first, second]) {
    await node.start();
    await node.ready();
  }
  const { key } = rig;
  const post = async (seq: number): Promise<void> => {
    assert.equal((await first.ask('/api/v1/ingest', key, { body: stormMessage(seq) })).status, 200);
  };
  await post(0);
  await until('it to follow', () => shows(second, 0, key));
  faults.set('headFails', 1);
  await post(4);
  await until('it to end', () => !second.alive);
  faults.set('headFails', 0);
  if (!second.crashed)
    assert.match(
      second.errors,
      /cannot be used until it is opened anew/,
      `${second.ending}: ${second.lines.slice(-3)}`,
    );
  await second.start();
  await until('it to have everything', () => shows(second, 4, key));
  assert.doesNotMatch(second.lines.join('\n'), /starts anew|filling the data directory/, 'its store is as it was');
});

test('an engine whose store is damaged says so, and is filled from a snapshot at its next start', {
  skip: WITHOUT_NATS,
}, async (t) => {
  const rig = await clusterRig(t);
  const [first, second] = [rig.node('first', 'engine'), rig.node('second', 'engine')];
  for (const node of [first, second]) {
    await node.start();
    await node.ready();
  }
  const { key } = rig;
  const post = async (seq: number): Promise<void> => {
    assert.equal((await first.ask('/api/v1/ingest', key, { body: stormMessage(seq) })).status, 200);
  };
  await post(0);
  await second.kill();
  const path = join(rig.folder, 'second', 'shard-0');
  const file = openSync(join(path, 'data.mdb'), 'r+');
  const heads = 2 * 4_096;
  const { size } = fstatSync(file);
  writeSync(file, Buffer.alloc(size - heads), 0, size - heads, heads);
  closeSync(file);
  await post(4);
  await assert.rejects(second.start());
  assert.match(
    second.errors,
    /shard-0\/data\.mdb is damaged \(.*MDB_CORRUPTED.*\): the next start fills it from a snapshot/,
  );
  await second.start();
  await until('it to have everything', () => shows(second, 4, key));
});
