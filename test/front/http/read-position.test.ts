import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { LIMITS } from '../../../src/base/model/limits.js';
import { ReadPosition } from '../../../src/front/http/read-position.js';
import type { Tier } from '../../../src/rules/catalogue/types.js';

/** Tables at positions that the test sets, and how often they were looked at. */
function tables() {
  let changed: () => void = () => undefined;
  const at = { live: 0, delayed: 0, looks: 0 };
  const reachedFor = (tier: Tier): number => {
    at.looks++;
    return tier === 'free' ? at.delayed : at.live;
  };
  const readPosition = new ReadPosition({
    positionFor: reachedFor,
    reachedFor,
    onChange: (listener) => {
      changed = listener;
    },
  });
  return { at, readPosition, change: () => changed() };
}

function timers(t: TestContext): void {
  t.mock.timers.enable({ apis: ['setInterval'] });
}

test('each read waits for its own position and is called once, in whatever order they came', (t) => {
  timers(t);
  fc.assert(
    fc.property(
      fc.array(fc.record({ position: fc.integer({ min: 1, max: 20 }), gone: fc.boolean() }), { maxLength: 40 }),
      fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 10 }),
      (reads, steps) => {
        const { at, readPosition, change } = tables();
        const called = reads.map(() => 0);
        const leave = reads.map(({ position }, i) =>
          readPosition.wait('pro', `account ${i % 3}`, position, (error) => {
            assert.equal(error, undefined);
            called[i]!++;
          }),
        );
        for (const [i, { gone }] of reads.entries()) if (gone) leave[i]!();
        for (const step of steps) {
          at.live += step;
          change();
          assert.deepEqual(
            called,
            reads.map(({ position, gone }) => Number(!gone && position <= at.live)),
          );
        }
        for (const end of leave) end();
      },
    ),
  );
});

test('a change looks at one waiting read, however many wait', (t) => {
  timers(t);
  const { at, readPosition, change } = tables();
  for (let i = 0; i < LIMITS.positionWaitersOfAccount.max; i++)
    readPosition.wait('pro', 'a', 1_000 + i, () => assert.fail('not reached'));
  const before = at.looks;
  for (let i = 0; i < 10; i++) change();
  assert.equal(at.looks - before, 10);
});

test('the number of waiting reads is bounded by account and in all, and none waits without a key', (t) => {
  timers(t);
  const { at, readPosition, change } = tables();
  const wait = (account: string | undefined) => readPosition.wait('pro', account, 10, () => undefined);
  assert.throws(() => wait(undefined), { code: 'behind', message: /without a key/ });
  for (let i = 0; i < LIMITS.positionWaitersOfAccount.max; i++) wait('a');
  assert.throws(() => wait('a'), { code: 'behind', message: /too many/ });
  wait('b')();
  for (let i = LIMITS.positionWaitersOfAccount.max; i < LIMITS.positionWaiters.max; i++) wait(`account ${i}`);
  assert.throws(() => wait('b'), { code: 'behind' });
  at.live = 10;
  change();
  wait('a');
});

test('a position that is not reached in two seconds is behind; the delayed table is looked at with the time', async () => {
  const { at, readPosition } = tables();
  const begunMs = performance.now();
  const never = new Promise((resolve) => readPosition.wait('pro', 'a', 10, resolve));
  const delayed = new Promise((resolve) => readPosition.wait('free', 'a', 5, resolve));
  at.delayed = 5;
  assert.equal(await Promise.race([never, delayed]), undefined, 'before the two seconds are over');
  assert.equal(((await never) as { code: string }).code, 'behind');
  assert.ok(performance.now() - begunMs >= 1_990);
});
