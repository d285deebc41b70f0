import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ThreadShares } from '../../src/accounts/thread-shares.js';
import { LIMITS } from '../../src/base/model/limits.js';

test('an account whose bodies took long waits for its next ones, which come in order; others do not wait', async (t) => {
  // Waiting bodies do not hold up the end of the process.
  const alive = setInterval(() => undefined, 1_000);
  t.after(() => clearInterval(alive));
  const shares = new ThreadShares();
  assert.equal(shares.turn('a'), null);
  shares.worked('a', 60);
  const begunMs = performance.now();
  const order: string[] = [];
  const turns = ['first', 'second'].map((name) => {
    const turn = shares.turn('a');
    assert.ok(turn !== null);
    return turn.then(() => {
      order.push(name);
      shares.worked('a', 1);
    });
  });
  assert.equal(shares.turn('b'), null);
  await turns[0];
  assert.deepEqual(order, ['first']);
  // Seven times as long, less what may be used at once.
  assert.ok(performance.now() - begunMs >= 150);
  await turns[1];
  assert.deepEqual(order, ['first', 'second']);
});

test('short bodies that leave the thread half of the time do not wait, and the number of waiting ones is bounded', () => {
  const shares = new ThreadShares();
  for (let i = 0; i < 9; i++) {
    assert.equal(shares.turn('a'), null);
    shares.worked('a', 10);
  }
  shares.worked('a', 10_000);
  for (let i = 0; i < LIMITS.ingestWaiting.max; i++) void shares.turn('a');
  assert.throws(() => shares.turn('a'), { code: 'ingest_queue_full' });
});

test('a process that was stopped while it read a body does not hold up the account for longer than any body may', () => {
  let nowMs = 0;
  const shares = new ThreadShares(() => nowMs);
  shares.worked('a', 3_600_000);
  nowMs += LIMITS.ingestPause.max - 1;
  assert.notEqual(shares.turn('a'), null);
  const others = new ThreadShares(() => nowMs);
  for (let i = 0; i < 100; i++) others.worked('a', 60_000);
  nowMs += LIMITS.ingestPause.max;
  assert.equal(others.turn('a'), null);
});
