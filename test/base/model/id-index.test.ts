import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { IdColumn } from '../../../src/base/model/id-column.js';
import { IdIndex } from '../../../src/base/model/id-index.js';

test('exactly the stored ids are found, however they are added and removed', () => {
  // Few digits differ, so that many ids have the same place in the index.
  const id = fc.nat(60).map((n) => String(10n ** 18n + BigInt(n >> 3) * 10n ** 9n + BigInt((n % 8) * 8_192)));
  const steps = fc.array(fc.record({ id, comes: fc.boolean() }), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (plan) => {
      const column = new IdColumn(256);
      const index = new IdIndex(column);
      const wanted = new Map<string, number>();
      let slot = 0;
      for (const { id: each, comes } of plan) {
        const known = wanted.get(each);
        if (comes && known === undefined) {
          column.set(++slot, each);
          wanted.set(each, slot);
          index.add(slot);
        } else if (!comes && known !== undefined) {
          index.delete(known);
          column.clear(known);
          wanted.delete(each);
        }
        for (const known of new Set(plan.map((step) => step.id))) assert.equal(index.get(known), wanted.get(known));
      }
    }),
  );
});

test('the index grows with its contents', () => {
  const column = new IdColumn(50_001);
  const index = new IdIndex(column);
  const idOf = (slot: number): string => String(10n ** 18n + BigInt(slot) * 9_777_777_777n);
  for (let slot = 1; slot <= 50_000; slot++) {
    column.set(slot, idOf(slot));
    index.add(slot);
  }
  for (let slot = 1; slot <= 50_000; slot++) assert.equal(index.get(idOf(slot)), slot);
  assert.equal(index.get('12'), undefined);
  assert.equal(index.get(''), undefined);
  assert.equal(index.get(`${idOf(7)}0`), undefined);
  assert.equal(index.get(idOf(7).replace(/.$/, 'x')), undefined);
});
