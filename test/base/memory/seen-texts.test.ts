import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SeenTexts } from '../../../src/base/memory/seen-texts.js';

test('a text is recognised among the last ones, as two generations of sets would', () => {
  const max = 5;
  fc.assert(
    fc.property(fc.array(fc.nat(25), { maxLength: 200, size: 'max' }), (numbers) => {
      const seen = new SeenTexts(max);
      let young = new Set<string>();
      let old = new Set<string>();
      for (const number of numbers) {
        const text = `event=${number}`;
        if (!young.has(text) && young.size === max) {
          old = young;
          young = new Set();
        }
        const expected = young.has(text) || old.has(text);
        young.add(text);
        assert.equal(seen.add(text), expected);
      }
    }),
  );
});

test('thousands of different texts are told apart, and forgotten once as many came after', () => {
  const seen = new SeenTexts(1_000);
  const text = (i: number): string => `event=nba_home-${i}_away-${i}_2026-11-25&limit=50`;
  for (let i = 0; i < 20_000; i++) assert.equal(seen.add(text(i)), false, text(i));
  for (let i = 19_000; i < 20_000; i++) assert.equal(seen.add(text(i)), true, text(i));
  assert.equal(seen.add(text(0)), false);
});
