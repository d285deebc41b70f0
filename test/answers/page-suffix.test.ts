import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CursorKey, encodeCursor } from '../../src/answers/cursor.js';
import { paginate, suffixOf } from '../../src/answers/page.js';
import { type AvailableBooks, BookLists, suffixOfRows, suffixTag } from '../../src/answers/rows-page.js';
import type { Universe } from '../../src/tables/filter/universe.js';
import { Registry } from '../../src/tables/registry.js';
import type { OddsTable } from '../../src/tables/table.js';

test('a suffix put together from texts is the one JSON makes of the same', () => {
  const filters = { event: 'a "quoted" \u2028 name', market: null };
  for (const passed of [{}, { unknown: ['x"y'] }, { unknown: ['x'], ignored: ['z'] }])
    for (const overflow of [false, true])
      for (const cursor of [undefined, 'abc_-']) {
        const pagination = paginate(50, 0, 50, 60);
        if (cursor !== undefined) pagination.next_cursor = cursor;
        const meta = { count: 50, total: 60, books_available: ['a', 'b'], books_returned: ['b'], filters, ...passed };
        const extra = overflow ? { overflow: true } : {};
        const available = { names: ['a', 'b'], text: '["a","b"]' };
        assert.equal(
          suffixOfRows(pagination, available, ['b'], JSON.stringify(filters), passed, overflow),
          suffixOf({ pagination, meta, extra, watermarked: true }),
        );
      }
});

test('the lists of books follow the table and differ by universe', () => {
  const books = new Registry();
  for (const name of ['pinnacle', 'fanduel', 'betmgm', 'caesars']) books.number(name);
  const table = { books, bookRows: [3, 1, 0, 2], booksVersion: 1, columns: { book: [0, 1, 0, 3] } };
  const universe = (key: string, ...hidden: string[]): Universe => ({
    key,
    tier: 'pro',
    requested: null,
    unknown: [],
    allows: (book) => !hidden.includes(book),
  });
  const odds = table as unknown as OddsTable;
  const lists = new BookLists();
  const all = lists.available(odds, universe('all'));
  assert.deepEqual(all.names, ['caesars', 'fanduel', 'pinnacle']);
  assert.deepEqual(lists.available(odds, universe('some', 'pinnacle')).names, ['caesars', 'fanduel']);
  assert.equal(lists.returned(odds, [0, 1, 2, 3], all), all.names);
  assert.deepEqual(lists.returned(odds, [2, 0], all), ['pinnacle']);
  assert.deepEqual(lists.returned(odds, [3, 0], all), ['caesars', 'pinnacle']);
  assert.deepEqual(lists.returned(odds, [], all), []);
  table.bookRows = [3, 1, 4, 2];
  table.booksVersion++;
  assert.deepEqual(lists.available(odds, universe('all')).names, ['betmgm', 'caesars', 'fanduel', 'pinnacle']);
});

const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', '\u2028', 'é', '🏀', '\ud800', '0') });
test('cursors composed as text equal those that JSON makes', () => {
  const sortKey = fc.oneof(fc.constant(null), text, fc.double({ noNaN: true, noDefaultInfinity: true }));
  const line = fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }));
  const place = fc.tuple(sortKey, fc.nat(), text, text, line, text, text, text, text);
  fc.assert(
    fc.property(place, (key) => {
      const cursor = Buffer.from(encodeCursor(key as CursorKey, 'a-b'), 'base64url').toString();
      assert.equal(cursor, JSON.stringify(['a-b', ...key]));
    }),
    // Longer than the memory that is used again for each.
    { examples: [[['x', 1, 'e', 'm', null, 's', 'b', '', 'é'.repeat(5_000)]]] },
  );
});

test('everything in the suffix besides the rows changes the tag', () => {
  const books = (digest: string): AvailableBooks => ({ booksVersion: 1, names: [], text: '[]', digest });
  const page = paginate(50, 0, 50, 60);
  const tags = [
    suffixTag('a', page, books('b'), undefined, {}),
    suffixTag('c', page, books('b'), undefined, {}),
    suffixTag('a', paginate(49, 0, 50, 60), books('b'), undefined, {}),
    suffixTag('a', paginate(50, 1, 50, 60), books('b'), undefined, {}),
    suffixTag('a', paginate(50, 0, 50, 61), books('b'), undefined, {}),
    suffixTag('a', { ...page, has_more: false }, books('b'), undefined, {}),
    suffixTag('a', page, books('c'), undefined, {}),
    suffixTag('a', page, books('b'), 'dk', {}),
    suffixTag('a', page, books('b'), 'draftkings', {}),
    suffixTag('a', page, books('b'), undefined, { unknown: ['x'] }),
    suffixTag('a', page, books('b'), undefined, { ignored: ['x'] }),
  ];
  assert.equal(new Set(tags).size, tags.length);
  for (const tag of tags) assert.match(tag, /^[\w-]+$/);
});
