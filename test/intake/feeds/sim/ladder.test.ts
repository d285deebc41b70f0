import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countMass, normalCdf, normalLadder, TableLadder } from '../../../../src/intake/feeds/sim/ladder.js';
import { mainLine } from '../../../../src/intake/feeds/sim/slot.js';

const near = (a: number, b: number, within = 1e-9): void => assert.ok(Math.abs(a - b) < within, `${a} is not ${b}`);

test('a half line counts all results, an integer line leaves its pushes out, a quarter line stakes half on each neighbour', () => {
  const ladder = new TableLadder(0, [0.1, 0.2, 0.3, 0.4]);
  near(ladder.above(1.5), 0.7);
  near(ladder.above(2), 0.4 / 0.7);
  // 2.25: half on 2 (returned at 2), half on 2.5 (lost at 2).
  near(ladder.above(2.25), 0.4 / (0.4 + 0.15 + 0.3));
  // 1.75: half on 1.5 (won at 2), half on 2 (returned at 2).
  near(ladder.above(1.75), (0.4 + 0.15) / (0.4 + 0.15 + 0.3));
  near(ladder.mean, 2);
});

test('the chance above a line falls as the line rises, quarter lines lie between their neighbours', () => {
  const mass = fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 3, maxLength: 20 });
  fc.assert(
    fc.property(mass, fc.integer({ min: -5, max: 5 }), (weights, low) => {
      const ladder = new TableLadder(low, weights);
      let before = 1;
      for (let line = low - 1; line <= low + weights.length; line += 0.25) {
        const above = ladder.above(line);
        assert.ok(above <= before + 1e-12 && above >= 0 && above <= 1, `${line}: ${before} then ${above}`);
        before = above;
      }
    }),
  );
});

test('both sides of a line share its chance: the mirrored result gives the rest', () => {
  const mass = fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 3, maxLength: 12 });
  fc.assert(
    fc.property(mass, fc.integer({ min: -20, max: 20 }), (weights, quarters) => {
      const ladder = new TableLadder(-3, weights);
      const mirror = new TableLadder(3 - (weights.length - 1), weights.toReversed());
      near(ladder.above(quarters / 4) + mirror.above(-quarters / 4), 1, 1e-9);
    }),
  );
});

test('counts have the requested mean and variance', () => {
  for (const [mean, shape] of [
    [3.1, Number.POSITIVE_INFINITY],
    [4.4, 3.9],
    [0.05, 2],
  ] as const) {
    const mass = countMass(mean, shape);
    const moments = mass.reduce(([m, s], p, k) => [m! + p * k, s! + p * k * k], [0, 0]);
    near(moments[0]!, mean, 1e-3);
    near(moments[1]! - moments[0]! ** 2, mean + mean ** 2 / shape, 0.02);
  }
});

test('the normal distribution function agrees with its table', () => {
  near(normalCdf(0), 0.5, 1e-6);
  near(normalCdf(1.96), 0.9750021, 1e-6);
  near(normalCdf(-1), 0.1586553, 1e-6);
});

test('the main line is next to even money and stays until it is clearly off', () => {
  const at = (mean: number) => normalLadder(mean, 12, () => 1);
  const shape = { step: 0.5, halves: false };
  const line = mainLine(at(5.8), Number.NaN, shape);
  near(at(5.8).above(line), 0.5, 0.03);
  assert.equal(mainLine(at(6.3), line, shape), line);
  assert.ok(mainLine(at(9), line, shape) >= 8.5);
  assert.equal(mainLine(at(-3.2), Number.NaN, { step: 1, halves: true }) % 1, -0.5);
});
