// What a complete answer no longer lists is removed, book by book.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksIn, detectOddsFormat, OddsApiMapper } from '../../../../src/intake/feeds/the-odds-api/mapper.js';
import { bookmaker, event, h2h, LEAGUES, POLLED_AT } from './answers.js';

const poll = (events: unknown, complete = true, source = 'baseball_mlb') => ({
  events,
  polledAt: POLLED_AT,
  complete,
  source,
});
const game = (...books: string[]) =>
  event(
    'e1',
    books.map((book) => bookmaker(book, [h2h(-142, 116)])),
  );
const cleared = (messages: { book: string; events?: unknown[] }[]): string[] =>
  messages.filter((message) => message.events?.length === 0).map((message) => message.book);

test('a book that vanishes from a whole answer is cleared once', () => {
  const mapper = new OddsApiMapper(LEAGUES);
  assert.deepEqual(cleared(mapper.map(poll([game('fanduel', 'betus')])).messages), []);
  const { messages } = mapper.map(poll([game('fanduel')]));
  assert.deepEqual(messages[1], { book: 'betus', polled_at: POLLED_AT, scope: 'league', league: 'mlb', events: [] });
  assert.deepEqual(cleared(mapper.map(poll([game('fanduel')])).messages), []);
});

test('the keys that a book has by region are one book, also in what an earlier run listed', () => {
  const mapper = new OddsApiMapper(LEAGUES);
  mapper.listed('baseball_mlb', { mlb: ['betfair_ex_uk'] });
  const other = event('e2', [bookmaker('betfair_ex_uk', [h2h(-120, 100)])], { commence_time: '2026-05-03T20:05:00Z' });
  const { messages } = mapper.map(poll([game('betfair_ex_uk', 'betfair_ex_eu'), other]));
  assert.deepEqual(
    messages.map(({ book, events = [] }) => [book, events.map(({ external_id }) => external_id)]),
    [['betfair', ['e1', 'e2']]],
  );
});

test('an answer without events removes the prices of every book in its source’s leagues', () => {
  const mapper = new OddsApiMapper(LEAGUES);
  mapper.map(poll([game('fanduel', 'betus')]));
  mapper.map(
    poll([event('n1', [bookmaker('betus', [h2h(-110, -110)])], { sport_key: 'basketball_nba' })], true, 'nba'),
  );
  assert.deepEqual(cleared(mapper.map(poll([])).messages), ['betus', 'fanduel']);
});

test('a removal that was not delivered is sent again', () => {
  const mapper = new OddsApiMapper(LEAGUES);
  mapper.map(poll([game('fanduel', 'betus')]));
  mapper.listed('baseball_mlb', booksIn(mapper.map(poll([game('fanduel')])).messages));
  assert.deepEqual(cleared(mapper.map(poll([game('fanduel')])).messages), ['betus']);
});

test('an incomplete answer and one that is not a list remove nothing', () => {
  const mapper = new OddsApiMapper(LEAGUES);
  mapper.map(poll([game('fanduel', 'betus')]));
  assert.deepEqual(cleared(mapper.map(poll([game('fanduel')], false)).messages), []);
  assert.deepEqual(mapper.map(poll({ message: 'oops' })).messages, []);
  assert.deepEqual(cleared(mapper.map(poll([game('fanduel')])).messages), ['betus']);
});

test('a book that leaves a game of an incomplete answer has no prices there, where answers are asked for alike', () => {
  const mapper = new OddsApiMapper(LEAGUES);
  const map = (...books: string[]) =>
    mapper.map({ ...poll([game(...books)], false, 'upcoming'), repeats: true }).messages;
  const left = (messages: ReturnType<typeof map>) =>
    messages.flatMap(({ book, scope, events = [] }) =>
      events.flatMap(({ external_id, markets }) => (markets.length === 0 ? [[book, scope, external_id]] : [])),
    );
  assert.deepEqual(left(map('fanduel', 'betus', 'caesars', 'williamhill_us')), []);
  assert.deepEqual(
    left(map('fanduel', 'caesars')),
    [['betus', 'event', 'e1']],
    'the other is one book with what stays',
  );
  assert.deepEqual(left(map('fanduel')), [['caesars', 'event', 'e1']]);
  mapper.undelivered('upcoming');
  assert.deepEqual(left(map('fanduel')), [['caesars', 'event', 'e1']]);
  const mapOf = (source: string, ...events: unknown[]) => mapper.map({ ...poll(events, false, source), repeats: true });
  for (const source of ['upcoming', 'baseball_mlb']) mapOf(source, game('fanduel'));
  // Other games may have taken its place in the list of all sports; in its own sport's it is gone.
  assert.deepEqual(left(mapOf('upcoming').messages), []);
  assert.deepEqual(left(mapOf('baseball_mlb', { ...game(), bookmakers: null }).messages), []);
  mapOf('baseball_mlb', game('fanduel'));
  assert.deepEqual(left(mapOf('baseball_mlb').messages), [['fanduel', 'event', 'e1']]);
  assert.deepEqual(left(mapOf('baseball_mlb').messages), []);
  map('fanduel');
  // What is no list says nothing.
  mapper.map({ ...poll([{ ...game(), bookmakers: null }], false, 'upcoming'), repeats: true });
  assert.deepEqual(left(map()), []);
  map('fanduel');
  assert.deepEqual(left(map()), [['fanduel', 'event', 'e1']]);
});

test('outrights do not count as games of their league', () => {
  const mapper = new OddsApiMapper({ leagueOf: () => ({ id: 'mlb', sport: 'baseball' }) });
  mapper.map(poll([game('fanduel')]));
  const outright = { home_team: null, away_team: null, sport_key: 'baseball_mlb_world_series_winner' };
  const books = [bookmaker('betus', [{ key: 'outrights', outcomes: [{ name: 'Herons', price: 450 }] }])];
  const { messages } = mapper.map(poll([event('o1', books, outright)], true, 'baseball_mlb_world_series_winner'));
  assert.deepEqual(
    messages.map((message) => [message.book, message.scope]),
    [['betus', 'none']],
  );
});

test('the odds format is detected by most prices, not by a single one', () => {
  assert.equal(detectOddsFormat([event('e', [bookmaker('a', [h2h(-110, 50)])])]), 'american');
  assert.equal(detectOddsFormat([event('e', [bookmaker('a', [h2h(110, 105), h2h(120, 5)])])]), 'american');
  assert.equal(detectOddsFormat([event('e', [bookmaker('a', [h2h(1.9, '101'), h2h(2.5, 3)])])]), 'decimal');
  assert.equal(detectOddsFormat([]), 'american');
  // Of a tournament's many outsiders most are above 100 in either form; American odds are never below it.
  const outsiders = [6, 9.5, 15, 29, ...Array.from({ length: 12 }, (_, i) => 101 + 50 * i)];
  const outrights = outsiders.map((price, i) => ({ name: `Player ${i}`, price }));
  assert.equal(
    detectOddsFormat([event('e', [bookmaker('a', [{ key: 'outrights', outcomes: outrights }])])]),
    'decimal',
  );
});
