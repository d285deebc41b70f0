// The distribution of a market's counted result, and the probability of each whole result. A spread counts the home
// team's margin, a total the quantity it is about. Models are made once per market type; the rest allocates nothing.

import type { LinePair } from '../../rules/grading/settle.js';
import { GAME, gamePart } from '../../rules/markets/parts.js';
import type { MarketRules } from '../../rules/markets/rules.js';
import {
  countTerms,
  negativeBinomial,
  negativeBinomialUpTo,
  normalBetween,
  poisson,
  poissonUpTo,
  skellam,
} from './counts.js';
import {
  COLLEGE_MARGINS,
  type FootballMargins,
  homeWinsBy,
  KEY_MARGINS,
  KEY_TOTALS,
  NFL_MARGINS,
  partMargins,
} from './key-numbers.js';
import { normalCdf, normalQuantile } from './normal.js';

/**
 * `football`: key numbers over a normal. `normal`: with the sport's standard deviation. `poisson` and `skellam`: goals.
 * `runs`: a negative binomial. `run_margin`: the difference of two of them, for parts of a game, in which most innings
 * are without a run. `wide`: the distribution is unknown, and a deliberately wide one errs towards a small
 * probability.
 */
export type ModelFamily = 'football' | 'normal' | 'poisson' | 'skellam' | 'runs' | 'run_margin' | 'wide';

export interface ResultModel {
  readonly pair: LinePair;
  readonly family: ModelFamily;
  /** For normal families, in points. */
  readonly deviation: number;
  /** For negative binomials: variance is mean + mean^2/shape; of one team's runs for their margin. */
  readonly shape: number;
  /** Expected total of both teams, for the Skellam family and margins of runs. */
  readonly goals: number;
  /** What happens on a tied margin: it stands, or play continues until one team leads, mostly by one. */
  readonly ties: 'stand' | 'spread_out' | 'by_one';
  readonly football: FootballMargins | undefined;
  /** Results worth flagging. */
  readonly keyNumbers: readonly number[];
  /** Share of its part of the game that remains to be played, 0-1. */
  readonly left: number;
  /** The part of the result that has already happened: points scored so far, or the home lead; 0 before the start. */
  readonly begun: number;
}

// Standard deviations in points. Margins: NFL and college in key-numbers.ts; NBA 17,793 games; college basketball
// Winston and Sagarin. Totals: NFL 2018-25; NBA 17,793 games; MLB 27,691 games, whose runs vary far more than a
// Poisson's (4.34 against 3.0), which is why baseball has a negative binomial of that variance. The margin of two
// independent scores has the variance of their sum.
const NFL_TOTAL = 13.16;
const NBA_MARGIN = 12.04;
const COLLEGE_BASKETBALL_MARGIN = 10;
const NBA_TOTAL = 17.68;
/** Around bookmakers' lines: 37.7 and 38 (1,056 games 2000-05) are published; scores have fallen since. */
const AFL_MARGIN = 37;
const MLB_RUNS = 4.34;

/** Runs of both teams in a game, and the shape at which they have that standard deviation. */
const MLB_MEAN = 8.8;
const MLB_SHAPE = MLB_MEAN ** 2 / (MLB_RUNS ** 2 - MLB_MEAN);

/** Expected goals of both teams. */
const HOCKEY_GOALS = 5.9;
const SOCCER_GOALS = 2.6;

/** Margins of sports without a figure: wider than most, and nobody's measurement. */
const UNKNOWN_MARGIN = 16;

/**
 * Shape of a wide total: a standard deviation of half the mean on top of counting noise, wider than known player
 * statistics.
 */
const WIDE_SHAPE = 4;

/** The distribution of what a market type counts, undefined if none is known. */
export function resultModel(
  { model, part, overtime, subject }: MarketRules,
  sport: string,
  league: string,
): ResultModel | undefined {
  const { share } = gamePart(part);
  switch (model) {
    case 'margin':
      return marginModel(sport, league, share, overtime === 'counts' && part === GAME);
    case 'wide_margin':
      return WIDE_MARGIN;
    case 'total':
      return totalModel(sport, league, share, subject === 'team');
    case 'wide_total':
      return WIDE_TOTAL;
    case null:
      return undefined;
  }
}

function build(
  pair: LinePair,
  family: ModelFamily,
  deviation: number,
  ties: ResultModel['ties'],
  more: Partial<ResultModel> = {},
): ResultModel {
  const none = { shape: 0, goals: 0, football: undefined, keyNumbers: [], left: 1, begun: 0 };
  return { pair, family, deviation, ties, ...none, ...more };
}

const WIDE_MARGIN = build('spread', 'wide', UNKNOWN_MARGIN, 'stand');
const WIDE_TOTAL = build('total', 'wide', 0, 'stand', { shape: WIDE_SHAPE });

/** `playedOut`: overtime follows a tie. */
function marginModel(sport: string, league: string, share: number, playedOut: boolean): ResultModel {
  const scale = Math.sqrt(share);
  switch (sport) {
    case 'football': {
      const whole = league === 'ncaaf' ? COLLEGE_MARGINS : NFL_MARGINS;
      const football = share === 1 ? whole : partMargins(whole, share);
      return build('spread', 'football', football.deviation, 'stand', { football, keyNumbers: KEY_MARGINS });
    }
    case 'basketball': {
      const college = league === 'ncaab' || league === 'wncaab';
      const deviation = college ? COLLEGE_BASKETBALL_MARGIN : NBA_MARGIN;
      return build('spread', 'normal', deviation * scale, playedOut ? 'spread_out' : 'stand');
    }
    case 'baseball':
      return share === 1
        ? build('spread', 'normal', MLB_RUNS, playedOut ? 'by_one' : 'stand')
        : build('spread', 'run_margin', 0, 'stand', { goals: MLB_MEAN * share, shape: (MLB_SHAPE * share) / 2 });
    case 'aussie_rules':
      return build('spread', 'normal', AFL_MARGIN * scale, 'stand');
    case 'hockey':
      return build('spread', 'skellam', 0, playedOut ? 'by_one' : 'stand', { goals: HOCKEY_GOALS * share });
    case 'soccer':
      return build('spread', 'skellam', 0, 'stand', { goals: SOCCER_GOALS * share });
    default:
      return WIDE_MARGIN;
  }
}

function totalModel(sport: string, league: string, share: number, oneTeam: boolean): ResultModel {
  const scale = Math.sqrt(share);
  // A team's score is half of total plus margin, which are nearly uncorrelated.
  const points = (total: number, margin: number): number => scale * (oneTeam ? Math.hypot(total, margin) / 2 : total);
  switch (sport) {
    case 'football': {
      const margin = (league === 'ncaaf' ? COLLEGE_MARGINS : NFL_MARGINS).deviation;
      const total = NFL_TOTAL * (margin / NFL_MARGINS.deviation);
      const keyNumbers = share === 1 && !oneTeam && league === 'nfl' ? KEY_TOTALS : [];
      return build('total', 'normal', points(total, margin), 'stand', { keyNumbers });
    }
    case 'basketball':
      return build('total', 'normal', points(NBA_TOTAL, NBA_MARGIN), 'stand');
    case 'baseball':
      return build('total', 'runs', 0, 'stand', { shape: MLB_SHAPE * share * (oneTeam ? 1 / 2 : 1) });
    case 'hockey':
    case 'soccer':
      return build('total', 'poisson', 0, 'stand');
    default:
      return WIDE_TOTAL;
  }
}

/**
 * The model of a market in play: the remainder has the variance of `share` (0-1) of the market's part of the game, on
 * top of what has `begun` (points so far, or home's lead; NaN if unknown). Scores move like a Brownian motion (Stern
 * 1994, "A Brownian motion model for the progress of sports scores"; Winston's Mathletics uses the same for the NFL and
 * NBA), so variances shrink with the time left; goals and runs still to come are Poisson and negative binomial by
 * themselves. Football's key numbers are counted over whole games from the closing line and do not apply to a score in
 * between: in play it is the normal. Undefined if no better model than the whole game's is known.
 */
export function modelInPlay(model: ResultModel, share: number, begun: number): ResultModel | undefined {
  const left = share;
  switch (model.family) {
    case 'football':
    case 'normal':
      return {
        ...model,
        left,
        family: 'normal',
        deviation: model.deviation * Math.sqrt(share),
        begun: model.pair === 'total' && begun > 0 ? begun : 0,
      };
    case 'poisson':
      return Number.isNaN(begun) ? undefined : { ...model, left, begun };
    case 'runs':
      return Number.isNaN(begun) ? undefined : { ...model, left, shape: model.shape * share, begun };
    case 'skellam':
    case 'run_margin':
      return Number.isNaN(begun)
        ? undefined
        : { ...model, left, goals: model.goals * share, shape: model.shape * share, begun };
    case 'wide':
      return undefined;
  }
}

/**
 * P(the counted result is exactly the integer `x`). `centre` is the no-vig market's centre: expected home margin, or
 * expected total.
 */
export function resultProbability(model: ResultModel, x: number, centre: number): number {
  if (model.pair === 'total') return x < 0 ? 0 : untied(model, x, centre);
  if (model.ties === 'stand') return untied(model, x, centre);
  if (x === 0) return 0;
  const tied = untied(model, 0, centre);
  if (model.ties === 'spread_out') return untied(model, x, centre) / (1 - tied);
  if (x !== 1 && x !== -1) return untied(model, x, centre);
  // Extra time goes to either side in the proportion of one-score games.
  const own = untied(model, x, centre);
  const both = own + untied(model, -x, centre);
  return both > 0 ? own + (tied * own) / both : 0;
}

/** `resultProbability` of `from`, `from` + 1, … into `out`, which for counts takes no longer than for one of them. */
export function resultProbabilities(model: ResultModel, from: number, centre: number, out: Float64Array): void {
  const { pair, family, begun, shape } = model;
  if (pair === 'total' && family !== 'normal' && family !== 'football')
    countTerms(from - begun, Math.max(0, centre - begun), shape, out);
  else for (let i = 0; i < out.length; i++) out[i] = resultProbability(model, from + i, centre);
}

/** With the score after regular time. */
function untied(model: ResultModel, x: number, centre: number): number {
  const { begun } = model;
  switch (model.family) {
    case 'football':
      return homeWinsBy(model.football!, x, centre);
    case 'normal': {
      const mass = normalBetween(x, x, centre, model.deviation);
      if (model.pair === 'spread') return mass;
      // The normal's mass below the points already scored belongs to the possible totals.
      return x < begun ? 0 : mass / normalCdf((centre + 0.5 - begun) / model.deviation);
    }
    case 'poisson':
      return poisson(x - begun, Math.max(0, centre - begun));
    case 'skellam': {
      // Scores stay positive even if the favourite is expected to win by more than the total.
      const lead = centre - begun;
      const goals = Math.max(model.goals, Math.abs(lead) + 0.1);
      return skellam(x - begun, (goals + lead) / 2, (goals - lead) / 2);
    }
    case 'run_margin':
      return runMargin(model, x, x, centre);
    case 'runs':
      return negativeBinomial(x - begun, Math.max(0, centre - begun), model.shape);
    case 'wide':
      return model.pair === 'total'
        ? negativeBinomial(x, Math.max(0, centre), model.shape)
        : normalBetween(x, x, centre, model.deviation);
  }
}

/**
 * The centre at which the result exceeds `line` with probability `p` (0-1, devigged: over for a total, the home side of
 * a spread at handicap -line, given no push). A line at even money is its own centre, except for counts, whose mean is
 * above their median.
 */
export function centreFromPrice(model: ResultModel, line: number, p: number): number {
  if (!(p > 0 && p < 1)) return Number.NaN;
  if (model.family === 'run_margin') return runCentre(model, line, p);
  if (model.family === 'poisson' || model.shape > 0) {
    // A line that is already passed has no two-sided price.
    return model.begun > 0 && line <= model.begun
      ? Number.NaN
      : model.begun + countCentre(model, line - model.begun, p);
  }
  const deviation = model.family === 'skellam' ? Math.sqrt(model.goals) : model.deviation;
  return line + deviation * normalQuantile(p);
}

/** Runs of one team beyond this have a negligible probability in a part of a game. */
const RUNS_MAX = 40;
const homeRuns = new Float64Array(RUNS_MAX);
const awayRuns = new Float64Array(RUNS_MAX);

/** P(from <= home - away <= to) at the expected margin `centre`, of two independent negative binomials. */
function runMargin({ goals, shape, begun }: ResultModel, from: number, to: number, centre: number): number {
  const lead = centre - begun;
  const runs = Math.max(goals, Math.abs(lead) + 0.02);
  countTerms(0, (runs + lead) / 2, shape, homeRuns);
  countTerms(0, (runs - lead) / 2, shape, awayRuns);
  let sum = 0;
  for (let away = 0; away < RUNS_MAX; away++) {
    let below = 0;
    const last = Math.min(RUNS_MAX - 1, away + to - begun);
    for (let home = Math.max(0, away + from - begun); home <= last; home++) below += homeRuns[home]!;
    sum += awayRuns[away]! * below;
  }
  return sum;
}

/** Bisection on P(margin > line)/(1 - P(margin = line)), which rises with the expected margin. */
function runCentre(model: ResultModel, line: number, p: number): number {
  let low = model.begun - 2 * RUNS_MAX;
  let high = model.begun + 2 * RUNS_MAX;
  while (high - low > 1e-4) {
    const centre = (low + high) / 2;
    const over = runMargin(model, Math.floor(line) + 1, 2 * RUNS_MAX, centre);
    const under = runMargin(model, -2 * RUNS_MAX, Math.ceil(line) - 1, centre);
    if (over / (over + under) < p) low = centre;
    else high = centre;
  }
  return (low + high) / 2;
}

/**
 * Bisection on P(over)/(P(over) + P(under)), which rises with the mean. On a quarter line half of the stake is refunded
 * at the number next to it and counts for neither side.
 */
function countCentre(model: ResultModel, line: number, p: number): number {
  // 2.25 lies above its number, 2.75 below it.
  const fraction = line - Math.floor(line);
  const quarter = fraction === 0.25 ? -1 : fraction === 0.75 ? 1 : 0;
  let low = 0.01;
  let high = 4 * line + 10;
  while (high - low > 1e-9 * high) {
    const mean = (low + high) / 2;
    let under = countUpTo(model, Math.ceil(line) - 1, mean);
    let over = 1 - countUpTo(model, Math.floor(line), mean);
    if (quarter < 0) under -= countAt(model, Math.floor(line), mean) / 2;
    else if (quarter > 0) over -= countAt(model, Math.ceil(line), mean) / 2;
    if (over / (over + under) < p) low = mean;
    else high = mean;
  }
  return (low + high) / 2;
}

function countUpTo(model: ResultModel, k: number, mean: number): number {
  return model.shape > 0 ? negativeBinomialUpTo(k, mean, model.shape) : poissonUpTo(k, mean);
}

function countAt(model: ResultModel, k: number, mean: number): number {
  return model.shape > 0 ? negativeBinomial(k, mean, model.shape) : poisson(k, mean);
}

/**
 * Probability that a stake at `line` is returned, as a share of it: all of it if the result is the line, half of it if
 * a quarter line is next to the result. The edge of a price is one minus that probability times p d - 1, with `p` the
 * fair probability from the prices of the line itself.
 */
export function refundedShare(model: ResultModel, line: number, centre: number): number {
  const whole = Number.isInteger(line);
  if (!whole && !Number.isInteger(2 * line - 0.5)) return 0;
  const chance = resultProbability(model, Math.round(line) + 0, centre) * (whole ? 1 : 0.5);
  return Math.max(0, Math.min(1, chance));
}
