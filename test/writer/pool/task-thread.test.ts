import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ApiError } from '../../../src/base/model/errors.js';
import { TaskThread } from '../../../src/writer/pool/task-thread.js';
import type { Failing, Task, ThreadData } from './serving-thread.js';

interface Made {
  thread: TaskThread<Task>;
  double(no: number): Promise<unknown>;
  /** What it told the operator. */
  lines: string[];
}

function make(
  t: TestContext,
  { failing = [], ...options }: { failing?: Failing; queueMax?: number; lookEveryMs?: number } = {},
): Made {
  const lines: string[] = [];
  const workerData: ThreadData = { failing, lives: new SharedArrayBuffer(4) };
  const thread = new TaskThread<Task>({
    file: new URL('./serving-thread.js', import.meta.url),
    name: 'the thread',
    workerData,
    log: { info() {}, warn() {}, error: (_fields, line) => lines.push(line) },
    ...options,
  });
  t.after(() => thread.close({ kind: 'bytes' }).catch(() => undefined));
  return { thread, double: (no) => thread.run({ kind: 'double', no }), lines };
}

const unavailable = (error: unknown): boolean => error instanceof ApiError && error.code === 'unavailable';

test('tasks run one after another on the same thread; one that throws or dies does not affect others', async (t) => {
  const { thread, double, lines } = make(t);
  await thread.begun;
  await thread.serving;
  assert.deepEqual(await Promise.all([double(1), double(2), double(3)]), [
    { doubled: 2, done: 1 },
    { doubled: 4, done: 2 },
    { doubled: 6, done: 3 },
  ]);
  assert.deepEqual(await thread.run({ kind: 'bytes' }), new Uint8Array([1, 2, 3]));
  const [thrown, after] = await Promise.allSettled([thread.run({ kind: 'throw' }), double(4)]);
  assert.ok(
    thrown.status === 'rejected' && thrown.reason instanceof RangeError && /not this one/.test(String(thrown.reason)),
  );
  assert.deepEqual(after, { status: 'fulfilled', value: { doubled: 8, done: 6 } });
  assert.deepEqual(lines, []);

  const [died, next, last] = await Promise.allSettled([thread.run({ kind: 'die' }), double(5), double(6)]);
  assert.match(String((died as PromiseRejectedResult).reason), /exited with code 3/);
  assert.deepEqual(
    [next, last],
    [
      { status: 'fulfilled', value: { doubled: 10, done: 1 } },
      { status: 'fulfilled', value: { doubled: 12, done: 2 } },
    ],
    'by its successor, which has done nothing before',
  );
  assert.deepEqual(lines, ['the thread died and is replaced']);

  const ended = Promise.allSettled([thread.close({ kind: 'die' }), double(7), double(8)]);
  for (const { status } of await ended) assert.equal(status, 'rejected', 'nobody waits for ever');
  await assert.rejects(double(9), unavailable);
});

for (const [how, why] of [
  ['at once', 'no such module'],
  ['at once, silently', 'it exited with code 0'],
  ['while it opens', 'the store is damaged'],
] as const)
  test(`a thread that ends ${how} fails its start with one error, and no task waits for it`, async (t) => {
    const { thread, double, lines } = make(t, { failing: [how] });
    const tasks = [double(1), double(2)];
    for (const task of tasks) await assert.rejects(task, unavailable);
    await assert.rejects(thread.serving, { message: `the thread failed at its start: ${why}` });
    if (how === 'while it opens') await thread.begun;
    else await assert.rejects(thread.begun, { message: `the thread failed at its start: ${why}` });
    assert.deepEqual(lines, ['the thread could not be started']);
    await assert.rejects(double(3), unavailable, 'at once, as long as there is none');
  });

test('a successor that cannot be started is tried again until one serves', async (t) => {
  const { thread, double, lines } = make(t, { failing: [null, 'at once, silently'] });
  assert.deepEqual(await double(1), { doubled: 2, done: 1 });
  const [died, next] = await Promise.allSettled([thread.run({ kind: 'die' }), double(2)]);
  assert.match(String((died as PromiseRejectedResult).reason), /exited with code 3/);
  assert.ok(next.status === 'rejected' && unavailable(next.reason));
  assert.deepEqual(lines, ['the thread died and is replaced', 'the thread could not be started']);
  let doubled: unknown;
  while (doubled === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    doubled = await double(3).catch(() => undefined);
  }
  assert.deepEqual(doubled, { doubled: 6, done: 1 });
});

test('more tasks than may wait are refused', async (t) => {
  const { double } = make(t, { queueMax: 2 });
  const taken = [double(1), double(2)];
  await assert.rejects(double(3), unavailable);
  await Promise.all(taken);
  assert.deepEqual(await double(4), { doubled: 8, done: 3 });
});

test('a thread that does not answer is told once, and no longer hangs once it answers', async (t) => {
  const { thread, double, lines } = make(t, { lookEveryMs: 5 });
  await thread.serving;
  const until = new SharedArrayBuffer(4);
  const hanging = thread.run({ kind: 'hang', until });
  while (lines.length === 0) await new Promise(setImmediate);
  assert.equal(thread.hangs, true);
  Atomics.store(new Int32Array(until), 0, 1);
  Atomics.notify(new Int32Array(until), 0);
  await hanging;
  assert.equal(thread.hangs, false);
  assert.deepEqual(await double(2), { doubled: 4, done: 2 });
  assert.deepEqual(lines, ['the thread has not answered for a minute: if it stays so, restart the process']);
});
