// Costly work of requests is done a few at a time, and never of one account alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AccountQueue } from '../../src/accounts/account-queue.js';
import { ApiError } from '../../src/base/model/errors.js';

const OPTIONS = { running: 4, ofAccount: 2, waiting: 64, waitingOfAccount: 4, timeMs: 10_000 };

/** Work that ends when told to. */
function held(timeMs = OPTIONS.timeMs) {
  const running: { no: number; end: AbortController; settle(): void }[] = [];
  const queue = new AccountQueue({ ...OPTIONS, timeMs });
  const ask = (account: string, no: number, viewer = false) =>
    queue.run(
      { account, viewer },
      (end) =>
        new Promise<number>((resolve, reject) => {
          const settle = () => {
            running.splice(running.indexOf(one), 1);
            if (end.signal.aborted) reject(end.signal.reason);
            else resolve(no);
          };
          const one = { no, end, settle };
          running.push(one);
        }),
    );
  return { running, ask, nos: () => running.map(({ no }) => no) };
}

test('an account has two at a time and a few that wait; others go before those', async () => {
  const { running, ask, nos } = held();
  const asked = Array.from({ length: OPTIONS.ofAccount + OPTIONS.waitingOfAccount }, (_, i) => ask('a', i));
  assert.deepEqual(nos(), [0, 1]);
  await assert.rejects(ask('a', 99), (error) => {
    assert.ok(error instanceof ApiError && error.code === 'rate_limited');
    assert.ok((error.detail.retryAfter ?? 0) > 0);
    return true;
  });
  asked.push(ask('b', 10), ask('c', 20), ask('c', 21));
  assert.deepEqual(nos(), [0, 1, 10, 20], `${OPTIONS.running} in all`);
  running[0]!.settle();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(nos(), [1, 10, 20, 2], 'of accounts with as many running the first that came');
  running[0]!.settle();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(nos(), [10, 20, 2, 3]);
  while (running.length > 0) {
    running[0]!.settle();
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.equal((await Promise.all(asked)).length, 9);
});

test('the queue of all accounts is bounded', async () => {
  const { running, ask } = held();
  const all = Array.from({ length: OPTIONS.running + OPTIONS.waiting }, (_, i) => ask(`${i}`, i));
  await assert.rejects(ask('one more', 0), (error) => error instanceof ApiError && error.code === 'rate_limited');
  while (running.length > 0) {
    running[0]!.settle();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(all);
});

test('what finds no time is refused, and keeps its place until nothing of it runs', async () => {
  const { running, ask, nos } = held(20);
  const asked = [ask('a', 0), ask('a', 1), ask('a', 2)];
  const late = await Promise.allSettled(asked);
  for (const one of late)
    assert.ok(one.status === 'rejected' && one.reason instanceof ApiError && one.reason.code === 'unavailable');
  assert.ok(running.every(({ end }) => end.signal.aborted));
  const next = ask('a', 3);
  assert.deepEqual(nos(), [0, 1]);
  running[0]!.settle();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(nos(), [1, 3]);
  for (const one of [...running]) one.settle();
  assert.equal(await next, 3);
});

test('viewer tokens of an account leave a part to its keys', async () => {
  const { running, ask, nos } = held();
  const asked = [0, 1, 2, 3].map((no) => ask('a', no, true));
  assert.deepEqual(nos(), [0]);
  await assert.rejects(ask('a', 9, true), (error) => error instanceof ApiError && error.code === 'rate_limited');
  asked.push(ask('a', 4));
  assert.deepEqual(nos(), [0, 4]);
  while (running.length > 0) {
    running[0]!.settle();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(asked);
});
