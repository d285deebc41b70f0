import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ID_LENGTH, IdColumn } from '../../../src/base/model/id-column.js';
import { isOddsId } from '../../../src/base/model/identity.js';

const id = fc.bigInt(10n ** 18n, 10n ** 19n - 1n).map(String);

test('an id is the same text again, read or written, and in the same order', () => {
  fc.assert(
    fc.property(id, id, (first, second) => {
      const column = new IdColumn(1);
      column.grow(3);
      column.set(1, first);
      column.set(2, second);
      assert.equal(column.at(1), first);
      const bytes = Buffer.alloc(ID_LENGTH + 2, '-');
      assert.equal(column.write(1, bytes, 1), ID_LENGTH + 1);
      assert.equal(bytes.toString(), `-${first}-`);
      assert.ok(column.is(2, second));
      assert.equal(column.is(1, second), first === second);
      assert.equal(Math.sign(column.compare(1, 2)), first < second ? -1 : first > second ? 1 : 0);
      assert.equal(column.lastDigits(1), Number(first.slice(-9)));
    }),
  );
});

test('ids with zeros in them, and slots without a row', () => {
  const column = new IdColumn(4);
  for (const text of ['1000000000000000000', '9999999999000000001', '1000000001999999999']) {
    column.set(1, text);
    assert.equal(column.at(1), text);
  }
  column.clear(1);
  for (const slot of [0, 1, 3, 4]) {
    assert.equal(column.at(slot), '');
    assert.ok(!column.has(slot));
  }
  for (const text of ['', '123', '0123456789012345678', '12345678901234567890', '123456789012345678x']) {
    assert.ok(!isOddsId(text));
    assert.throws(() => column.set(1, text), RangeError);
  }
});
