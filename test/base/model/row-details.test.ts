// A row's details beside its price: stored in cells, shared by equal rows.
import assert from 'node:assert/strict';
import test from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { ExchangeDetails } from '../../../src/base/model/normal-message.js';
import {
  DETAIL_CELLS,
  encodeDetails,
  NO_DETAILS,
  pushDetails,
  type RowDetails,
  readDetails,
  stakeMax,
} from '../../../src/base/model/row-details.js';

const details: fc.Arbitrary<RowDetails> = fc
  .tuple(fc.option(fc.integer({ min: 0, max: 3 })), fc.option(fc.integer({ min: 0, max: 3 })))
  .map(([maxBet, publicBetPct]) => ({ maxBet, publicBetPct, exchange: null }));
const amount = fc.option(fc.double({ min: 0, max: 1e9, noNaN: true }));
const exchange: fc.Arbitrary<ExchangeDetails> = fc.tuple(amount, amount, amount, fc.option(fc.string(), { nil: null }));

test('details are read from their cells unchanged, and equal ones of neighbours are shared', () => {
  fc.assert(
    fc.property(fc.array(details, { minLength: 1, maxLength: 8 }), (rows) => {
      const cells: (number | null)[] = [];
      for (const each of rows) pushDetails(each, cells);
      assert.equal(cells.length, rows.length * DETAIL_CELLS);
      const read = rows.map((_, i) => readDetails(cells, i * DETAIL_CELLS, null));
      assert.deepEqual(read, rows);
      for (const [i, each] of read.entries()) {
        const before = read[i - 1];
        if (before !== undefined) assert.equal(isDeepStrictEqual(before, each), before === each);
        assert.equal(isDeepStrictEqual(each, NO_DETAILS), each === NO_DETAILS);
      }
    }),
  );
});

test('the JSON of details has the known ones, including 0', () => {
  assert.equal(encodeDetails(NO_DETAILS), '');
  assert.equal(encodeDetails({ ...NO_DETAILS, maxBet: 0 }), ',"max_bet":0');
  assert.equal(encodeDetails({ ...NO_DETAILS, maxBet: 250.5, publicBetPct: 0 }), ',"public_bet_pct":0,"max_bet":250.5');
});

test('an exchange’s fields are in the JSON unchanged', () => {
  fc.assert(
    fc.property(exchange, (one) => {
      const details: RowDetails = { ...NO_DETAILS, exchange: one };
      const json = JSON.parse(`{"_":0${encodeDetails(details)}}`) as Record<string, unknown>;
      const names = ['size', 'volume_24h', 'open_interest', 'exchange_token_id'];
      for (const [i, name] of names.entries()) assert.equal(json[name] ?? null, one[i] === 0 ? 0 : one[i]);
    }),
  );
});

test('the maximum stake is the lower of the book’s limit and the available size', () => {
  assert.equal(stakeMax(NO_DETAILS), null);
  assert.equal(stakeMax({ ...NO_DETAILS, maxBet: 50 }), 50);
  assert.equal(stakeMax({ ...NO_DETAILS, exchange: [40, null, null, null] }), 40);
  assert.equal(stakeMax({ ...NO_DETAILS, maxBet: 50, exchange: [40, null, null, null] }), 40);
  assert.equal(stakeMax({ ...NO_DETAILS, maxBet: 50, exchange: [null, 9, null, 'x'] }), 50);
});
