// Times of The Odds API: with and without zone, in text and in numbers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readInstant } from '../../../../src/intake/feeds/the-odds-api/instant.js';

test('a time without a zone is UTC and keeps its microseconds', () => {
  const instant = readInstant('2026-02-20T19:29:23.314184');
  assert.equal(instant?.iso, '2026-02-20T19:29:23.314184Z');
  assert.ok(Math.abs(instant.ms - (Date.UTC(2026, 1, 20, 19, 29, 23) + 314.184)) < 1e-3);
});

test('zones, blanks, missing seconds and Unix numbers are read', () => {
  const ms = Date.UTC(2026, 1, 20, 19, 29);
  for (const value of [
    '2026-02-20T19:29:00Z',
    '2026-02-20 19:29',
    '2026-02-20T21:29:00+0200',
    '2026-02-20T14:29:00-05:00',
    ms / 1000,
    ms,
  ])
    assert.equal(readInstant(value)?.ms, ms, String(value));
});

test('an invalid time is refused', () => {
  for (const value of [
    '',
    'soon',
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    Number.NaN,
    1e300,
    -5,
    null,
    {},
    '12',
  ])
    assert.equal(readInstant(value), undefined, String(value));
});
