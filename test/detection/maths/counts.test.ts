import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  negativeBinomial,
  negativeBinomialUpTo,
  normalBetween,
  poisson,
  poissonUpTo,
  skellam,
} from '../../../src/detection/maths/counts.js';
import { near } from './near.js';

test('normal windows are the published ones', () => {
  near(normalBetween(4, 5, 4.5, 13.5), 0.05905, 6e-6);
  near(normalBetween(44, 46, 45, 13.3), 0.0898, 6e-6);
  near(normalBetween(220, 223, 221.5, 18), 0.08847, 6e-6);
  near(normalBetween(3, 3, 3, 13.86), 0.0288, 6e-5);
});

test('a window of one result has the continuity of half a point to either side', () => {
  near(normalBetween(0, 0, 0, 10), 0.0398776, 1e-7);
  assert.equal(normalBetween(5, 4, 0, 10), 0);
});

test('Poisson and Skellam masses are the published ones', () => {
  near(poisson(6, 5.8), 0.16008, 6e-6);
  near(poisson(3, 2.6), 0.21757, 6e-6);
  near(skellam(1, 3.2, 2.7), 0.16346, 6e-6);
  near(skellam(0, 1.5, 1.1), 0.25767, 6e-6);
  assert.equal(poisson(-1, 3), 0);
});

test('the normal distribution is accurate far out on either side', () => {
  const low = normalBetween(-95, -90, 0, 10);
  assert.ok(low > 0);
  near(normalBetween(90, 95, 0, 10) / low, 1, 1e-12);
});

const rate = fc.double({ min: 0.05, max: 14, noNaN: true });

test('a Skellam mass is the sum over all pairs of scores, mirrors when the teams swap, and all masses make one', () => {
  fc.assert(
    fc.property(rate, rate, fc.integer({ min: -8, max: 8 }), (home, away, margin) => {
      let pairs = 0;
      for (let j = Math.max(0, -margin); j < 80; j++) pairs += poisson(j + margin, home) * poisson(j, away);
      near(skellam(margin, home, away), pairs, 1e-13);
      near(skellam(-margin, away, home), pairs, 1e-13);
      let all = 0;
      for (let m = -80; m <= 80; m++) all += skellam(m, home, away);
      near(all, 1, 1e-10);
    }),
    { numRuns: 50 },
  );
});

test('cumulated masses agree with single ones', () => {
  fc.assert(
    fc.property(rate, fc.integer({ min: -1, max: 30 }), (mean, k) => {
      let sum = 0;
      for (let i = 0; i <= k; i++) sum += poisson(i, mean);
      near(poissonUpTo(k, mean), sum, 1e-14);
    }),
  );
  fc.assert(
    fc.property(
      fc.double({ min: -20, max: 20, noNaN: true }),
      fc.double({ min: 1, max: 20, noNaN: true }),
      (mean, sd) => {
        let sum = 0;
        for (let x = -5; x <= 9; x++) sum += normalBetween(x, x, mean, sd);
        near(normalBetween(-5, 9, mean, sd), sum, 1e-13);
      },
    ),
  );
});

test('a negative binomial has its mean, its variance and the Poisson as its limit', () => {
  fc.assert(
    fc.property(rate, fc.double({ min: 1.5, max: 50, noNaN: true }), (mean, shape) => {
      let sum = 0;
      let first = 0;
      let second = 0;
      for (let k = 0; k < 600; k++) {
        const p = negativeBinomial(k, mean, shape);
        sum += p;
        first += p * k;
        second += p * k * k;
        if (k === 7) near(negativeBinomialUpTo(7, mean, shape), sum, 1e-13);
      }
      near(sum, 1, 1e-9);
      near(first, mean, 1e-6);
      near(second - first * first, mean + mean ** 2 / shape, 1e-4);
    }),
    { numRuns: 50 },
  );
  near(negativeBinomial(6, 5.8, 1e9), poisson(6, 5.8), 1e-8);
  assert.equal(negativeBinomial(-1, 3, 4), 0);
});
