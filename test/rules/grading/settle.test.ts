import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { payout, refundedFraction, settleTotal, wonFraction } from '../../../src/rules/grading/settle.js';
import { coversEveryResult, lineGap, settleMoneyline, settleSpread } from '../../detection/maths/grades.js';

test('half lines win or lose, whole lines push on the number', () => {
  assert.equal(settleSpread('home', -3.5, 4), 1);
  assert.equal(settleSpread('home', -3.5, 3), -1);
  assert.equal(settleSpread('away', 3.5, 3), 1);
  assert.equal(settleSpread('home', -3, 3), 0);
  assert.equal(settleSpread('away', 3, 3), 0);
  assert.equal(settleTotal('over', 44, 44), 0);
  assert.equal(settleTotal('over', 44, 45), 1);
  assert.equal(settleTotal('under', 43.5, 44), -1);
});

test('quarter lines stake half on each neighbour', () => {
  assert.equal(settleSpread('home', -0.25, 0), -0.5);
  assert.equal(settleSpread('away', 0.25, 0), 0.5);
  assert.equal(settleSpread('home', -0.75, 1), 0.5);
  assert.equal(settleSpread('away', 0.75, 1), -0.5);
  assert.equal(settleTotal('over', 2.25, 2), -0.5);
  assert.equal(settleTotal('over', 2.75, 3), 0.5);
  assert.equal(settleTotal('under', 2.75, 2), 1);
  const halves = fc.integer({ min: -40, max: 40 }).map((k) => k / 2 + 0.25);
  fc.assert(
    fc.property(halves, fc.integer({ min: -25, max: 25 }), (line, x) => {
      const mean = (settleSpread('home', line - 0.25, x) + settleSpread('home', line + 0.25, x)) / 2;
      assert.equal(settleSpread('home', line, x), mean);
    }),
  );
});

test('the two-way moneyline refunds a tie, the three-way one pays the draw', () => {
  assert.equal(settleMoneyline('home', 2, 0), 0);
  assert.equal(settleMoneyline('away', 2, 0), 0);
  assert.equal(settleMoneyline('home', 3, 0), -1);
  assert.equal(settleMoneyline('draw', 3, 0), 1);
  assert.equal(settleMoneyline('draw', 3, 1), -1);
  assert.equal(settleMoneyline('home', 2, 1), 1);
  assert.equal(settleMoneyline('away', 2, 1), -1);
  assert.equal(settleMoneyline('away', 3, -2), 1);
});

test('exactly one of the three ways of a moneyline wins', () => {
  for (let x = -5; x <= 5; x++) {
    const grades = (['home', 'away', 'draw'] as const).map((side) => settleMoneyline(side, 3, x));
    assert.equal(grades.filter((grade) => grade === 1).length, 1);
    assert.equal(grades.filter((grade) => grade === -1).length, 2);
  }
});

test('grades split a stake into won, refunded and lost parts', () => {
  assert.deepEqual([1, 0.5, 0, -0.5, -1].map(wonFraction), [1, 0.5, 0, 0, 0]);
  assert.deepEqual([1, 0.5, 0, -0.5, -1].map(refundedFraction), [0, 0.5, 1, 0.5, 0]);
  assert.deepEqual(
    [1, 0.5, 0, -0.5, -1].map((grade) => payout(grade, 3)),
    [3, 2, 1, 0.5, 0],
  );
});

test('opposite sides of one line always end opposite', () => {
  const quarter = fc.integer({ min: -80, max: 80 }).map((q) => q / 4);
  fc.assert(
    fc.property(quarter, fc.integer({ min: -30, max: 30 }), (line, x) => {
      assert.equal(settleSpread('home', line, x) + settleSpread('away', -line, x), 0);
      assert.equal(settleTotal('over', line, x) + settleTotal('under', line, x), 0);
    }),
  );
});

test('lines that cover every result are exactly those for which no result loses both stakes', () => {
  const quarter = fc.integer({ min: -24, max: 24 }).map((q) => q / 4);
  fc.assert(
    fc.property(quarter, quarter, (first, second) => {
      let spreadHole = false;
      let totalHole = false;
      for (let x = -30; x <= 30; x++) {
        if (settleSpread('home', first, x) + settleSpread('away', second, x) < 0) spreadHole = true;
        if (settleTotal('over', first, x) + settleTotal('under', second, x) < 0) totalHole = true;
      }
      // A gap of half a point or less may contain no integer, and then every result is covered.
      if (coversEveryResult('spread', first, second)) assert.equal(spreadHole, false);
      else if (lineGap('spread', first, second) <= -1) assert.equal(spreadHole, true);
      if (coversEveryResult('total', first, second)) assert.equal(totalHole, false);
      else if (lineGap('total', first, second) <= -1) assert.equal(totalHole, true);
    }),
    { numRuns: 500 },
  );
});
