import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { IdIndex } from '../../src/table/id-index.js';

test('ids are found, and only those that are in, however they come and go', () => {
  // Few digits differ, so that many ids want the same place.
  const id = fc.nat(60).map((n) => `10000000000000${(n % 7) * 8_192}${n}`);
  const steps = fc.array(fc.record({ id, comes: fc.boolean() }), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (plan) => {
      const column = [''];
      const index = new IdIndex(column);
      const wanted = new Map<string, number>();
      for (const { id: each, comes } of plan) {
        if (comes && !wanted.has(each)) {
          column.push(each);
          wanted.set(each, column.length - 1);
          index.add(column.length - 1);
        } else if (!comes) {
          index.delete(each);
          wanted.delete(each);
        }
        for (const known of new Set(plan.map((step) => step.id))) assert.equal(index.get(known), wanted.get(known));
      }
    }),
  );
});

test('the index grows with what is in it', () => {
  const column = [''];
  const index = new IdIndex(column);
  for (let slot = 1; slot <= 50_000; slot++) {
    column[slot] = String(1e18 + slot * 977);
    index.add(slot);
  }
  for (let slot = 1; slot <= 50_000; slot++) assert.equal(index.get(column[slot]!), slot);
  assert.equal(index.get('12'), undefined);
  assert.equal(index.get(''), undefined);
});
