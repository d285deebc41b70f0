// Keys of streams' filters and of the groups that share them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { filterOfLists } from '../../../src/tables/filter/stream-filter.js';
import { OddsTable } from '../../../src/tables/table.js';
import { runs } from '../../long.js';

const catalogue = loadCatalogue(undefined);
const table = new OddsTable(catalogue);
const keyOf = (lists: { eventIds?: string[]; leagues?: string[]; markets?: string[]; sportsbooks?: string[] }) =>
  filterOfLists({ table, catalogue }, 'pro', lists, undefined).key;

test('no event that a caller names means all events, or another list of them', () => {
  const every = keyOf({});
  for (const event of ['*', 'null', '[]', '""', '|', '*|*', '["*"]', 'a|*', '__proto__'])
    assert.notEqual(keyOf({ eventIds: [event] }), every, event);
  assert.notEqual(keyOf({ eventIds: ['a', 'b'] }), keyOf({ eventIds: ['a|b'] }));
  assert.notEqual(keyOf({ eventIds: ['a"', '"b'] }), keyOf({ eventIds: ['a","b'.replace(',', ';')] }));
});

test('filters have one key exactly if they name the same', () => {
  const word = fc.constantFrom('*', '|', '"', '\\', '[', 'null', 'nba', 'a', '*|*', '","');
  const lists = fc.record({
    eventIds: fc.array(word, { maxLength: 3 }),
    leagues: fc.subarray(['nba', 'nfl']),
    markets: fc.subarray(['moneyline', 'total_points']),
  });
  const meant = ({ eventIds, leagues, markets }: { eventIds: string[]; leagues: string[]; markets: string[] }) =>
    JSON.stringify(
      [eventIds.flatMap((each) => each.split(',').filter((part) => part.trim() !== '')), leagues, markets].map(
        (names) => [...new Set(names)].sort(),
      ),
    );
  fc.assert(
    fc.property(lists, lists, (a, b) => {
      assert.equal(keyOf(a) === keyOf(b), meant(a) === meant(b));
    }),
    { numRuns: runs(300) },
  );
});
