import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decimalFromAmerican } from '../../../../src/base/model/price.js';
import { type Grid, marginOf, overround, toGrid, withMargin } from '../../../../src/intake/feeds/sim/book-style.js';

const GRIDS: Grid[] = ['cent', 'nickel', 'decimal'];

test('every price is one: no American odds between -100 and +100, no decimal of 1, even money always +100', () => {
  const chance = fc.double({ min: 0.01, max: 0.99, noNaN: true });
  fc.assert(
    fc.property(chance, fc.double({ min: 0, max: 0.2, noNaN: true }), fc.constantFrom(...GRIDS), (p, margin, grid) => {
      for (const price of toGrid(withMargin([p, 1 - p], 0, margin), grid))
        if (grid === 'decimal') assert.ok(price >= 1.01);
        else assert.ok(Number.isInteger(price) && (price >= 100 || price < -100), `${price}`);
    }),
  );
});

test('no market of a book is an arbitrage against itself, however thin its margin and far off its view', () => {
  const chance = fc.double({ min: 0.02, max: 0.98, noNaN: true });
  const offset = fc.double({ min: -0.3, max: 0.3, noNaN: true });
  const margin = fc.double({ min: 0.005, max: 0.2, noNaN: true });
  fc.assert(
    fc.property(chance, offset, margin, fc.constantFrom(...GRIDS), (p, off, m, grid) => {
      assert.ok(overround(toGrid(withMargin([p, 1 - p], off, m), grid), grid) > 1);
      const three = [p * 0.7, 0.3, (1 - p) * 0.7];
      assert.ok(overround(toGrid(withMargin(three, off, m), grid), grid) > 1);
    }),
  );
});

test('an even market has the requested overround, exactly before rounding and nearly after', () => {
  for (const overroundWanted of [1.021, 1.0476, 1.08]) {
    const implied = withMargin([0.5, 0.5], 0, marginOf(overroundWanted));
    assert.ok(Math.abs(implied[0]! + implied[1]! - overroundWanted) < 1e-9);
    assert.ok(Math.abs(overround(toGrid(implied, 'cent'), 'cent') - overroundWanted) < 0.006);
  }
  assert.deepEqual(toGrid(withMargin([0.5, 0.5], 0, marginOf(1.0476)), 'nickel'), [-110, -110]);
});

test('nickel books step by five near even money and by more far from it', () => {
  for (let p = 0.03; p < 0.97; p += 0.007)
    for (const price of toGrid(withMargin([p, 1 - p], 0, marginOf(1.05)), 'nickel'))
      assert.equal(Math.abs(price % 5), 0);
});

test('an offset towards the first side makes it dearer and the other cheaper', () => {
  const decimals = (offset: number) =>
    toGrid(withMargin([0.5, 0.5], offset, marginOf(1.05)), 'cent').map(decimalFromAmerican);
  assert.ok(decimals(0.1)[0]! < decimals(0)[0]!);
  assert.ok(decimals(0.1)[1]! > decimals(0)[1]!);
});
