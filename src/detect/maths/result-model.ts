// Which distribution the counted result of a market follows, and how likely each whole result is. A spread counts the
// home team's margin, a total what it totals. Models are made once per market type; the rest allocates nothing.

import { negativeBinomial, negativeBinomialUpTo, normalBetween, poisson, poissonUpTo, skellam } from './counts.js';
import {
  COLLEGE_MARGINS,
  type FootballMargins,
  homeWinsBy,
  KEY_MARGINS,
  KEY_TOTALS,
  NFL_MARGINS,
} from './key-numbers.js';
import { normalCdf, normalQuantile } from './normal.js';
import type { LinePair } from './settle.js';

/**
 * `football`: key numbers over a normal. `normal`: by the sport's deviation. `poisson` and `skellam`: goals. `runs`: a
 * negative binomial. `wide`: nothing is known of how results scatter, so that a deliberately wide distribution errs
 * towards a small probability.
 */
export type ModelFamily = 'football' | 'normal' | 'poisson' | 'skellam' | 'runs' | 'wide';

export interface ResultModel {
  readonly pair: LinePair;
  readonly family: ModelFamily;
  /** Of normal families, in points. */
  readonly deviation: number;
  /** Of negative binomial totals: variance is mean + mean^2/shape. */
  readonly shape: number;
  /** Expected total of both teams, for the Skellam family. */
  readonly goals: number;
  /** What becomes of a tied margin: it stands, or play goes on until one team leads, mostly by one. */
  readonly ties: 'stand' | 'spread_out' | 'by_one';
  readonly football: FootballMargins | undefined;
  /** Results worth flagging. */
  readonly keyNumbers: readonly number[];
}

// Deviations in points. Margins: NFL and college in key-numbers.ts; NBA 17,793 games; college basketball Winston and
// Sagarin. Totals: NFL 2018-25; NBA 17,793 games; MLB 27,691 games, whose runs scatter far more than a Poisson's
// (4.34 against 3.0), which is why baseball has a negative binomial of that variance. The margin of two independent scores scatters as their sum.
const NFL_TOTAL = 13.16;
const NBA_MARGIN = 12.04;
const COLLEGE_BASKETBALL_MARGIN = 10;
const NBA_TOTAL = 17.68;
const MLB_RUNS = 4.34;

/** Shape at which 8.8 runs, the mean of a game, have that deviation. */
const MLB_SHAPE = 8.8 ** 2 / (MLB_RUNS ** 2 - 8.8);

/** Expected goals of both teams, where the caller has no total line of the game. */
const HOCKEY_GOALS = 5.9;
const SOCCER_GOALS = 2.6;

/** Margins of sports without a figure: the widest figure of any. */
const UNKNOWN_MARGIN = 16;

/** Shape of a wide total: a deviation of half the mean on top of counting, wider than player statistics we know of. */
const WIDE_SHAPE = 4;

const MARGIN_MARKET = /^(?:point_spread|puck_line|run_line|spread)$/;
const OTHER_MARGIN = /_(?:handicap|spread)$/;
const SCORE_TOTAL = /^(?:total|total_points|total_goals|total_runs|team_total)$/;
const OTHER_TOTAL = /^(?:total_|player_)/;

/** Part of the game that a market type's suffix names (`_h1`, `_q3`, `_p2`, `_1st_5_innings`); 1 for all of it. */
export function gameShare(marketType: string): number {
  const innings = /_1st_(\d)_innings$/.exec(marketType);
  if (innings !== null) return Number(innings[1]) / 9;
  const period = /_([hqp])\d$/.exec(marketType)?.[1];
  return period === undefined ? 1 : period === 'h' ? 1 / 2 : period === 'q' ? 1 / 4 : 1 / 3;
}

/**
 * The model of a market type, undefined where it has no line to pass through (moneylines, yes/no). `goals` is the total
 * line of the game, where known, for margins of goals.
 */
export function resultModel(
  sport: string,
  league: string,
  marketType: string,
  goals?: number,
): ResultModel | undefined {
  const share = gameShare(marketType);
  const base = marketType.replace(/_(?:[hqp]\d|1st_\d_innings)$/, '');
  if (MARGIN_MARKET.test(base)) return marginModel(sport, league, share, goals);
  if (OTHER_MARGIN.test(base)) return WIDE_MARGIN;
  if (SCORE_TOTAL.test(base)) return totalModel(sport, league, share, base === 'team_total');
  return OTHER_TOTAL.test(base) ? WIDE_TOTAL : undefined;
}

function build(
  pair: LinePair,
  family: ModelFamily,
  deviation: number,
  ties: ResultModel['ties'],
  more: Partial<ResultModel> = {},
): ResultModel {
  return { pair, family, deviation, ties, shape: 0, goals: 0, football: undefined, keyNumbers: [], ...more };
}

const WIDE_MARGIN = build('spread', 'wide', UNKNOWN_MARGIN, 'stand');
const WIDE_TOTAL = build('total', 'wide', 0, 'stand', { shape: WIDE_SHAPE });

function marginModel(sport: string, league: string, share: number, goals: number | undefined): ResultModel {
  const scale = Math.sqrt(share);
  const whole = share === 1;
  switch (sport) {
    case 'football': {
      const football = league === 'ncaaf' ? COLLEGE_MARGINS : NFL_MARGINS;
      const family = whole ? 'football' : 'normal';
      return build('spread', family, football.deviation * scale, 'stand', { football, keyNumbers: KEY_MARGINS });
    }
    case 'basketball': {
      const college = league === 'ncaab' || league === 'wncaab';
      const deviation = college ? COLLEGE_BASKETBALL_MARGIN : NBA_MARGIN;
      return build('spread', 'normal', deviation * scale, whole ? 'spread_out' : 'stand');
    }
    case 'baseball':
      return build('spread', 'normal', MLB_RUNS * scale, whole ? 'by_one' : 'stand');
    case 'hockey':
      return build('spread', 'skellam', 0, whole ? 'by_one' : 'stand', { goals: (goals ?? HOCKEY_GOALS) * share });
    case 'soccer':
      return build('spread', 'skellam', 0, 'stand', { goals: (goals ?? SOCCER_GOALS) * share });
    default:
      return WIDE_MARGIN;
  }
}

function totalModel(sport: string, league: string, share: number, oneTeam: boolean): ResultModel {
  const scale = Math.sqrt(share);
  // A team's score is half of total plus margin, which hardly correlate.
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
 * P(the counted result is exactly the integer `x`). `centre` is the no-vig market's middle: expected home margin, or
 * expected total.
 */
export function resultProbability(model: ResultModel, x: number, centre: number): number {
  if (model.pair === 'total') return x < 0 ? 0 : untied(model, x, centre);
  if (model.ties === 'stand') return untied(model, x, centre);
  if (x === 0) return 0;
  const tied = untied(model, 0, centre);
  if (model.ties === 'spread_out') return untied(model, x, centre) / (1 - tied);
  if (x !== 1 && x !== -1) return untied(model, x, centre);
  // Extra time goes to either side as the one-score games do.
  const own = untied(model, x, centre);
  return own + (tied * own) / (own + untied(model, -x, centre));
}

/** As the score stands after regular time. */
function untied(model: ResultModel, x: number, centre: number): number {
  switch (model.family) {
    case 'football':
      return homeWinsBy(model.football!, x, centre);
    case 'normal': {
      const mass = normalBetween(x, x, centre, model.deviation);
      // What a normal puts below nothing scored belongs to the possible totals.
      return model.pair === 'total' ? mass / normalCdf((centre + 0.5) / model.deviation) : mass;
    }
    case 'poisson':
      return poisson(x, Math.max(0, centre));
    case 'skellam': {
      // Scores stay positive also where the favourite is expected to win by more than the total.
      const goals = Math.max(model.goals, Math.abs(centre) + 0.1);
      return skellam(x, (goals + centre) / 2, (goals - centre) / 2);
    }
    case 'runs':
      return negativeBinomial(x, Math.max(0, centre), model.shape);
    case 'wide':
      return model.pair === 'total'
        ? negativeBinomial(x, Math.max(0, centre), model.shape)
        : normalBetween(x, x, centre, model.deviation);
  }
}

/**
 * The centre at which the result passes `line` with probability `p` (0-1, devigged: over for a total, the home side of
 * a spread at handicap -line, given no push). A line at even chances is its own centre, save for counts, whose
 * mean lies above their median.
 */
export function centreFromPrice(model: ResultModel, line: number, p: number): number {
  if (!(p > 0 && p < 1)) return Number.NaN;
  if (model.family === 'poisson' || model.shape > 0) return countCentre(model, line, p);
  const deviation = model.family === 'skellam' ? Math.sqrt(model.goals) : model.deviation;
  return line + deviation * normalQuantile(p);
}

/** Bisection on P(over)/(P(over) + P(under)), which rises with the mean. */
function countCentre(model: ResultModel, line: number, p: number): number {
  let low = 0.01;
  let high = 4 * line + 10;
  while (high - low > 1e-9 * high) {
    const mean = (low + high) / 2;
    const under = countUpTo(model, Math.ceil(line) - 1, mean);
    const over = 1 - countUpTo(model, Math.floor(line), mean);
    if (over / (over + under) < p) low = mean;
    else high = mean;
  }
  return (low + high) / 2;
}

function countUpTo(model: ResultModel, k: number, mean: number): number {
  return model.shape > 0 ? negativeBinomialUpTo(k, mean, model.shape) : poissonUpTo(k, mean);
}
