import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  decode,
  decodePair,
  decodeUntrusted,
  encode,
  encodePairInto,
  encodePassing,
} from '../../../src/base/wire/codec.js';
import { REQUEST_BOUNDS } from '../../../src/base/wire/untrusted.js';

const json = fc.jsonValue({ maxDepth: 4 }).filter((value) => !JSON.stringify(value).includes('__proto__'));

test('every JSON value is decoded unchanged, by both decoders', () => {
  fc.assert(
    fc.property(json, (value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value));
      assert.deepEqual(decode(encode(plain)), plain);
      assert.deepEqual(decodeUntrusted(encode(plain), REQUEST_BOUNDS), plain);
    }),
  );
});

test('encoded bytes stay unchanged, whatever is encoded after them, except transient ones', () => {
  fc.assert(
    fc.property(fc.array(json, { minLength: 2, maxLength: 6 }), (values) => {
      const plain = values.map((value) => JSON.parse(JSON.stringify(value)) as unknown);
      const lasting = plain.map((value) => encode(value));
      for (const [i, bytes] of lasting.entries()) assert.deepEqual(decode(bytes), plain[i]);
    }),
  );
  assert.equal(encodePassing([1]).buffer, encodePassing([2]).buffer);
});

test('an answer uses the given memory if it fits, otherwise new memory with room for the next', () => {
  const first = encodePairInto(null, encode({ a: 1 }), 'x'.repeat(1_000));
  const { buffer } = first;
  const second = encodePairInto(buffer, encode('b'), 'y'.repeat(1_500));
  assert.equal(second.buffer, buffer);
  const read = decodePair(second);
  assert.deepEqual([decode(read.first), read.second], ['b', 'y'.repeat(1_500)]);
  const third = encodePairInto(buffer, null, 'z'.repeat(3_000));
  assert.notEqual(third.buffer, buffer);
  const other = decodePair(third);
  assert.deepEqual([other.first.length, other.second], [0, 'z'.repeat(3_000)]);
  // A buffer of megabytes is not retained for a few bytes.
  assert.notEqual(encodePairInto(buffer, encode(1), 1).buffer, buffer);
});

test('objects are plain maps with string keys that a foreign reader understands', () => {
  assert.deepEqual([...encode({ a: 1 })], [0x81, 0xa1, 0x61, 0x01]);
  assert.deepEqual([...encode({ a: undefined, b: [undefined] })], [0x81, 0xa1, 0x62, 0x91, 0xc0]);
});

test('log positions above 2^32 stay numbers', () => {
  assert.equal(decode(encode(1_790_000_000_000_000)), 1_790_000_000_000_000);
  assert.equal(decode(Buffer.from([0xcf, 0, 0, 0, 1, 0, 0, 0, 0])), 2 ** 32);
});

test('a cut-off or continued item is refused', () => {
  const bytes = encode({ book: 'draftkings', odds: [1, 2.5, -300] });
  for (let end = 0; end < bytes.length; end++) {
    assert.throws(() => decodeUntrusted(bytes.subarray(0, end), REQUEST_BOUNDS), RangeError);
  }
  assert.throws(() => decodeUntrusted(Buffer.concat([bytes, bytes]), REQUEST_BOUNDS), /goes on after/);
  assert.throws(() => decode(Buffer.concat([bytes, bytes])));
});

test('a bomb of nested or huge announced arrays is refused before anything is allocated', () => {
  const wide = Buffer.alloc(3 * 200_000);
  for (let i = 0; i < wide.length; i += 3) wide.set([0xdc, 0x7f, 0xff], i);
  const before = process.memoryUsage().heapUsed;
  assert.throws(() => decodeUntrusted(wide, REQUEST_BOUNDS), /nested more than 32/);
  assert.throws(() => decodeUntrusted(Buffer.alloc(100_000, 0x91), REQUEST_BOUNDS), /nested more than 32/);
  assert.throws(() => decodeUntrusted(Buffer.from([0xdd, 0x07, 0xff, 0xff, 0xff]), REQUEST_BOUNDS), /cut off/);
  assert.ok(process.memoryUsage().heapUsed - before < 50_000_000);
});

test('extensions are refused, so a client can define no records', () => {
  assert.throws(
    () => decodeUntrusted(Buffer.from([0xd4, 0x72, 0x40, 0x91, 0xa1, 0x61, 1]), REQUEST_BOUNDS),
    /extensions/,
  );
  assert.throws(() => decodeUntrusted(Buffer.from([0xd6, 0xff, 0, 0, 0, 1]), REQUEST_BOUNDS), /extensions/);
});

test('random bytes never crash the decoder in any other way than an error, nor spoil the next value', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      try {
        decodeUntrusted(bytes, REQUEST_BOUNDS);
      } catch (error) {
        assert.ok(error instanceof Error);
      }
      assert.deepEqual(decode(encode({ n: [64, 65] })), { n: [64, 65] });
    }),
  );
});

test('a __proto__ key from a client makes no prototype', () => {
  const bytes = Buffer.from([0x81, 0xa9, ...Buffer.from('__proto__'), 0x81, 0xa1, 0x78, 0x01]);
  const value = decodeUntrusted(bytes, REQUEST_BOUNDS) as Record<string, unknown>;
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  assert.equal(value['x'], undefined);
});
