import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { exponentsOf } from '../../bench/bench.js';
import { fittedExponent, upperExponent } from '../../bench/statistics.js';

const XS = [10, 100, 1_000, 10_000, 100_000];

test('a power law has the same exponent over all points and over the larger half, whatever their order', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -2, max: 3, noNaN: true }),
      fc.double({ min: 0.001, max: 1_000, noNaN: true }),
      fc.shuffledSubarray(XS, { minLength: XS.length }),
      (exponent, factor, xs) => {
        const points = xs.map((x) => ({ x, y: factor * x ** exponent }));
        assert.ok(Math.abs(fittedExponent(points) - exponent) < 1e-9);
        assert.ok(Math.abs(upperExponent(points) - exponent) < 1e-9);
      },
    ),
  );
});

test('a constant cost that hides a linear one over all points hides it less over the larger half', () => {
  const points = XS.map((x) => ({ x, y: 1_000 + x }));
  assert.ok(fittedExponent(points) < 0.6);
  assert.ok(upperExponent(points) > 0.8);
});

test('a larger half of fewer than three points has no exponent', () => {
  const few = XS.slice(0, 4).map((x) => ({ x, y: x }));
  assert.equal(exponentsOf(few, 1), '1.00');
  assert.match(
    exponentsOf(
      XS.map((x) => ({ x, y: x })),
      1,
    ),
    /^1\.00 \(larger half 1\.00\)$/,
  );
});
