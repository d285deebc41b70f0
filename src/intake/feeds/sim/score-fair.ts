// Fair probabilities of games decided by scores: normal margins and totals for sports with many points, counts for
// sports with few.
import type { Fair } from './contest.js';
import { countMass, type Ladder, normalLadder, TableLadder } from './ladder.js';
import type { LeagueModel } from './league-model.js';

export interface JudgedRow {
  homeScore: number;
  awayScore: number;
  /** Share of the game still to play. */
  remaining: number;
}

/** Late in a game standard deviations approach zero; a price still needs some uncertainty. */
const REMAINING_MIN = 0.004;
const LEVEL = (): number => 1;

/** `margin` and `total` are the market's expectation for a whole game. */
export function scoreFair(model: LeagueModel, margin: number, total: number, standing: JudgedRow): Fair {
  return model.family === 'points'
    ? pointsFair(model, margin, total, standing)
    : goalsFair(model, margin, total, standing);
}

function pointsFair(model: LeagueModel, margin: number, total: number, standing: JudgedRow): Fair {
  const { homeScore, awayScore } = standing;
  const remaining = Math.max(REMAINING_MIN, standing.remaining);
  const spread = Math.sqrt(remaining);
  const centre = homeScore - awayScore + margin * remaining;
  const marginDeviation = Math.max(0.8, model.marginDeviation * spread);
  const totalDeviation = Math.max(0.8, model.totalDeviation * spread);
  const factor = (k: number): number => model.marginFactor(k, centre);
  const marginLadder = normalLadder(centre, marginDeviation, factor);
  const scored = homeScore + awayScore;
  const side = (score: number, expected: number): Ladder =>
    normalLadder(score + expected * remaining, Math.hypot(marginDeviation, totalDeviation) / 2, LEVEL, score);
  return {
    home: marginLadder.above(0),
    draw: 0,
    margin: marginLadder,
    total: normalLadder(scored + total * remaining, totalDeviation, LEVEL, scored),
    homeScore: side(homeScore, (total + margin) / 2),
    awayScore: side(awayScore, (total - margin) / 2),
  };
}

function goalsFair(model: LeagueModel, margin: number, total: number, standing: JudgedRow): Fair {
  const remaining = Math.max(REMAINING_MIN, standing.remaining);
  const least = 0.12 * total;
  const homeMean = Math.max(least, (total + margin) / 2) * remaining;
  const awayMean = Math.max(least, (total - margin) / 2) * remaining;
  const shape = model.shape * remaining;
  const home = countMass(homeMean, shape);
  const away = countMass(awayMean, shape);
  const scored = standing.homeScore + standing.awayScore;
  const lead = standing.homeScore - standing.awayScore;
  const low = lead - (away.length - 1);
  const margins = new Float64Array(home.length + away.length - 1);
  const totals = new Float64Array(home.length + away.length - 1);
  for (let h = 0; h < home.length; h++)
    for (let a = 0; a < away.length; a++) {
      const mass = home[h]! * away[a]!;
      margins[h - a + away.length - 1]! += mass;
      totals[h + a]! += mass;
    }
  const draws = model.clock.overtime === null;
  const tied = margins[-low] ?? 0;
  // Extra time ends ties by one, slightly more often in favour of the better side.
  const marginLadder = draws
    ? new TableLadder(low, margins)
    : byOne(low, margins, tied, homeMean / (homeMean + awayMean));
  const win = marginLadder.above(0.5);
  return {
    home: win,
    draw: draws ? marginLadder.above(-0.5) - win : 0,
    margin: marginLadder,
    total: new TableLadder(scored, totals),
    homeScore: new TableLadder(standing.homeScore, home),
    awayScore: new TableLadder(standing.awayScore, away),
  };
}

function byOne(low: number, margins: Float64Array, tied: number, homeShare: number): TableLadder {
  const from = Math.min(low, -1);
  const to = Math.max(low + margins.length - 1, 1);
  const mass = new Float64Array(to - from + 1);
  mass.set(margins, low - from);
  const homeWins = 0.5 + (homeShare - 0.5) * 0.7;
  mass[-from] = 0;
  mass[1 - from]! += tied * homeWins;
  mass[-1 - from]! += tied * (1 - homeWins);
  return new TableLadder(from, mass);
}
