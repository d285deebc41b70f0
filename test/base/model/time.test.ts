import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatMs, formatUs, parseTimeMs, parseTimeUs } from '../../../src/base/model/time.js';

const FIRST_MS = Date.UTC(1990, 0, 1);
const LAST_MS = Date.UTC(2099, 11, 31, 23, 59, 59, 999);
const milliseconds = fc.integer({ min: FIRST_MS, max: LAST_MS });

test('a formatted time is parsed back exactly, and agrees with Date', () => {
  fc.assert(
    fc.property(milliseconds, (ms) => {
      assert.equal(formatMs(ms), new Date(ms).toISOString());
      assert.equal(formatMs(ms).length, 24);
      assert.equal(parseTimeMs(formatMs(ms)), ms);
    }),
  );
  fc.assert(
    fc.property(milliseconds, fc.integer({ min: 0, max: 999 }), (ms, micros) => {
      const us = ms * 1000 + micros;
      assert.equal(formatUs(us).length, 30);
      assert.equal(parseTimeUs(formatUs(us)), us);
      assert.ok(formatUs(us) < formatUs(us + 1), 'later times sort after earlier ones as text');
    }),
  );
});

test('an offset is subtracted', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: FIRST_MS + 86_400_000, max: LAST_MS - 86_400_000 }),
      fc.integer({ min: -1_439, max: 1_439 }),
      (ms, minutes) => {
        const two = (n: number): string => String(n).padStart(2, '0');
        const size = Math.abs(minutes);
        const zone = `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
        const local = new Date(ms + minutes * 60_000).toISOString().slice(0, -1);
        assert.equal(parseTimeMs(`${local}${zone}`), ms);
      },
    ),
  );
});

test('fractions of one to nine digits are read, finer ones than a microsecond cut off', () => {
  const whole = parseTimeUs('2026-11-20T18:00:00Z')!;
  assert.equal(parseTimeUs('2026-11-20T18:00:00.1Z'), whole + 100_000);
  assert.equal(parseTimeUs('2026-11-20T18:00:00.000001Z'), whole + 1);
  assert.equal(parseTimeUs('2026-11-20T18:00:00.123456789Z'), whole + 123_456);
  assert.equal(parseTimeUs('2026-11-20t18:00:00z'), whole);
});

test('an invalid time or day, or one outside this century, is refused', () => {
  const bad = [
    '',
    'now',
    '2026-11-20',
    '2026-11-20T18:00Z',
    '2026-11-20T18:00:00',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T23:60:00Z',
    '2026-11-20T23:59:60Z',
    '2026-11-20T18:00:00+24:00',
    '2026-11-20T18:00:00+01:60',
    '2026-11-20T18:00:00.Z',
    '2026-11-20T18:00:00.1234567890Z',
    ' 2026-11-20T18:00:00Z',
    '1989-12-31T23:59:59Z',
    '2100-01-01T00:00:00Z',
    '+002026-11-20T18:00:00Z',
    1_795_204_800,
    null,
    undefined,
    {},
    new Date(0),
  ];
  for (const text of bad) assert.equal(parseTimeUs(text), undefined, String(text));
  fc.assert(fc.property(fc.string(), (text) => void parseTimeUs(text)));
});
