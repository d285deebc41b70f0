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
