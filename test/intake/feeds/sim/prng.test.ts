import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mix, Random, signed, textSeed, unit } from '../../../../src/intake/feeds/sim/prng.js';

test('the same seed and stream give the same numbers, another stream others', () => {
  const draw = (seed: number, stream: number) => {
    const random = new Random(seed, stream);
    return Array.from({ length: 5 }, () => random.next());
  };
  assert.deepEqual(draw(7, 1), draw(7, 1));
  assert.notDeepEqual(draw(7, 1), draw(7, 2));
  assert.notDeepEqual(draw(7, 1), draw(8, 1));
});

test('streams and hashes are uniform enough to be chances', () => {
  const random = new Random(1);
  const n = 50_000;
  const sums = { stream: 0, hash: 0, sign: 0, square: 0, poisson: 0, exponential: 0 };
  for (let i = 0; i < n; i++) {
    sums.stream += random.next();
    sums.hash += unit(1, i);
    sums.sign += signed(3, 4, i);
    sums.square += random.normal() ** 2;
    sums.poisson += random.poisson(0.7);
    sums.exponential += random.exponential(3);
  }
  assert.ok(Math.abs(sums.stream / n - 0.5) < 0.01);
  assert.ok(Math.abs(sums.hash / n - 0.5) < 0.01);
  assert.ok(Math.abs(sums.sign / n) < 0.01);
  assert.ok(Math.abs(sums.square / n - 1) < 0.03);
  assert.ok(Math.abs(sums.poisson / n - 0.7) < 0.02);
  assert.ok(Math.abs(sums.exponential / n - 3) < 0.08);
});

test('every input of the hash matters', () => {
  const base = mix(1, 2, 3, 4);
  for (const other of [mix(9, 2, 3, 4), mix(1, 9, 3, 4), mix(1, 2, 9, 4), mix(1, 2, 3, 9), mix(2, 1, 3, 4)])
    assert.notEqual(other, base);
  assert.notEqual(textSeed('draftkings'), textSeed('fanduel'));
});

test('weighted choices are about as frequent as their weights', () => {
  const random = new Random(3);
  const counts = { a: 0, b: 0, never: 0 };
  for (let i = 0; i < 10_000; i++)
    counts[
      random.weighted([
        ['a', 3],
        ['never', 0],
        ['b', 1],
      ] as const)
    ]++;
  assert.equal(counts.never, 0);
  assert.ok(Math.abs(counts.a / 10_000 - 0.75) < 0.02);
});
