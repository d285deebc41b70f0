import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normalCdf, normalDensity, normalQuantile } from '../../../src/detection/maths/normal.js';

test('the normal CDF agrees with reference values to 1e-15', () => {
  const vectors: [number, number][] = [
    [-8, 6.220960574271784e-16],
    [-6, 9.86587645037698e-10],
    [-5.25, 7.604960516488715e-8],
    [-3, 0.0013498980316300946],
    [-1.96, 0.024997895148220435],
    [-1, 0.15865525393145705],
    [-0.5, 0.3085375387259869],
    [-0.1, 0.460172162722971],
    [0, 0.5],
    [0.25, 0.5987063256829237],
    [1, 0.8413447460685429],
    [2.5, 0.9937903346742238],
    [4, 0.9999683287581669],
    [7.2, 0.9999999999996989],
  ];
  for (const [x, p] of vectors) {
    assert.ok(Math.abs(normalCdf(x) - p) <= 1e-15, `Phi(${x}) = ${normalCdf(x)}`);
    if (p < 0.5) assert.ok(Math.abs(normalCdf(x) / p - 1) < 1e-9, `relative, Phi(${x}) = ${normalCdf(x)}`);
  }
  assert.equal(normalCdf(-40), 0);
  assert.equal(normalCdf(40), 1);
});

test('the normal quantile agrees with reference values to 1e-14', () => {
  const vectors: [number, number][] = [
    [1e-12, -7.034483825301132],
    [1e-6, -4.753424308822899],
    [0.001, -3.0902323061678136],
    [0.025, -1.9599639845400543],
    [0.08, -1.4050715603096327],
    [0.3, -0.5244005127080408],
    [0.5, 0.0],
    [0.75, 0.6744897501960817],
    [0.925, 1.4395314709384561],
    [0.99, 2.3263478740408408],
    [0.999999, 4.753424308817087],
  ];
  for (const [p, x] of vectors) {
    assert.ok(Math.abs(normalQuantile(p) - x) <= 1e-14 * Math.max(1, Math.abs(x)), `${p}: ${normalQuantile(p)}`);
  }
  assert.equal(normalQuantile(0), -Infinity);
  assert.equal(normalQuantile(1), Infinity);
  for (const p of [-0.1, 1.1, Number.NaN]) assert.ok(Number.isNaN(normalQuantile(p)));
});

test('the CDF inverts the quantile, is symmetric and rises', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-12, max: 1 - 1e-12, noNaN: true }), (p) => {
      assert.ok(Math.abs(normalCdf(normalQuantile(p)) - p) < 1e-14);
    }),
  );
  const x = fc.double({ min: -8, max: 8, noNaN: true });
  fc.assert(
    fc.property(x, x, (a, b) => {
      assert.ok(Math.abs(normalCdf(a) + normalCdf(-a) - 1) < 1e-15);
      if (a < b) assert.ok(normalCdf(a) <= normalCdf(b) + 1e-16);
    }),
  );
  assert.ok(Math.abs(normalDensity(0) - 1 / Math.sqrt(2 * Math.PI)) < 1e-16);
});
