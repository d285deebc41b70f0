// Rows in deltas: what the shard writes is what the table reads, whichever rows are skipped.
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { packActivity } from '../../src/model/activity.js';
import { RowChange, type RowFields } from '../../src/model/row.js';
import { RowDeltaReader, rowDelta } from '../../src/model/row-delta.js';
import { NO_DETAILS } from '../../src/model/row-details.js';
import { ShardRow, ShardRowNumbers } from '../../src/model/shard-row.js';
import { decode, encode } from '../../src/wire/codec.js';

const POSITION = 1_795_300_000_123_456;
const text = fc.constantFrom('Over', 'Ünder', 'A. Player', 'over');
const price = fc.double({ min: 1.01, max: 1_000, noNaN: true });
const instant = fc.integer({ min: 0, max: POSITION });

const fields: fc.Arbitrary<RowFields> = fc.record({
  no: fc.integer({ min: 0, max: 5_000 }),
  id: fc.constantFrom('1000000000000000000', '9999999999999999999'),
  market: fc.constantFrom('moneyline', 'player_points'),
  selection: text,
  selectionType: text,
  player: fc.option(text),
  stat: fc.option(text),
  team: fc.constantFrom('home', 'away', null),
  alternate: fc.boolean(),
  american: fc.integer({ min: -10_000, max: 10_000 }),
  decimal: price,
  activity: fc.tuple(fc.boolean(), fc.option(fc.integer({ min: 100, max: 900 }))).map((of) => packActivity(...of)),
  line: fc.option(fc.integer({ min: -100, max: 100 }).map((half) => half / 2)),
  seenMs: instant,
  changedUs: instant,
  createdPosition: instant,
  updatedPosition: fc.constant(POSITION),
  commission: fc.constantFrom(undefined, { model: 'winnings' as const, rate: 0.02 }),
});

const length = fc.integer({ min: 1, max: 300 });
const changed = fc
  .record({
    fields,
    change: fc.constantFrom(RowChange.updated, RowChange.restated, RowChange.added),
    parts: fc.tuple(length, length, length, length),
    wanted: fc.boolean(),
  })
  .map(({ parts: [head, price, delta, rest], ...row }) => ({
    ...row,
    lengths: {
      head: row.change === RowChange.added ? head : 0,
      price,
      delta,
      rest: row.change === RowChange.updated ? 0 : rest,
    },
  }));

test('the rows of a delta are read as the shard wrote them, whichever are skipped', () => {
  fc.assert(
    fc.property(fc.array(changed, { maxLength: 6 }), (rows) => {
      const numbers = new ShardRowNumbers();
      const deltas = rows.map((each) => {
        const origin = { key: 'k', deepLink: null, externalId: null, marketId: null };
        const { commission } = each.fields;
        const own = { ...NO_DETAILS, exchange: [null, null, null, null, commission ?? null] as const };
        const details = commission === undefined ? NO_DETAILS : own;
        const row = new ShardRow(numbers, each.fields, each.fields, origin, details);
        row.change = each.change;
        return decode(encode(rowDelta(row, each.lengths))) as ReturnType<typeof rowDelta>;
      });
      const blob = Buffer.alloc(10);
      const reader = new RowDeltaReader(POSITION, blob);
      let at = 0;
      for (const [i, { fields: row, change, lengths, wanted }] of rows.entries()) {
        if (wanted) {
          const { identity, ...numbers } = reader.read(deltas[i]!);
          const { no, american, decimal, activity, line, seenMs, changedUs, commission, ...rest } = row;
          const { createdPosition, updatedPosition, ...fixed } = rest;
          const added = change === RowChange.added;
          assert.deepEqual(identity, added ? fixed : null);
          const expected = { no, american, decimal, activity, line, seenMs, changedUs, updatedPosition, commission };
          const created = added ? createdPosition : 0;
          assert.deepEqual(numbers, { ...expected, createdPosition: created, change, source: blob, at, lengths });
        } else reader.skip(deltas[i]!);
        at += lengths.head + lengths.price + lengths.rest;
      }
    }),
    { numRuns: 200 },
  );
});
