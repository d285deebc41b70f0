import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Universe } from '../../src/filter/universe.js';
import { footOf, paginate } from '../../src/reader/page.js';
import { BookLists, footOfRows } from '../../src/reader/rows-foot.js';
import { Registry } from '../../src/table/registry.js';
import type { OddsTable } from '../../src/table/table.js';

test('a foot put together from texts is the one JSON makes of the same', () => {
  const filters = { event: 'a "quoted" \u2028 name', market: null };
  for (const passed of [{}, { unknown: ['x"y'] }, { unknown: ['x'], ignored: ['z'] }])
    for (const overflow of [false, true])
      for (const cursor of [undefined, 'abc_-']) {
        const pagination = paginate(50, 0, 50, 60);
        if (cursor !== undefined) pagination.next_cursor = cursor;
        const meta = { count: 50, total: 60, books_available: ['a', 'b'], books_returned: ['b'], filters, ...passed };
        const extra = overflow ? { overflow: true } : {};
        assert.equal(
          footOfRows(pagination, { available: '["a","b"]', returned: '["b"]' }, filters, passed, overflow),
          footOf({ pagination, meta, extra, watermarked: true }),
        );
      }
});

test('the lists of books follow the table and tell universes apart', () => {
  const books = new Registry(10);
  for (const name of ['pinnacle', 'fanduel', 'betmgm', 'caesars']) books.number(name);
  const table = { books, bookRows: [3, 1, 0, 2], booksVersion: 1, columns: { book: [0, 1, 0, 3] } };
  const universe = (key: string, ...hidden: string[]): Universe => ({
    key,
    tier: 'pro',
    asked: null,
    unknown: [],
    allows: (book) => !hidden.includes(book),
  });
  const odds = table as unknown as OddsTable;
  const lists = new BookLists();
  const all = lists.available(odds, universe('all'));
  assert.deepEqual(all.names, ['caesars', 'fanduel', 'pinnacle']);
  assert.deepEqual(lists.available(odds, universe('some', 'pinnacle')).names, ['caesars', 'fanduel']);
  assert.equal(lists.returned(odds, [0, 1, 2, 3], all), all.text);
  assert.equal(lists.returned(odds, [2, 0], all), '["pinnacle"]');
  assert.equal(lists.returned(odds, [3, 0], all), '["caesars","pinnacle"]');
  assert.equal(lists.returned(odds, [], all), '[]');
  table.bookRows = [3, 1, 4, 2];
  table.booksVersion++;
  assert.deepEqual(lists.available(odds, universe('all')).names, ['betmgm', 'caesars', 'fanduel', 'pinnacle']);
});
