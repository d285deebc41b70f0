import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decimalFromAmerican } from '../../../src/base/model/price.js';
import { inverseSum, stakePercents } from '../../../src/detection/maths/arbitrage.js';
import {
  BEST,
  breakEvenPercent,
  EXPECTED,
  HIGH_END,
  HIT,
  LOW_END,
  type MiddleQuality,
  middleNumbers,
  middleProbability,
  middleReturns,
  qualityScore,
  WORST,
} from '../../../src/detection/maths/middle.js';
import { type ResultModel, resultModel, resultProbability } from '../../../src/detection/maths/result-model.js';
import { ResultTables } from '../../../src/detection/result-tables.js';
import { payout, settleTotal } from '../../../src/rules/grading/settle.js';
import { MarketTypes } from '../../../src/rules/markets/market-types.js';
import { lineGap, settleSpread, windowLow } from './grades.js';
import { near } from './near.js';

function model(sport: string, league: string, marketType: string): ResultModel {
  const found = resultModel(new MarketTypes().of(marketType, sport), sport, league);
  assert.ok(found);
  return found;
}

const NFL = model('football', 'nfl', 'point_spread');
const NBA_TOTAL = model('basketball', 'nba', 'total_points');
const SOCCER = model('soccer', 'epl', 'point_spread');
const EVEN_JUICE = decimalFromAmerican(-110);

function numbers(pair: 'spread' | 'total', first: number, second: number): number[] {
  const out = new Float64Array(64);
  return [...out.subarray(0, middleNumbers(pair, windowLow(pair, first), second, out))];
}

function chancesOf(m: ResultModel, low: number, high: number, centre: number): Float64Array {
  const out = new Float64Array(3);
  middleProbability(m, low, high, centre, out);
  return out;
}

/** [expected, worst, best] return in percent of a middle whose results are only misses, hits and these ends. */
function returnsOf(
  low: number,
  high: number,
  first: number,
  second: number,
  hit: number,
  lowEnd = 0,
  highEnd = 0,
): number[] {
  const out = new Float64Array(3);
  middleReturns(low, high, first, second, Float64Array.of(hit, lowEnd, highEnd), out);
  return [...out];
}

test('sizes and numbers of the worked examples', () => {
  assert.deepEqual(numbers('spread', -2.5, 3.5), [3]);
  assert.equal(lineGap('spread', -2.5, 3.5), 1);
  assert.deepEqual(numbers('spread', 3.5, -2.5), [3]);
  assert.equal(lineGap('spread', 3.5, -2.5), 1);
  assert.deepEqual(numbers('total', 43.5, 46.5), [44, 45, 46]);
  assert.equal(lineGap('total', 43.5, 46.5), 3);
  assert.deepEqual(numbers('total', 44, 47), [45, 46]);
  assert.deepEqual(numbers('total', 220, 220.5), []);
  assert.equal(lineGap('total', 220, 220.5), 0.5);
  assert.deepEqual(numbers('spread', -3, 3.5), []);
  assert.deepEqual(numbers('spread', 3.5, 2.5), [0, 1, 2, 3]);
  assert.deepEqual(numbers('spread', 7.5, -3), [4, 5, 6, 7]);
});

test('no more numbers are returned than the caller has room for', () => {
  const out = new Float64Array(3);
  assert.equal(middleNumbers('total', 200.5, 230.5, out), 3);
  assert.deepEqual([...out], [201, 202, 203]);
});

test('at -110 on both sides a middle breaks even at 4.7619 %, not at 4.55 %', () => {
  const sum = inverseSum([EVEN_JUICE, EVEN_JUICE], 2);
  near(breakEvenPercent(sum), 4.7619, 6e-5);
  near(returnsOf(-0.5, 0.5, EVEN_JUICE, EVEN_JUICE, 1 / 21)[EXPECTED]!, 0, 1e-12);
  assert.ok(returnsOf(-0.5, 0.5, EVEN_JUICE, EVEN_JUICE, 0.0455)[EXPECTED]! < -0.2);
  assert.equal(breakEvenPercent(0.99), 0);
});

test('a hit chance of 8.84 % at -110 on both sides is worth 3.893 %', () => {
  const [expected, worst, best] = returnsOf(2.5, 3.5, EVEN_JUICE, EVEN_JUICE, 0.0884);
  near(expected!, 3.893, 6e-4);
  near(worst!, -4.5455, 6e-5);
  near(best!, 90.909, 6e-4);
});

test('King Yao: -2.5 at -110 with +3.5 at -120 and 10 % of threes', () => {
  const [first, second] = [decimalFromAmerican(-110), decimalFromAmerican(-120)];
  const [expected] = returnsOf(2.5, 3.5, first, second, 0.1);
  near(expected!, 2.8745, 6e-5);
  const sum = inverseSum([first, second], 2);
  near(sum, 1.069264, 6e-7);
  near(breakEvenPercent(sum), 6.926, 6e-4);
  // The stakes of the source, 110 and 120, settled on a win by exactly 3, by more and by less.
  const net = (x: number): number =>
    110 * payout(settleSpread('home', -2.5, x), first) + 120 * payout(settleSpread('away', 3.5, x), second) - 230;
  near(0.1 * net(3) + 0.45 * net(10) + 0.45 * net(-5), 6.5, 1e-9);
  near((0.1 * net(3) + 0.45 * net(10) + 0.45 * net(-5)) / 2.3, 2.826, 6e-4);
});

test('the surebet wiki example: 21.3 % of hits at +69.6 and misses at -15.22 make 2.85 %', () => {
  const decimal = 2 * (1 - 0.1522);
  const [expected, worst, best] = returnsOf(2.5, 3.5, decimal, decimal, 0.213);
  near(worst!, -15.22, 1e-9);
  near(best!, 69.6, 0.05);
  near(expected!, 2.85, 0.02);
});

test('a result on which one leg pushes adds its stake: EV = (1+p)/S - 1 + sum of u s', () => {
  const [first, second] = [1.95, 1.87];
  const sum = inverseSum([first, second], 2);
  const share = (d: number): number => 1 / d / sum;
  const [expected, worst, best] = returnsOf(44, 47, first, second, 0.06, 0.03, 0.028);
  near(expected!, 100 * (1.06 / sum - 1 + 0.03 * share(first) + 0.028 * share(second)), 1e-10);
  near(worst!, 100 * (1 / sum - 1), 1e-12);
  near(best!, 100 * (2 / sum - 1), 1e-12);
  // No result lies between 220 and 220.5: the best one is a win with a push.
  const narrow = returnsOf(220, 220.5, first, second, 0, 0.02);
  near(narrow[BEST]!, 100 * (1 / sum + share(first) - 1), 1e-10);
});

test('NFL -2.5/+3.5 hits on the favourite by exactly three: 8.9 %, not the 2.9 % of a normal nor the 14.4 % of both signs', () => {
  const chances = chancesOf(NFL, windowLow('spread', -2.5), 3.5, 3);
  near(chances[HIT]!, 0.0884, 0.002);
  assert.deepEqual([chances[LOW_END], chances[HIGH_END]], [0, 0]);
  const mirrored = chancesOf(NFL, windowLow('spread', 3.5), -2.5, -3);
  near(mirrored[HIT]!, chances[HIT]!, 1e-15);
  near(new ResultTables().get(NFL, 3, 0, 6).keyNumbers(2.5, 3.5), chances[HIT]!, 1e-15);
});

test('integer lines have the pushed result at an end and not in the hit', () => {
  const chances = chancesOf(NFL, 3, 3.5, 3);
  assert.equal(chances[HIT], 0);
  near(chances[LOW_END]!, 0.0887, 0.001);
  assert.equal(chances[HIGH_END], 0);
  const total = chancesOf(NBA_TOTAL, 220, 224, 222);
  near(total[HIT]!, 3 * total[LOW_END]!, 0.001);
  near(total[LOW_END]!, total[HIGH_END]!, 1e-12);
});

const price = fc.double({ min: 1.2, max: 6, noNaN: true });
const quarter = fc.integer({ min: -40, max: 40 }).map((q) => q / 4);

test('EV, worst and best of any middle are those of settling both legs on every result', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(NFL, SOCCER),
      quarter,
      fc.integer({ min: 1, max: 30 }),
      price,
      price,
      fc.integer({ min: -14, max: 14 }),
      (m, homeLine, gap, first, second, doubled) => {
        const centre = doubled / (m === NFL ? 2 : 10);
        const awayLine = gap / 4 - homeLine;
        const low = windowLow('spread', homeLine);
        const sum = inverseSum([first, second], 2);
        let expected = 0;
        let total = 0;
        let worst = Infinity;
        let best = -Infinity;
        for (let x = -120; x <= 120; x++) {
          const back =
            payout(settleSpread('home', homeLine, x), first) / first +
            payout(settleSpread('away', awayLine, x), second) / second;
          const net = back / sum - 1;
          const p = resultProbability(m, x, centre);
          total += p;
          expected += p * net;
          worst = Math.min(worst, net);
          best = Math.max(best, net);
        }
        const out = new Float64Array(3);
        middleReturns(low, awayLine, first, second, chancesOf(m, low, awayLine, centre), out);
        near(total, 1, 1e-9);
        near(out[EXPECTED]!, 100 * expected, 1e-6);
        near(out[WORST]!, 100 * worst, 1e-9);
        near(out[BEST]!, 100 * best, 1e-9);
        assert.ok(out[WORST]! <= out[EXPECTED]! + 1e-9 && out[EXPECTED]! <= out[BEST]! + 1e-9);
      },
    ),
    { numRuns: 500 },
  );
});

test('a middle with S below one never loses, on any total and with rounded stakes too', () => {
  const line = fc.integer({ min: 0, max: 200 }).map((q) => q / 4);
  fc.assert(
    fc.property(
      line,
      fc.integer({ min: 1, max: 24 }),
      fc.double({ min: 1.3, max: 5, noNaN: true }),
      (low, gap, first) => {
        const second = 1 / (0.97 - 1 / first);
        if (!(second > 1)) return;
        const high = low + gap / 4;
        const returns = returnsOf(low, high, first, second, 0.05, 0.02, 0.02);
        assert.ok(returns[WORST]! > 0);
        const stakes = [0, 0];
        stakePercents([first, second], 2, 0.97, stakes);
        for (let x = 0; x <= 80; x++) {
          const back =
            stakes[0]! * payout(settleTotal('over', low, x), first) +
            stakes[1]! * payout(settleTotal('under', high, x), second);
          assert.ok(back > 100, `${back} at ${x}`);
        }
      },
    ),
  );
});

test('quality stays within 0-100 and rises with everything that makes a middle better', () => {
  const middles: fc.Arbitrary<MiddleQuality> = fc.record({
    expectedValue: fc.double({ min: -30, max: 60, noNaN: true }),
    probability: fc.double({ min: 0, max: 1, noNaN: true }),
    breakEven: fc.double({ min: 0, max: 20, noNaN: true }),
    hasKeyNumber: fc.boolean(),
    size: fc.double({ min: 0, max: 20, noNaN: true }),
    mainLines: fc.boolean(),
    freshness: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  fc.assert(
    fc.property(middles, fc.double({ min: 0, max: 1, noNaN: true }), (middle, more) => {
      const score = qualityScore(middle);
      assert.ok(score >= 0 && score <= 100);
      const at = (change: Partial<MiddleQuality>): number => qualityScore({ ...middle, ...change }) + 1e-12;
      assert.ok(at({ expectedValue: middle.expectedValue + 10 * more }) >= score);
      assert.ok(at({ probability: Math.min(1, middle.probability + more) }) >= score);
      assert.ok(at({ breakEven: Math.max(0, middle.breakEven - more) }) >= score);
      assert.ok(at({ hasKeyNumber: true }) >= score);
      assert.ok(at({ size: middle.size + more }) >= score);
      assert.ok(at({ mainLines: true }) >= score);
      assert.ok(at({ freshness: Math.min(1, middle.freshness + more) }) >= score);
    }),
  );
});
