// Comparison and batch: every book side by side, holds at one line, and missing prices.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparisonRoutes } from '../../../src/front/api/best.js';
import { shared } from '../../shared.js';
import { LAKERS, moneyline, NOW, pastOf, serving, WORLD } from './serving.js';

/** Each test has an event of its own; the last one passes the time. */
const comparison = shared((t) => serving(t, (deps) => comparisonRoutes(deps, pastOf(deps))));

const lakers = {
  league: 'nba',
  home_team: 'Boston Celtics',
  away_team: 'Los Angeles Lakers',
  start_time: '2026-11-21T00:30:00Z',
};

/** Another game of these teams. */
const rematch = (day: number) => ({
  game: { ...lakers, start_time: `2026-11-${day + 1}T00:30:00Z` },
  id: `nba_celtics_lakers_2026-11-${day}`,
});
const spread = (home: number, homeOdds: number, awayOdds: number, alternate = false) => ({
  market_type: 'point_spread',
  selections: [
    { selection: 'h', selection_type: 'home', line: home, odds_american: homeOdds, is_alternate_line: alternate },
    { selection: 'a', selection_type: 'away', line: -home, odds_american: awayOdds, is_alternate_line: alternate },
  ],
});

test('spreads pair home h with away -h, at the line most books quote', async () => {
  const { game, id } = rematch(21);
  const { ingest, ok } = await comparison();
  await ingest(
    { book: 'draftkings', events: [{ ...game, markets: [spread(-3.5, -110, -110), spread(3.5, -400, 300, true)] }] },
    { book: 'fanduel', events: [{ ...game, markets: [spread(-3.5, -105, -115)] }] },
    { book: 'betmgm', events: [{ ...game, markets: [spread(-4, 100, -120)] }] },
  );
  const { data, meta } = await ok(`/odds/comparison?event=${id}`, 'pro');
  assert.equal(meta.market_filter, null);
  assert.deepEqual(data.books_available, ['betmgm', 'draftkings', 'fanduel']);
  const [market] = data.markets;
  // -105 and -110 are the best at -3.5: 105/205 + 110/210 - 1.
  assert.deepEqual(market.hold, {
    best_available: 3.6005,
    line: -3.5,
    by_book: { betmgm: 4.5455, draftkings: 4.7619, fanduel: 4.7079 },
  });
  const home = market.selections.find(
    (each: { selection_type: string; line: number }) => each.selection_type === 'home' && each.line === -3.5,
  );
  assert.deepEqual(
    [home.best_book, home.best_odds, home.worst_book, home.worst_odds, home.spread],
    ['fanduel', -105, 'draftkings', -110, 1.1614],
  );
  assert.deepEqual(Object.keys(home.books).sort(), ['draftkings', 'fanduel']);
});

test('a book’s main line is its main rows’, also where an alternate row at that number has the better price', async () => {
  const { game, id } = rematch(25);
  const { ingest, ok } = await comparison();
  await ingest(
    { book: 'draftkings', events: [{ ...game, markets: [spread(-3.5, -110, -110), spread(-3.5, 105, -130, true)] }] },
    { book: 'fanduel', events: [{ ...game, markets: [spread(-4, -110, -110)] }] },
  );
  const { data } = await ok(`/odds/comparison?event=${id}`, 'pro');
  // What can be had at the book: 100/205 + 110/210 - 1.
  assert.deepEqual(data.markets[0].hold, {
    best_available: 1.1614,
    line: -3.5,
    by_book: { draftkings: 1.1614, fanduel: 4.7619 },
  });
});

test('a moneyline with a draw has three sides; in soccer one without a draw is incomplete and has no hold', async () => {
  const { ingest, ok } = await comparison();
  const match = { league: 'epl', home_team: 'Arsenal', away_team: 'Chelsea', start_time: '2026-11-21T15:00:00Z' };
  await ingest(
    { book: 'draftkings', events: [{ ...match, markets: [moneyline(120, 220, 200)] }] },
    { book: 'fanduel', events: [{ ...match, markets: [moneyline(150, 210)] }] },
  );
  const { data } = await ok('/odds/comparison?event=epl_arsenal_chelsea_2026-11-21&market=moneyline', 'pro');
  assert.equal(data.markets.length, 1);
  const [market] = data.markets;
  assert.equal(market.three_way, true);
  // +150, +200, +220: 0.4 + 0.33333 + 0.3125.
  assert.deepEqual(market.hold, { best_available: 4.5833, line: null, by_book: { draftkings: 10.0379 } });
});

test('a stale price is shown and marked, and is neither best nor part of a hold', async () => {
  const { game, id } = rematch(22);
  const { ingest, ok } = await comparison();
  const old = new Date(Date.parse(NOW) - 301_000).toISOString();
  await ingest(
    { book: 'draftkings', polled_at: old, events: [{ ...game, markets: [moneyline(-120, 300)] }] },
    { book: 'fanduel', events: [{ ...game, markets: [moneyline(-150, 130)] }] },
  );
  const { data } = await ok(`/odds/comparison?event=${id}`, 'pro');
  const away = data.markets[0].selections.find((each: { selection_type: string }) => each.selection_type === 'away');
  assert.deepEqual(
    [away.best_book, away.best_odds, away.books.draftkings.possibly_stale, away.books.fanduel.possibly_stale],
    ['fanduel', 130, true, false],
  );
  assert.deepEqual(Object.keys(data.markets[0].hold.by_book), ['fanduel']);
});

test('each player is a market of his own, universe and market filter narrow it, an unknown event is 404', async () => {
  const { ingest, ok, refused } = await comparison();
  await ingest(...WORLD);
  const { data } = await ok(`/odds/comparison?event=${LAKERS}&market=props`, 'pro');
  assert.deepEqual(
    data.markets.map((each: { market_type: string; player_name: string }) => [each.market_type, each.player_name]),
    [['player_points', 'LeBron James']],
  );
  const free = await ok(`/odds/comparison?event=${LAKERS}&sportsbook=fanduel`, 'hobby');
  assert.deepEqual(free.data.books_available, ['fanduel']);
  assert.deepEqual((await refused('/odds/comparison?event=nowhere', 'pro')).slice(0, 2), [404, 'not_found']);
  assert.deepEqual(await refused('/odds/comparison', 'pro'), [400, 'invalid_request', 'event is required']);
  assert.deepEqual((await refused(`/odds/comparison?event=${LAKERS}&sportsbook=pinnacle`, 'hobby')).slice(0, 2), [
    403,
    'tier_restricted',
  ]);
});

test('best, worst and holds are calculated after commission', async () => {
  const { game, id } = rematch(24);
  const { ingest, ok } = await comparison();
  const prices = {
    market_type: 'moneyline',
    selections: [
      { selection: 'h', selection_type: 'home', odds_decimal: 2.04 },
      { selection: 'a', selection_type: 'away', odds_decimal: 2 },
    ],
  };
  await ingest(
    { book: 'betfair', events: [{ ...game, markets: [prices] }] },
    { book: 'fanduel', events: [{ ...game, markets: [moneyline(100, -118)] }] },
  );
  const { data } = await ok(`/odds/comparison?event=${id}`, 'sharp');
  const [market] = data.markets;
  const home = market.selections.find((each: { selection_type: string }) => each.selection_type === 'home');
  assert.deepEqual([home.best_book, home.worst_book, home.worst_odds_decimal_net], ['fanduel', 'betfair', 1.988]);
  assert.equal(home.books.betfair.odds_decimal_net, 1.988);
  // 1 / 1.988 + 1 / 1.95, though the stated prices sum to less than one.
  assert.equal(market.hold.by_book.betfair, 1.5839);
  assert.equal(market.hold.best_available, 1.2821);
});

test('a repeated answer is the same until the event, its freshness or the books change, and never older', async () => {
  const { game, id } = rematch(23);
  const { ingest, ok, clock } = await comparison();
  const path = `/odds/comparison?event=${id}&sportsbook=draftkings,fanduel,nobody`;
  const poll = (book: string, seconds: number, home: number, league = game): Promise<unknown> => {
    const polledMs = Date.parse(NOW) + seconds * 1000;
    clock.set(polledMs);
    const events = [{ ...league, markets: [moneyline(home, -150)] }];
    return ingest({ book, polled_at: new Date(polledMs).toISOString(), events });
  };
  const seen = async () => {
    const { data, meta } = await ok(path, 'enterprise');
    const home = data.markets[0].selections.find((each: { selection_type: string }) => each.selection_type === 'home');
    const { draftkings, fanduel } = home.books;
    return {
      odds: [draftkings?.odds_american, fanduel?.odds_american],
      seen: draftkings?.last_seen_at,
      stale: draftkings?.possibly_stale,
      unknown: meta.unknown,
    };
  };
  await poll('draftkings', 0, 130);
  const first = await seen();
  assert.deepEqual([first.odds, first.stale, first.unknown], [[130, undefined], false, ['nobody']]);
  await poll('draftkings', 0, 120, { ...game, home_team: 'Miami Heat', away_team: 'Utah Jazz' });
  assert.deepEqual(await seen(), first, 'another event is no news here');
  await poll('fanduel', 1, 125);
  assert.deepEqual((await seen()).odds, [130, 125]);
  await poll('draftkings', 2, 130);
  assert.notEqual((await seen()).seen, first.seen, 'seen again at the same price');
  await poll('nobody', 3, 120, { ...game, home_team: 'Miami Heat', away_team: 'Utah Jazz' });
  assert.equal((await seen()).unknown, undefined, 'a name that has come to mean a book');
  clock.set(clock.now() + 3_600_000);
  assert.equal((await seen()).stale, true, 'time alone made it old');
});
