import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeUntrusted, encode } from '../../../src/base/wire/codec.js';
import { ingestBounds, parseJson, REQUEST_BOUNDS } from '../../../src/base/wire/untrusted.js';

interface Measured {
  values: number;
  depth: number;
  names: Set<string>;
}

/** As the bounds count it: an empty list or object is two values in JSON. */
function measure(value: unknown, depth = 0, seen: Measured = { values: 0, depth: 0, names: new Set() }): Measured {
  seen.values++;
  if (typeof value !== 'object' || value === null) return seen;
  seen.depth = Math.max(seen.depth, depth + 1);
  const items = Object.values(value);
  if (items.length === 0) seen.values++;
  if (!Array.isArray(value)) for (const name of Object.keys(value)) seen.names.add(JSON.stringify(name));
  for (const item of items) measure(item, depth + 1, seen);
  return seen;
}

const space = fc.constantFrom('', ' ', '\n', '\t  ');

test('JSON within its bounds is read as by JSON.parse, and one value, level or name more is refused', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 40, depthSize: 'large' }), space, (value, indent) => {
      const bytes = Buffer.from(JSON.stringify(value, null, indent));
      const { values, depth, names } = measure(value);
      const exact = { values, names: names.size };
      if (depth > 32) {
        assert.throws(() => parseJson(bytes, exact), /nested more than 32 levels/);
        return;
      }
      assert.deepEqual(parseJson(bytes, exact), JSON.parse(bytes.toString()));
      assert.throws(() => parseJson(bytes, { ...exact, values: values - 1 }), /more than \d+ values/);
      if (names.size > 0)
        assert.throws(() => parseJson(bytes, { ...exact, names: names.size - 1 }), /different names of members/);
    }),
  );
});

test('MessagePack has the same bounds', () => {
  const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
  assert.deepEqual(decodeUntrusted(encode(nested(32)), REQUEST_BOUNDS), nested(32));
  assert.throws(() => decodeUntrusted(encode(nested(33)), REQUEST_BOUNDS), /nested/);
  const list = Array.from({ length: REQUEST_BOUNDS.values - 1 }, () => null);
  assert.deepEqual(decodeUntrusted(encode(list), REQUEST_BOUNDS), list);
  assert.throws(() => decodeUntrusted(encode([...list, null]), REQUEST_BOUNDS), /more than 20000 values/);
  const named = (names: number) => Object.fromEntries(Array.from({ length: names }, (_, i) => [`k${i}`, { same: i }]));
  assert.deepEqual(decodeUntrusted(encode(named(999)), REQUEST_BOUNDS), named(999));
  assert.throws(() => decodeUntrusted(encode(named(1_000)), REQUEST_BOUNDS), /different names/);
  assert.throws(() => decodeUntrusted(Buffer.from([0x81, 0x91, 0x01, 0x01]), REQUEST_BOUNDS), /a name that is no text/);
});

test('any bytes are either a value or refused, never anything else', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\',
    '1e999',
    '-',
    'null',
    'a',
    '\\u00',
    '"k":',
    '\xff',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
      const bytes = Buffer.from(parts.join(''), 'latin1');
      try {
        parseJson(bytes, REQUEST_BOUNDS);
      } catch (error) {
        assert.ok(error instanceof RangeError);
      }
    }),
  );
});

test('member names that belong to every object are members like any other, and the last of equal names counts', () => {
  const value = parseJson(Buffer.from('{"__proto__":{"x":1},"a":1,"a":2}'), REQUEST_BOUNDS) as Record<string, unknown>;
  assert.equal(value['x'], undefined);
  assert.deepEqual(Object.entries(value), [
    ['__proto__', { x: 1 }],
    ['a', 2],
  ]);
});

test('the densest ingest message that means anything is within its bounds', () => {
  const selection = {
    selection: 'a',
    selection_type: 'x',
    odds_decimal: 2,
    line: 1,
    size: 1,
    volume_24h: 1,
    open_interest: 1,
  };
  const message = { events: [{ markets: [{ selections: Array.from({ length: 20_000 }, () => selection) }] }] };
  const json = Buffer.from(JSON.stringify(message));
  assert.deepEqual(parseJson(json, ingestBounds(json.length, 12)), message);
  const packed = encode(message);
  assert.deepEqual(decodeUntrusted(packed, ingestBounds(packed.length, 8)), message);
});
