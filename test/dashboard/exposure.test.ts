// What open bets win or lose on each result of their games, and the sums of what an account's bets made.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clvSpread, monthBy, monthOf, profitCurve } from '../../dashboard/model/bet-sums.js';
import { exposureOf, riskBy } from '../../dashboard/model/exposure.js';
import { netDecimal } from '../../src/base/model/commission.js';
import type { AccountBet } from '../../src/client/client.js';
import { settleTotal } from '../../src/rules/grading/settle.js';

let last = 0;
function bet(
  selection_type: string,
  odds_decimal: number,
  exposure: number,
  more: Partial<AccountBet> = {},
): AccountBet {
  const is_lay = more.is_lay === true;
  const stake = is_lay ? exposure / (odds_decimal - 1) : exposure;
  return {
    ...{ id: `bet_${++last}`, mode: 'placed', status: 'filled', profit: null, result: null, clv_percent: null },
    ...{ event_id: 'game', event_name: 'Away @ Home', sport: 'football', league: 'nfl', market_type: 'moneyline' },
    ...{ sportsbook: 'x', selection: selection_type, player_name: null, team_name: null, line: null, graded_at: null },
    ...{
      selection_type,
      odds_decimal,
      exposure,
      is_lay,
      stake_filled: stake,
      fills: [{ odds_decimal, stake, at: '' }],
    },
    ...more,
  } as AccountBet;
}
const spread = (side: string, line: number, decimal: number, risk: number) =>
  bet(side, decimal, risk, { market_type: 'point_spread', line });
const total = (side: string, line: number, decimal: number, risk: number) =>
  bet(side, decimal, risk, { market_type: 'total_points', line });
const FREE = () => null;
const resultsOf = (...bets: AccountBet[]) =>
  exposureOf(bets, FREE)[0]!.on.map(({ name, results }) => [
    name,
    ...results.map((one) => `${one.name}: ${one.profit}`),
  ]);

test('who wins and handicaps are told together by the margin, totals by themselves', () => {
  const [game] = exposureOf([bet('home', 2.5, 100), spread('away', 3.5, 1.9, 100), total('over', 44, 2, 50)], FREE);
  assert.deepEqual([game!.name, game!.bets, game!.risk, game!.worst, game!.best], ['Away @ Home', 3, 250, -60, 290]);
  assert.deepEqual(resultsOf(bet('home', 2.5, 100), spread('away', 3.5, 1.9, 100), total('over', 44, 2, 50)), [
    ['margin', 'Away wins: -10', 'tie: 90', 'Home by 1 to 3: 240', 'Home by 4 or more: 50'],
    ['total points', '43 or less: -50', '44: 0', '45 or more: 50'],
  ]);
});

test('each side of a game has what it risks and wins by itself, whatever its lines and markets', () => {
  const sidesOf = (...bets: AccountBet[]) =>
    exposureOf(bets, FREE)[0]!.on.map(({ name, sides }) => [
      name,
      ...sides.map((side) => `${side.name}: ${side.bets}, ${-side.risk}, ${side.wins}`),
    ]);
  const lay = bet('home', 3, 40, { is_lay: true, market_type: 'moneyline_lay' });
  const scorer = bet('yes', 6, 10, { market_type: 'anytime_goalscorer', player_name: 'Al Two', selection: 'Yes' });
  assert.deepEqual(
    sidesOf(
      bet('home', 2.5, 100),
      spread('home', -3.5, 2, 50),
      spread('away', 3.5, 1.9, 100),
      lay,
      total('over', 44, 2, 50),
      scorer,
    ),
    [
      ['margin', 'Away: 1, -100, 90', 'Home: 2, -150, 200', 'against Home: 1, -40, 20'],
      ['total points', 'over: 1, -50, 50'],
      ['anytime goalscorer'],
    ],
  );
});

test('a draw is a result where it can be: who backs a team loses on it there', () => {
  const soccer = { sport: 'soccer', league: 'epl' };
  assert.deepEqual(resultsOf(bet('home', 3, 10, soccer), bet('draw', 4, 10, soccer)), [
    ['margin', 'Away wins: -20', 'tie: 20', 'Home wins: 10'],
  ]);
  assert.deepEqual(resultsOf(bet('home', 2, 10, { sport: 'basketball' })), [
    ['margin', 'Away wins: -10', 'Home wins: 10'],
  ]);
  assert.deepEqual(resultsOf(bet('home', 2, 10, { ...soccer, market_type: 'draw_no_bet' })), [
    ['margin', 'Away wins: -10', 'tie: 0', 'Home wins: 10'],
  ]);
});

test('a draw outside soccer is of regular time: a question beside who wins in the end', () => {
  const hockey = { sport: 'hockey', league: 'nhl' };
  const drawn = [bet('home', 2.5, 10, hockey), bet('draw', 4, 10, hockey), bet('away', 3, 10, hockey)];
  assert.deepEqual(resultsOf(...drawn), [['margin in regular time', 'Away wins: 0', 'tie: 10', 'Home wins: -5']]);
  const other = bet('away', 2, 10, { ...hockey, sportsbook: 'y' });
  const told = { ...drawn[0]!, three_way: true as const };
  const [game] = exposureOf([told, other], FREE);
  // Level after regular time, and then won by the home team.
  assert.deepEqual([game!.on.length, game!.worst, game!.best], [2, -20, 25]);
  const strike = (side: string) => bet(side, 2, 10, { market_type: 'total_points_contract_kalshi', line: 221 });
  assert.deepEqual(resultsOf(strike('over')), [['total points', '221 or less: -10', '222 or more: 10']]);
  assert.deepEqual(resultsOf(strike('under')), [['total points', '221 or less: 10', '222 or more: -10']]);
});

test('parts, players and teams are results of their own, and what has no result is told by its two ends', () => {
  const half = bet('home', 2, 10, { market_type: 'moneyline_1st_half' });
  const points = bet('over', 2, 10, { market_type: 'player_points', player_name: 'Jo One', line: 22.5 });
  const scorer = bet('yes', 6, 10, { market_type: 'anytime_goalscorer', player_name: 'Al Two', selection: 'Yes' });
  const spelt = [points, { ...points, player_name: 'JO ÓNE', selection_type: 'under' }];
  assert.deepEqual(resultsOf(...spelt), [['Jo One points', '22 or less: 0', '23 or more: 0']]);
  assert.equal(resultsOf(points, { ...points, player_name: 'Jo One II' }).length, 2);
  const props = ['Rebounds', 'Assists'].map((stat_category) => ({
    ...points,
    market_type: 'player_props',
    stat_category,
  }));
  assert.deepEqual(
    resultsOf(...props).map(([name]) => name),
    ['Jo One rebounds', 'Jo One assists'],
  );
  const names = resultsOf(half, points, scorer).map(([name]) => name);
  assert.deepEqual(names, ['margin h1', 'Jo One points', 'anytime goalscorer']);
  assert.deepEqual(resultsOf(scorer)[0], ['anytime goalscorer', 'Al Two Yes wins: 50', 'Al Two Yes loses: -10']);
});

test('only what is open counts: not what is void, refunded, half settled, lost, struck, rejected or waiting', () => {
  const ended = (profit: number, more: object = {}) => bet('home', 2, 10, { profit, ...more });
  const not = [
    ended(0, { result: 'void' }),
    ended(0, { result: 'push' }),
    ended(5, { result: 'half_won' }),
    ended(-10),
    ...(['struck', 'rejected', 'pending'] as const).map((status) => bet('home', 2, 10, { status })),
  ];
  assert.deepEqual(exposureOf(not, FREE), []);
  assert.deepEqual(
    riskBy(not, () => 'all'),
    [],
  );
  const part = bet('home', 2, 4, { status: 'part_filled', stake: 10 });
  const [game] = exposureOf([...not, part, bet('away', 3, 2, { result: 'ungradeable' })], FREE);
  assert.deepEqual([game!.bets, game!.risk, game!.worst, game!.best], [2, 6, 0, 2]);
});

test('on every margin and total the results say what all bets make together, commission, lays and half wins included', () => {
  const side = fc.constantFrom('home', 'away');
  const cents = fc.integer({ min: 1, max: 100_000 }).map((amount) => amount / 100);
  const price = fc.integer({ min: 105, max: 900 }).map((hundredths) => hundredths / 100);
  const line = fc.integer({ min: -40, max: 40 }).map((quarters) => quarters / 4);
  const one = fc.tuple(fc.constantFrom('winner', 'spread', 'total', 'lay'), side, price, cents, line);
  const charge = { model: 'winnings', rate: 0.05 } as const;
  const settle = (given: AccountBet, margin: number, points: number): number => {
    const { market_type, selection_type, odds_decimal, exposure, line: at } = given;
    const own = selection_type === 'home' ? margin : -margin;
    let grade = Math.sign(own);
    if (market_type === 'point_spread') grade = settleTotal('over', -at!, own);
    else if (market_type === 'total_points') grade = settleTotal(selection_type as 'over', at!, points);
    if (given.is_lay) grade = -grade;
    const decimal = given.is_lay ? odds_decimal / (odds_decimal - 1) : odds_decimal;
    return grade > 0 ? grade * exposure * (netDecimal(decimal, charge) - 1) : grade * exposure;
  };
  fc.assert(
    fc.property(fc.array(one, { minLength: 1, maxLength: 8 }), (made) => {
      const bets = made.map(([kind, which, decimal, risk, at]) => {
        if (kind === 'spread') return spread(which, at, decimal, risk);
        if (kind === 'total') return total(which === 'home' ? 'over' : 'under', Math.abs(at) + 40, decimal, risk);
        return bet(which, decimal, risk, kind === 'lay' ? { is_lay: true, market_type: 'moneyline_lay' } : {});
      });
      const [game] = exposureOf(bets, () => charge);
      for (const { name, sides, results } of game!.on) {
        // Beyond all lines every bet is decided: one side wins all of it, the other loses all.
        const far = (wanted: readonly string[]): number =>
          sides.reduce((sum, side) => sum + (wanted.includes(side.name) ? side.wins : -side.risk), 0);
        const ends =
          name === 'total points'
            ? [['under'], ['over']]
            : [
                ['Away', 'against Home'],
                ['Home', 'against Away'],
              ];
        for (const [i, end] of [results[0]!, results.at(-1)!].entries())
          assert.ok(Math.abs(end.profit - far(ends[i]!)) < 0.02 * sides.length, `${name}: ${end.profit} ${end.name}`);
      }
      for (const { name, results } of game!.on) {
        const of = bets.filter(({ market_type }) => (market_type === 'total_points') === (name === 'total points'));
        const seen = Array.from({ length: 81 }, (_, i) => {
          const at = i - 40;
          return of.reduce((sum, given) => sum + settle(given, at, at + 60), 0);
        });
        for (const { profit } of results)
          assert.ok(
            seen.some((sum) => Math.abs(sum - profit) < 0.006),
            `${name} ${profit}`,
          );
        for (const sum of seen)
          assert.ok(
            results.some(({ profit }) => Math.abs(sum - profit) < 0.006),
            `${name} ${sum}`,
          );
      }
    }),
  );
});

test('risk by book and by side adds up to what is open', () => {
  const bets = [
    bet('home', 2, 0.1, { sportsbook: 'a' }),
    bet('away', 2, 0.2, { sportsbook: 'b' }),
    bet('home', 2, 0.3, { sportsbook: 'a' }),
  ];
  assert.deepEqual(
    riskBy(bets, ({ sportsbook }) => sportsbook!),
    [
      { key: 'a', risk: 0.4, bets: 2 },
      { key: 'b', risk: 0.2, bets: 1 },
    ],
  );
  assert.deepEqual(
    riskBy(bets, ({ selection_type }) => selection_type!).map(({ key }) => key),
    ['home', 'away'],
  );
});

test('the promise has a band of two standard deviations, and refunds add nothing to it', () => {
  const ended = (at: number, profit: number, more: Partial<AccountBet> = {}) =>
    bet('home', 2, 100, {
      profit,
      graded_at: new Date(at * 1_000).toISOString(),
      result: profit > 0 ? 'won' : 'lost',
      ...more,
    });
  const { expected, within, profit } = profitCurve([
    ended(1, 100, { clv_percent: 2 }),
    ended(2, -100),
    ended(3, 0, { result: 'push' }),
  ]);
  assert.deepEqual(profit, [100, 0, 0]);
  assert.deepEqual(expected, [2, 2, 2]);
  const one = 100 * 2 * Math.sqrt(0.51 * 0.49);
  assert.deepEqual(
    within.map((value) => value.toFixed(6)),
    [2 * one, 2 * Math.hypot(one, 100), 2 * Math.hypot(one, 100)].map((value) => value.toFixed(6)),
  );
});

test('closing line values are counted by percent; a month has its weeks, and the sums that the server has by day', () => {
  const valued = (clv_percent: number | null, status: AccountBet['status'] = 'filled') =>
    bet('home', 2, 1, { clv_percent, status });
  const { bins, ...sums } = clvSpread(
    [-30, -0.5, 0, 0.5, 1, 99].map((value) => valued(value)).concat(valued(null), valued(5, 'struck')),
  )!;
  assert.deepEqual(
    bins.filter((bin) => bin.bets > 0).map((bin) => [bin.from, bin.bets]),
    [
      [-10, 1],
      [-1, 1],
      [0, 2],
      [1, 1],
      [9, 1],
    ],
  );
  assert.deepEqual([sums.bets, sums.beat, sums.median], [6, 3, 0.25]);
  assert.equal(clvSpread([valued(null)]), undefined);
  const group = (group_key: string, profit: number) => ({ group_key, profit, bets: 1, open_exposure: 0 });
  const month = monthOf('2026-11', [group('2026-11-01', 0.1), group('2026-11-30', 0.2), group('2026-10-31', 9)]);
  assert.deepEqual([month.bets, month.profit, month.weeks.length], [2, 0.3, 6]);
  // The first is a Sunday.
  assert.deepEqual(
    month.weeks[0]!.map((day) => day?.date),
    [undefined, undefined, undefined, undefined, undefined, undefined, '2026-11-01'],
  );
  assert.deepEqual([monthBy('2026-01', -1), monthBy('2026-12', 1)], ['2025-12', '2027-01']);
});
