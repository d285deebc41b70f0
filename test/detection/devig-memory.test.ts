import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { devig } from '../../src/detection/maths/devig.js';
import { DevigMemory } from '../../src/detection/reference.js';

const price = fc.oneof(
  fc.constantFrom(0, 1.5, 1.909091, 1.91, 2, 2.1, 3.4),
  fc.integer({ min: 101, max: 900 }).map((hundredths) => hundredths / 100),
);

function expected(prices: readonly number[]): number[] {
  const out = new Float64Array(prices.length);
  const implied = prices.map((each) => 1 / each);
  return devig('power', implied, prices.length, out) ? [...out] : prices.map(() => Number.NaN);
}

test('a cached result equals the computed one to the last bit, whatever was computed before', () => {
  const memory = new DevigMemory('power');
  const decimal = new Float64Array(9);
  const out = new Float64Array(9);
  fc.assert(
    fc.property(fc.array(price, { minLength: 2, maxLength: 3 }), (prices) => {
      // A two-way set and a three-way set without its third price must not be confused.
      for (const set of [prices, prices.slice(0, 2), [...prices.slice(0, 2), 0], prices]) {
        decimal.set(set, 3);
        out.fill(7);
        memory.devig(decimal, 3, set.length, out);
        assert.deepEqual([...out.subarray(3, 3 + set.length)], expected(set));
        assert.deepEqual([out[2], out[3 + set.length]], [7, 7]);
      }
    }),
    { numRuns: 20_000 },
  );
});
