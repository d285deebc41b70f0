// What a book says of a row beside its price: kept in cells, shared by rows that say the same.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import {
  DETAIL_CELLS,
  encodeDetails,
  NO_DETAILS,
  pushDetails,
  type RowDetails,
  readDetails,
  sameDetails,
} from '../../src/model/row-details.js';

const details: fc.Arbitrary<RowDetails> = fc
  .tuple(fc.option(fc.integer({ min: 0, max: 3 })), fc.option(fc.integer({ min: 0, max: 3 })))
  .map(([maxBet, publicBetPct]) => ({ maxBet, publicBetPct }));

test('details are read from their cells as they were put there, and those of neighbours that say the same are one', () => {
  fc.assert(
    fc.property(fc.array(details, { minLength: 1, maxLength: 8 }), (rows) => {
      const cells: (number | null)[] = [];
      for (const each of rows) pushDetails(each, cells);
      assert.equal(cells.length, rows.length * DETAIL_CELLS);
      const read = rows.map((_, i) => readDetails(cells, i * DETAIL_CELLS));
      assert.deepEqual(read, rows);
      for (const [i, each] of read.entries()) {
        const before = read[i - 1];
        if (before !== undefined) assert.equal(sameDetails(before, each), before === each);
        assert.equal(sameDetails(each, NO_DETAILS), each === NO_DETAILS);
      }
    }),
  );
});

test('the JSON of details has those that are known, 0 too', () => {
  assert.equal(encodeDetails(NO_DETAILS), '');
  assert.equal(encodeDetails({ maxBet: 0, publicBetPct: null }), ',"max_bet":0');
  assert.equal(encodeDetails({ maxBet: 250.5, publicBetPct: 0 }), ',"public_bet_pct":0,"max_bet":250.5');
});
