import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TokenBook } from '../../../../src/intake/feeds/polymarket/token-book.js';

const book = (ms: number, hash: string, shares: string) => ({
  timestamp: String(ms),
  hash,
  bids: [{ price: '0.4', size: '10' }],
  asks: [{ price: '0.6', size: shares }],
});

test('a lost change of the size at the best price is found by the next fetch, also if other changes followed', () => {
  const tokenBook = new TokenBook();
  tokenBook.carry(0);
  assert.ok(tokenBook.replace(book(1_000, 'first', '5'), 1_000));
  // 12.5 shares at 0.6 were lost. The venue's next hash covers them, but its best prices equal ours.
  tokenBook.change([{ side: 'bid', priceMicros: 30_000, countMicros: 1_000_000 }], 1_002);
  assert.ok(tokenBook.agrees(400_000, 600_000));
  tokenBook.fetching();
  assert.equal(tokenBook.fetched(book(1_002, 'third', '12.5'), 2_000), 'replaced');
  assert.equal(tokenBook.asks.bestCount, 12_500_000);
  tokenBook.fetching();
  assert.equal(tokenBook.fetched(book(1_002, 'third', '12.5'), 3_000), 'same');
});

test('an old answer never takes the place of a book that its own messages confirm, however often it comes', () => {
  const tokenBook = new TokenBook();
  tokenBook.carry(0);
  assert.ok(tokenBook.replace(book(1_000, 'first', '5'), 1_000));
  for (let ms = 2_000; ms < 20_000; ms += 1_000) {
    tokenBook.change([{ side: 'ask', priceMicros: 600_000, countMicros: ms * 1_000 }], ms);
    tokenBook.confirmedMs = ms;
    tokenBook.fetching();
    assert.equal(tokenBook.fetched(book(1_000, 'first', '5'), ms + 500), 'ignored');
    assert.equal(tokenBook.asks.bestCount, ms * 1_000);
  }
});
