import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CatalogueError } from '../../../src/rules/catalogue/cross-check.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { folder } from './folders.js';

const builtIn = loadCatalogue();

function refuses(files: Record<string, unknown>, message: RegExp): void {
  assert.throws(
    () => loadCatalogue(folder(files)),
    (error: unknown) => {
      assert.ok(error instanceof CatalogueError);
      assert.match(error.message, message);
      assert.doesNotMatch(error.message, /\n/);
      return true;
    },
  );
}

/** A built-in list with one entry changed. */
function changed<Entry extends { id: string }>(list: readonly Entry[], id: string, change: object): object[] {
  assert.ok(list.some((entry) => entry.id === id));
  return list.map((entry) => (entry.id === id ? { ...entry, ...change } : entry));
}

const fanduelLink = builtIn.book('fanduel')?.deepLink;

test("an operator's file replaces the built-in one and the others stay", () => {
  const teams = [{ id: 'lakers', name: 'Lakers of Old', aliases: ['MPL'] }];
  const catalogue = loadCatalogue(folder({ 'teams/nba.json': teams }));
  assert.deepEqual(catalogue.teams('nba'), teams);
  assert.equal(catalogue.resolveTeam('nba', 'mpl').token, 'lakers');
  assert.equal(catalogue.resolveTeam('nba', 'LAL').known, false);
  assert.equal(catalogue.teams('nfl').length, 32);
  assert.equal(catalogue.books.length, 28);
});

test('a league whose teams are those of others has them beside its own', () => {
  assert.equal(
    builtIn.resolveTeam('mlb-preseason', 'NY Yankees').token,
    builtIn.resolveTeam('mlb', 'NY Yankees').token,
  );
  const own = [{ id: 'yankees', name: 'Yankees of Spring', aliases: [] }];
  const teams = loadCatalogue(folder({ 'teams/mlb-preseason.json': own }));
  const rest = builtIn.teams('mlb').filter(({ id }) => id !== 'yankees');
  assert.deepEqual([teams.teams('mlb-preseason'), teams.teams('mlb')], [[...own, ...rest], builtIn.teams('mlb')]);
  assert.equal(teams.resolveTeam('mlb-preseason', 'Boston Red Sox').token, 'red-sox');
  const league = { ...builtIn.league('mlb-preseason')!, teamsOf: 'nothing' };
  refuses({ 'leagues.json': [league] }, /leagues\.json: "mlb-preseason": unknown league "nothing"/);
});

test('a team of another league is named, and is that of the built-in file', () => {
  const team = (league: string): unknown => builtIn.teams(league).find(({ id }) => id === 'alabama');
  assert.ok(team('ncaaf'));
  assert.equal(team('ncaab'), team('ncaaf'));
  const other = { id: 'alabama', name: 'Alabama State', aliases: [] };
  const files = { 'teams/ncaaf.json': [other], 'teams/wnba.json': ['ncaaf:alabama'] };
  const names = [{ id: 'alabama', aliases: ['The Tide'] }];
  const catalogue = loadCatalogue(folder({ ...files, 'teams/wnba.overlay.json': names }));
  assert.equal(catalogue.resolveTeam('wnba', 'The Tide').name, 'Alabama Crimson Tide');
  assert.equal(catalogue.resolveTeam('ncaaf', 'alabama').name, 'Alabama State');
  refuses({ 'teams/wnba.json': ['ncaaf:alabma'] }, /teams.wnba\.json: "ncaaf:alabma": must be object/);
});

test('the built-in files say no team twice', () => {
  const dir = 'src/rules/catalogue/data/teams';
  const teams = readdirSync(dir).flatMap((file) => JSON.parse(readFileSync(join(dir, file), 'utf8')) as unknown[]);
  const stated = teams.filter((team) => typeof team === 'object').map((team) => JSON.stringify(team));
  assert.ok(stated.length > 1_500);
  assert.equal(new Set(stated).size, stated.length);
});

test('an operator may bring a league with teams of its own', () => {
  const league = { id: 'darts', name: 'Darts', sport: 'other', timeZone: 'Europe/London', aliases: [] };
  const catalogue = loadCatalogue(
    folder({ 'leagues.json': [league], 'teams/darts.json': [{ id: 'littler', name: 'Luke Littler', aliases: [] }] }),
  );
  assert.equal(catalogue.leagueOf('darts')?.sport, 'other');
  assert.equal(catalogue.resolveTeam('darts', 'Luke Littler').token, 'littler');
  assert.equal(catalogue.league('nba'), undefined);
  assert.deepEqual(catalogue.teams('nba'), []);
});

test('a missing folder, and a file that is not JSON or not a list, are refused by name', () => {
  assert.throws(() => loadCatalogue(join(folder({}), 'nowhere')), /nowhere.*not a folder/);
  refuses({ 'books.json': '[{' }, /books\.json: not JSON/);
  refuses({ 'leagues.json': {} }, /leagues\.json: not a list/);
  refuses({ 'sports.json': [] }, /sports\.json: empty/);
});

test('an entry of the wrong shape is refused with the reason', () => {
  const books = builtIn.books;
  refuses(
    { 'books.json': changed(books, 'betus', { requiresTier: 'gold' }) },
    /books\.json: "betus": requiresTier.*free/,
  );
  refuses(
    { 'books.json': changed(books, 'betus', { colour: 'red' }) },
    /books\.json: "betus": unknown property colour/,
  );
  refuses({ 'books.json': changed(books, 'betus', { owner: undefined }) }, /books\.json: "betus": .*owner/);
  refuses({ 'books.json': changed(books, 'betus', { regions: ['MARS'] }) }, /books\.json: "betus": regions\.0/);
  refuses({ 'teams/nba.json': [{ id: 'Los Lakers', name: 'x', aliases: [] }] }, /teams.nba\.json: "Los Lakers": id/);
  refuses({ 'teams/nba.json': [{ name: 'x', aliases: [] }] }, /teams.nba\.json: "entry 1": /);
  refuses(
    { 'leagues.json': changed(builtIn.leagues, 'nba', { aliases: ['b*sket'] }) },
    /leagues\.json: "nba": aliases/,
  );
});

test('duplicate ids and ambiguous names are refused', () => {
  const sports = builtIn.sports;
  refuses({ 'sports.json': [...sports, sports[0]] }, /sports\.json: "football": .*twice/);
  refuses({ 'sports.json': changed(sports, 'mma', { aliases: ['Boxing'] }) }, /sports\.json: "mma": .*"Boxing"/);
  refuses(
    { 'books.json': changed(builtIn.books, 'betus', { aliases: ['DK'] }) },
    /books\.json: "betus": "DK".*"draftkings"/,
  );
  refuses(
    { 'leagues.json': changed(builtIn.leagues, 'wnba', { aliases: ['basketball_nba'] }) },
    /leagues\.json: "wnba": "basketball_nba".*"nba"/,
  );
  const teams = changed(builtIn.teams('nba'), 'clippers', { aliases: ['L.A. Lakers'] });
  refuses({ 'teams/nba.json': teams }, /teams.nba\.json: ".*": ".*" already means/);
});

test('references that lead nowhere are refused', () => {
  const leagues = builtIn.leagues;
  refuses(
    { 'leagues.json': changed(leagues, 'nba', { sport: 'hoops' }) },
    /leagues\.json: "nba": unknown sport "hoops"/,
  );
  for (const timeZone of ['America/Gotham', '+05:00', ''])
    refuses({ 'leagues.json': changed(leagues, 'nba', { timeZone }) }, /leagues\.json: "nba": unknown time zone/);
  refuses(
    { 'markets.json': changed(builtIn.marketTypes, 'moneyline', { sports: ['hoops'] }) },
    /markets\.json: "moneyline": unknown sport "hoops"/,
  );
  refuses({ 'teams/curling.json': [{ id: 'a', name: 'a', aliases: [] }] }, /curling\.json: unknown league "curling"/);
  const withoutOther = builtIn.sports.filter((sport) => sport.id !== 'other');
  refuses({ 'sports.json': withoutOther }, /sports\.json: "other": missing/);
});

test('deep link templates that cannot be filled are refused', () => {
  const withLink = (change: object) => ({
    'books.json': changed(builtIn.books, 'fanduel', { deepLink: { ...fanduelLink, ...change } }),
  });
  refuses(withLink({ event: 'https://x.test/{game}' }), /"fanduel": deepLink\.event may not hold \{game\}/);
  refuses(withLink({ event: 'https://x.test/event' }), /"fanduel": deepLink\.event needs \{event\}/);
  refuses(withLink({ homepage: 'https://x.test/{event}' }), /"fanduel": deepLink\.homepage may not hold/);
  refuses(withLink({ homepage: 'javascript:alert(1)' }), /"fanduel": deepLink/);
  refuses(withLink({ homepage: 'https://' }), /"fanduel": deepLink/);
  refuses(withLink({ stateDependent: false }), /"fanduel": deepLink\.stateDependent must be true/);
});
