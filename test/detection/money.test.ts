import assert from 'node:assert/strict';
import { test } from 'node:test';
import { event, message, moneyline } from '../intake/ingest/messages.js';
import { of, show, sides, world } from './one-game.js';

const decimals = (home: number, away: number) =>
  sides('moneyline', [
    { selection_type: 'home', odds_decimal: home },
    { selection_type: 'away', odds_decimal: away },
  ]);
test('+107 ties with 2.07 and 1.91 beats -110, whichever book is listed first', () => {
  const shard = world();
  show(shard, { draftkings: [moneyline(107, -110)], fanduel: [decimals(2.07, 1.91)], betmgm: [moneyline(106, -120)] });
  const [hold] = of(shard, 'low_hold');
  const { side1, side2 } = hold!.item as Record<string, { books: string[] }>;
  assert.deepEqual(side1!.books, ['draftkings', 'fanduel']);
  assert.deepEqual(side2!.books, ['fanduel']);
});

test('an exchange’s price counts after its commission: 2.04 at 5 % makes no arbitrage with 2.0', () => {
  const shard = world();
  show(shard, { betfair: [decimals(2.04, 1.9)], fanduel: [decimals(1.85, 2)] });
  assert.deepEqual(of(shard, 'arbitrage'), []);
  const [hold] = of(shard, 'low_hold');
  // Home 1.988 after commission, away 2.0.
  assert.equal(hold!.item['hold_percentage'], 0.3018);
  assert.deepEqual(hold!.item['warnings'], ['NET_OF_COMMISSION']);
  const side = hold!.item['side1'] as { odds: Record<string, number>; commission: unknown };
  assert.deepEqual([side.odds['decimal'], side.odds['decimal_net']], [2.04, 1.988]);
  assert.deepEqual(side.commission, { model: 'winnings', rate: 0.05 });
});

test('a hold of exactly the limit is within it, after commission too', () => {
  const shard = world();
  // 20/21 of winnings at 5 %: 40/21 on both sides, of which the inverses sum to 1.05.
  show(shard, { betfair: [moneyline(-105, -105)] });
  assert.deepEqual(
    of(shard, 'low_hold').map(({ item }) => item['hold_percentage']),
    [5],
  );
});

test('an arbitrage with an exchange is computed and staked net, and its legs show both prices', () => {
  const shard = world();
  show(shard, { betfair: [decimals(2.2, 1.9)], fanduel: [decimals(1.85, 2)] });
  const [found] = of(shard, 'arbitrage');
  // 2.14 net with 2.0: S = 0.96729.
  assert.equal(found!.item['profit_percent'], 3.3816);
  assert.equal(found!.item['implied_total'], 96.729);
  const legs = found!.item['legs'] as Record<string, unknown>[];
  assert.deepEqual(
    legs.map((leg) => [leg['odds_decimal'], leg['odds_decimal_net'], leg['stake_percent']]),
    [
      [2.2, 2.14, 48.31],
      [2, 2, 51.69],
    ],
  );
  assert.deepEqual(legs[1]!['commission'], null);
  assert.deepEqual(found!.item['warnings'], ['NET_OF_COMMISSION']);
});

test('a net price ties with the book that states it, and a better stated one loses against it', () => {
  const shard = world();
  show(shard, { betfair: [decimals(2.04, 1.9)], draftkings: [decimals(1.988, 1.9)], fanduel: [decimals(1.98, 1.95)] });
  const [hold] = of(shard, 'low_hold');
  assert.deepEqual((hold!.item['side1'] as { books: string[] }).books, ['draftkings', 'betfair']);
});

test('edge and stake at an exchange are those after commission', () => {
  const shard = world();
  show(shard, { pinnacle: [decimals(1.95, 1.95)], betfair: [decimals(2.2, 1.8)], novig: [decimals(2.02, 1.8)] });
  const rows = of(shard, 'ev');
  const at = (book: string) => rows.find(({ books }) => books[0] === book)!.item;
  assert.equal(at('betfair')['ev_percentage'], 7);
  assert.equal(at('betfair')['odds_decimal_net'], 2.14);
  assert.equal(at('betfair')['kelly_percent'], 6.1404);
  assert.deepEqual(at('betfair')['warnings'], ['NET_OF_COMMISSION']);
  assert.equal(at('novig')['ev_percentage'], 1);
  assert.deepEqual(at('novig')['commission'], null);
  assert.deepEqual(at('novig')['warnings'], []);
});

const HOCKEY = { league: 'nhl', home_team: 'Boston Bruins', away_team: 'New York Rangers' };
const winner = (home: number, away: number, draw?: number) =>
  sides('moneyline', [
    { selection_type: 'home', odds_decimal: home },
    { selection_type: 'away', odds_decimal: away },
    ...(draw === undefined ? [] : [{ selection_type: 'draw', odds_decimal: draw }]),
  ]);

test('a regulation price without its draw is not a side of a two-way bet that overtime decides', () => {
  const shard = world();
  // Seen by its sum: 1/2.4 + 1/3.1 = 0.739.
  show(shard, { draftkings: [winner(2.4, 3.1)], fanduel: [winner(1.7, 2.25)] }, HOCKEY);
  assert.deepEqual(of(shard, 'arbitrage'), []);
  assert.deepEqual(of(shard, 'ev'), []);
  // From 0.97 on it may be a two-way price, and a good one.
  show(shard, { draftkings: [winner(1.98, 2.14)] }, HOCKEY);
  assert.deepEqual(
    of(shard, 'arbitrage').map(({ books }) => books),
    [['draftkings', 'fanduel']],
  );
  show(shard, { draftkings: [winner(1.98, 2.16)] }, HOCKEY);
  assert.deepEqual(of(shard, 'arbitrage'), []);
});

test('a book that showed a draw once stays three-way: without the draw its prices pair with nothing', () => {
  const shard = world();
  show(shard, { draftkings: [winner(2.1, 2.1, 4.2)], fanduel: [winner(1.9, 2.05)] }, HOCKEY);
  assert.deepEqual(of(shard, 'arbitrage'), []);
  show(shard, { draftkings: [winner(2.1, 2)] }, HOCKEY);
  assert.deepEqual(of(shard, 'arbitrage'), []);
  show(shard, { betmgm: [winner(2.1, 1.8)] }, HOCKEY);
  assert.deepEqual(
    of(shard, 'arbitrage').map(({ books }) => books),
    [['betmgm', 'fanduel']],
  );
});

test('a draw that is added and removed within one batch makes the book three-way as well', () => {
  const shard = world();
  show(shard, { draftkings: [winner(2.1, 1.9)], fanduel: [winner(1.8, 2.05)] }, HOCKEY);
  assert.equal(of(shard, 'arbitrage').length, 1);
  shard.apply(
    [winner(2.1, 2.1, 4.2), winner(2.1, 1.9)].map((market) => message([event([market], HOCKEY)])),
    Date.parse('2026-11-20T18:00:01Z'),
  );
  assert.deepEqual(shard.rejected, []);
  assert.deepEqual(of(shard, 'arbitrage'), []);
});

test('a handicap with a draw does not pair with one without, whichever was first', () => {
  const line = (home: number, away: number, draw?: number) =>
    sides('point_spread', [
      { selection_type: 'home', line: -1, odds_decimal: home },
      { selection_type: 'away', line: 1, odds_decimal: away },
      ...(draw === undefined ? [] : [{ selection_type: 'draw', line: -1, odds_decimal: draw }]),
    ]);
  const epl = { league: 'epl', home_team: 'Arsenal', away_team: 'Chelsea' };
  const shard = world();
  show(shard, { draftkings: [line(2.6, 1.9, 3.8)], fanduel: [line(1.8, 2)] }, epl);
  assert.deepEqual(of(shard, 'arbitrage'), []);
  const late = world();
  show(late, { draftkings: [line(2.1, 1.8)], fanduel: [line(1.8, 2)] }, epl);
  assert.equal(of(late, 'arbitrage').length, 1);
  show(late, { draftkings: [line(2.1, 1.8, 4)] }, epl);
  assert.deepEqual(of(late, 'arbitrage'), []);
  show(late, { draftkings: [line(2.1, 1.8)] }, epl);
  assert.deepEqual(of(late, 'arbitrage'), []);
});

test('a prop’s statistic is ignored if its type names it: with and without one it is the same bet', () => {
  const prop = (over: number, under: number, fields: object) =>
    sides(
      'player_points',
      [
        { selection_type: 'over', line: 24.5, odds_decimal: over },
        { selection_type: 'under', line: 24.5, odds_decimal: under },
      ],
      { player_name: 'Al Jones', ...fields },
    );
  const shard = world();
  show(shard, { draftkings: [prop(2.1, 1.7, { stat_category: 'Points Scored' })], fanduel: [prop(1.8, 2, {})] });
  assert.deepEqual(
    of(shard, 'arbitrage').map(({ books }) => books),
    [['draftkings', 'fanduel']],
  );
});

test('of two equal rows at a book one is used, and the other when that is removed', () => {
  const prop = (over: number, stat_category: string) =>
    sides(
      'player_points',
      [
        { selection_type: 'over', line: 24.5, odds_decimal: over },
        { selection_type: 'under', line: 24.5, odds_decimal: 1.8 },
      ],
      { player_name: 'Al Jones', stat_category },
    );
  const shard = world();
  show(shard, { draftkings: [prop(2.1, 'points'), prop(2.12, 'pts')], fanduel: [prop(1.7, 'points')] });
  const odds = () => {
    shard.flush();
    return (of(shard, 'low_hold')[0]!.item['side1'] as { odds: { decimal: number } }).odds.decimal;
  };
  const standing = odds();
  for (const each of [2.1, 2.12]) {
    show(shard, { draftkings: [prop(each, each === 2.1 ? 'points' : 'pts')] });
    assert.equal(odds(), each);
  }
  show(shard, { draftkings: [prop(2.12, 'pts'), prop(2.1, 'points')] });
  assert.equal(odds(), standing);
});

const totals = (line: number, over: number, under: number, alternate = false) =>
  sides('total_points', [
    { selection_type: 'over', line, odds_decimal: over, is_alternate_line: alternate },
    { selection_type: 'under', line, odds_decimal: under, is_alternate_line: alternate },
  ]);

test('a middle is of two books: if one book has both best prices, the best pair of two books is found', () => {
  const shard = world();
  show(shard, {
    draftkings: [totals(220.5, 2.05, 1.8), totals(226.5, 1.7, 2.05, true)],
    fanduel: [totals(220.5, 2, 1.85), totals(226.5, 1.7, 2.02, true)],
    betmgm: [totals(220.5, 1.98, 1.85)],
  });
  const middles = of(shard, 'middle').filter(({ item }) => item['middle_size'] === 6);
  // 2.05 with 2.02 before 2.0 with 2.05.
  assert.deepEqual(
    middles.map(({ books }) => books),
    [['draftkings', 'fanduel']],
  );
});

test('every middle that passes the limits is found, however many a market has', () => {
  const shard = world();
  const lines = Array.from({ length: 8 }, (_, i) => 216.5 + i);
  show(shard, {
    draftkings: lines.map((line, i) => totals(line, 2.1, 1.6, i > 0)),
    fanduel: lines.map((line, i) => totals(line, 1.6, 2.1, i > 0)),
  });
  const middles = of(shard, 'middle');
  assert.equal(middles.length, 28);
  assert.equal(new Set(middles.map(({ id }) => id)).size, 28);
  // With other prices they keep their ids, and none is published as expired.
  show(shard, { draftkings: lines.map((line, i) => totals(line, 2.12, 1.6, i > 0)) });
  shard.flush();
  assert.deepEqual(
    of(shard, 'middle')
      .map(({ id }) => id)
      .sort(),
    middles.map(({ id }) => id).sort(),
  );
});

test('a sum just below one is no guaranteed profit if the shown stakes win nothing', () => {
  const shard = world();
  // S = 0.99998: 44.44 % and 55.56 % pay back 99.99 and 100.01.
  show(shard, { draftkings: [totals(220.5, 2.25, 1.6)], fanduel: [totals(221.5, 1.6, 1.80006)] });
  const [middle] = of(shard, 'middle');
  assert.deepEqual([middle!.item['is_guaranteed_profit'], middle!.item['break_even_percent']], [false, 0]);
  show(shard, { fanduel: [totals(221.5, 1.6, 1.82)] });
  shard.flush();
  assert.equal(of(shard, 'middle')[0]!.item['is_guaranteed_profit'], true);
});

test('an arbitrage that the shown stakes or prices do not win is none', () => {
  const found = (home: number, away: number) => {
    const shard = world();
    show(shard, { draftkings: [decimals(home, 1.5)], fanduel: [decimals(1.5, away)] });
    return of(shard, 'arbitrage').length;
  };
  assert.equal(found(2.25, 1.80006), 0);
  assert.equal(found(2.25, 1.81), 1);
  // Half and half pays 100.00000002, and as printed 100.
  assert.equal(found(2.0000004, 2.0000004), 0);
  assert.equal(found(2.0001, 2.0001), 1);
});

test('a window over a tie lists each margin once', () => {
  const shard = world();
  const spread = (home: number, homeOdds: number, awayOdds: number) =>
    sides('point_spread', [
      { selection_type: 'home', line: home, odds_decimal: homeOdds },
      { selection_type: 'away', line: -home, odds_decimal: awayOdds },
    ]);
  show(shard, { draftkings: [spread(2.5, 2, 1.8)], fanduel: [spread(-3.5, 1.8, 2)] });
  const [middle] = of(shard, 'middle');
  assert.deepEqual(middle!.item['middle_numbers'], [0, 1, 2, 3]);
});

test('opportunities of a team total name its team, and no others name one', () => {
  const shard = world();
  const total = (team: 'home' | 'away', over: number, under: number) => ({
    ...sides('team_total', [
      { selection_type: 'over', line: 110.5, odds_decimal: over },
      { selection_type: 'under', line: 110.5, odds_decimal: under },
    ]),
    team,
  });
  show(shard, {
    draftkings: [total('home', 2.1, 1.8), total('away', 1.8, 2.1), decimals(2.1, 1.8)],
    fanduel: [total('home', 1.8, 2.1), total('away', 2.1, 1.8), decimals(1.8, 2.1)],
  });
  const said = (kind: 'arbitrage' | 'low_hold') =>
    of(shard, kind)
      .map(({ item }) => `${item['market_type']} ${item['team_name']}`)
      .sort();
  const all = ['moneyline undefined', 'team_total Boston Celtics', 'team_total Los Angeles Lakers'];
  assert.deepEqual(said('arbitrage'), all);
  assert.deepEqual([...new Set(said('low_hold'))].sort(), said('low_hold').length === 0 ? [] : all);
});
