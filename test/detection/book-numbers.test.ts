// The number of a book that no game has any more is given to another book (writer/shard/shard-state.ts): nothing of the
// first one is left under it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BookList } from '../../src/detection/book-list.js';
import { NO_BOOK } from '../../src/detection/reference-policy.js';
import { WatchedUniverse } from '../../src/detection/watched-universe.js';
import { loadCatalogue } from '../../src/rules/catalogue/load.js';

const GAME = { sport: 'soccer', league: 'epl' };

test('a book has its own house rules, whoever had its number before', () => {
  const catalogue = loadCatalogue();
  const books = new BookList(catalogue);
  const houses = books.housesOf(GAME);
  for (const book of ['pinnacle', 'draftkings']) {
    books.note(0, book);
    books.noteHouse(0, houses, GAME);
    assert.equal(houses[0], catalogue.houseRules.of(book, GAME.sport, GAME.league), book);
  }
  assert.notEqual(houses[0], catalogue.houseRules.of('pinnacle', GAME.sport, GAME.league));
});

test('a book that judges prices does so under its number alone', () => {
  const books = new BookList(loadCatalogue());
  const universe = new WatchedUniverse({ key: 'mine', books: null, devigBook: 'mymodel' }, books);
  const note = (no: number, book: string): number | string => {
    books.note(no, book);
    universe.noteBook(no, book);
    return universe.policy.book;
  };
  assert.deepEqual([note(0, 'mymodel'), note(1, 'another'), note(0, 'fanduel')], [0, 0, NO_BOOK]);
  assert.equal(note(2, 'mymodel'), 2);
});
