import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ManualClock } from '../../../src/base/model/clock.js';
import { PositionSequencer } from '../../../src/writer/pool/shard-queues.js';

test('positions rise strictly, whatever the clock does, and start above those used before', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 })), fc.nat(), (steps, last) => {
      let nowMs = 1_000;
      const positions = new PositionSequencer({ now: () => nowMs }, last);
      let previous = last;
      for (const step of steps) {
        nowMs = Math.max(0, nowMs + step / 10);
        const position = positions.begin();
        assert.ok(position > previous && Number.isInteger(position));
        previous = position;
      }
    }),
  );
});

test('a position is the time of its commit if the clock allows it', () => {
  const clock = new ManualClock(1_800_000_000_000.25);
  const positions = new PositionSequencer(clock, 0);
  assert.equal(positions.begin(), 1_800_000_000_000_250);
  assert.equal(positions.begin(), 1_800_000_000_000_251);
});

test('batches are released in the order of their positions, in whatever order they finish', () => {
  const order = fc.array(fc.nat(), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(order, (keys) => {
      const positions = new PositionSequencer(new ManualClock(1), 0);
      const begun = keys.map(() => positions.begin());
      const released: number[] = [];
      const finishing = begun.map((position, i) => ({ position, key: keys[i]! })).sort((a, b) => a.key - b.key);
      const finished = new Set<number>();
      for (const { position } of finishing) {
        positions.finish(position, () => released.push(position));
        finished.add(position);
        const complete = begun.findIndex((each) => !finished.has(each));
        assert.deepEqual(released, complete < 0 ? begun : begun.slice(0, complete));
      }
    }),
  );
});

test('a clock that was set back is told of once, until it has caught up', () => {
  let nowMs = 1_800_000_000_000;
  const told: number[] = [];
  const positions = new PositionSequencer({ now: () => nowMs }, 1_800_000_060_000_000, (byMs) => told.push(byMs));
  const isSetBack = () => positions.nowMs(positions.begin()) !== null;
  assert.ok(isSetBack() && isSetBack());
  nowMs += 60_001;
  assert.ok(!isSetBack());
  nowMs -= 120_000;
  assert.ok(isSetBack());
  assert.deepEqual(
    told.map((ms) => Math.round(ms / 1_000)),
    [60, 120],
  );
});

test('a position that was not begun cannot be finished', () => {
  const positions = new PositionSequencer(new ManualClock(1), 0);
  assert.throws(() => positions.finish(5, () => {}), /not outstanding/);
});
