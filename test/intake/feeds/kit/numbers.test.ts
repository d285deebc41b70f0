import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Sequence } from '../../../../src/intake/feeds/kalshi/channel.js';
import { timeOf } from '../../../../src/intake/feeds/kit/field-readers.js';
import { decimalOfMicros, Levels, moneyOfMicros, parseMicros } from '../../../../src/intake/feeds/kit/ladder.js';

test('decimal texts become exact millionths, and invalid or finer ones become nothing', () => {
  const cases: [unknown, number | undefined][] = [
    ['0.29', 290_000],
    ['.48', 480_000],
    ['1', 1_000_000],
    ['0.5600', 560_000],
    ['-12.5', -12_500_000],
    ['-0', 0],
    ['0.1000000000', 100_000],
    [0.07, 70_000],
    [1e-7, 0],
    ['220045', 220_045_000_000],
    ['0.0000001', undefined],
    ['', undefined],
    ['.', undefined],
    ['1e3', undefined],
    ['abc', undefined],
    [null, undefined],
    [Number.NaN, undefined],
    ['99999999999999', undefined],
  ];
  for (const [text, micros] of cases) assert.equal(parseMicros(text), micros, JSON.stringify(text));
  assert.equal(parseMicros('0.1')! + parseMicros('0.2')! - parseMicros('0.3')!, 0);
});

test('every text of up to six places is read as the number it writes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999_999 }), (micros) => {
      const text = `${Math.floor(micros / 1e6)}.${String(micros % 1e6).padStart(6, '0')}`;
      assert.equal(parseMicros(text), micros);
      assert.equal(parseMicros(text.replace(/\.?0+$/, '')), micros);
    }),
  );
});

test('a price becomes decimal odds and money with at least six digits', () => {
  assert.equal(decimalOfMicros(290_000).toFixed(6), '3.448276');
  assert.equal(decimalOfMicros(500_000), 2);
  assert.equal(moneyOfMicros(560_000, 100_000_000), 56);
  assert.equal(moneyOfMicros(290_000, 12_340_000), 3.5786);
});

test('the best of a side is the best of its levels after any changes', () => {
  const change = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 3 }));
  fc.assert(
    fc.property(fc.array(change), fc.boolean(), (changes, lowest) => {
      const levels = new Levels(lowest ? 'lowest' : 'highest');
      const plain = new Map<number, number>();
      for (const [price, count] of changes) {
        levels.set(price, count);
        if (count === 0) plain.delete(price);
        else plain.set(price, count);
        const best = plain.size === 0 ? null : lowest ? Math.min(...plain.keys()) : Math.max(...plain.keys());
        assert.equal(levels.best, best);
        assert.equal(levels.bestCount, best === null ? 0 : plain.get(best));
        assert.equal(levels.size, plain.size);
      }
    }),
  );
});

test('a side accepts no more levels than a book can have', () => {
  const levels = new Levels('lowest');
  for (let price = 1; price <= 10_000; price++) assert.equal(levels.set(price, 1), true);
  assert.equal(levels.set(10_001, 1), false);
  assert.equal(levels.set(1, 2), true);
  assert.equal(levels.size, 10_000);
});

test('a missing number is a gap, a repeated one is old', () => {
  const sequence = new Sequence();
  assert.deepEqual(
    [7, 8, 8, 10, 11, 3].map((number) => sequence.take(number)),
    ['next', 'next', 'old', 'gap', 'next', 'old'],
  );
  sequence.restart();
  assert.equal(sequence.take(1), 'next');
});

test('a time of a venue without a zone is in UTC, wherever the server is', () => {
  const expected = Date.UTC(2026, 10, 22, 20);
  for (const text of ['', 'Z', '+00', '+00:00'].map((zone) => `2026-11-22 20:00:00${zone}`))
    assert.equal(timeOf(text), expected, text);
  for (const text of ['2026', '2026-11-22', '22/11/2026', 'tomorrow']) assert.equal(timeOf(text), undefined, text);
});
