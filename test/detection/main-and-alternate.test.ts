// A book's main and alternate rows at one number: one bet, of which the better price counts, and one opinion, the main one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { total } from '../intake/ingest/messages.js';
import { of, show, world } from './one-game.js';

const alternate = (line: number, over: number, under: number) => total(line, over, under, true);
const books = (side: unknown): string[] => (side as { books: string[] }).books;

test('a book is named once at a price that both of its rows have, and its limit is no sum', () => {
  const shard = world();
  const limited = { ...total(220.5, 100, -120), max_bet: 50 };
  show(shard, {
    draftkings: [limited, { ...alternate(220.5, 100, -120), max_bet: 50 }],
    fanduel: [total(220.5, -120, -101)],
  });
  const [hold] = of(shard, 'low_hold');
  assert.deepEqual([books(hold!.item['side1']), books(hold!.item['side2'])], [['draftkings'], ['fanduel']]);
  assert.equal((hold!.item['side1'] as { max_stake: number }).max_stake, 50);
});

test('what a book means is its main pair, or its alternate one; what can be bet is the better price', () => {
  const fair = (item: Record<string, unknown>) => item['fair_probability'];
  const sharp = world();
  show(sharp, {
    pinnacle: [total(220.5, -110, -110), alternate(220.5, 120, -105)],
    fanduel: [total(220.5, 115, -140), alternate(220.5, 120, -150)],
  });
  const [ev] = of(sharp, 'ev').filter(({ item }) => item['sportsbook'] === 'fanduel');
  assert.deepEqual([ev!.item['odds_american'], fair(ev!.item), ev!.item['sharp_book']], [120, 0.5, 'pinnacle']);
  // A consensus of three others, of whom two list the number twice.
  const many = world();
  show(many, {
    draftkings: [total(220.5, -110, -110), alternate(220.5, 110, -130)],
    betmgm: [total(220.5, -110, -110), alternate(220.5, 110, -130)],
    caesars: [total(220.5, -110, -110), alternate(221.5, 100, -120)],
    fanduel: [total(220.5, 115, -140)],
  });
  const found = of(many, 'ev').filter(({ item }) => item['sportsbook'] === 'fanduel');
  assert.deepEqual([fair(found[0]!.item), found[0]!.item['sharp_book']], [0.5, 'consensus']);
  // One from each is no pair: nobody knows that they are of one moment.
  const mixed = world();
  const half = (markets: ReturnType<typeof total>, at: number) => ({
    ...markets,
    selections: [markets.selections[at]],
  });
  show(mixed, {
    pinnacle: [half(total(220.5, -110, -110), 0), half(alternate(220.5, -110, -110), 1)] as never,
    fanduel: [total(220.5, 115, -140)],
  });
  assert.deepEqual(of(mixed, 'ev'), []);
});
