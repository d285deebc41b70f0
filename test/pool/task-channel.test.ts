import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Piscina } from 'piscina';
import { TaskChannel } from '../../src/pool/task-channel.js';
import type { Task } from './serving-thread.js';

test('tasks run one after another on the same thread; one that throws or dies does not affect others', async () => {
  const pool = new Piscina({
    filename: new URL('./serving-thread.js', import.meta.url).href,
    minThreads: 1,
    maxThreads: 1,
    concurrentTasksPerWorker: 1,
    atomics: 'disabled',
  });
  pool.on('error', () => {});
  const channel = new TaskChannel<Task>(pool);
  const double = (no: number): Promise<unknown> => channel.run({ kind: 'double', no });

  assert.deepEqual(await Promise.all([double(1), double(2), double(3)]), [
    { doubled: 2, done: 1 },
    { doubled: 4, done: 2 },
    { doubled: 6, done: 3 },
  ]);
  assert.deepEqual(await channel.run({ kind: 'bytes' }), new Uint8Array([1, 2, 3]));
  const [thrown, after] = await Promise.allSettled([channel.run({ kind: 'throw' }), double(4)]);
  assert.ok(
    thrown.status === 'rejected' && thrown.reason instanceof RangeError && /not this one/.test(String(thrown.reason)),
  );
  assert.deepEqual(after, { status: 'fulfilled', value: { doubled: 8, done: 6 } });

  const [died, next, last] = await Promise.allSettled([channel.run({ kind: 'die' }), double(5), double(6)]);
  assert.equal(died.status, 'rejected');
  assert.deepEqual(
    [next, last],
    [
      { status: 'fulfilled', value: { doubled: 10, done: 1 } },
      { status: 'fulfilled', value: { doubled: 12, done: 2 } },
    ],
    'by its successor, which has done nothing before',
  );

  const ended = Promise.allSettled([double(7), double(8)]);
  await pool.destroy();
  for (const { status } of await ended) assert.equal(status, 'rejected', 'nobody waits for ever');
});
