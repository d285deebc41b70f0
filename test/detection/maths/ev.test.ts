import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decimalFromAmerican } from '../../../src/base/model/price.js';
import { devig } from '../../../src/detection/maths/devig.js';
import {
  confidenceScore,
  evPercent,
  evPercentWithPush,
  kellyFraction,
  marketConfidence,
  noVigAmerican,
} from '../../../src/detection/maths/ev.js';

function near(actual: number, expected: number, tolerance = 6e-5): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);
}

test('EV and Kelly are the published ones', () => {
  const vectors: [decimal: number, p: number, ev: number, kelly: number][] = [
    [3.5, 0.3, 5, 2],
    [1.8, 0.4, -28, 0],
    [2.5, 0.5, 25, 16.6667],
    [2, 0.55, 10, 10],
    [decimalFromAmerican(-110), 0.55, 5, 5.5],
    [decimalFromAmerican(110), 0.5, 5, 4.5455],
  ];
  for (const [d, p, ev, kelly] of vectors) {
    near(evPercent(p, d), ev);
    near(100 * kellyFraction(p, d), kelly);
  }
  near(kellyFraction(0.3, 3.5) / 2, 0.01, 1e-12);
});

test('Kelly does not swap win and loss as (bq - p)/b would', () => {
  const [p, b] = [0.55, 1];
  assert.notEqual(kellyFraction(p, 1 + b), (b * (1 - p) - p) / b);
  assert.equal(kellyFraction(0.45, 2), 0);
});

test('a sharp -115/+105 makes a soft -105 worth 2.1129 %', () => {
  const fair = [0, 0];
  assert.ok(devig('multiplicative', [1 / decimalFromAmerican(-115), 1 / decimalFromAmerican(105)], 2, fair));
  const p = fair[0]!;
  near(p, 0.523017, 6e-7);
  near(evPercent(p, decimalFromAmerican(-105)), 2.1129);
  near(100 * kellyFraction(p, decimalFromAmerican(-105)), 2.2185);
  near(-100 * (p / (1 - p)), -109.65, 6e-3);
  assert.equal(noVigAmerican(p), -110);
});

test('a push chance makes EV smaller and keeps its sign, as settling all three results shows', () => {
  const unit = fc.double({ min: 0.01, max: 0.99, noNaN: true });
  fc.assert(
    fc.property(unit, unit, fc.double({ min: 1.05, max: 20, noNaN: true }), (p, u, d) => {
      const settled = (1 - u) * p * (d - 1) + u * 0 - (1 - u) * (1 - p);
      near(evPercentWithPush(p, d, u), 100 * settled, 1e-9);
      assert.ok(Math.abs(evPercentWithPush(p, d, u)) <= Math.abs(evPercent(p, d)));
    }),
  );
});

test('Kelly is the stake of fastest growth: a little more or less grows slower', () => {
  const growth = (f: number, p: number, d: number): number => p * Math.log(1 + f * (d - 1)) + (1 - p) * Math.log(1 - f);
  fc.assert(
    fc.property(
      fc.double({ min: 0.05, max: 0.95, noNaN: true }),
      fc.double({ min: 1.1, max: 15, noNaN: true }),
      (p, d) => {
        const f = kellyFraction(p, d);
        assert.ok(f >= 0 && f < 1);
        if (f < 0.01 || f > 0.98) return;
        assert.ok(growth(f, p, d) > growth(f + 0.005, p, d) && growth(f, p, d) > growth(f - 0.005, p, d));
      },
    ),
  );
});

test('confidence stays within 0-100 and moves the right way in each of its inputs', () => {
  const inputs = fc.record({
    sharp: fc.boolean(),
    books: fc.integer({ min: 0, max: 30 }),
    age: fc.double({ min: 0, max: 2000, noNaN: true }),
    live: fc.boolean(),
    hold: fc.double({ min: -0.02, max: 0.3, noNaN: true }),
    ev: fc.double({ min: -20, max: 200, noNaN: true }),
  });
  fc.assert(
    fc.property(inputs, fc.double({ min: 0, max: 100, noNaN: true }), ({ sharp, books, age, live, hold, ev }, more) => {
      const score = confidenceScore(sharp, books, age, live, hold, ev);
      assert.ok(score >= 0 && score <= 100);
      assert.ok(confidenceScore(true, books, age, live, hold, ev) >= score);
      assert.ok(confidenceScore(sharp, books + 1, age, live, hold, ev) >= score);
      assert.ok(confidenceScore(sharp, books, age + more, live, hold, ev) <= score);
      assert.ok(confidenceScore(sharp, books, age, true, hold, ev) <= score);
      assert.ok(confidenceScore(sharp, books, age, live, hold + more / 100, ev) <= score);
      assert.ok(confidenceScore(sharp, books, age, live, hold, ev + more) <= score);
      assert.ok(marketConfidence(books, age, live) >= score);
    }),
    { numRuns: 500 },
  );
});

test('a fresh sharp price among many books without margin has full confidence', () => {
  assert.equal(confidenceScore(true, 6, 0, false, 0, 3), 100);
  near(confidenceScore(false, 5, 0, false, 0.05, 3), 100 * 0.8 * Math.sqrt(5 / 6) * 0.5, 1e-9);
  near(confidenceScore(true, 6, 60, true, 0, 16), 50 / Math.E, 1e-9);
});
