// The control store: commands are run in one order, readers see what was committed, and nothing acknowledged is lost.
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { ManualClock, systemClock } from '../../../src/base/model/clock.js';
import { ApiError } from '../../../src/base/model/errors.js';
import { decode } from '../../../src/base/wire/codec.js';
import { command, restateOnce } from '../../../src/log/control/command.js';
import { Control, soleControl } from '../../../src/log/control/control.js';
import { CONTROL_SHARD, ControlQueue, type LogEntry } from '../../../src/log/control/control-queue.js';
import type { ControlStore } from '../../../src/log/control/entries.js';
import { controlPath, LmdbControlStore } from '../../../src/store/control-store.js';
import { openControlAlone } from '../../../src/store/data-directory.js';
import { Replication } from '../../../src/writer/pool/replication.js';
import { PositionSequencer } from '../../../src/writer/pool/shard-queues.js';
import { newFolder } from '../../temp-folders.js';
import { addOne, countOf } from './counting.js';

const refuse = command('test.refuse', (draft, _: null) => {
  draft.put('count|refused', 1);
  throw new ApiError('invalid_request', 'no');
});

function opened(t: TestContext, access: 'write' | 'read' = 'write', path = controlPath(newFolder())): ControlStore {
  const store = new LmdbControlStore(path, access);
  t.after(() => store.close());
  return store;
}

test('commands of one turn are one commit, and one that refuses changes nothing', async (t) => {
  const store = opened(t);
  const control = soleControl(store, new ManualClock(1_000));
  const positions: number[] = [];
  store.onChange((_, position) => positions.push(position));
  const runs = [
    control.run(addOne, 'a'),
    control.run(refuse, null),
    control.run(addOne, 'a'),
    control.run(addOne, 'b'),
  ];
  const settled = await Promise.allSettled(runs);
  assert.deepEqual(
    settled.map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as Error).message)),
    [1, 'no', 2, 1],
  );
  assert.equal(positions.length, 1);
  assert.equal(store.value('count|refused'), undefined);
  assert.equal(control.now(addOne, 'b'), 2);
  assert.deepEqual(
    [...store.entries('count')],
    [
      ['count|a', 2],
      ['count|b', 2],
    ],
  );
});

test('a reader is told every change once, in order, whenever it looks, or that it must read all anew', async (t) => {
  const writer = opened(t);
  const control = soleControl(writer, systemClock);
  control.now(addOne, 'before');
  const reader = opened(t, 'read', writer.path);
  assert.equal(countOf(reader, 'before'), 1);
  const seen = new Map<string, number>();
  reader.onChange((changes) => {
    for (const [entry, value] of changes ?? []) seen.set(entry, decode(value!) as number);
  });
  for (let round = 0; round < 20; round++) {
    for (let i = 0; i <= round % 4; i++) control.now(addOne, `n${i}`);
    if (round % 3 === 0) reader.refresh();
  }
  reader.refresh();
  assert.deepEqual(
    [...seen].sort(),
    [...reader.entries('count')].filter(([entry]) => entry !== 'count|before'),
  );
  assert.equal(reader.position, writer.position);
});

test('a log that is shared has each change before it is acknowledged, and one it refuses is not stored', async (t) => {
  const store = opened(t);
  const clock = new ManualClock(1_000);
  const entries: LogEntry[] = [];
  let accepts = true;
  const replication = new Replication({
    append: async (entry) => {
      if (!accepts) throw new Error('deposed');
      assert.ok(entry.position > store.position, 'it is not stored before');
      entries.push(entry);
    },
    lost: assert.ifError,
  });
  const positions = new PositionSequencer(clock, 0);
  const control = new Control(store, () => Promise.reject(new Error('not asked')));
  control.lead(new ControlQueue({ store, clock, positions, log: replication, reached: () => undefined }));
  assert.throws(() => control.now(addOne, 'a'), { code: 'unavailable' });
  assert.equal(await control.run(addOne, 'a'), 1);
  assert.deepEqual(
    entries.map(({ shard, position }) => [shard, position]),
    [[CONTROL_SHARD, store.position]],
  );
  const follower = opened(t);
  follower.commit(entries[0]!.position, decode(entries[0]!.message!) as never);
  assert.deepEqual([...follower.entries('count')], [...store.entries('count')]);
  accepts = false;
  await assert.rejects(control.run(addOne, 'a'), { code: 'unavailable' });
  assert.equal(countOf(store, 'a'), 1);
  await control.stepDown();
  await assert.rejects(control.run(addOne, 'a'), /not asked/);
});

test('a store that becomes a log’s is put into it whole, once, and replaces what a follower had', async (t) => {
  const [store, follower] = [opened(t), opened(t)];
  const control = soleControl(store, new ManualClock(5_000));
  control.now(addOne, 'mine');
  soleControl(follower, new ManualClock(1_000)).now(addOne, 'theirs');
  store.onChange((changes, position) => follower.commit(position, changes!));
  control.now(restateOnce, null);
  assert.deepEqual([...follower.entries('count')], [['count|mine', 1]]);
  const { position } = store;
  control.now(restateOnce, null);
  assert.equal(store.position, position);
});

test('a draft shows a command what those before it changed, as if they were stored', (t) => {
  const store = opened(t);
  const steps = fc.array(
    fc.record({ entry: fc.constantFrom('x|a', 'x|b', 'y|a'), value: fc.option(fc.nat(9)), commit: fc.boolean() }),
  );
  let run = 0;
  fc.assert(
    fc.property(steps, (given) => {
      const model = new Map<string, number>();
      const at = (entry: string): string => `${run}-${entry}`;
      run++;
      const all = command(`test.steps-${run}`, (draft, todo: typeof given) => {
        for (const { entry, value } of todo) {
          if (value === null) draft.remove(at(entry));
          else draft.put(at(entry), value);
          if (value === null) model.delete(at(entry));
          else model.set(at(entry), value);
          const under = at(entry).split('|')[0]!;
          const wanted = [...model].filter(([name]) => name.startsWith(`${under}|`)).sort();
          assert.deepEqual([...draft.entries(under)], wanted);
        }
      });
      const control = soleControl(store, systemClock);
      const half = Math.floor(given.length / 2);
      control.now(all, given.slice(0, half));
      control.now(all, given.slice(half));
    }),
    { numRuns: 30 },
  );
});

test('what was acknowledged before a kill -9 is there afterwards, over any number of kills', async () => {
  const dataDir = newFolder();
  let acknowledged = 0;
  for (let kill = 0; kill < 4; kill++) {
    const child = fork(new URL('./counting.js', import.meta.url), [dataDir]);
    const enough = acknowledged + 20 + 30 * kill;
    child.on('message', (count: number) => {
      acknowledged = Math.max(acknowledged, count);
      if (acknowledged >= enough) child.kill('SIGKILL');
    });
    // What it sent last may not be read at its exit.
    await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
    const store = openControlAlone(dataDir);
    const stored = countOf(store, 'killed');
    await store.close();
    assert.ok(stored >= acknowledged && stored <= acknowledged + 1_000, `${stored} of ${acknowledged}`);
    acknowledged = stored;
  }
});
