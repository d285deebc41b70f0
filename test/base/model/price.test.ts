import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  americanFromDecimal,
  americanFromProbability,
  decimalFromAmerican,
  decimalFromFraction,
  isAmericanStated,
  parseAmerican,
  parseDecimal,
  priceFromAmerican,
  priceFromDecimal,
  probabilityFromAmerican,
  roundDecimal,
  roundProbability,
  roundTo,
} from '../../../src/base/model/price.js';

test('American prices convert to the published decimals and probabilities', () => {
  const vectors: [american: number, decimal: number, probability: number][] = [
    [100, 2, 0.5],
    [-100, 2, 0.5],
    [-101, 1.990099, 0.502488],
    [101, 2.01, 0.497512],
    [-105, 1.952381, 0.512195],
    [-110, 1.909091, 0.52381],
    [-115, 1.869565, 0.534884],
    [130, 2.3, 0.434783],
    [150, 2.5, 0.4],
    [170, 2.7, 0.37037],
    [-200, 1.5, 0.666667],
    [1000, 11, 0.090909],
    [-1000, 1.1, 0.909091],
    [-10000, 1.01, 0.990099],
    [-245, 1.408163, 0.710145],
    [260, 3.6, 0.277778],
    [-100000, 1.001, 0.999001],
  ];
  for (const [american, decimal, probability] of vectors) {
    const price = priceFromAmerican(american);
    assert.ok(price);
    assert.equal(roundDecimal(price.decimal), decimal, `decimal of ${american}`);
    assert.equal(roundProbability(price.probability), probability, `probability of ${american}`);
    assert.equal(price.american, american === -100 ? 100 : american);
  }
  assert.ok(Math.abs(decimalFromAmerican(-110) - 1.9090909090909092) < 1e-15);
});

test('decimal prices convert to the published American ones', () => {
  const vectors: [number, number][] = [
    [1.91, -110],
    [3.55, 255],
    [1.01, -10000],
    [1.001, -100000],
    [2, 100],
    [2.5, 150],
    [1.5, -200],
  ];
  for (const [decimal, american] of vectors) assert.equal(americanFromDecimal(decimal), american);
  assert.equal(americanFromProbability(0.5230168), -110);
});

test('every American price that has a decimal of two to four places is that literal, to the bit', () => {
  let literals = 0;
  for (let size = 100; size <= 10_000; size++)
    for (const american of [size, -size]) {
      const decimal = decimalFromAmerican(american);
      // Exact, in integers: these decimal places suffice if there is no remainder.
      const [above, below] = american > 0 ? [100 + size, 100] : [size + 100, size];
      for (const places of [2, 3, 4]) {
        if ((above * 10 ** places) % below !== 0) continue;
        const digits = String((above * 10 ** places) / below).padStart(places + 1, '0');
        const literal = `${digits.slice(0, -places)}.${digits.slice(-places)}`;
        assert.equal(decimal, Number(literal), `${american} and ${literal}`);
        assert.equal(decimal, parseDecimal(literal), literal);
        literals++;
      }
      assert.equal(decimalFromAmerican(americanFromDecimal(decimal)), decimal, String(american));
    }
  assert.ok(literals > 29_000, String(literals));
  assert.equal(decimalFromFraction(107, 100), 2.07);
});

test('a price in one format is above, below or equal to one in another as their exact values are', () => {
  const ties: [american: number, decimal: number, order: number][] = [
    [107, 2.07, 0],
    [-110, 1.91, -1],
    [-110, 1.909, 1],
    [-125, 1.8, 0],
    [-120, 1.8333, 1],
    [-120, 1.8334, -1],
    [-100, 2, 0],
  ];
  for (const [american, decimal, order] of ties)
    assert.equal(Math.sign(decimalFromAmerican(american) - decimal), order, `${american} against ${decimal}`);
});

test('a parlay of +500, -110 and +250 multiplies to 40.09', () => {
  const product = decimalFromAmerican(500) * decimalFromAmerican(-110) * decimalFromAmerican(250);
  assert.equal(roundTo(product, 2), 40.09);
});

test('even money is always written +100, also if the decimal rounds to -100', () => {
  for (const decimal of [1.9951, 1.996, 1.999, 1.999999, 2, 2.004]) assert.equal(americanFromDecimal(decimal), 100);
  assert.equal(americanFromDecimal(1.99), -101);
  assert.equal(priceFromAmerican(-100)?.american, 100);
  // WagerBrain's decimal_odds(-100) gives -100.
  assert.equal(decimalFromAmerican(-100), 2);
});

test('halves round away from zero on both sides of even money', () => {
  for (let k = 100; k < 1000; k++) {
    const decimal = Number(`${1 + Math.floor(k / 100)}.${String(k % 100).padStart(2, '0')}5`);
    assert.equal(americanFromDecimal(decimal), k + 1, `${decimal}`);
  }
  assert.equal(americanFromDecimal(1 + 100 / 250.5), -251);
  assert.equal(roundTo(-2.5, 0), -3);
  assert.equal(Object.is(roundTo(-0.001, 2), 0), true);
});

test('an invalid price is refused', () => {
  for (const american of [0, 50, 99, 99.999, -50, -99, -99.9, Number.NaN, Infinity, -Infinity, 1e300, -1e17]) {
    assert.equal(priceFromAmerican(american), undefined, `${american}`);
    assert.ok(Number.isNaN(decimalFromAmerican(american)));
    assert.ok(Number.isNaN(probabilityFromAmerican(american)));
  }
  for (const decimal of [1, 0.5, 0, -2, Number.NaN, Infinity, 1 + 1e-9]) {
    assert.equal(priceFromDecimal(decimal), undefined, `${decimal}`);
    assert.ok(Number.isNaN(americanFromDecimal(decimal)));
  }
  for (const probability of [0, 1, -0.1, 1.1, Number.NaN])
    assert.ok(Number.isNaN(americanFromProbability(probability)));
});

test('the native format is stored and the others are derived from it', () => {
  assert.deepEqual(priceFromDecimal(1.91), { american: -110, decimal: 1.91, probability: 1 / 1.91 });
  assert.equal(priceFromAmerican(-110)?.american, -110);
  assert.notEqual(priceFromAmerican(-110)?.decimal, 1.91);
});

test('of a price as it is served it can be told which form the book stated', () => {
  for (const [american, decimal, isAmerican] of [
    [-110, 1.909091, true],
    [-110, 1.905, false],
    [-110, 1.91, false],
    [-105, 1.953, false],
    [113, 2.125, false],
    [107, 2.07, true],
    [100, 2, true],
    [-118.5, 1.843882, true],
    [-16667, 1.006, false],
    [-10000, 1.01, true],
  ] as const)
    assert.equal(isAmericanStated(american, decimal), isAmerican, `${american} beside ${decimal}`);
});

test('six places of decimal odds preserve American prices; two, three and four lose some', () => {
  const firstLoss = (places: number): number => {
    for (let a = 101; a <= 20000; a++) {
      if (americanFromDecimal(roundTo(decimalFromAmerican(-a), places)) !== -a) return -a;
    }
    return 0;
  };
  assert.deepEqual([2, 3, 4, 6].map(firstLoss), [-107, -320, -1023, -10071]);
  for (let a = 100; a <= 100_000; a++) assert.equal(americanFromDecimal(roundTo(decimalFromAmerican(a), 2)), a);
});

test('every integer American price survives conversion to decimal or probability and back', () => {
  fc.assert(
    fc.property(fc.integer({ min: 101, max: 100_000 }), fc.boolean(), (size, favourite) => {
      const american = favourite ? -size : size;
      assert.equal(americanFromDecimal(decimalFromAmerican(american)), american);
      assert.equal(americanFromProbability(probabilityFromAmerican(american)), american);
    }),
  );
});

test('derived American odds never leave the legal range and follow the order of the decimals', () => {
  const decimal = fc.double({ min: 1.000001, max: 1_000_001, noNaN: true });
  const rank = (american: number): number => decimalFromAmerican(american);
  fc.assert(
    fc.property(decimal, decimal, (a, b) => {
      assert.ok(Math.abs(americanFromDecimal(a)) >= 100 && americanFromDecimal(a) !== -100);
      if (a < b) assert.ok(rank(americanFromDecimal(a)) <= rank(americanFromDecimal(b)));
    }),
  );
});

test('American prices are read from numbers and from the text that feeds send', () => {
  const read: [unknown, number][] = [
    [-110, -110],
    [104, 104],
    ['-110', -110],
    ['+104', 104],
    ['104', 104],
    [' -108 ', -108],
    ['\u2212110', -110],
    ['\u2013110', -110],
    ['EVEN', 100],
    ['even', 100],
    ['EV', 100],
    ['-100', 100],
    [-100, 100],
    ['-100000', -100000],
    ['\u00a0+150\u00a0', 150],
    ['- 110', -110],
  ];
  for (const [value, american] of read) assert.equal(parseAmerican(value), american, String(value));
  const refused = ['', ' ', '-', '+', 'abc', '1e3', '0x64', '50', '-99', '2.50', '--110', '110-', '1,000', 'NaN'];
  const others = [null, undefined, Number.NaN, 0, 99, true, [], {}, ['-110'], 110n, 'PK', 'OFF', 'Infinity'];
  for (const value of [...refused, ...others]) assert.equal(parseAmerican(value), undefined, String(value));
});

test('decimal prices are read from text, and a signed one is an American price', () => {
  const read: [unknown, number][] = [
    [1.91, 1.91],
    ['1.91', 1.91],
    [' 2.10 ', 2.1],
    ['2', 2],
    ['EVEN', 2],
    ['5/1', 6],
    ['10/11', 21 / 11],
  ];
  for (const [value, decimal] of read) assert.equal(parseDecimal(value), decimal, String(value));
  const refused = ['', 'abc', '1', '1.0', '0.5', '-110', '+104', '\u2212110', '1e1', '2,10', '0/1', '1/0', '5/'];
  for (const value of [...refused, null, undefined, 1, 0, -2, Number.NaN, Infinity, false, {}, []]) {
    assert.equal(parseDecimal(value), undefined, String(value));
  }
  assert.equal(decimalFromFraction(5, 1), 6);
});

test('any text is parsed as a price or refused, and never throws', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      for (const parsed of [parseAmerican(value), parseDecimal(value)]) {
        assert.ok(parsed === undefined || Number.isFinite(parsed));
      }
    }),
  );
});

test('rounding leaves a number that has no more decimals as it is, however large', () => {
  assert.equal(roundTo(1_000_000, 6), 1_000_000);
  assert.equal(roundTo(8e9, 2), 8e9);
  assert.equal(roundTo(Number.MAX_SAFE_INTEGER / 100, 2), Number.MAX_SAFE_INTEGER / 100);
  const places = fc.integer({ min: 0, max: 9 });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), places, (units, decimals) => {
      const value = units / 10 ** decimals;
      assert.equal(roundTo(value, decimals), value);
      assert.equal(roundTo(-value, decimals) + value, 0);
    }),
  );
});
