import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { DEVIG_METHODS, type DevigMethod } from '../../../src/base/model/devig-method.js';
import { booksum, devig, oddsRatioConstant, powers, shinInsiderShare } from '../../../src/detection/maths/devig.js';

const VECTORS = resolve(process.cwd(), '../shared/data/devig_vectors.json');
const NO_VECTORS = existsSync(VECTORS) ? false : `no recorded vectors at ${VECTORS}`;

function fair(method: DevigMethod, odds: number[]): number[] {
  const out = new Array<number>(odds.length).fill(0);
  const implied = odds.map((d) => 1 / d);
  assert.ok(devig(method, implied, odds.length, out), `${method} of ${odds}`);
  return out;
}

function near(actual: number[], expected: number[], tolerance: number, what: string): void {
  assert.equal(actual.length, expected.length, what);
  for (const [i, value] of actual.entries()) {
    assert.ok(Math.abs(value - expected[i]!) <= tolerance, `${what}: ${actual} is not ${expected}`);
  }
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
const american = (a: number): number => (a > 0 ? 1 + a / 100 : 1 - 100 / a);

test('every method agrees with the recorded vectors to 1e-9', { skip: NO_VECTORS }, () => {
  const sets = JSON.parse(readFileSync(VECTORS, 'utf8')) as Record<string, number[]>[];
  assert.equal(sets.length, 15);
  for (const set of sets) {
    const odds = set['odds']!;
    const implied = odds.map((d) => 1 / d);
    assert.ok(Math.abs(booksum(implied, odds.length) - Number(set['booksum'])) < 1e-12);
    for (const method of DEVIG_METHODS) {
      const expected = set[method]!;
      if (expected.some((p) => p <= 0)) {
        assert.equal(devig(method, implied, odds.length, new Array<number>(odds.length)), false, `${method} ${odds}`);
      } else {
        near(fair(method, odds), expected, 1e-9, `${method} of ${odds}`);
      }
    }
    const k = powers(implied, odds.length, new Array<number>(odds.length));
    assert.ok(Math.abs(k - Number(set['power_k'])) < 1e-9);
    assert.ok(Math.abs(oddsRatioConstant(implied, odds.length) - Number(set['odds_ratio_c'])) < 1e-9);
    const z = shinInsiderShare(implied, odds.length, booksum(implied, odds.length));
    assert.ok(Math.abs(z - Number(set['shin_z'])) < 1e-9);
  }
});

test('the published examples are reproduced', () => {
  const examples: [method: DevigMethod, odds: number[], expected: number[], tolerance: number][] = [
    ['shin', [2.6, 2.4, 4.3], [0.3729940603, 0.4047794109, 0.2222265287], 1e-9],
    ['multiplicative', [2.6, 2.4, 4.3], [0.372026, 0.403028, 0.224946], 6e-7],
    ['additive', [2.6, 2.4, 4.3], [0.373335, 0.405387, 0.221278], 6e-7],
    ['power', [2.6, 2.4, 4.3], [0.372984, 0.405107, 0.221908], 6e-7],
    ['odds_ratio', [2.6, 2.4, 4.3], [0.372429, 0.404131, 0.22344], 6e-7],
    ['probit', [2.6, 2.4, 4.3], [0.3726, 0.404382, 0.223018], 6e-7],
    ['shin', [1.5, 2.74], [0.6508515815, 0.3491484185], 1e-9],
    ['additive', [1.5, 2.74], [0.6508515815, 0.3491484185], 1e-9],
    ['multiplicative', [1.5, 2.74], [0.646226, 0.353774], 6e-7],
    ['power', [1.5, 2.74], [0.653152, 0.346848], 6e-7],
    ['multiplicative', [2.7, 2.3, 4.4], [0.358738036, 0.42112726, 0.220134704], 1e-9],
    ['shin', [2.7, 2.3, 4.4], [0.3593439196, 0.4232438482, 0.2174122322], 1e-9],
    ['multiplicative', [american(-300), american(240)], [0.71831, 0.28169], 6e-7],
    ['additive', [american(-300), american(240)], [0.727941, 0.272059], 6e-7],
    ['shin', [american(-300), american(240)], [0.727941, 0.272059], 6e-7],
    ['power', [american(-300), american(240)], [0.733084, 0.266916], 6e-7],
    ['multiplicative', [american(-150), american(130)], [0.579832, 0.420168], 6e-7],
    ['additive', [american(-150), american(130)], [0.582609, 0.417391], 6e-7],
    ['multiplicative', [american(-115), american(105)], [0.523017, 0.476983], 6e-7],
    ['multiplicative', [2.1, 1.75], [0.454545, 0.545455], 6e-7],
    ['shin', [4.2, 3.7, 1.95], [0.231572, 0.263574, 0.504854], 6e-7],
    ['shin', [2.45, 3.7, 2.9], [0.400022, 0.262927, 0.337051], 6e-7],
    ['shin', [2.05, 3.2, 3.8], [0.464586, 0.291979, 0.243434], 6e-7],
  ];
  for (const [method, odds, expected, tolerance] of examples) {
    near(fair(method, odds), expected, tolerance, `${method} of ${odds}`);
  }
  for (const method of DEVIG_METHODS) near(fair(method, [american(-110), american(-110)]), [0.5, 0.5], 1e-12, method);
});

test('the parameters of the methods are the published ones', () => {
  const implied = [2.6, 2.4, 4.3].map((d) => 1 / d);
  assert.ok(Math.abs(powers(implied, 3, [0, 0, 0]) - 1.032137) < 6e-7);
  assert.ok(Math.abs(shinInsiderShare(implied, 3, booksum(implied, 3)) - 0.0169425128) < 1e-10);
  const pair = [1 / 1.5, 1 / 2.74];
  assert.ok(Math.abs(shinInsiderShare(pair, 2, booksum(pair, 2)) - 0.0317272854) < 1e-10);
  const vignette = [2.05, 3.2, 3.8].map((d) => 1 / d);
  assert.ok(Math.abs(shinInsiderShare(vignette, 3, booksum(vignette, 3)) - 0.031813) < 6e-7);
});

test('the six-way example of Clarke is refused by additive, which would go negative, and solved by the others', () => {
  const r = [0.87, 0.2, 0.1, 0.05, 0.02, 0.01];
  const out = new Float64Array(6);
  assert.equal(devig('additive', r, 6, out), false);
  assert.equal(devig('worst_case', r, 6, out), false);
  assert.ok(devig('power', r, 6, out));
  near([...out], [0.82575, 0.109403, 0.042185, 0.016267, 0.004615, 0.00178], 6e-7, 'power');
  assert.ok(devig('shin', r, 6, out));
  near([...out], [0.768786, 0.147486, 0.058968, 0.020021, 0.003766, 0.000971], 6e-7, 'shin');
  assert.ok(Math.abs(shinInsiderShare(r, 6, 1.25) - 0.081503) < 6e-7);
});

test('an incomplete market or a bad probability is refused by every method', () => {
  const bad: [number[], number][] = [
    [[0.5], 1],
    [[], 0],
    [[0.5, Number.NaN], 2],
    [[0.5, 0], 2],
    [[0.5, -0.5], 2],
    [[1, 0.5], 2],
    [[0.5, 1.5], 2],
    [[0.5, 0.6], 3],
    [[0.5, Infinity], 2],
  ];
  for (const method of DEVIG_METHODS) {
    for (const [r, n] of bad) assert.equal(devig(method, r, n, new Array<number>(4)), false, `${method} ${r}`);
  }
});

test('a book without margin is only normalised, whatever the method', () => {
  const r = [0.4, 0.3, 0.28];
  for (const method of DEVIG_METHODS) {
    const out = [0, 0, 0];
    assert.ok(devig(method, r, 3, out));
    near(out, [0.4 / 0.98, 0.3 / 0.98, 0.28 / 0.98], 1e-15, method);
  }
});

test('only the first n entries of a longer array are read and written', () => {
  const r = Float64Array.of(0.55, 0.5, 0.9, 0.9);
  const out = new Float64Array(4).fill(7);
  for (const method of DEVIG_METHODS) {
    assert.ok(devig(method, r, 2, out));
    assert.deepEqual([...out.subarray(2)], [7, 7]);
    assert.deepEqual([...r], [0.55, 0.5, 0.9, 0.9]);
  }
});

// A complete market with a margin: fair probabilities, and one margin distributed unevenly over them.
const market = fc
  .tuple(
    fc.array(fc.double({ min: 0.02, max: 1, noNaN: true }), { minLength: 2, maxLength: 8 }),
    fc.double({ min: 0.001, max: 0.3, noNaN: true }),
  )
  .map(([weights, margin]) => {
    const total = sum(weights);
    return weights.map((weight) => Math.min(0.995, (weight / total) * (1 + margin) + 0.0005));
  })
  .filter((r) => sum(r) > 1.0001);

const SUMS_TO_ONE = DEVIG_METHODS.filter((method) => method !== 'worst_case');

test('fair probabilities sum to one, keep the order and never exceed the implied ones', () => {
  fc.assert(
    fc.property(market, (r) => {
      for (const method of DEVIG_METHODS) {
        const out = new Array<number>(r.length).fill(0);
        if (!devig(method, r, r.length, out)) {
          assert.ok(method === 'additive' || method === 'worst_case', `${method} refused ${r}`);
          continue;
        }
        if (method !== 'worst_case') assert.ok(Math.abs(sum(out) - 1) < 1e-12, `${method} sums to ${sum(out)}`);
        else assert.ok(sum(out) <= 1 + 1e-12);
        for (const [i, p] of out.entries()) {
          assert.ok(p > 0 && p <= r[i]! + 1e-12, `${method}: ${p} from ${r[i]}`);
          for (const [j, q] of out.entries()) {
            if (r[i]! > r[j]!) assert.ok(p >= q - 1e-12, `${method} swapped ${r[i]} and ${r[j]}`);
          }
        }
      }
    }),
    { numRuns: 1000 },
  );
});

test('power raises every price to one exponent, to 1e-12, whatever the prices and the margin', () => {
  const wild = fc
    .array(fc.double({ min: -14, max: -1e-6, noNaN: true }), { minLength: 2, maxLength: 40 })
    .map((logs) => logs.map(Math.exp))
    .filter((r) => sum(r) > 1);
  fc.assert(
    fc.property(wild, (r) => {
      const out = new Array<number>(r.length);
      const k = powers(r, r.length, out);
      assert.ok(k >= 1, `${k} of ${r}`);
      assert.ok(Math.abs(sum(out) - 1) < 1e-12, `${r} sums to ${sum(out)}`);
      near(
        out,
        r.map((p) => p ** k),
        1e-12,
        `${r}`,
      );
    }),
    { numRuns: 1000 },
  );
});

test('power, Shin, odds ratio and probit give the top favourite more than multiplicative does', () => {
  fc.assert(
    fc.property(market, (r) => {
      const top = r.indexOf(Math.max(...r));
      const base = new Array<number>(r.length).fill(0);
      assert.ok(devig('multiplicative', r, r.length, base));
      for (const method of ['power', 'shin', 'odds_ratio', 'probit'] as const) {
        const out = new Array<number>(r.length).fill(0);
        assert.ok(devig(method, r, r.length, out));
        assert.ok(out[top]! >= base[top]! - 1e-12, method);
      }
    }),
    { numRuns: 1000 },
  );
});

test('with two outcomes Shin is additive, and worst case is the least of its four methods', () => {
  fc.assert(
    fc.property(market, (r) => {
      const two = r.slice(0, 2).map((p) => Math.min(0.99, p + 0.4));
      const shin = [0, 0];
      const additive = [0, 0];
      assert.ok(devig('shin', two, 2, shin) && devig('additive', two, 2, additive));
      near(shin, additive, 1e-13, 'shin');
      const n = r.length;
      const worst = new Array<number>(n).fill(0);
      if (!devig('worst_case', r, n, worst)) return;
      const parts = (['multiplicative', 'additive', 'power', 'shin'] as const).map((method) => {
        const out = new Array<number>(n).fill(0);
        assert.ok(devig(method, r, n, out));
        return out;
      });
      near(
        worst,
        r.map((_, i) => Math.min(...parts.map((part) => part[i]!))),
        1e-12,
        'worst case',
      );
    }),
  );
});

test('extreme markets are solved too: near-certain favourites, tiny and huge margins, a hundred runners', () => {
  const runners = Array.from({ length: 100 }, (_, i) => 0.9 / (i + 1.5) ** 1.1);
  const extremes = [
    [0.999, 0.002],
    [0.999999, 0.999999],
    [0.5 + 1e-13, 0.5 + 1e-13],
    [0.9, 0.9, 0.9],
    [0.99, 0.4, 1e-6],
    [0.34, 0.34, 0.3200000001],
    runners,
  ];
  for (const r of extremes) {
    for (const method of SUMS_TO_ONE) {
      const out = new Array<number>(r.length).fill(0);
      if (!devig(method, r, r.length, out)) {
        assert.equal(method, 'additive');
        continue;
      }
      assert.ok(Math.abs(sum(out) - 1) < 1e-9, `${method} of ${r.slice(0, 4)} sums to ${sum(out)}`);
    }
  }
});
