// What --compare fails for, and what the report's numbers are made of.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Ratio } from '../../bench/bench.js';
import { compare } from '../../bench/compare.js';
import { alternate, fittedExponent, median, pairedRatio } from '../../bench/statistics.js';
import { svgOf } from '../../bench/svg.js';

const ratio = (id: string, value: number, tolerance = 0.25): Ratio => ({
  section: 's',
  id,
  name: id,
  control: 'c',
  value,
  tolerance,
});

test('a ratio that lost more than its tolerance fails, one that lost less or gained does not', () => {
  const before = [ratio('lost', 1), ratio('kept', 1), ratio('gained', 1)];
  const { worse, missing } = compare(before, [ratio('lost', 0.74), ratio('kept', 0.76), ratio('gained', 3)]);
  assert.deepEqual(
    worse.map(({ now }) => now.id),
    ['lost'],
  );
  assert.deepEqual(missing, []);
});

test('the tolerance is the baseline’s, a ratio that is no number fails, and one not measured is only named', () => {
  const before = [ratio('wide', 1, 0.6), ratio('broken', 1), ratio('skipped', 1)];
  const { worse, missing } = compare(before, [ratio('wide', 0.5, 0), ratio('broken', Number.NaN)]);
  assert.deepEqual(
    worse.map(({ now }) => now.id),
    ['broken'],
  );
  assert.deepEqual(missing, ['skipped']);
});

test('a paired ratio compares rounds with each other: a slow hour that hit both sides does not count', () => {
  assert.equal(pairedRatio([50, 5, 50], [100, 10, 100]), 0.5);
  assert.equal(pairedRatio([50, 5, 50], [100]), 0.5, 'rounds only one side has are left out');
  assert.equal(median([4, 1, 3, 2]), 2.5);
});

test('contenders take turns, in the other order every other round', async () => {
  const order: string[] = [];
  const contender = (name: string) => ({ name, run: async () => order.push(name) });
  const figures = await alternate(2, [contender('a'), contender('b')]);
  assert.deepEqual(order, ['a', 'b', 'b', 'a']);
  assert.deepEqual(figures.get('a'), [1, 4]);
});

test('the exponent of a power law is found', () => {
  const points = [1, 10, 100, 1000].map((x) => ({ x, y: 3 * x ** 1.5 }));
  assert.ok(Math.abs(fittedExponent(points) - 1.5) < 1e-9);
});

test('a plot stays inside its frame and escapes what it is told', () => {
  const points = [
    { x: 12, y: 0.3 },
    { x: 90_000, y: 7_000 },
  ];
  const svg = svgOf({ id: 'p', title: 'a < b & c', x: 'x', y: 'y', series: [{ name: 's', points, exponent: 1 }] });
  assert.match(svg, /a &lt; b &amp; c/);
  for (const [, x, y] of svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)) {
    assert.ok(Number(x) >= 78 && Number(x) <= 620, `x ${x}`);
    assert.ok(Number(y) >= 40 && Number(y) <= 308, `y ${y}`);
  }
});
