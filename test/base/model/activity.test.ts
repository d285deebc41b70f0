import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  INDICATIVE,
  isActive,
  isIndicative,
  isOffered,
  isPregamePrice,
  packActivity,
  previousPrice,
} from '../../../src/base/model/activity.js';

const BOUND = 1e8;

test('what is packed of a row is read back, of every price, and fits into 32 bits', () => {
  const tenths = fc
    .tuple(fc.boolean(), fc.integer({ min: 1_000, max: BOUND * 10 }))
    .map(([negative, size]) => (negative ? -size : size) / 10);
  fc.assert(
    fc.property(fc.boolean(), fc.option(tenths), fc.boolean(), (active, previous, pregame) => {
      const packed = packActivity(active, previous, pregame);
      assert.equal(packed, packed | 0);
      assert.equal(isActive(packed), active);
      assert.equal(isPregamePrice(packed), pregame);
      const read = previousPrice(packed);
      if (previous === null) assert.equal(read, null);
      else if (!pregame || Math.abs(previous) <= 6e6) assert.equal(read, previous);
      else assert.ok(Math.abs(read! - previous) <= 5.05, `${previous} became ${read}`);
    }),
  );
});

test('the outermost prices and none are told apart, and 0 is a row that can be bet and has had no other price', () => {
  assert.equal(packActivity(true, null), 0);
  for (const previous of [BOUND, -BOUND, 100, -100, 6e6, -6e6])
    for (const active of [true, false])
      for (const pregame of [true, false]) {
        const packed = packActivity(active, previous, pregame);
        assert.deepEqual(
          [isActive(packed), previousPrice(packed), isPregamePrice(packed), packed | 0],
          [active, previous, pregame, packed],
        );
      }
});

test('an indicative price has no other price before it, is never offered, and is told from all others', () => {
  for (const active of [true, false])
    for (const pregame of [true, false]) {
      const packed = packActivity(active, INDICATIVE, pregame);
      assert.deepEqual(
        [isIndicative(packed), isOffered(packed), isActive(packed), isPregamePrice(packed), previousPrice(packed)],
        [true, false, active, pregame, null],
      );
      for (const previous of [null, 100, -100, BOUND])
        assert.equal(isIndicative(packActivity(active, previous, pregame)), false);
    }
});
