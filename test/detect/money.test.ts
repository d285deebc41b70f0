import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moneyline } from '../ingest/messages.js';
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

test('an arbitrage with an exchange is reckoned and staked net, and its legs show both prices', () => {
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

test('an edge at an exchange is what is left of it after commission, and so is the stake', () => {
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
