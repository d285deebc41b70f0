import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { systemClock } from '../../../src/base/model/clock.js';

test('a change of the wall clock is followed, forward and back', async (t) => {
  const { now } = Date;
  t.after(() => {
    Date.now = now;
  });
  assert.ok(Math.abs(systemClock.now() - now()) < 100);
  for (const aheadMs of [3_600_000, -3_600_000, 0]) {
    Date.now = () => now() + aheadMs;
    await wait(600);
    assert.ok(Math.abs(systemClock.now() - now() - aheadMs) < 100, String(aheadMs));
  }
});

test('a thread that loses its core between two readings sees no step of the clock', async (t) => {
  const { now } = Date;
  t.after(() => {
    Date.now = now;
  });
  let looks = 0;
  Date.now = () => {
    looks++;
    const untilMs = performance.now() + 50;
    while (performance.now() < untilMs);
    return now();
  };
  await wait(600);
  systemClock.now();
  assert.equal(looks, 1);
  assert.ok(Math.abs(systemClock.now() - now()) < 20);
});
