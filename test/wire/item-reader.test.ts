import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encode } from '../../src/wire/codec.js';
import { ItemReader } from '../../src/wire/item-reader.js';

const number = fc.oneof(
  fc.constant(null),
  fc.integer({ min: -200, max: 300 }),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true }),
);

function reader(bytes: Buffer): ItemReader {
  const items = new ItemReader();
  items.begin(bytes, 0, bytes.length);
  return items;
}

test('numbers, nil and texts are read as they were encoded, wherever they lie', () => {
  fc.assert(
    fc.property(fc.array(number, { maxLength: 40 }), fc.string({ maxLength: 60, unit: 'binary' }), (numbers, text) => {
      const bytes = Buffer.concat([Buffer.from('--'), encode([numbers, text.toWellFormed()]), Buffer.from('--')]);
      const items = new ItemReader();
      items.begin(bytes, 2, bytes.length - 2);
      assert.equal(items.array(), 2);
      assert.equal(items.array(), numbers.length);
      for (const value of numbers) assert.equal(items.numberOrNull(), value === 0 ? 0 : value);
      const length = items.textLength();
      const from = items.at;
      items.skip(length);
      assert.equal(bytes.toString('utf8', from, from + length), text.toWellFormed());
      assert.equal(items.at, bytes.length - 2);
    }),
  );
});

test('arrays and texts of every length', () => {
  for (const length of [0, 15, 16, 31, 32, 255, 256, 65_535, 65_536]) {
    assert.equal(reader(encode(new Array(length).fill(1))).array(), length);
    assert.equal(reader(encode('x'.repeat(length))).textLength(), length);
  }
});

test('what is something else, or cut short, is refused', () => {
  assert.throws(() => reader(encode('text')).array(), RangeError);
  assert.throws(() => reader(encode(1)).textLength(), RangeError);
  assert.throws(() => reader(encode('text')).numberOrNull(), RangeError);
  assert.throws(() => reader(encode(0.1).subarray(0, 5)).numberOrNull(), RangeError);
  assert.throws(() => new ItemReader().begin(Buffer.alloc(4), 0, 5), RangeError);
});
