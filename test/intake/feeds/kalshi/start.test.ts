import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unstatedStart } from '../../../../src/intake/feeds/kalshi/read-events.js';

const contracts = (occurrence: string | null, expiration: string | null) => [
  { occurrence_datetime: occurrence, expected_expiration_time: expiration },
];
const shown = (ticker: string, sport: string, markets: Record<string, unknown>[]) => {
  const start = unstatedStart(ticker, sport, markets);
  return start === undefined ? undefined : [new Date(start.startMs).toISOString(), start.startEstimated];
};

test('a ticker with an hour states the start, in New York; whatever the contracts say of the end', () => {
  const late = contracts('2026-08-23T07:10:00Z', null);
  assert.deepEqual(shown('KXMLBGAME-26AUG222240NYYLAD', 'baseball', late), ['2026-08-23T02:40:00.000Z', false]);
  const six = contracts(null, '2026-08-23T05:10:00Z');
  assert.deepEqual(shown('KXMLBGAME-26AUG221910BOSTOR', 'baseball', six), ['2026-08-22T23:10:00.000Z', false]);
  // Summer time begins on 8 March and ends on 1 November, at two at night.
  for (const [day, utc] of [
    ['26MAR07', '2026-03-08T00:05'],
    ['26MAR08', '2026-03-08T23:05'],
    ['26OCT31', '2026-10-31T23:05'],
    ['26NOV01', '2026-11-02T00:05'],
  ])
    assert.deepEqual(shown(`KXMLBGAME-${day}1905MINSD`, 'baseball', []), [`${utc}:00.000Z`, false], day);
  // Without its letters it is no hour; and no day of any month.
  assert.equal(shown('KXMLBGAME-26FEB301905MINSD', 'baseball', []), undefined);
  assert.equal(shown('KXMLBGAME-26XYZ011905MINSD', 'baseball', []), undefined);
});

test("without an hour the start is estimated from the end, by sport, on the ticker's day", () => {
  const nfl = contracts('2026-11-30T01:00:00Z', '2026-11-30T04:00:00Z');
  assert.deepEqual(shown('KXNFLGAME-26NOV29SEAKC', 'football', nfl), ['2026-11-29T21:30:00.000Z', true]);
  const epl = contracts(null, '2026-11-29T17:00:00Z');
  assert.deepEqual(shown('KXEPLGAME-26NOV29ARSMCI', 'soccer', epl), ['2026-11-29T15:00:00.000Z', true]);
  // 22:30 Eastern, with an expiration six hours later: not on the next day.
  const nba = contracts(null, '2026-11-30T09:30:00Z');
  assert.deepEqual(shown('KXNBAGAME-26NOV29LALGSW', 'basketball', nba), ['2026-11-30T04:59:00.000Z', true]);
  assert.deepEqual(shown('KXNBAGAME-26NOV29LALGSW', 'basketball', []), ['2026-11-30T00:00:00.000Z', true]);
  // On that day in Europe, too, where no contract says when it ends.
  assert.deepEqual(shown('KXLALIGAGAME-26NOV29RMABAR', 'soccer', []), ['2026-11-29T17:00:00.000Z', true]);
  // Put off: tickers stay as they are.
  const moved = contracts('2026-12-03T03:00:00Z', null);
  assert.deepEqual(shown('KXNBAGAME-26NOV29LALGSW', 'basketball', moved), ['2026-12-03T00:30:00.000Z', true]);
  assert.equal(shown('KXNBA-27', 'basketball', []), undefined);
});
