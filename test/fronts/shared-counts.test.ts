import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RateLimiter } from '../../src/accounts/rate-limit.js';
import { MappedCounts, sharedBytes } from '../../src/fronts/shared-counts.js';
import { ManualClock } from '../../src/model/clock.js';

const MINUTE = 60_000;

/** Three processes that map the same memory. */
function processes(): MappedCounts[] {
  const memory = new ArrayBuffer(sharedBytes(3));
  return [0, 1, 2].map((column) => new MappedCounts(memory, 3, column));
}

test('several processes together grant as much as a single one would', () => {
  const step = fc.record({
    process: fc.nat(2),
    caller: fc.constantFrom('a', 'b', 'c'),
    limit: fc.integer({ min: 1, max: 4 }),
    passes: fc.constantFrom(0, 0, 0, MINUTE, 2 * MINUTE),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const clock = new ManualClock(29_000_000 * MINUTE);
      const shared = processes().map((counts) => new RateLimiter({ clock, shared: counts }));
      const alone = new RateLimiter({ clock });
      for (const { process, caller, limit, passes } of steps) {
        clock.set(clock.now() + passes);
        assert.deepEqual(shared[process]!.peek(caller, limit), alone.peek(caller, limit));
        assert.deepEqual(shared[process]!.take(caller, limit), alone.take(caller, limit));
      }
    }),
    { numRuns: 50 },
  );
});

test('kinds of counts are separate, and a dead process uses no slots', () => {
  const [first, second, third] = processes();
  first!.counted('requests', 'a', 1, 3);
  second!.counted('requests', 'a', 1, 4);
  assert.deepEqual([third!.others('requests', 'a', 1), third!.others('openings', 'a', 1)], [7, 0]);
  assert.equal(first!.others('requests', 'a', 1), 4);
  first!.holds('a', 2);
  second!.holds('a', 1);
  assert.deepEqual([first!.openAtOthers('a'), second!.openAtOthers('a'), third!.openAtOthers('a')], [1, 2, 3]);
  third!.forget(0);
  assert.deepEqual([second!.openAtOthers('a'), third!.openAtOthers('a')], [0, 1]);
});

test('callers that find no place of their own share one, and the others are counted right', () => {
  const [first, second] = processes();
  for (let i = 0; i < 40_000; i++) first!.counted('requests', `address ${i}`, 5, 1);
  let shared = 0;
  for (let i = 0; i < 1_000; i++) {
    const counted = second!.others('requests', `address ${i}`, 5);
    if (counted !== 1) shared++;
  }
  assert.ok(shared === 0, `${shared} of the first thousand were not counted as they were`);
});
