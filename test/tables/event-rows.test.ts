import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareLine } from '../../src/base/model/compare.js';
import { EventRows } from '../../src/tables/events.js';

/** `slot` is added or removed, moved, or only looked up. */
const steps = fc.array(
  fc.record({ slot: fc.nat(300), act: fc.constantFrom('toggle', 'toggle', 'toggle', 'ask', 'move') }),
  { maxLength: 400 },
);

test('added, removed and moved rows are in the order of a full sort', () => {
  fc.assert(
    fc.property(steps, (plan) => {
      const keys = Array.from({ length: 301 }, (_, slot) => (slot * 7_919) % 101);
      const order = (a: number, b: number): number => keys[a]! - keys[b]! || a - b;
      const rows = new EventRows(order);
      const present = new Set<number>();
      for (const { slot, act } of plan) {
        if (act === 'ask') {
          assert.deepEqual([...rows.sorted()], [...present].sort(order));
        } else if (act === 'move' && present.has(slot)) {
          rows.remove(slot);
          keys[slot] = (keys[slot]! + 37) % 101;
          rows.add(slot);
        } else if (present.delete(slot)) rows.remove(slot);
        else {
          present.add(slot);
          rows.add(slot);
        }
        assert.equal(rows.count, present.size);
      }
      assert.deepEqual([...rows.sorted()], [...present].sort(order));
      assert.deepEqual(new Set(rows.unsorted()), present);
      for (const slot of present) {
        const at = rows.firstAfter((other) => order(other, slot));
        assert.equal(at, [...present].sort(order).indexOf(slot) + 1);
      }
    }),
    { numRuns: 300 },
  );
});

test('rows without a line are before those with one, smaller lines before larger', () => {
  const lines = [3, Number.NaN, -1.5, 0, Number.NaN, 2.5];
  assert.deepEqual([...lines].sort(compareLine), [Number.NaN, Number.NaN, -1.5, 0, 2.5, 3]);
});
