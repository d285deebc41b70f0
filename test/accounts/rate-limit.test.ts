import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RateLimiter } from '../../src/accounts/rate-limit.js';
import { ManualClock } from '../../src/base/model/clock.js';

const MINUTE = 60_000;

test('a window allows exactly its limit and then states when the next one begins', () => {
  const limiter = new RateLimiter({ clock: new ManualClock(10 * MINUTE + 1500) });
  const states = Array.from({ length: 4 }, () => limiter.take('a', 3));
  assert.deepEqual(
    states.map(({ allowed, remaining }) => [allowed, remaining]),
    [
      [true, 2],
      [true, 1],
      [true, 0],
      [false, 0],
    ],
  );
  assert.deepEqual(states[3], { limit: 3, remaining: 0, resetUnixS: 660, retryAfterS: 59, allowed: false });
});

test('looking does not count', () => {
  const limiter = new RateLimiter({ clock: new ManualClock(0) });
  limiter.take('a', 3);
  for (let i = 0; i < 5; i++) assert.equal(limiter.peek('a', 3).remaining, 2);
});

test('in no minute of the clock does a caller get more than its limit, and callers do not share', () => {
  const step = fc.record({ caller: fc.constantFrom('a', 'b', 'c'), waitMs: fc.integer({ min: 0, max: 20_000 }) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const clock = new ManualClock(0);
      const limiter = new RateLimiter({ clock });
      const taken = new Map<string, number>();
      for (const { caller, waitMs } of steps) {
        clock.set(clock.now() + waitMs);
        const slot = `${caller} ${Math.floor(clock.now() / MINUTE)}`;
        const before = taken.get(slot) ?? 0;
        const { allowed } = limiter.take(caller, 5);
        assert.equal(allowed, before < 5);
        if (allowed) taken.set(slot, before + 1);
      }
    }),
  );
});

test('beyond the limit new addresses share one count, and known ones keep theirs', () => {
  const limiter = new RateLimiter({ clock: new ManualClock(0), callersMax: 10 });
  for (let i = 0; i < 10; i++) limiter.take(`known ${i}`, 2);
  const strangers = Array.from({ length: 1000 }, (_, i) => limiter.take(`stranger ${i}`, 2).allowed);
  assert.equal(strangers.filter(Boolean).length, 2);
  assert.equal(limiter.take('known 3', 2).allowed, true);
});

test('what an answer costs beyond its request is counted, and no more than is left', () => {
  const limiter = new RateLimiter({ clock: new ManualClock(0) });
  limiter.take('a', 10);
  const { allowed, remaining } = limiter.spend('a', 10, 5);
  assert.deepEqual([allowed, remaining], [true, 4]);
  assert.equal(limiter.spend('a', 10, 100).remaining, 0);
  assert.equal(limiter.take('a', 10).allowed, false);
  assert.equal(limiter.peek('a', 20).remaining, 10, 'nothing is owed');
});
