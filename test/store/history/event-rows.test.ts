import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { HistoryRow, Point } from '../../../src/store/history/event-record.js';
import { EventRows } from '../../../src/store/history/recorded-event.js';

const point = fc.record(
  {
    atUs: fc.nat(2 ** 50),
    american: fc.constantFrom(-110, 150.5, 2_000),
    decimal: fc.constantFrom(1.909091, 2.505, 21),
    line: fc.constantFrom(null, 0, -3.5, 220.5),
    live: fc.boolean(),
    active: fc.boolean(),
    indicative: fc.boolean(),
    model: fc.constant(true as const),
  },
  { requiredKeys: ['atUs', 'american', 'decimal', 'line', 'live', 'active', 'indicative'], noNullPrototype: true },
) as fc.Arbitrary<Point>;

const row = fc.record({
  book: fc.constantFrom('draftkings', 'fanduel'),
  player: fc.constantFrom(null, 'A. Player'),
  team: fc.constantFrom(null, 'home' as const, 'away' as const),
  alternate: fc.boolean(),
  no: fc.integer({ min: -1, max: 2 ** 31 }),
  removedUs: fc.nat(2 ** 50),
  seenMs: fc.nat(2 ** 41),
  opening: point,
  lastBeforeClose: fc.option(point),
  commission: fc.constantFrom(undefined, { model: 'winnings', rate: 0.02 } as const),
});

const FIELDS = [
  'place',
  'id',
  'book',
  'market',
  'selection',
  'selectionType',
  'player',
  'stat',
  'team',
  'alternate',
  'no',
  'removedUs',
  'opening',
  'seenMs',
  'lastBeforeClose',
  'commission',
] as const satisfies readonly (keyof HistoryRow)[];

const fieldsOf = (of: HistoryRow) => Object.fromEntries(FIELDS.map((name) => [name, of[name]]));

test('rows of an event are as they were added and changed, by place and by odds id', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 60 }), fc.array(row, { maxLength: 20 }), (all, later) => {
      const rows = new EventRows();
      const wanted = all.map((one, i): HistoryRow => {
        const stated = { market: 'moneyline', selection: 'Home', selectionType: 'home', stat: null };
        return { ...stated, ...one, id: String(1_000_000_000_000_000_000n + BigInt(i * 7)), place: -1 };
      });
      for (const one of wanted) rows.add({ ...one });
      for (const [i, { no, removedUs, seenMs, lastBeforeClose, commission }] of later.entries()) {
        if (wanted.length === 0) continue;
        const changed = { no, removedUs, seenMs, lastBeforeClose, commission };
        Object.assign(wanted[i % wanted.length]!, changed);
        Object.assign(rows.list[i % wanted.length]!, changed);
      }
      for (const [i, one] of wanted.entries()) {
        one.place = i;
        assert.deepEqual(fieldsOf(rows.get(one.id)!), fieldsOf(one));
        assert.equal(rows.list[i], rows.get(one.id));
      }
      assert.equal(rows.get('1'), undefined);
      assert.equal(rows.get('9999999999999999999'), undefined);
    }),
  );
});
