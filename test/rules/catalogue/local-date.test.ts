import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { LocalCalendar } from '../../../src/rules/catalogue/local-date.js';

const catalogue = loadCatalogue();
const dateOf = (league: string, time: string) => catalogue.localDate(league, Date.parse(time));

test('a game late in the American evening belongs to that evening, not to the UTC day', () => {
  assert.equal(dateOf('nba', '2026-01-16T03:30:00Z'), '2026-01-15');
  assert.equal(dateOf('mlb', '2026-07-05T03:59:59.999Z'), '2026-07-04');
  assert.equal(dateOf('mlb', '2026-07-05T04:00:00Z'), '2026-07-05');
});

test('after clocks have gone forward the day begins an hour earlier in UTC, but not on that day itself', () => {
  // New York, 8 March 2026: midnight is 05:00Z, the next one 04:00Z.
  assert.equal(dateOf('nhl', '2026-03-08T04:59:00Z'), '2026-03-07');
  assert.equal(dateOf('nhl', '2026-03-08T05:00:00Z'), '2026-03-08');
  assert.equal(dateOf('nhl', '2026-03-09T03:59:00Z'), '2026-03-08');
  assert.equal(dateOf('nhl', '2026-03-09T04:00:00Z'), '2026-03-09');
  // And back again on 1 November.
  assert.equal(dateOf('nfl', '2026-11-01T04:00:00Z'), '2026-11-01');
  assert.equal(dateOf('nfl', '2026-11-02T04:59:00Z'), '2026-11-01');
  assert.equal(dateOf('nfl', '2026-11-02T05:00:00Z'), '2026-11-02');
});

test('other leagues have their own zones, unknown ones UTC', () => {
  assert.equal(dateOf('epl', '2026-06-30T23:30:00Z'), '2026-07-01');
  assert.equal(dateOf('epl', '2026-12-30T23:30:00Z'), '2026-12-30');
  assert.equal(dateOf('kbo', '2026-05-01T15:00:00Z'), '2026-05-02');
  assert.equal(dateOf('ipl', '2026-05-01T18:30:00Z'), '2026-05-02');
  assert.equal(dateOf('no-such-league', '2026-05-01T23:59:59Z'), '2026-05-01');
});

test('a remembered day equals the one worked out afresh', () => {
  const zones = ['America/New_York', 'Europe/London', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/St_Johns', 'UTC'];
  const calendars = new Map(zones.map((zone) => [zone, new LocalCalendar(zone)]));
  const time = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2050, 0, 1) });
  const nearby = fc.integer({ min: 0, max: 48 * 3_600_000 });
  fc.assert(
    fc.property(
      fc.constantFrom(...zones),
      time,
      fc.array(nearby, { minLength: 1, maxLength: 10 }),
      (zone, start, offsets) => {
        for (const offset of offsets) {
          const fresh = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(start + offset);
          assert.equal(calendars.get(zone)?.date(start + offset), fresh);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('an invalid time is refused', () => {
  for (const time of [Number.NaN, Number.POSITIVE_INFINITY])
    assert.throws(() => catalogue.localDate('nba', time), RangeError);
});
