import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { base36, namesTag, STAMPS, tagOfRows } from '../../src/answers/etag.js';

const NOW_US = 1_795_000_000_000_000;
const row = fc.tuple(fc.nat(1_000_000), fc.integer({ min: NOW_US, max: NOW_US + 1e9 }), fc.nat(NOW_US / 1000));

test('a change of any number of a page, even by one, gives another tag; no change gives the same', () => {
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 60 }),
      fc.nat(),
      fc.integer({ min: 1, max: 9 }),
      (rows, at, by) => {
        const stamps = Float64Array.from(rows.flat());
        const tag = tagOfRows(stamps, rows.length, 'rest');
        assert.match(tag, /^W\/"[\w-]+"$/);
        assert.equal(tagOfRows(Float64Array.from(stamps), rows.length, 'rest'), tag);
        assert.notEqual(tagOfRows(stamps, rows.length, 'other'), tag);
        assert.notEqual(tagOfRows(stamps, rows.length - 1, 'rest'), tag);
        stamps[at % stamps.length]! += by;
        assert.notEqual(tagOfRows(stamps, rows.length, 'rest'), tag);
      },
    ),
  );
});

test('base36 writes words as toString(36) does', () => {
  fc.assert(
    fc.property(fc.nat(2 ** 32 - 1), (word) => assert.equal(base36(word), word.toString(36))),
    {
      examples: [[0], [1295], [1296], [1297], [36 ** 4], [36 ** 4 - 1], [2 ** 32 - 1]],
    },
  );
});

test('a page that changes a hundred thousand times never repeats a tag', () => {
  const stamps = Float64Array.from({ length: 50 * STAMPS }, (_, i) => (i % STAMPS === 0 ? i : NOW_US));
  const tags = new Set<string>();
  for (let i = 0; i < 100_000; i++) {
    stamps[(i % 50) * STAMPS + 1]! += 1 + (i % 3) * 4_096;
    tags.add(tagOfRows(stamps, 50, 'rest'));
  }
  assert.equal(tags.size, 100_000);
  // Each half of the tag alone has about as many values as 32 bits give.
  for (const part of [1, 2]) {
    const values = new Set([...tags].map((tag) => tag.slice(3, -1).split('-')[part]));
    assert.ok(values.size > 99_980, `${values.size}`);
  }
});

test('a tag is named alone, among others, weak or strong, or by a star', () => {
  const tag = 'W/"rest-a-b"';
  for (const header of [tag, '"rest-a-b"', `"x", ${tag}`, '*']) assert.ok(namesTag(header, tag), header);
  for (const header of ['', '"rest-a"', 'W/"rest-a-c"', 'rest-a-b']) assert.ok(!namesTag(header, tag), header);
});
