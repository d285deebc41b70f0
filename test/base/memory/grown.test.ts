import assert from 'node:assert/strict';
import { test } from 'node:test';
import { grown, withPlace } from '../../../src/base/memory/grown.js';

test('an array that grows keeps its type and contents, and fills the rest with the given value', () => {
  for (const old of [Float64Array.of(1.5, -2), Int32Array.of(7, -8), Uint16Array.of(9, 10)]) {
    const longer = grown(old, 4);
    assert.equal(longer.constructor, old.constructor);
    assert.deepEqual([...longer], [...old, 0, 0]);
  }
  assert.deepEqual([...grown(BigUint64Array.of(2n ** 60n), 2)], [2n ** 60n, 0n]);
  assert.deepEqual([...grown(Int32Array.of(0, 3), 4, -1)], [0, 3, -1, -1]);
});

test('room for an index is made without growing one element at a time', () => {
  const full = Uint8Array.of(1, 2);
  assert.equal(withPlace(full, 1), full);
  assert.equal(withPlace(full, 2).length, 4);
  assert.equal(withPlace(full, 9).length, 10);
});
