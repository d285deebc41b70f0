// Football margins: a normal around the spread, with the mass that field goals and touchdowns put on key numbers. All
// figures are of one sign: a middle around 3 wins when the FAVOURITE wins by exactly 3 (about 9 %), not when either
// team does (about 14 %); a plain normal would give 3 %.

import { normalBetween } from './counts.js';

/**
 * Standard deviation of the margin around the closing spread: NFL 2018-25 (2,226 games), college by Winston and
 * Sagarin.
 */
export const NFL_MARGIN_DEVIATION = 12.74;
const COLLEGE_MARGIN_DEVIATION = 16;

/** Margins worth flagging; the most frequent ones, as Sports Insights and Action Network list them too. */
export const KEY_MARGINS: readonly number[] = [3, 4, 6, 7, 10, 14];

/** Most frequent NFL totals 2011-25 (4,096 games). */
export const KEY_TOTALS: readonly number[] = [37, 40, 41, 43, 44, 47, 51];

// NFL games by closing spread of the favourite (middle of each band) and their number.
const BAND_SPREAD = [1.25, 3, 5, 7, 9];
const BAND_GAMES = [500, 735, 713, 339, 310];

/** Percent of games that the favourite won by exactly this, in each band. */
const FAVOURITE_BY: [margin: number, percents: number[]][] = [
  [3, [9.8, 8.84, 9.0, 6.5, 8.4]],
  [6, [3.4, 4.2, 4.1, 3.8, 4.2]],
  [7, [6.2, 5.85, 6.0, 6.2, 6.1]],
  [10, [3.2, 2.7, 3.8, 1.8, 3.9]],
  [14, [2.4, 3.7, 2.9, 2.9, 6.1]],
];

/** Percent of NFL games 2011-25 (4,096) that either team won by exactly this; 0 is a tie. */
const EITHER_BY: [margin: number, percent: number][] = [
  [0, 0.32],
  [1, 4.44],
  [2, 4.47],
  [3, 14.38],
  [4, 4.91],
  [5, 3.98],
  [6, 6.64],
  [7, 8.79],
  [8, 4.1],
  [9, 1.51],
  [10, 5.05],
  [11, 2.2],
  [13, 2.29],
  [14, 5.0],
  [17, 3.37],
  [20, 2.0],
  [21, 2.42],
];

/**
 * Weight in games of the pooled figure mixed into each band's own: 300 games hardly distinguish a frequency of 2 % from
 * 4 %.
 */
const POOLED_GAMES = 500;

/** Spreads for which the common factor of the other margins is tabulated, by half points. */
const SPREAD_MAX = 60;
const STEPS = 2 * SPREAD_MAX;

/** A favourite this small may as well be the underdog: below, both signs are blended, equally at a pick'em. */
const PICK_SPREAD = 1.25;

/** How much likelier a listed margin is than by the normal: by band for the favourite, constant for the underdog. */
interface MarginFactor {
  readonly favourite: readonly number[];
  readonly underdog: number;
}

/** Mean over the bands, weighted by games, of a percentage or mass per band. */
function overBands(perBand: (band: number) => number): number {
  let sum = 0;
  let games = 0;
  for (const [band, n] of BAND_GAMES.entries()) {
    sum += n * perBand(band);
    games += n;
  }
  return sum / games;
}

const nflMass = (margin: number, band: number): number =>
  normalBetween(margin, margin, BAND_SPREAD[band]!, NFL_MARGIN_DEVIATION);

function factorOf(margin: number, eitherPercent: number): MarginFactor {
  const percents = FAVOURITE_BY.find(([listed]) => listed === margin)?.[1];
  const byUnderdog = overBands((band) => nflMass(-margin, band));
  if (percents === undefined) {
    const normal = margin === 0 ? byUnderdog : byUnderdog + overBands((band) => nflMass(margin, band));
    const flat = eitherPercent / 100 / normal;
    return { favourite: BAND_SPREAD.map(() => flat), underdog: flat };
  }
  const won = overBands((band) => percents[band]! / 100);
  const pooled = won / overBands((band) => nflMass(margin, band));
  const favourite = percents.map((percent, band) => {
    const n = BAND_GAMES[band]!;
    return (n * (percent / 100 / nflMass(margin, band)) + POOLED_GAMES * pooled) / (n + POOLED_GAMES);
  });
  return { favourite, underdog: (eitherPercent / 100 - won) / byUnderdog };
}

let factors: (MarginFactor | undefined)[] | undefined;

/** By margin; undefined if it is not listed. */
function marginFactors(): (MarginFactor | undefined)[] {
  if (factors === undefined) {
    factors = [];
    for (const [margin, percent] of EITHER_BY) factors[margin] = factorOf(margin, percent);
  }
  return factors;
}

function favouriteFactor(factor: MarginFactor, spread: number): number {
  let band = 0;
  while (band < BAND_SPREAD.length - 2 && spread > BAND_SPREAD[band + 1]!) band++;
  const from = BAND_SPREAD[band]!;
  const share = Math.max(0, Math.min(1, (spread - from) / (BAND_SPREAD[band + 1]! - from)));
  return factor.favourite[band]! * (1 - share) + factor.favourite[band + 1]! * share;
}

/** One league's margins, of the game or of a part of it. */
export interface FootballMargins {
  readonly deviation: number;
  /** How much likelier than by the normal the favourite of `spread` points wins by exactly this (negative: loses). */
  factor(favouriteMargin: number, spread: number): number;
}

/** The factors are the NFL's; college has the same scoring, a wider normal and no ties. */
function footballMargins(deviation: number, ties: boolean): FootballMargins {
  const others = bySpread((spread) => otherFactor(deviation, ties, spread));
  return {
    deviation,
    factor(favouriteMargin, spread) {
      const listed = listedFactor(favouriteMargin, spread, ties);
      return Number.isNaN(listed) ? others(spread) : listed;
    },
  };
}

/** Tabulated per half point on first use: every thread loads this file, and many never handle football. */
function bySpread(compute: (spread: number) => number): (spread: number) => number {
  let table: Float64Array | undefined;
  return (spread) => {
    table ??= Float64Array.from({ length: STEPS + 1 }, (_, step) => compute(step / 2));
    const step = Math.min(STEPS, 2 * spread);
    const below = Math.floor(step);
    const above = Math.min(STEPS, below + 1);
    return table[below]! + (step - below) * (table[above]! - table[below]!);
  };
}

/** Factor of the unlisted margins, so that all results together have probability 1. */
function otherFactor(deviation: number, ties: boolean, spread: number): number {
  let listed = 0;
  let normal = 0;
  for (const [margin] of EITHER_BY) {
    for (const signed of margin === 0 ? [0] : [margin, -margin]) {
      const mass = normalBetween(signed, signed, spread, deviation);
      normal += mass;
      listed += mass * listedFactor(signed, spread, ties);
    }
  }
  return (1 - listed) / (1 - normal);
}

function listedFactor(favouriteMargin: number, spread: number, ties: boolean): number {
  const factor = marginFactors()[Math.abs(favouriteMargin)];
  if (factor === undefined) return Number.NaN;
  if (favouriteMargin === 0) return ties ? factor.underdog : 0;
  return favouriteMargin > 0 ? favouriteFactor(factor, spread) : factor.underdog;
}

export const NFL_MARGINS = footballMargins(NFL_MARGIN_DEVIATION, true);
export const COLLEGE_MARGINS = footballMargins(COLLEGE_MARGIN_DEVIATION, false);

/** Margins of a half or quarter: ties stand, and the numbers that few scores make stand out even more. */
export function partMargins(whole: FootballMargins, share: number): FootballMargins {
  const deviation = whole.deviation * Math.sqrt(share);
  let factors: readonly number[] | undefined;
  const plain = (margin: number): number => {
    factors ??= driveFactors(share, NFL_MARGIN_DEVIATION * Math.sqrt(share));
    return factors[Math.abs(margin)] ?? 1;
  };
  const sum = bySpread((spread) => {
    let all = 0;
    for (let margin = -SPREAD_MAX; margin <= 2 * SPREAD_MAX; margin++)
      all += normalBetween(margin, margin, spread, deviation) * plain(margin);
    return all;
  });
  return { deviation, factor: (margin, spread) => plain(margin) / sum(spread) };
}

/** P(the favourite of `spread` points (>= 0) wins by exactly this; negative: loses by it). */
export function favouriteWinsBy(margins: FootballMargins, margin: number, spread: number): number {
  const known = signedMass(margins, margin, spread);
  if (spread >= PICK_SPREAD) return known;
  const sure = 0.5 + (0.5 * spread) / PICK_SPREAD;
  return sure * known + (1 - sure) * signedMass(margins, -margin, spread);
}

/** P(home wins by exactly `margin`; negative: away does), `centre` the home team's expected margin. */
export function homeWinsBy(margins: FootballMargins, margin: number, centre: number): number {
  return centre < 0 ? favouriteWinsBy(margins, -margin, -centre) : favouriteWinsBy(margins, margin, centre);
}

function signedMass(margins: FootballMargins, margin: number, spread: number): number {
  return normalBetween(margin, margin, spread, margins.deviation) * margins.factor(margin, spread);
}

// Margins of halves and quarters of football, from the drives in them: what a drive scores, and how many there are.
// Sources of the figures: docs/project/models.md.

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
function driveFactors(share: number, deviation: number): readonly number[] {
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
