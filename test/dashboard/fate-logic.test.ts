// The sums of what became of prices and bets, and the rules of alerts on one line.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clvBands, profitCurve } from '../../dashboard/model/bet-sums.js';
import { lineScore, sumsOf } from '../../dashboard/model/graded.js';
import { parsePrice } from '../../dashboard/model/price-input.js';
import { type PriceRule, priceReached, priceRulesOf } from '../../dashboard/model/price-rules.js';
import type { AccountBet, OddsRow, Prediction, Result } from '../../src/client/client.js';

const bet = (id: string, at: string | null, profit: number | null, clv_percent: number | null, status = 'filled') =>
  ({ id, graded_at: at, profit, clv_percent, exposure: 100, status }) as AccountBet;

const BETS = [
  bet('c', '2026-11-24T03:00:00Z', -100, -6),
  bet('a', '2026-11-24T01:00:00Z', 90, 2),
  bet('b', '2026-11-24T01:00:00Z', 40, null),
  bet('d', null, null, 1),
  bet('e', '2026-11-24T01:00:00Z', 500, 3, 'struck'),
];

test('profit adds up in the order of settlement, one step a moment, without open and struck bets', () => {
  const { times, profit, expected } = profitCurve(BETS);
  assert.deepEqual(times, [Date.parse('2026-11-24T01:00:00Z') / 1000, Date.parse('2026-11-24T03:00:00Z') / 1000]);
  assert.deepEqual(profit, [130, 30]);
  assert.deepEqual(expected, [2, -4]);
});

test('returns are told by closing line value; a bound belongs to the band above it', () => {
  assert.deepEqual(
    clvBands(BETS).map(({ name, bets, roi }) => [name, bets, roi]),
    [
      ['under -5 %', 1, -100],
      ['2 to 5 %', 1, 90],
    ],
  );
});

test('what was detected is summed up by unit stakes; open, void and ungradeable ones are not settled', () => {
  const one = (result: string, profit_units: number | null, clv_percent: number | null) =>
    ({ result, profit_units, clv_percent, ev_percentage: 5 }) as Prediction;
  const all = [one('won', 1.2, 4), one('half_lost', -0.5, -2), one('pending', null, null), one('void', 0, null)];
  const { profit, expected, ...rest } = sumsOf(all);
  assert.deepEqual(rest, { detected: 4, isPart: false, settled: 2, clv: 1 });
  assert.deepEqual([sumsOf(all, 900).detected, sumsOf(all, 900).isPart], [900, true]);
  assert.ok(Math.abs(profit - 0.7) < 1e-12 && Math.abs(expected - 0.1) < 1e-12);
});

test('a line score has its parts and the whole', () => {
  const part = (name: string, home_score: number, away_score: number) => ({ part: name, home_score, away_score });
  const result = { parts: [part('innings_1_1', 2, 0), part('ot', 1, 0)], home_score: 3, away_score: null };
  assert.deepEqual(lineScore(result as unknown as Result), [
    { name: '1', away: '0', home: '2' },
    { name: 'ot', away: '0', home: '1' },
    { name: 'total', away: '', home: '3' },
  ]);
});

test('an alert on one line hears its own outcome, line and book alone, from its price on', () => {
  const rule: PriceRule = {
    ...{ id: '1', eventId: 'e', eventName: 'A @ B', market: 'point_spread', selection: 'B', of: {} },
    ...{ line: -3.5, book: '', decimal: parsePrice('+105')!, sound: true, notify: false },
  };
  const row = {
    ...{ event_id: 'e', market_type: 'point_spread', selection: 'B', line: -3.5, is_active: true },
    ...{ sportsbook: 'fanduel', odds_decimal: 2.05 },
  } as OddsRow;
  assert.ok(priceReached(rule, row));
  for (const other of [
    { line: -4 },
    { selection: 'A' },
    { is_active: false },
    { odds_decimal: 2.04 },
    { event_id: 'f' },
    { player_name: 'X' },
    { team_name: 'B' },
  ])
    assert.ok(!priceReached(rule, { ...row, ...other } as OddsRow), JSON.stringify(other));
  assert.ok(!priceReached({ ...rule, book: 'draftkings' }, row));
  const [of, named] = [{ player_name: 'Luka Dončić' }, { player_name: 'Luka Doncic' }];
  assert.ok(priceReached({ ...rule, of }, { ...row, ...named } as OddsRow));
  assert.ok(!priceReached(rule, { ...row, indicative: true } as OddsRow));
  assert.deepEqual(priceRulesOf(JSON.stringify([rule, { ...rule, line: 'x' }, 7])), [rule]);
  assert.deepEqual(
    [parsePrice('2,05'), parsePrice('-110')?.toFixed(4), parsePrice('soon')],
    [2.05, '1.9091', undefined],
  );
});
