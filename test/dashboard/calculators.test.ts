// Calculators without an opportunity: known answers, to the cent.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  arbitrage,
  fairByAll,
  freeBet,
  hedge,
  holdOf,
  parlay,
  parsePrices,
} from '../../dashboard/model/calculators.js';
import { DEVIG_METHODS } from '../../src/base/model/devig-method.js';

test('prices are read in either format, and nothing is made of what is none', () => {
  assert.deepEqual(parsePrices('+100 / 2,5 -200'), [2, 2.5, 1.5]);
  assert.deepEqual([parsePrices(''), parsePrices('+100 x'), parsePrices('50')], [undefined, undefined, [50]]);
  const fractions = ['10/11 5/4', '10/11 / 5/4', '1/2;-110/ +105'].map((text) => parsePrices(text, 'fractional'));
  assert.deepEqual(fractions, [
    [21 / 11, 2.25],
    [21 / 11, 2.25],
    [1.5, 210 / 110, 2.05],
  ]);
});

test('an arbitrage, a hedge and a free bet make the same on every result', () => {
  const plan = arbitrage([2.1, 2.1], 1_000);
  assert.deepEqual([plan.stakes, plan.worst], [[500, 500], 50]);
  const hedged = hedge(100, 4, [1.5]);
  assert.deepEqual(hedged.stakes, [100, 266.66]);
  assert.ok(hedged.results.every(({ profit }) => Math.abs(profit - 33.33) < 0.011));
  const free = freeBet(50, 5, [1.25]);
  assert.deepEqual([free.stakes, free.cost, free.worst], [[50, 160], 160, 40]);
});

test('a parlay multiplies, and a hold below 0 is an arbitrage', () => {
  assert.equal(parlay([2, 2.5, 1.5]), 7.5);
  assert.ok(Math.abs(holdOf([2.1, 2.1]) + 4.7619) < 1e-4);
});

test('every method is beside the others, and each makes a whole', () => {
  const all = fairByAll([1.87, 1.95]);
  assert.deepEqual(
    all.map(({ method }) => method),
    [...DEVIG_METHODS],
  );
  for (const { method, fair } of all)
    if (method !== 'worst_case') assert.ok(Math.abs(fair[0]! + fair[1]! - 1) < 1e-6, method);
});
