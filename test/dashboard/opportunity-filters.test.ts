// Which opportunities the filters let through, what the server is asked for, and how each is named and taken away.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULTS, queryOf, type ScreenState, stateOf } from '../../dashboard/model/address.js';
import {
  FILTERS,
  filterParams,
  fits,
  fitsPrices,
  type Hidden,
  hiddenOf,
  hide,
  hideKey,
  ownBooks,
  setFilters,
  stillHidden,
  UNFILTERED,
} from '../../dashboard/model/opportunity-filters.js';
import { rowsOf } from '../../dashboard/model/opportunity-rows.js';
import type { Play } from '../../dashboard/model/play.js';
import { DEFAULT_PROFILE } from '../../dashboard/model/profile.js';
import { LiveTable, type OpportunityItem } from '../../src/client/client.js';
import { NOW_MS } from './rows.js';

const item = (more: object = {}) =>
  ({
    ...{ id: 'a', event_id: 'e', event_name: 'A @ B', league: 'nba', sport: 'basketball', is_live: false },
    ...{ start_time: new Date(NOW_MS + 7_200_000).toISOString(), market_type: 'point_spread', player_name: null },
    ...{ sportsbook: 'fanduel', selection: 'A', line: 3.5, book_count: 4 },
    ...more,
  }) as unknown as OpportunityItem;
const passes = (state: Partial<ScreenState>, more: object = {}): boolean =>
  fits('ev', item(more), { ...DEFAULTS, ...state }, NOW_MS);

test('markets, players, books that price it and the start narrow the list', () => {
  assert.equal(passes({}), true);
  assert.deepEqual(
    [passes({ types: ['spread'] }), passes({ types: ['total', 'point_spread'] }), passes({ types: ['total'] })],
    [true, true, false],
  );
  assert.deepEqual([passes({ only: 'props' }), passes({ only: 'props' }, { player_name: 'Jo One' })], [false, true]);
  assert.deepEqual([passes({ pricedBy: 4 }), passes({ pricedBy: 5 })], [true, false]);
  assert.equal(fits('arbitrage', item({ legs: [] }), { ...DEFAULTS, pricedBy: 5 }, NOW_MS), true, 'nobody states it');
  assert.deepEqual(
    [passes({ hours: 1 }), passes({ hours: 3 }), passes({ hours: 1 }, { is_live: true })],
    [false, true, true],
  );
  assert.equal(passes({ hours: 3 }, { start_time: null }), false);
  assert.deepEqual([passes({ leagues: ['nfl', 'nba'] }), passes({ leagues: ['nfl'] })], [true, false]);
});

test('of books that are tied on a side one that is shown and the viewer’s is enough', () => {
  const side = (...books: string[]) => ({
    ...{
      books,
      selection: 'A',
      line: null,
      odds: { american: 100, decimal: 2, decimal_net: 2, fair_probability: 0.5 },
    },
    ...{ commission: null, currency: 'USD', deep_links: {}, max_stake: null },
  });
  const more = { side1: side('betmgm', 'fanduel'), side2: side('caesars'), side3: null, warnings: [], max_stake: null };
  const table = new LiveTable();
  (table.opportunities.low_hold as Map<string, OpportunityItem>).set('a', item({ ...more, hold_percentage: 0 }));
  const account = { limit: null, bankroll: null, commission: null };
  const listed = (shown: readonly string[], ...mine: string[]): number => {
    const profile = { ...DEFAULT_PROFILE, accounts: Object.fromEntries(mine.map((book) => [book, account])) };
    return rowsOf(table, { ...DEFAULTS, books: [...shown] }, profile, new Set(), NOW_MS).length;
  };
  assert.deepEqual([listed([]), listed(['fanduel', 'caesars']), listed(['fanduel', 'betmgm'])], [1, 1, 0]);
  assert.deepEqual([listed([], 'fanduel', 'caesars'), listed([], 'fanduel', 'betmgm')], [1, 0]);
  // Each side has a book that is shown, and one with an account, but none that is both.
  assert.equal(listed(['betmgm', 'caesars'], 'fanduel', 'caesars'), 0);
});

test('every price has to be within the odds, and what is taken has to be known to be enough', () => {
  const at = (...prices: number[]) => ({ legs: prices.map((decimal) => ({ decimal })) }) as unknown as Play;
  const within = (state: Partial<ScreenState>, play: Play, limit: number | null = null): boolean =>
    fitsPrices(play, limit, { ...DEFAULTS, ...state });
  assert.deepEqual([within({ priceFrom: 1.5 }, at(1.5, 3)), within({ priceFrom: 1.5 }, at(1.4, 3))], [true, false]);
  assert.deepEqual([within({ priceTo: 3 }, at(1.5, 3)), within({ priceTo: 2.9 }, at(1.5, 3))], [true, false]);
  assert.deepEqual(
    [within({ takes: 100 }, at(2), 100), within({ takes: 100 }, at(2), 99), within({ takes: 100 }, at(2))],
    [true, false, false],
  );
});

test('the server is asked by its own names, with prices that are not rounded', () => {
  const state = {
    ...DEFAULTS,
    leagues: ['nba', 'nfl'],
    live: 'prematch',
    types: ['spread'],
    takes: 50,
    sure: 'guaranteed',
  } as const;
  const asked = filterParams(
    { ...state, leagues: [...state.leagues], types: ['total'], priceFrom: 1.5, priceTo: 3 },
    { currency: 'GBP', rates: { GBP: 1.3 } },
  );
  assert.deepEqual(asked, {
    ...{
      league: ['nba', 'nfl'],
      live: false,
      min_odds: -200,
      max_odds: 200,
      min_stake: 50,
      currency: 'GBP',
      guaranteed: true,
    },
    market: ['total'],
  });
  assert.deepEqual(filterParams({ ...DEFAULTS, only: 'props', takes: 5 }, { currency: 'SEK', rates: {} }), {
    market: ['props'],
  });
  assert.deepEqual(filterParams(DEFAULTS, { currency: 'USD', rates: {} }), {});
});

test('pairs are looked for in the books that are the viewer’s and shown', () => {
  const account = { limit: null, bankroll: null, commission: null };
  const mine = { ...DEFAULT_PROFILE, accounts: { fanduel: account, betmgm: account } };
  assert.equal(ownBooks({ books: [] }, DEFAULT_PROFILE), undefined);
  assert.deepEqual(ownBooks({ books: [] }, mine), ['betmgm', 'fanduel']);
  assert.deepEqual(ownBooks({ books: ['fanduel', 'caesars'] }, mine), ['fanduel']);
  assert.deepEqual(ownBooks({ books: ['caesars', 'betmgm'] }, DEFAULT_PROFILE), ['betmgm', 'caesars']);
});

const NAMES = {
  format: 'american',
  currency: 'USD',
  nameOf: (book: string) => book,
  leagueOf: (id: string) => id.toUpperCase(),
} as const;

test('what is set is named, and each can be taken away until nothing is left', () => {
  const state: ScreenState = {
    ...DEFAULTS,
    ...{ q: 'jo', leagues: ['nba', 'nfl'], live: 'live', hours: 72, edge: 1, sure: 'guaranteed', books: ['fanduel'] },
    ...{ priceFrom: 1.5, priceTo: 3, takes: 100, pricedBy: 3, types: ['total', 'player_points'], only: 'props' },
  };
  assert.deepEqual(
    setFilters(state, NAMES).map(({ text }) => text),
    [
      '"jo"',
      'NBA',
      'NFL',
      'in play',
      'within 3 days',
      'edge from 1 %',
      'odds -200 to +200',
      'takes 100 USD',
      '3 books',
      'total',
      'player points',
      'players only',
      'guaranteed',
      'fanduel',
    ],
  );
  let left = state;
  for (let step = 0; setFilters(left, NAMES).length > 0 && step < 30; step++)
    left = { ...left, ...setFilters(left, NAMES)[step % setFilters(left, NAMES).length]!.without };
  assert.deepEqual(left, DEFAULTS);
  assert.deepEqual({ ...state, ...UNFILTERED }, DEFAULTS);
  assert.deepEqual(stateOf(queryOf(state)), state, 'a link restores them');
  assert.ok(FILTERS.length >= 16);
});

test('what is hidden is hidden for a day, at every book, and can be had back', () => {
  const key = hideKey('ev', item());
  assert.equal(hideKey('ev', item({ id: 'b', sportsbook: 'betmgm' })), key);
  assert.equal(hideKey('arbitrage', item()), 'a');
  const ofTeam = hideKey('ev', item({ team_name: 'B' }));
  assert.notEqual(hideKey('ev', item({ selection: '|B|A' })), ofTeam);
  let hidden: Hidden[] = hide([], key, 'A +3.5', NOW_MS);
  hidden = hide(hidden, 'other', 'B', NOW_MS + 1_000);
  assert.deepEqual(
    stillHidden(hidden, NOW_MS + 86_399_000).map(({ text }) => text),
    ['B', 'A +3.5'],
  );
  assert.deepEqual(
    stillHidden(hidden, NOW_MS + 86_400_000).map(({ text }) => text),
    ['B'],
  );
  assert.deepEqual(hiddenOf(JSON.stringify(hidden)), hidden);
  assert.deepEqual([hiddenOf('{'), hiddenOf(null), hiddenOf('[1,null,{"key":1}]')], [[], [], []]);
});
