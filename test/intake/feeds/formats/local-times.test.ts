import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../src/base/model/time.js';
import { LocalTimes, WallClock } from '../../../../src/intake/feeds/formats/times.js';

const iso = (read: number | string): string => (typeof read === 'string' ? read : new Date(read).toISOString());

test('times as programs, databases and people write them are read', () => {
  const [utc, none] = [new LocalTimes('UTC'), new LocalTimes(undefined)];
  for (const text of [
    '2026-11-20T18:00:00Z',
    '2026-11-20 18:00:00+00',
    '2026-11-20 18:00:00.000000+00',
    '2026-11-20 23:30:00+05:30',
    '2026-11-20 23:30:00+0530',
    '2026-11-20 14:30-0330',
    '2026-11-20 18:00:00 UTC',
    '20/11/2026 18:00 GMT',
    '20.11.2026 19:00:00+01:00',
    '20-11-2026 14:30:00-03:30',
    '2026-11-20T18Z',
    '2026-11-20 18+00',
    '20-11-2026 20 +0200',
    '1795197600',
    '1795197600000',
  ])
    for (const times of [utc, none]) assert.equal(iso(times.read(text)), '2026-11-20T18:00:00.000Z', text);
  for (const text of ['15-08-2026', '15/08/2026', '15.08.2026', '15-08-26', '2026-08-15']) {
    assert.equal(iso(utc.read(text)), '2026-08-15T00:00:00.000Z', text);
    assert.equal(none.read(text), 'a time without a zone: --timezone', text);
  }
  assert.equal(iso(utc.read('15-08-2026 18:30:15.25')), '2026-08-15T18:30:15.250Z');
  assert.equal(iso(none.read('2026-11-20 18:00:00.123456+00')), '2026-11-20T18:00:00.123Z');
  assert.equal(iso(utc.read('2026-08-15T18')), '2026-08-15T18:00:00.000Z');
  // None of them is midnight, which a beginning that is a day would make of it.
  const strange = ['2026-08-15T18:00:00EST', '2026-08-15T1830Z', '2026-08-15T1830', '2026-08-15T7PM'];
  const impossible = ['15-08-2026 18:00:61', '31-02-2026', '2026-08-15 24:00', '15-08-2026Z', 'noon', '18:00+00'];
  for (const text of [...impossible, ...strange]) assert.equal(utc.read(text), 'not a time', text);
});

const shownBy = (zone: string): ((unixMs: number) => number) => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  return (unixMs) => Date.parse(`${format.format(unixMs).replace(' ', 'T')}Z`);
};

/** By looking at the clock every two hours: the first instant at which it shows the time, or the time after. */
function slowly(shown: (unixMs: number) => number, wanted: number): number {
  const offsets = new Set<number>();
  for (let at = wanted - DAY_MS; at <= wanted + DAY_MS; at += 2 * HOUR_MS) offsets.add(shown(at) - at);
  const found = [...offsets].map((offset) => wanted - offset).filter((unixMs) => shown(unixMs) === wanted);
  return found.length > 0 ? Math.min(...found) : wanted - (shown(wanted - DAY_MS) - (wanted - DAY_MS));
}

/** Instants within an hour of a change of the clock, of every zone that has one between two times. */
function changes(shown: (unixMs: number) => number, fromMs: number, toMs: number): number[] {
  const found: number[] = [];
  const offset = (at: number): number => shown(at) - at;
  for (let at = fromMs; at < toMs; at += 30 * DAY_MS) {
    let [early, late] = [at, at + 30 * DAY_MS];
    if (offset(early) === offset(late)) continue;
    while (late - early > MINUTE_MS) {
      const middle = early + Math.floor((late - early) / 2 / MINUTE_MS) * MINUTE_MS;
      if (offset(middle) === offset(early)) early = middle;
      else late = middle;
    }
    found.push(late);
  }
  return found;
}

test('of an hour that a clock shows twice the first is meant, of one that it leaves out the time after', () => {
  for (const [zone, wall, instant] of [
    ['Australia/Adelaide', '2026-10-04T03:10', '2026-10-03T16:40'],
    ['America/St_Johns', '2026-03-08T03:10', '2026-03-08T05:40'],
    ['Pacific/Auckland', '2026-04-05T02:30', '2026-04-04T13:30'],
    ['Pacific/Auckland', '2026-09-27T02:30', '2026-09-26T14:30'],
    ['Australia/Lord_Howe', '2026-04-05T01:45', '2026-04-04T14:45'],
    ['Europe/London', '2026-10-25T01:30', '2026-10-25T00:30'],
    ['Europe/London', '2026-03-29T01:30', '2026-03-29T01:30'],
    ['America/St_Johns', '2008-03-09T00:00', '2008-03-09T03:30'],
    ['Pacific/Apia', '2011-12-30T12:00', '2011-12-30T22:00'],
    ['Pacific/Kiritimati', '2026-01-01T00:00', '2025-12-31T10:00'],
  ] as const)
    assert.equal(iso(new WallClock(zone).instant(Date.parse(`${wall}Z`))).slice(0, 16), instant, `${zone} ${wall}`);
});

test('in every zone a time is the instant at which the clock shows it, near every change of the clock, too', () => {
  const zones = Intl.supportedValuesOf('timeZone');
  const minutes = fc.array(fc.integer({ min: -100, max: 100 }), { minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(fc.integer({ min: 1993, max: 2035 }), minutes, (year, around) => {
      const fromMs = Date.UTC(year, 0, 1);
      for (const zone of zones) {
        const shown = shownBy(zone);
        const clock = new WallClock(zone);
        for (const near of changes(shown, fromMs, fromMs + 365 * DAY_MS))
          for (const minute of around) {
            const wall = shown(near - HOUR_MS) + HOUR_MS + minute * MINUTE_MS;
            assert.equal(iso(clock.instant(wall)), iso(slowly(shown, wall)), `${zone} ${iso(wall)}`);
            assert.equal(clock.shown(near + minute * MINUTE_MS), shown(near + minute * MINUTE_MS));
          }
      }
    }),
    { numRuns: 3 },
  );
});
