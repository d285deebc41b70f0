import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { CommitGuard } from '../../src/store/shared-memory.js';
import { until } from '../support/until.js';

const MODULE = new URL('../../src/store/shared-memory.js', import.meta.url).href;

test('a thread is only ended when its transaction is over', async () => {
  const memory = CommitGuard.memory();
  const order: string[] = [];
  let ending: Promise<void> | undefined;
  const result = new CommitGuard(memory).run(() => {
    ending = new CommitGuard(memory).whileIdle(async () => {
      order.push('ended');
    });
    order.push('written');
    return 5;
  });
  assert.equal(result, 5);
  await ending;
  assert.deepEqual(order, ['written', 'ended']);
});

test('at the exit of a process an open transaction is waited for, and no other begins', async () => {
  const memory = CommitGuard.memory();
  const state = new Int32Array(new SharedArrayBuffer(8));
  const code = `
    import('${MODULE}').then(({ CommitGuard }) => {
      const { memory, state } = require('node:worker_threads').workerData;
      const guard = new CommitGuard(memory);
      for (;;)
        guard.run(() => {
          Atomics.store(state, 0, 1);
          Atomics.add(state, 1, 1);
          for (const untilMs = performance.now() + 5; performance.now() < untilMs; );
          Atomics.store(state, 0, 0);
        });
    });`;
  const worker = new Worker(code, { eval: true, workerData: { memory, state } });
  await until('it writes', () => Atomics.load(state, 1) > 3);
  new CommitGuard(memory).hold(60_000);
  assert.equal(Atomics.load(state, 0), 0);
  const written = Atomics.load(state, 1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.equal(Atomics.load(state, 1), written);
  await worker.terminate();
});

test('a failed transaction lets the next one begin', async () => {
  const guard = new CommitGuard(CommitGuard.memory());
  assert.throws(() =>
    guard.run(() => {
      throw new Error('no room');
    }),
  );
  assert.equal(
    guard.run(() => 1),
    1,
  );
  await guard.whileIdle(async () => {});
});

test('a thread that begins a transaction while it is being ended waits, its successor continues', async () => {
  const memory = CommitGuard.memory();
  const code = `
    import('${MODULE}').then(({ CommitGuard }) => {
      const { workerData, parentPort } = require('node:worker_threads');
      parentPort.postMessage('ready');
      new CommitGuard(workerData).run(() => parentPort.postMessage('written'));
    });`;
  const said: string[] = [];
  const writer = (): Worker => {
    const worker = new Worker(code, { eval: true, workerData: memory });
    worker.on('message', (word: string) => said.push(word));
    return worker;
  };
  await new CommitGuard(memory).whileIdle(async () => {
    const condemned = writer();
    await once(condemned, 'message');
    await condemned.terminate();
  });
  assert.deepEqual(said, ['ready']);
  await once(writer(), 'exit');
  assert.deepEqual(said, ['ready', 'ready', 'written']);
});
