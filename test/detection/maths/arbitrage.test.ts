import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decimalFromAmerican } from '../../../src/base/model/price.js';
import {
  arbitrageStakes,
  edgePoints,
  holdPercent,
  impliedTotalPercent,
  inverseSum,
  isArbitrage,
  isLowHold,
  isSuspiciousProfit,
  profitPercent,
  stakePercents,
} from '../../../src/detection/maths/arbitrage.js';
import { payout, settleTotal } from '../../../src/rules/grading/settle.js';
import { coversEveryResult, settleSpread } from './grades.js';

const american = (...prices: number[]): number[] => prices.map(decimalFromAmerican);

function near(actual: number, expected: number, tolerance: number): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected}`);
}

function stakesOf(decimals: number[]): number[] {
  const out = new Array<number>(decimals.length).fill(0);
  stakePercents(decimals, decimals.length, inverseSum(decimals, decimals.length), out);
  return out;
}

test('sums, profits and stakes are the published ones', () => {
  const vectors: [decimals: number[], sum: number, profit: number, stakes: number[]][] = [
    [american(160, -140), 0.967949, 3.3113, [39.74, 60.26]],
    [[3.1, 3.5, 3.1], 0.930876, 7.4257, [34.66, 30.69, 34.65]],
    [american(260, -245), 0.987923, 1.2225, [28.12, 71.88]],
    [american(-120, 123), 0.993885, 0.6153, [54.88, 45.12]],
    [american(-205, 210), 0.994712, 0.5316, [67.57, 32.43]],
    [[2.1, 2.05], 0.963995, 3.7349, [49.4, 50.6]],
    [[3.05, 1.52], 0.985764, 1.4442, [33.26, 66.74]],
    [[1.84, 2.35], 0.96901, 3.1981, [56.09, 43.91]],
  ];
  for (const [decimals, sum, profit, stakes] of vectors) {
    const s = inverseSum(decimals, decimals.length);
    near(s, sum, 6e-7);
    near(impliedTotalPercent(s), 100 * sum, 6e-5);
    near(profitPercent(s), profit, 6e-5);
    assert.deepEqual(stakesOf(decimals), stakes);
    assert.ok(arbitrageStakes(decimals, decimals.length, new Array<number>(3)));
  }
});

test('profit is the return on the stake, 1/S - 1, not 1 - S', () => {
  const s = inverseSum(american(160, -140), 2);
  near(profitPercent(s), 3.3113, 6e-5);
  assert.ok(Math.abs(profitPercent(s) - 100 * (1 - s)) > 0.1);
});

test('the published split 61.54/58.33 of +160/-140 is not an arbitrage split, ours pays the same either way', () => {
  const decimals = american(160, -140);
  const [first, second] = stakesOf(decimals);
  near(first! * decimals[0]!, second! * decimals[1]!, 0.03);
  assert.ok(Math.abs(61.54 * decimals[0]! - 58.33 * decimals[1]!) > 50);
  assert.ok(Math.min(61.54 * decimals[0]!, 58.33 * decimals[1]!) < 61.54 + 58.33);
});

test('a closing maximum of 9.5/7.8/5.4 is 138.9 % "profit" and far beyond the plausible', () => {
  const profit = profitPercent(inverseSum([9.5, 7.8, 5.4], 3));
  near(profit, 138.9, 0.06);
  assert.ok(isSuspiciousProfit(profit));
});

test('holds are S - 1, and convert to what other tools print as 1 - 1/S', () => {
  const vectors: [decimals: number[], ours: number, theirs: number][] = [
    [american(-110, -110), 4.7619, 4.5455],
    [american(120, 200, 220), 10.0379, 9.1222],
    [american(260, -245), -1.2077, -1.2225],
  ];
  for (const [decimals, ours, theirs] of vectors) {
    const hold = holdPercent(inverseSum(decimals, decimals.length));
    near(hold, ours, 6e-5);
    near((100 * (theirs / 100)) / (1 - theirs / 100), ours, 2e-4);
    assert.ok(Math.abs(hold - theirs) > 0.01);
  }
});

test('a sum of exactly one is neither an arbitrage nor a hold, in spite of float noise', () => {
  for (let a = 100; a <= 3000; a++) {
    const sum = inverseSum(american(a, -a), 2);
    assert.equal(isArbitrage(sum), false, `${a}`);
    assert.equal(isLowHold(sum, 5), false, `${a}`);
  }
  assert.equal(isArbitrage(inverseSum(american(3000, -2999), 2)), true);
  assert.equal(isLowHold(inverseSum(american(3000, -3001), 2), 5), true);
});

test('a low hold is above zero and at most the limit', () => {
  assert.equal(isLowHold(1.05, 5), true);
  assert.equal(isLowHold(1.0501, 5), false);
  assert.equal(isLowHold(0.99, 5), false);
  assert.equal(isLowHold(Number.NaN, 5), false);
});

test('a missing or impossible price makes no sum', () => {
  const bad: [number[], number][] = [
    [[2], 1],
    [[2, Number.NaN], 2],
    [[2, 1], 2],
    [[2, 0], 2],
    [[2, 2], 3],
  ];
  for (const [decimals, n] of bad) {
    assert.ok(Number.isNaN(inverseSum(decimals, n)));
    assert.equal(arbitrageStakes(decimals, n, [0, 0, 0]), false);
  }
});

test('an arbitrage that rounded stakes would lose is dropped', () => {
  assert.equal(arbitrageStakes([100_000, 1.0001], 2, [0, 0]), false);
  assert.equal(arbitrageStakes([2.0001, 2], 2, [0, 0]), false);
  assert.equal(arbitrageStakes([2.01, 2], 2, [0, 0]), true);
  assert.equal(arbitrageStakes([5.00001, 1.25], 2, [0, 0]), false);
  assert.equal(arbitrageStakes([7.0001, 7 / 6 + 1e-9], 2, [0, 0]), false);
});

test('the edge over the worst price is in points of probability', () => {
  near(edgePoints(decimalFromAmerican(-115), decimalFromAmerican(-105)), 53.4884 - 51.2195, 6e-5);
});

const price = fc.double({ min: 1.02, max: 40, noNaN: true });

test('stakes have two decimals, sum to exactly 100.00 and stay within a hundredth of the true share', () => {
  fc.assert(
    fc.property(fc.array(price, { minLength: 2, maxLength: 12 }), (decimals) => {
      const stakes = stakesOf(decimals);
      const hundredths = stakes.map((stake) => Math.round(stake * 100));
      assert.equal(
        hundredths.reduce((a, b) => a + b),
        10_000,
      );
      const sum = inverseSum(decimals, decimals.length);
      for (const [i, stake] of stakes.entries()) {
        assert.equal(stake, hundredths[i]! / 100);
        assert.ok(Math.abs(stake - 100 / (decimals[i]! * sum)) < 0.01);
      }
    }),
  );
});

test('settling any arbitrage on every result never loses, and wins off the push', () => {
  const quarter = fc.integer({ min: -60, max: 60 }).map((q) => q / 4);
  const gap = fc.constantFrom(0, 0, 0, 0.25, 0.5, 1, 2.75);
  let arbitrages = 0;
  fc.assert(
    fc.property(
      quarter,
      gap,
      price,
      fc.double({ min: 0.9, max: 0.999, noNaN: true }),
      fc.boolean(),
      (line, more, first, target, spread) => {
        const inverse = target - 1 / first;
        if (inverse <= 0.02) return;
        const decimals = [first, 1 / inverse];
        const stakes = [0, 0];
        if (!arbitrageStakes(decimals, 2, stakes)) return;
        arbitrages++;
        const [low, high] = spread ? [line, more - line] : [line, line + more];
        assert.ok(coversEveryResult(spread ? 'spread' : 'total', low, high));
        for (let x = -40; x <= 40; x++) {
          const a = spread ? settleSpread('home', low, x) : settleTotal('over', low, x);
          const b = spread ? settleSpread('away', high, x) : settleTotal('under', high, x);
          const net = stakes[0]! * payout(a, decimals[0]!) + stakes[1]! * payout(b, decimals[1]!) - 100;
          assert.ok(net > -1e-9, `${net} at ${x}`);
          if (a !== 0 || b !== 0) assert.ok(net > 0, `${net} at ${x}`);
          else assert.ok(Math.abs(net) < 1e-9);
        }
      },
    ),
    { numRuns: 1000 },
  );
  assert.ok(arbitrages > 200);
});

test('lines with a hole lose on some result even with S well below one, so they never pair', () => {
  const holes: [home: number, away: number][] = [
    [-0.5, 0.25],
    [-3.5, 2.5],
    [-1, 0.5],
    [-0.25, 0],
  ];
  for (const [home, away] of holes) {
    assert.equal(coversEveryResult('spread', home, away), false);
    const decimals = [2.1, 2.05];
    const stakes = stakesOf(decimals);
    let worst = Infinity;
    for (let x = -10; x <= 10; x++) {
      const back =
        stakes[0]! * payout(settleSpread('home', home, x), 2.1) +
        stakes[1]! * payout(settleSpread('away', away, x), 2.05);
      worst = Math.min(worst, back - 100);
    }
    assert.ok(worst < 0, `${home}/${away}: ${worst}`);
  }
});
