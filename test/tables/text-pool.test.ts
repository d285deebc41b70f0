import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TextColumn, TextPool } from '../../src/tables/columns.js';

test('columns of one pool have the last text set in each slot, and equal texts are shared', () => {
  const steps = fc.array(
    fc.record({
      column: fc.nat(1),
      slot: fc.integer({ min: 1, max: 6 }),
      text: fc.option(fc.constantFrom('Over', 'Under', 'José Núñez Jr.', '', 'x')),
    }),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(steps, (plan) => {
      const pool = new TextPool();
      const columns = [new TextColumn(pool, 4), new TextColumn(pool, 4)];
      for (const column of columns) column.grow(8);
      const wanted = columns.map(() => new Array<string | null>(8).fill(null));
      for (const { column, slot, text } of plan) {
        columns[column]!.set(slot, text);
        wanted[column]![slot] = text;
        for (const [i, each] of columns.entries())
          for (let a = 0; a < 8; a++) {
            assert.equal(each.at(a), wanted[i]![a]);
            assert.equal(each.same(a, slot), wanted[i]![a] === wanted[i]![slot]);
          }
      }
    }),
  );
});

test('an unused text is dropped, and its number is reused', () => {
  const pool = new TextPool();
  for (let i = 0; i < 100_000; i++) {
    const no = pool.take(`player ${i}`);
    assert.equal(no, 1);
    assert.equal(pool.text(no), `player ${i}`);
    pool.giveBack(no);
  }
  const texts = Array.from({ length: 1_000 }, (_, i) => pool.take(`kept ${i}`));
  for (const [i, no] of texts.entries()) assert.equal(pool.text(no), `kept ${i}`);
});
