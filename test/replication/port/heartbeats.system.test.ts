// Limits hold over all processes together, whatever carries their heartbeats.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { RateLimiter } from '../../../src/accounts/rate-limit.js';
import { ManualClock } from '../../../src/base/model/clock.js';
import { Heartbeats } from '../../../src/replication/port/heartbeats.js';
import { until } from '../nats/rig.js';

const MINUTE = 60_000;

/** Processes that receive each other's heartbeats at once. */
function processes(t: TestContext, roles: readonly ('engine' | 'front')[]) {
  const all: Heartbeats[] = [];
  for (const [i, role] of roles.entries())
    all.push(
      new Heartbeats({
        node: `node-${i}`,
        role,
        send: (bytes) => {
          for (const [other, each] of all.entries()) if (other !== i) each.received(bytes);
        },
      }),
    );
  t.after(() => {
    for (const each of all) each.close();
  });
  return all;
}

test('several processes grant within a tenth of what a single one would, in each minute anew', async (t) => {
  const clock = new ManualClock(29_000_000 * MINUTE);
  const limiters = processes(t, ['front', 'front', 'front']).map((shared) => new RateLimiter({ clock, shared }));
  for (let minute = 0; minute < 3; minute++) {
    let granted = 0;
    for (let i = 0; i < 900; i++) {
      if (limiters[i % 3]!.take('a', 300).allowed) granted++;
      if (i % 3 === 2) await new Promise(setImmediate);
    }
    assert.ok(granted >= 300 && granted <= 330, `${granted} of 300`);
    clock.set(clock.now() + MINUTE);
  }
});

test('kinds of counts are separate; a process that ended holds no streams, and what it counted was counted', async (t) => {
  const [engine, one, two] = processes(t, ['engine', 'front', 'front']) as [Heartbeats, Heartbeats, Heartbeats];
  one.counted('requests', 'a', 5, 3, 10);
  two.counted('openings', 'a', 5, 4, 10);
  one.holds('a', 2);
  two.holds('a', 1);
  await until('both are known', () => engine.openAtOthers('a') === 3);
  assert.deepEqual([engine.others('requests', 'a', 5), engine.others('openings', 'a', 5)], [3, 4]);
  assert.deepEqual([one.openAtOthers('a'), two.openAtOthers('a'), engine.fronts, one.fronts], [1, 2, 2, 2]);
  engine.gone('node-1');
  two.received(Heartbeats.lastOf('node-1'));
  assert.deepEqual([engine.openAtOthers('a'), two.openAtOthers('a'), engine.fronts], [1, 0, 1]);
  assert.equal(engine.others('requests', 'a', 5), 3);
  one.holds('a', 1);
  await until('one that was only silent is back', () => two.openAtOthers('a') === 1);
  assert.equal(engine.others('requests', 'a', 5), 3, 'and is not counted twice');
});

test('a process whose clock is behind does not count the minute that ends among the one that has begun', async (t) => {
  const [ahead, behind] = processes(t, ['front', 'front']) as [Heartbeats, Heartbeats];
  behind.counted('requests', 'a', 5, 9, 10);
  await until('it to be known', () => ahead.others('requests', 'a', 5) === 9);
  ahead.counted('requests', 'b', 6, 1, 10);
  await until('the new minute to be known', () => behind.others('requests', 'b', 6) === 1);
  behind.counted('requests', 'a', 5, 10, 10);
  behind.counted('requests', 'c', 6, 1, 10);
  await until('what comes after it', () => ahead.others('requests', 'c', 6) === 1);
  assert.equal(ahead.others('requests', 'a', 6), 0);
});
