// Lay prices: they make arbitrages with the selection backed at another book or the same exchange, and nothing else.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { of, show, sides, world } from './one-game.js';

const winner = (home: number, away: number, draw?: number) =>
  sides('moneyline', [
    { selection_type: 'home', odds_decimal: home },
    { selection_type: 'away', odds_decimal: away },
    ...(draw === undefined ? [] : [{ selection_type: 'draw', odds_decimal: draw }]),
  ]);
const lay = (price: number, type = 'home', market = 'moneyline_lay', line?: number) =>
  sides(market, [{ selection_type: type, odds_decimal: price, ...(line === undefined ? {} : { line }) }]);

const SOCCER = { league: 'epl', home_team: 'Arsenal', away_team: 'Chelsea' };

test('a selection backed at a book and laid lower at an exchange is an arbitrage: the liability is the stake', () => {
  const shard = world();
  show(shard, { fanduel: [winner(2.3, 1.6)], betfair: [lay(2.1)] });
  const [found, ...others] = of(shard, 'arbitrage');
  assert.deepEqual(others, []);
  const legs = found!.item['legs'] as Record<string, unknown>[];
  // Laid at 2.1, a liability of 1 wins 1 / 1.1 less 5 %: a price of 1.863636.
  assert.deepEqual(
    legs.map((leg) => [
      leg['sportsbook'],
      leg['selection_type'],
      leg['odds_decimal'],
      leg['odds_decimal_net'],
      leg['stake_percent'],
    ]),
    [
      ['fanduel', 'home', 2.3, 2.3, 44.76],
      ['betfair', 'home', 2.1, 1.863636, 55.24],
    ],
  );
  assert.equal(legs[0]!['is_lay'], undefined);
  assert.equal(legs[1]!['is_lay'], true);
  assert.equal(legs[1]!['lay_stake_percent'], 50.2182);
  assert.equal(found!.item['profit_percent'], 2.9476);
  assert.equal(found!.item['market_type'], 'moneyline');
  assert.deepEqual(found!.item['warnings'], ['LAY_LEG', 'NET_OF_COMMISSION']);
});

test('of three results each is paired with its own lay, also at one exchange', () => {
  const shard = world();
  show(shard, { betfair: [winner(3.4, 2.4, 3.6), lay(3, 'home'), lay(3.5, 'draw'), lay(2.45, 'away')] }, SOCCER);
  const found = of(shard, 'arbitrage');
  assert.equal(found.length, 1);
  const legs = found[0]!.item['legs'] as Record<string, unknown>[];
  assert.deepEqual(
    legs.map((leg) => [leg['sportsbook'], leg['selection_type']]),
    [
      ['betfair', 'home'],
      ['betfair', 'home'],
    ],
  );
  assert.deepEqual(found[0]!.item['warnings'], ['LAY_LEG', 'SAME_OWNER', 'NET_OF_COMMISSION']);
});

test('a plain arbitrage stays listed beside one with a lay', () => {
  const shard = world();
  show(shard, { fanduel: [winner(2.3, 1.6)], draftkings: [winner(1.7, 2)], betfair: [lay(2.05)] });
  assert.deepEqual(
    of(shard, 'arbitrage')
      .map(({ item }) => (item['warnings'] as string[]).includes('LAY_LEG'))
      .sort(),
    [false, true],
  );
});

test('a price to lay is part of no other opportunity and changes none', () => {
  const books = { fanduel: [winner(2.05, 1.9)], draftkings: [winner(1.95, 1.98)], pinnacle: [winner(1.99, 1.97)] };
  const [without, laid] = [world(), world()];
  show(without, books);
  // A price so high that, as a price to back, it would be in every kind of opportunity.
  show(laid, { ...books, betfair: [lay(9), lay(9, 'away')] });
  for (const kind of ['ev', 'low_hold', 'middle', 'arbitrage'] as const)
    assert.deepEqual(
      of(laid, kind).map(({ id, edge }) => [id, edge]),
      of(without, kind).map(({ id, edge }) => [id, edge]),
      kind,
    );
});

test('it ends when the lay is suspended or removed, and returns with it', () => {
  const shard = world();
  const suspended = sides('moneyline_lay', [{ selection_type: 'home', odds_decimal: 2.1, is_active: false }]);
  show(shard, { fanduel: [winner(2.3, 1.6)], betfair: [lay(2.1)] });
  const [before] = of(shard, 'arbitrage');
  show(shard, { betfair: [suspended] });
  assert.deepEqual(of(shard, 'arbitrage'), []);
  show(shard, { betfair: [lay(2.1)] });
  assert.equal(of(shard, 'arbitrage')[0]!.id, before!.id);
  show(shard, { betfair: [] });
  assert.deepEqual(of(shard, 'arbitrage'), []);
});

test('lays of handicaps and totals pair at their own line only', () => {
  const shard = world();
  const spread = sides('point_spread', [
    { selection_type: 'home', odds_decimal: 2.3, line: -4.5 },
    { selection_type: 'away', odds_decimal: 1.6, line: 4.5 },
  ]);
  show(shard, { fanduel: [spread], betfair: [lay(2.05, 'home', 'point_spread_lay', -3.5)] });
  assert.deepEqual(of(shard, 'arbitrage'), []);
  show(shard, { betfair: [lay(2.05, 'home', 'point_spread_lay', -4.5)] });
  const [found] = of(shard, 'arbitrage');
  assert.equal(found!.item['line'], -4.5);
  assert.equal((found!.item['legs'] as Record<string, unknown>[])[1]!['is_lay'], true);
});
