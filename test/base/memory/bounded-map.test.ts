import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BoundedMap } from '../../../src/base/memory/bounded-map.js';

test('a full map drops everything for a new key, and nothing for a known one', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1).set('b', 2);
  map.set('a', 3);
  assert.deepEqual(
    [...map],
    [
      ['a', 3],
      ['b', 2],
    ],
  );
  map.set('c', 4);
  assert.deepEqual([...map], [['c', 4]]);
});
