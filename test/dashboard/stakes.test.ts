// The stakes that the calculator shows keep its promises: each result is settled, on any terms.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { gradesText, oneWins, playedResults } from '../../dashboard/model/results.js';
import { type Bet, effectiveDecimal, equalReturns, kellyBet, planOf } from '../../dashboard/model/stakes.js';

const bet = (decimal: number, more: Partial<Bet> = {}): Bet => ({
  decimal,
  commission: null,
  rate: 1,
  cap: null,
  isFree: false,
  boostPercent: 0,
  ...more,
});
const EXACT = { bankroll: 1_000, rounding: 0.01 };

test('an arbitrage of known prices has the published stakes', () => {
  const plan = equalReturns([bet(2.3), bet(2.04)], EXACT);
  assert.ok(Math.abs(plan.cost - 1_000) < 0.011, String(plan.cost));
  assert.ok(Math.abs(plan.worst - (1 / (1 / 2.3 + 1 / 2.04) - 1) * 1_000) < 0.03);
});

test('a cap at one book scales the others down', () => {
  const plan = equalReturns([bet(2.3, { cap: 100 }), bet(2.04)], { bankroll: 1_000, rounding: 1 });
  assert.equal(plan.stakes[0], 100);
  assert.ok(Math.abs(plan.stakes[1]! - 230 / 2.04) <= 1);
});

test('a free bet costs nothing and its stake is not returned', () => {
  const plan = equalReturns([bet(5, { isFree: true, cap: 50 }), bet(1.25)], EXACT);
  assert.deepEqual(plan.stakes, [50, 160]);
  assert.deepEqual(
    plan.results.map(({ profit }) => profit),
    [40, 40],
  );
  assert.equal(plan.cost, 160);
});

test('a boost pays more of the winnings, before commission', () => {
  const commission = { model: 'winnings', rate: 0.1 } as const;
  assert.ok(Math.abs(effectiveDecimal(bet(3, { boostPercent: 50, commission })) - 3.7) < 1e-9);
});

const anyBet = fc.record({
  decimal: fc.double({ min: 1.02, max: 30, noNaN: true }),
  commission: fc.constantFrom(null, { model: 'winnings', rate: 0.05 } as const),
  rate: fc.constantFrom(1, 1.31, 0.5),
  cap: fc.option(fc.double({ min: 0, max: 2_000, noNaN: true })),
  isFree: fc.boolean(),
  boostPercent: fc.constantFrom(0, 25),
});

test('no plan exceeds a maximum or the bankroll, and every result is what its bets return', () => {
  fc.assert(
    fc.property(
      fc.array(anyBet, { minLength: 2, maxLength: 3 }),
      fc.constantFrom(0.01, 1, 5, 25),
      fc.constantFrom(0, 50, 1_000),
      (bets, rounding, bankroll) => {
        const played = [...oneWins(bets.length), { name: 'all', grades: bets.map(() => 1) }];
        const plan = equalReturns(bets, { bankroll, rounding }, played);
        assert.ok(plan.cost <= bankroll + 1e-6);
        for (const [i, stake] of plan.stakes.entries()) {
          assert.ok(stake >= 0 && stake <= (bets[i]!.cap ?? Number.POSITIVE_INFINITY) + 1e-6);
          assert.ok(Math.abs(stake / rounding - Math.round(stake / rounding)) < 1e-4);
        }
        for (const { grades, profit } of plan.results) {
          let money = 0;
          for (const [i, each] of bets.entries()) {
            const wins = grades[i] === 1;
            if (wins) money += plan.stakes[i]! * (effectiveDecimal(each) - 1) * each.rate;
            else if (!each.isFree) money -= plan.stakes[i]! * each.rate;
          }
          assert.ok(Math.abs(money - profit) < 1e-4, `${money} is not ${profit}`);
        }
      },
    ),
  );
});

test('of all ways to round, the one with the best worst result is chosen', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1.3, max: 6, noNaN: true }),
      fc.double({ min: 1.3, max: 6, noNaN: true }),
      fc.constantFrom(5, 20),
      (one, other, unit) => {
        const bets = [bet(one), bet(other)];
        const plan = equalReturns(bets, { bankroll: 1_000, rounding: unit });
        const exact = [one, other].map((price) => 1_000 / (1 / one + 1 / other) / price);
        for (const first of [Math.floor(exact[0]! / unit), Math.ceil(exact[0]! / unit)])
          for (const second of [Math.floor(exact[1]! / unit), Math.ceil(exact[1]! / unit)]) {
            const way = planOf(bets, [first * unit, second * unit], oneWins(2));
            if (way.cost <= 1_000 && first > 0 && second > 0) assert.ok(plan.worst >= way.worst - 1e-6);
          }
      },
    ),
  );
});

test('an arbitrage staked to the cent never loses', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 1.1, max: 8, noNaN: true }),
      fc.double({ min: 0.2, max: 5, noNaN: true }),
      fc.double({ min: 1.002, max: 1.1, noNaN: true }),
      (one, share, edge) => {
        // Prices of three outcomes whose implied probabilities sum to 1 / edge.
        const chances = [1 / one, (1 - 1 / one) * (share / 6), (1 - 1 / one) * (1 - share / 6)];
        const plan = equalReturns(
          chances.map((chance) => bet(edge / chance)),
          EXACT,
        );
        assert.ok(plan.worst >= 0, JSON.stringify(plan));
      },
    ),
  );
});

test('Kelly stakes a share of the edge over the odds, and nothing without an edge', () => {
  const even = { fair: 0.5, decided: 1 };
  const single = kellyBet(bet(2.25), even, 0.25, { bankroll: 1_000, rounding: 1 });
  assert.ok(Math.abs(single.kelly - 0.1) < 1e-12);
  assert.deepEqual([single.stake, single.expected], [25, 25 * 0.125]);
  assert.equal(kellyBet(bet(1.9), even, 1, EXACT).stake, 0);
  assert.equal(kellyBet(bet(2.25, { cap: 10 }), even, 1, EXACT).stake, 10);
});

const GAME = { market_type: 'point_spread', home_team: 'Boston', away_team: 'Miami' };

test('a middle whose whole line is the result is refunded there, and no double win is invented', () => {
  const legs = [
    { selection: 'Boston', line: -6 },
    { selection: 'Miami', line: 6.5 },
  ];
  const played = playedResults(legs, GAME)!;
  assert.deepEqual(played, [
    { name: 'Boston by 5 or less', grades: [-1, 1] },
    { name: 'Boston by 6', grades: [0, 1] },
    { name: 'Boston by 7 or more', grades: [1, -1] },
  ]);
  const plan = equalReturns([bet(1.9), bet(1.9)], EXACT, played);
  assert.deepEqual(
    plan.results.map(({ profit }) => Math.round(profit)),
    [-50, 450, -50],
  );
  assert.equal(gradesText([0, 1], ['Boston -6', 'Miami +6.5']), 'Boston -6 refunded, Miami +6.5 wins');
});

test('quarter lines half win, totals have no negative results, and unknown sides no results', () => {
  const totals = { ...GAME, market_type: 'total_goals' };
  const played = playedResults(
    [
      { selection: 'Over', line: 1.75 },
      { selection: 'Under', line: 2.5 },
    ],
    totals,
  )!;
  assert.deepEqual(
    played.map(({ name, grades }) => [name, ...grades]),
    [
      ['1 or less', -1, 1],
      ['2', 0.5, 1],
      ['3 or more', 1, -1],
    ],
  );
  assert.equal(playedResults([{ selection: 'Somebody', line: -1.5 }], GAME), undefined);
  assert.equal(playedResults([{ selection: 'Boston', line: null }], GAME), undefined);
});

test('refunds make an edge smaller, and the stake by Kelly no other', () => {
  const whole = kellyBet(bet(2.25), { fair: 0.5, decided: 1 }, 1, EXACT);
  const pushed = kellyBet(bet(2.25), { fair: 0.5, decided: 0.9 }, 1, EXACT);
  assert.equal(pushed.stake, whole.stake);
  assert.ok(Math.abs(pushed.edgePercent - whole.edgePercent * 0.9) < 1e-9);
});
