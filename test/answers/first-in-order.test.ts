import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstInOrder } from '../../src/answers/sorted-rows.js';

test('the first of any order, however many are wanted, ties by index, as a whole sort has them', () => {
  const rows = fc.array(fc.constantFrom(1.5, 1.91, 2, 2.1, 7), { maxLength: 400 });
  fc.assert(
    fc.property(rows, fc.nat(60), fc.boolean(), fc.boolean(), fc.nat(4), (keys, wanted, descending, inColumn, skip) => {
      // In a column of the table, rows are in any order.
      const at = inColumn ? Uint32Array.from(keys, (_, i) => keys.length - i) : null;
      const values = new Float64Array(keys.length + 1);
      for (const [i, key] of keys.entries()) values[at === null ? i : at[i]!] = key;
      const passes = skip === 0 ? null : (i: number): boolean => i % (skip + 1) !== 0;
      const sign = descending ? -1 : 1;
      const expected = [...keys.keys()]
        .filter((i) => passes?.(i) ?? true)
        .sort((a, b) => sign * (keys[a]! - keys[b]!) || a - b)
        .slice(0, wanted);
      assert.deepEqual(firstInOrder({ values, at, count: keys.length, descending }, wanted, passes), expected);
    }),
    { numRuns: 500 },
  );
});
