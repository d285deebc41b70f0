import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import type { Tier } from '../../../src/rules/catalogue/types.js';

const catalogue = loadCatalogue();

test('the catalogue lists 28 books, 21 of them with deep links, and one sharp reference', () => {
  assert.equal(catalogue.books.length, 28);
  assert.equal(catalogue.books.filter((book) => book.deepLink !== null).length, 21);
  assert.deepEqual(
    catalogue.books.filter((book) => book.isSharp).map((book) => book.id),
    ['pinnacle'],
  );
});

test('each tier sees the number of books it is sold with', () => {
  const counts = (['free', 'hobby', 'pro', 'sharp', 'enterprise'] as Tier[]).map(
    (tier) => catalogue.tierBooks(tier).length,
  );
  assert.deepEqual(counts, [2, 5, 15, 28, 28]);
  assert.deepEqual(catalogue.tierBooks('free'), ['draftkings', 'fanduel']);
  assert.deepEqual(catalogue.tierBooks('hobby').slice(2), ['betmgm', 'caesars', 'espnbet']);
});

test('the sharp reference and books outside the catalogue need the Sharp tier', () => {
  for (const book of ['pinnacle', 'some_local_book']) {
    assert.equal(catalogue.tierAllows('pro', book), false, book);
    assert.equal(catalogue.tierAllows('sharp', book), true, book);
    assert.equal(catalogue.tierAllows('enterprise', book), true, book);
  }
  assert.equal(catalogue.tierAllows('free', 'fanduel'), true);
  assert.equal(catalogue.tierAllows('free', 'betmgm'), false);
});

test('every name of a book finds that book, whatever its case and separators', () => {
  for (const book of catalogue.books)
    for (const name of [book.id, book.name, book.displayName, ...book.aliases]) {
      assert.equal(catalogue.book(name)?.id, book.id, name);
      assert.equal(catalogue.book(` ${name.toUpperCase()} `)?.id, book.id, name);
    }
  assert.equal(catalogue.book('betonlineag')?.id, 'betonline');
  assert.equal(catalogue.book('mybookieag')?.id, 'mybookie');
  assert.equal(catalogue.book('williamhill_us')?.id, 'caesars');
  assert.equal(catalogue.book('some_local_book'), undefined);
});

test('books are sorted in catalogue order, unlisted ones after them', () => {
  assert.equal(catalogue.bookOrder('draftkings'), 0);
  assert.ok(catalogue.bookOrder('fanduel') < catalogue.bookOrder('betmgm'));
  assert.equal(catalogue.bookOrder('some_local_book'), 28);
});

test('books that show the same prices have one owner', () => {
  for (const book of ['betrivers', 'ballybet', 'betparx', 'unibet', 'unibet_nl'])
    assert.equal(catalogue.ownerOf(book), 'kambi', book);
  assert.equal(catalogue.ownerOf('hardrockbet_az'), catalogue.ownerOf('hardrockbet'));
  assert.equal(catalogue.ownerOf('lowvig'), catalogue.ownerOf('betonline'));
  assert.notEqual(catalogue.ownerOf('draftkings'), catalogue.ownerOf('fanduel'));
  assert.equal(catalogue.ownerOf('some_local_book'), 'some_local_book');
});

test("a feed's sport keys find their league", () => {
  const leagues: Record<string, string> = {
    americanfootball_nfl: 'nfl',
    americanfootball_ncaaf: 'ncaaf',
    basketball_nba: 'nba',
    basketball_ncaab: 'ncaab',
    basketball_wnba: 'wnba',
    baseball_mlb: 'mlb',
    baseball_mlb_preseason: 'mlb-preseason',
    icehockey_nhl: 'nhl',
    soccer_epl: 'epl',
    soccer_usa_mls: 'mls',
    soccer_spain_la_liga: 'la-liga',
    soccer_germany_bundesliga: 'bundesliga',
    soccer_italy_serie_a: 'serie-a',
    soccer_france_ligue_one: 'ligue-1',
    soccer_uefa_champs_league: 'ucl',
    tennis_atp_wimbledon: 'atp',
    tennis_wta_a_tournament_to_come: 'wta',
    mma_mixed_martial_arts: 'ufc',
    golf_pga_championship_winner: 'pga',
    NBA: 'nba',
    'La Liga': 'la-liga',
  };
  for (const [key, league] of Object.entries(leagues)) assert.equal(catalogue.leagueOf(key)?.id, league, key);
  for (const key of ['', 'tennis', 'soccer_nowhere', 'constructor'])
    assert.equal(catalogue.leagueOf(key), undefined, key);
});

test('every league id and alias leads to that league, and its sport exists', () => {
  for (const league of catalogue.leagues) {
    assert.notEqual(catalogue.sport(league.sport), undefined, league.id);
    for (const name of [league.id, ...league.aliases])
      assert.equal(catalogue.leagueOf(name.replace('*', 'anything'))?.id, league.id, name);
  }
});

test('sport filters accept ids, other names and categories', () => {
  const sports = (...names: string[]) => [...catalogue.sportsMatching(names).sports].sort();
  assert.deepEqual(sports('football'), ['football']);
  assert.deepEqual(sports('AmericanFootball'), ['football']);
  assert.deepEqual(sports('icehockey', 'soccer'), ['hockey', 'soccer']);
  assert.deepEqual(sports('combat'), ['boxing', 'mma']);
  assert.deepEqual(sports('us_major', 'tennis'), ['baseball', 'basketball', 'football', 'hockey', 'tennis']);
  assert.deepEqual(catalogue.sportsMatching(['chess', 'tennis']).unknown, ['chess']);
  for (const sport of catalogue.sports) assert.ok(sports(sport.id).includes(sport.id));
});

test('the market types that feeds are mapped to are listed, and alternate lines have no type of their own', () => {
  const needed = ['moneyline', 'point_spread', 'puck_line', 'run_line', 'set_handicap', 'total_points', 'total_goals'];
  needed.push('total_runs', 'total_games', 'total_rounds', 'team_total', 'draw_no_bet', 'both_teams_to_score');
  needed.push('double_chance', 'moneyline_lay', 'player_points', 'player_pass_yds', 'player_pitcher_strikeouts');
  for (const id of needed) assert.equal(catalogue.marketType(id)?.id, id);
  assert.equal(catalogue.marketType('moneyline')?.line, 'none');
  assert.equal(catalogue.marketType('team_total')?.line, 'required');
  for (const type of catalogue.marketTypes) assert.doesNotMatch(type.id, /alternate/);
});

test('exchanges have their published commission; the operator’s settings override it, for any book', () => {
  assert.deepEqual(catalogue.commissionOf('betfair'), { model: 'winnings', rate: 0.05 });
  assert.deepEqual(catalogue.commissionOf('kalshi'), { model: 'contract', rate: 0.07, rounding: 'centicent_up' });
  assert.deepEqual(catalogue.commissionOf('polymarket'), { model: 'contract', rate: 0.05 });
  // Names of properties that every object has are books like any others.
  for (const book of ['constructor', 'valueof']) assert.equal(catalogue.commissionOf(book), null);
  assert.equal(loadCatalogue(undefined, { commissions: { polymarket: null } }).commissionOf('polymarket'), null);
  for (const book of ['draftkings', 'novig', 'corner_shop']) assert.equal(catalogue.commissionOf(book), null, book);
  // A book outside the catalogue that shows a listed book's prices has that book's commission.
  assert.deepEqual(catalogue.commissionOf('betfair_ex_eu'), { model: 'winnings', rate: 0.05 });
  const fee = { model: 'contract', rate: 0.03 } as const;
  const commissions = { betfair_ex_uk: { model: 'winnings', rate: 0.02 }, kalshi: null, polymarket: fee } as const;
  const set = loadCatalogue(undefined, { commissions });
  assert.deepEqual(set.commissionOf('betfair'), { model: 'winnings', rate: 0.02 });
  assert.equal(set.commissionOf('kalshi'), null);
  assert.deepEqual(set.commissionOf('polymarket'), fee);
});
