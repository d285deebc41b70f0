import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growthPercent } from '../../src/server/heap-settings.js';

test('heaps grow less before they are collected where a container has little memory', () => {
  const gib = 1024 ** 3;
  // As Node.js tells that there is no limit: 0, or the largest number of 64 bits.
  const limits = [0, gib / 2, gib, 2 * gib, 2 * gib + 4_096, 64 * gib, 2 ** 64 - 1];
  assert.deepEqual(limits.map(growthPercent), [100, 50, 50, 50, 100, 100, 100]);
});
