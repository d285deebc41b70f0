import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { depthWriter, type Level } from '../../../src/base/model/depth.js';
import { LIMITS } from '../../../src/base/model/limits.js';

const MOST = LIMITS.depthLevels.max;

function written(back: readonly Level[], lay: readonly Level[]): string {
  depthWriter.begin();
  for (const [decimal, size] of back) depthWriter.level(decimal, size);
  depthWriter.lay();
  for (const [decimal, size] of lay) depthWriter.level(decimal, size);
  return depthWriter.end();
}

test('a ladder is written as JSON.stringify writes it, whatever its numbers', () => {
  const decimals = (places: number) =>
    fc.integer({ min: 1, max: 10 ** 12 }).map((count) => Number(`${count}e-${places}`));
  const number = fc.oneof(
    decimals(0),
    decimals(1),
    decimals(2),
    decimals(5),
    decimals(6),
    fc.double({ min: Number.MIN_VALUE, max: LIMITS.money.max, noNaN: true }),
    fc.constantFrom(1e-6, 0.1, 21_474_836.47, 21_474_836.48, 2_147_483_647, 2_147_483_648, LIMITS.money.max),
  );
  const side = fc.array(fc.tuple(number, number), { maxLength: MOST });
  fc.assert(
    fc.property(side, side, (back, lay) => {
      assert.equal(written(back, lay), JSON.stringify({ back, lay }));
    }),
    { numRuns: 500 },
  );
  const longest: Level[] = Array.from({ length: MOST }, () => [1.234567890123456e-7, 123456.78901234567]);
  assert.equal(written(longest, longest), JSON.stringify({ back: longest, lay: longest }));
});
