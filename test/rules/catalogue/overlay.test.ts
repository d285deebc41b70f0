import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { folder } from './folders.js';

const builtIn = loadCatalogue();

test("an overlay changes one book's properties, adds to its aliases, and leaves all others as they are", () => {
  const catalogue = loadCatalogue(
    folder({ 'books.overlay.json': [{ id: 'fanduel', displayName: 'FD', aliases: ['fd_ontario'] }] }),
  );
  assert.equal(catalogue.book('fanduel')?.displayName, 'FD');
  assert.equal(catalogue.book('fd_ontario')?.id, 'fanduel');
  assert.equal(catalogue.book(builtIn.book('fanduel')!.aliases[0]!)?.id, 'fanduel');
  assert.deepEqual(
    catalogue.books.filter(({ id }) => id !== 'fanduel'),
    builtIn.books.filter(({ id }) => id !== 'fanduel'),
  );
});

test('an overlay adds a book after the others and removes one', () => {
  const own = { ...builtIn.book('fanduel')!, id: 'corner', name: 'Corner', displayName: 'Corner', aliases: [] };
  const catalogue = loadCatalogue(folder({ 'books.overlay.json': [own, { id: 'draftkings', remove: true }] }));
  assert.equal(catalogue.book('draftkings'), undefined);
  assert.equal(catalogue.books.at(-1)?.id, 'corner');
  assert.equal(catalogue.books.length, builtIn.books.length);
});

test('one alias of one team is a file of one line, also in a league the catalogue has no teams of', () => {
  const dir = folder({
    'teams/nba.overlay.json': [{ id: 'lakers', aliases: ['Los Angeles L'] }],
    'leagues.overlay.json': [{ id: 'darts', name: 'Darts', sport: 'other', timeZone: 'Europe/London', aliases: [] }],
    'teams/darts.overlay.json': [{ id: 'littler', name: 'Luke Littler', aliases: [] }],
  });
  const catalogue = loadCatalogue(dir);
  assert.equal(catalogue.resolveTeam('nba', 'Los Angeles L').token, 'lakers');
  assert.equal(catalogue.resolveTeam('nba', 'LAL').token, 'lakers');
  assert.equal(catalogue.teams('nba').length, 30);
  assert.equal(catalogue.resolveTeam('darts', 'luke littler').known, true);
});

test('an invalid overlay is one line with the file and the entry', () => {
  const wrong: [unknown, RegExp][] = [
    [[{ displayName: 'x' }], /books\.overlay\.json: "entry 1": needs an id/],
    [[{ id: 'nobook', remove: true }], /books\.overlay\.json: "nobook": there is no such entry to remove/],
    [[{ id: 'fanduel' }, { id: 'fanduel' }], /books\.overlay\.json: "fanduel": the id is there twice/],
    [[{ id: 'fanduel', colour: 'blue' }], /books\.overlay\.json: "fanduel": unknown property colour/],
    [[{ id: 'fanduel', aliases: ['dk'] }], /books\.json: "fanduel": "dk" already means "draftkings"/],
    [{ id: 'fanduel' }, /books\.overlay\.json: not a list/],
  ];
  for (const [overlay, message] of wrong)
    assert.throws(() => loadCatalogue(folder({ 'books.overlay.json': overlay })), { message });
});

test('a file whose name the catalogue does not know is refused, as it would change nothing', () => {
  for (const name of ['book.json', 'books.overlays.json', 'overlay.json', 'nba.overlay.json'])
    assert.throws(() => loadCatalogue(folder({ [name]: [] })), {
      name: 'CatalogueError',
      message: new RegExp(`${name}: no file of the catalogue \\(sports\\.json, leagues\\.json`),
    });
  assert.ok(loadCatalogue(folder({ 'README.md': 'our own books', 'books.overlay.json': [{ id: 'fanduel' }] })));
});
