// An opportunity's record is read as it was written, whatever came before and after it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OPPORTUNITY_KINDS } from '../../../src/base/model/opportunity.js';
import {
  EV_NUMBER,
  LOW_HOLD_NUMBER,
  MIDDLE_NUMBER,
  MOVE_NUMBER,
  NUMBER,
  type OpportunityRecord,
  RecordWriter,
  readRecord,
  writeRecord,
} from '../../../src/base/model/opportunity-record.js';

const NUMBERS = {
  ev: EV_NUMBER,
  arbitrage: NUMBER,
  low_hold: LOW_HOLD_NUMBER,
  middle: MIDDLE_NUMBER,
  move: MOVE_NUMBER,
};
const row = fc.integer({ min: 0, max: 2 ** 32 - 1 });

const record: fc.Arbitrary<OpportunityRecord> = fc
  .tuple(
    fc.constantFrom(...OPPORTUNITY_KINDS),
    fc.integer({ min: 0, max: 511 }),
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    fc.integer({ min: 0, max: 2 ** 40 }),
    fc.array(fc.array(row, { minLength: 1, maxLength: 300 }), { maxLength: 3 }),
    fc.uint8Array({ maxLength: 40 }),
    fc.double(),
  )
  .map(([kind, flags, id, eventNo, sides, tail, number]) => ({
    kind,
    flags,
    id: id.toString(16).padStart(16, '0'),
    eventNo,
    numbers: Object.keys(NUMBERS[kind]).map((_, i) => number * i),
    counts: sides.map(({ length }) => length),
    rows: sides.flat(),
    tail,
  }));

test('records are read as they were written, from any place', () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 20 }), (records) => {
      const writer = new RecordWriter();
      const places = records.map((one) => writeRecord(writer, one));
      const bytes = Uint8Array.from(writer.bytes);
      for (const [i, place] of places.entries()) {
        const { tail, ...read } = readRecord(bytes, place);
        assert.deepEqual(
          { ...read, tail: Uint8Array.from(tail) },
          { ...records[i]!, tail: Uint8Array.from(records[i]!.tail) },
        );
      }
    }),
    { numRuns: 200 },
  );
});

test('most records have about a hundred bytes at most', () => {
  const bytesOf = (kind: OpportunityRecord['kind'], rows: number[][]): number => {
    const writer = new RecordWriter();
    const numbers = Object.keys(NUMBERS[kind]).map(() => 1.5);
    const counts = rows.map(({ length }) => length);
    writeRecord(writer, {
      kind,
      flags: 0,
      id: 'f'.repeat(16),
      eventNo: 1,
      numbers,
      counts,
      rows: rows.flat(),
      tail: new Uint8Array(0),
    });
    return writer.end;
  };
  assert.deepEqual(
    [
      bytesOf('ev', [[1], [2, 3]]),
      bytesOf('arbitrage', [[1], [2]]),
      bytesOf('low_hold', [
        [1, 2],
        [3, 4, 5],
      ]),
      bytesOf('middle', [[1], [2]]),
    ],
    [104, 52, 72, 100],
  );
});
