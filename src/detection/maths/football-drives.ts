// Margins of halves and quarters of football, from the drives in them: what a drive scores, and how many there are.
// Sources of the figures: docs/project/models.md.

import { normalBetween } from './counts.js';

/** Probability that a drive ends in a touchdown and in a field goal. */
const TOUCHDOWN = 0.21;
const FIELD_GOAL = 0.16;
/** Points of a touchdown with what follows it. */
const AFTER_TOUCHDOWN: readonly (readonly [points: number, share: number])[] = [
  [7, 0.92],
  [6, 0.05],
  [8, 0.03],
];
/** Drives of each team in a game. */
const DRIVES = 11;
/**
 * By how much more often than independent drives a part ends at a margin of 3: teams choose field goals that tie or
 * lead. In whole games it is nearly twice as often.
 */
const THREE = 1.2;

/** Margins beyond these are as likely as by the normal. */
const PART_NUMBERS: readonly number[] = Array.from({ length: 25 }, (_, margin) => margin);

/** Each margin's probability in a part of the game between equal teams, relative to a normal of this deviation. */
export function driveFactors(share: number, deviation: number): readonly number[] {
  const margins = marginsOf(share * DRIVES);
  margins[3]! *= THREE;
  return PART_NUMBERS.map((margin) => margins[margin]! / normalBetween(margin, margin, 0, deviation));
}

/** P(margin = 0), P(1) …: each team has `drives` drives, or the whole numbers around it. */
function marginsOf(drives: number): number[] {
  const few = Math.floor(drives);
  const more = drives - few;
  const margins = PART_NUMBERS.map(() => 0);
  for (const [count, weight] of [
    [few, 1 - more],
    [few + 1, more],
  ] as const) {
    const points = pointsOf(count);
    for (const margin of PART_NUMBERS)
      for (let low = 0; low + margin < points.length; low++)
        margins[margin]! += weight * points[low]! * points[low + margin]!;
  }
  return margins;
}

/** P(a team has 0, 1, 2 … points) after so many drives. */
function pointsOf(drives: number): number[] {
  let points = [1];
  for (let drive = 0; drive < drives; drive++) {
    const after = new Array<number>(points.length + 8).fill(0);
    for (const [before, p] of points.entries()) {
      after[before]! += p * (1 - TOUCHDOWN - FIELD_GOAL);
      after[before + 3]! += p * FIELD_GOAL;
      for (const [scored, part] of AFTER_TOUCHDOWN) after[before + scored]! += p * TOUCHDOWN * part;
    }
    points = after;
  }
  return points;
}
