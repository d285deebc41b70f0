// The law of history's pages: what was encoded is decoded, removals among the prices.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { priceFromAmerican, priceFromDecimal } from '../../../src/base/model/price.js';
import { decodePage, encodePage, FLAG, Page, readPage } from '../../../src/store/history/page.js';

const price = fc.oneof(
  fc.integer({ min: -900, max: -101 }).map((american) => priceFromAmerican(american)!),
  fc.integer({ min: 100, max: 900 }).map((american) => priceFromAmerican(american)!),
  fc.integer({ min: 1_010, max: 9_999 }).map((thousandths) => priceFromDecimal(thousandths / 1_000)!),
  fc.double({ min: 1.01, max: 40, noNaN: true }).map((decimal) => priceFromDecimal(decimal)!),
);
const change = fc.record({
  row: fc.integer({ min: 0, max: 6 }),
  afterUs: fc.integer({ min: 0, max: 5_000_000 }),
  price,
  line: fc.oneof(
    fc.constant(Number.NaN),
    fc.integer({ min: -40, max: 40 }).map((half) => half / 2),
    fc.double({ min: 0, max: 9, noNaN: true }),
  ),
  flags: fc.integer({ min: 0, max: FLAG.model * 2 - 1 }),
  isRemoval: fc.boolean(),
});

test('every change and every removal of a page is read again, row by row in the order of time', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 60 }), (changes) => {
      const page = new Page();
      let atUs = 1_795_000_000_000_000;
      const written: string[] = [];
      for (const { row, afterUs, price, line, flags, isRemoval } of changes) {
        atUs += afterUs;
        const of = isRemoval ? flags + FLAG.removed : flags;
        const none = Number.NaN;
        if (isRemoval) page.add(row, atUs, none, none, none, of);
        else page.add(row, atUs, price.american, price.decimal, line, of);
        written.push(isRemoval ? [row, atUs, of].join() : [row, atUs, price.american, price.decimal, line, of].join());
      }
      const read: string[] = [];
      const visit = (row: number, at: number, american: number, decimal: number, line: number, flags: number): void => {
        read.push((flags >= FLAG.removed ? [row, at, flags] : [row, at, american, decimal, line, flags]).join());
      };
      const bytes = Buffer.from(encodePage(page));
      decodePage(bytes, visit);
      const inOrder = [...written.entries()].sort(
        ([i, a], [j, b]) => Number(a.split(',')[0]) - Number(b.split(',')[0]) || i - j,
      );
      assert.deepEqual(
        read,
        inOrder.map(([, text]) => text),
      );
      // What goes on from a stored page is the same.
      assert.deepEqual(Buffer.from(encodePage(readPage(bytes))), bytes);
    }),
  );
});
