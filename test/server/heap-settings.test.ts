import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isScarce } from '../../src/server/process-limits.js';

test('memory is scarce where a container has at most 2 GiB', () => {
  const gib = 1024 ** 3;
  // As Node.js tells that there is no limit: 0, or the largest number of 64 bits.
  const limits = [0, gib / 2, gib, 2 * gib, 2 * gib + 4_096, 64 * gib, 2 ** 64 - 1];
  assert.deepEqual(limits.map(isScarce), [false, true, true, true, false, false, false]);
});
