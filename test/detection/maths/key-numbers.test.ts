import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalBetween } from '../../../src/detection/maths/counts.js';
import {
  COLLEGE_MARGINS,
  favouriteWinsBy,
  homeWinsBy,
  NFL_MARGIN_DEVIATION,
  NFL_MARGINS,
} from '../../../src/detection/maths/key-numbers.js';
import { near } from './near.js';

test('the favourite wins by a key number as often as counted, within the sampling error of each band', () => {
  const counted: [spread: number, games: number, by3: number, by6: number, by7: number, by10: number, by14: number][] =
    [
      [1.25, 500, 9.8, 3.4, 6.2, 3.2, 2.4],
      [3, 735, 8.84, 4.2, 5.85, 2.7, 3.7],
      [5, 713, 9.0, 4.1, 6.0, 3.8, 2.9],
      [7, 339, 6.5, 3.8, 6.2, 1.8, 2.9],
      [9, 310, 8.4, 4.2, 6.1, 3.9, 6.1],
    ];
  for (const [spread, games, ...percents] of counted) {
    for (const [i, margin] of [3, 6, 7, 10, 14].entries()) {
      const share = percents[i]! / 100;
      const error = Math.sqrt((share * (1 - share)) / games);
      near(favouriteWinsBy(NFL_MARGINS, margin, spread), share, 1.5 * error);
    }
  }
  near(favouriteWinsBy(NFL_MARGINS, 3, 3), 0.0884, 0.001);
});

test('a win by exactly 3 is of one sign: far above the normal and far below the frequency of either team by 3', () => {
  const by3 = favouriteWinsBy(NFL_MARGINS, 3, 3);
  assert.ok(by3 > 2.5 * normalBetween(3, 3, 3, 13.86));
  assert.ok(by3 < 0.1438 / 1.5);
  assert.ok(favouriteWinsBy(NFL_MARGINS, -3, 3) < by3);
});

test('over the games of all bands, either team wins by 1, 3, 7, 10 and 14 as often as counted', () => {
  const bands: [number, number][] = [
    [1.25, 500],
    [3, 735],
    [5, 713],
    [7, 339],
    [9, 310],
  ];
  const either: [number, number][] = [
    [1, 4.44],
    [2, 4.47],
    [3, 14.38],
    [7, 8.79],
    [10, 5.05],
    [14, 5.0],
    [9, 1.51],
  ];
  for (const [margin, percent] of either) {
    let sum = 0;
    for (const [spread, games] of bands) {
      sum += games * (favouriteWinsBy(NFL_MARGINS, margin, spread) + favouriteWinsBy(NFL_MARGINS, -margin, spread));
    }
    near((100 * sum) / 2597, percent, 0.12);
  }
});

test('all margins together have probability one and none is negative, at every spread', () => {
  for (const margins of [NFL_MARGINS, COLLEGE_MARGINS]) {
    for (let spread = 0; spread <= 60; spread += 0.5) {
      let sum = 0;
      for (let x = -150; x <= 250; x++) {
        const p = favouriteWinsBy(margins, x, spread);
        assert.ok(p >= 0, `${p} at ${x} for ${spread}`);
        sum += p;
      }
      near(sum, 1, 1e-9);
    }
  }
});

test('between half points nothing jumps: a small move of the spread moves every margin little', () => {
  for (let spread = 0; spread < 30; spread += 0.01) {
    for (const x of [-7, -3, 0, 1, 3, 6, 7, 10, 12, 14]) {
      near(favouriteWinsBy(NFL_MARGINS, x, spread + 0.01), favouriteWinsBy(NFL_MARGINS, x, spread), 2e-4);
    }
  }
});

test('home and away are mirrored, and a pick’em does not care which is which', () => {
  for (const x of [-10, -3, 0, 3, 12]) {
    assert.equal(homeWinsBy(NFL_MARGINS, x, 3.5), homeWinsBy(NFL_MARGINS, -x, -3.5));
    near(homeWinsBy(NFL_MARGINS, x, 0), homeWinsBy(NFL_MARGINS, -x, 0), 1e-15);
  }
});

test('ties are rare in the NFL and unknown in college', () => {
  near(favouriteWinsBy(NFL_MARGINS, 0, 5), 0.0032, 2e-4);
  assert.equal(favouriteWinsBy(COLLEGE_MARGINS, 0, 5), 0);
});

test('college margins scatter more, so their key numbers are less frequent, but above the plain normal', () => {
  const college = favouriteWinsBy(COLLEGE_MARGINS, 3, 3);
  assert.ok(college < favouriteWinsBy(NFL_MARGINS, 3, 3));
  assert.ok(college > 2 * normalBetween(3, 3, 3, 16));
});

test('away from the listed margins the shape is the normal one', () => {
  const ratio = (x: number): number =>
    favouriteWinsBy(NFL_MARGINS, x, 5) / normalBetween(x, x, 5, NFL_MARGIN_DEVIATION);
  near(ratio(12), ratio(25), 1e-12);
  near(ratio(12), 0.9, 0.1);
});
