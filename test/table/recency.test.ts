import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Columns } from '../../src/table/columns.js';
import { Recency } from '../../src/table/recency.js';

test('rows are listed by the position of their last change, and those of one position as they came', () => {
  const positions = fc.array(fc.oneof(fc.nat({ max: 5 }), fc.maxSafeInteger().map(Math.abs)), { maxLength: 100 });
  fc.assert(
    fc.property(positions, (changes) => {
      const columns = new Columns();
      const slots = changes.map((position) => {
        const slot = columns.allocate();
        columns.updatedPosition[slot] = position + 1;
        return slot;
      });
      const recency = new Recency(columns);
      recency.rebuild(Uint32Array.from(slots));
      const expected = slots.toSorted((a, b) => columns.updatedPosition[a]! - columns.updatedPosition[b]!);
      assert.deepEqual(recency.since(0), expected);
    }),
  );
});
