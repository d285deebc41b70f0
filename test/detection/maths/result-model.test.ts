import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normalBetween, poisson, skellam } from '../../../src/detection/maths/counts.js';
import {
  centreFromPrice,
  modelInPlay,
  type ResultModel,
  refundedShare,
  resultModel,
  resultProbabilities,
  resultProbability,
} from '../../../src/detection/maths/result-model.js';
import { MarketTypes } from '../../../src/rules/markets/market-types.js';
import { gamePart } from '../../../src/rules/markets/parts.js';
import { near } from './near.js';

const TYPES = new MarketTypes();

function model(sport: string, league: string, marketType: string): ResultModel {
  const found = resultModel(TYPES.of(marketType, sport), sport, league);
  assert.ok(found, `${sport} ${marketType}`);
  return found;
}

test('each market type gets the distribution of its sport', () => {
  const families: [sport: string, league: string, type: string, family: string, pair: string][] = [
    ['football', 'nfl', 'point_spread', 'football', 'spread'],
    ['football', 'ncaaf', 'point_spread', 'football', 'spread'],
    ['football', 'nfl', 'point_spread_h1', 'football', 'spread'],
    ['baseball', 'mlb', 'run_line_1st_5_innings', 'run_margin', 'spread'],
    ['soccer', 'epl', 'draw_no_bet', 'skellam', 'spread'],
    ['football', 'nfl', 'total_points', 'normal', 'total'],
    ['basketball', 'nba', 'point_spread', 'normal', 'spread'],
    ['basketball', 'nba', 'team_total', 'normal', 'total'],
    ['baseball', 'mlb', 'run_line', 'normal', 'spread'],
    ['baseball', 'mlb', 'total_runs', 'runs', 'total'],
    ['hockey', 'nhl', 'puck_line', 'skellam', 'spread'],
    ['hockey', 'nhl', 'total_goals', 'poisson', 'total'],
    ['soccer', 'epl', 'point_spread', 'skellam', 'spread'],
    ['soccer', 'epl', 'total_goals', 'poisson', 'total'],
    ['soccer', 'epl', 'total_corners', 'wide', 'total'],
    ['tennis', 'atp', 'game_handicap', 'wide', 'spread'],
    ['tennis', 'atp', 'total_games', 'wide', 'total'],
    ['football', 'nfl', 'player_pass_yds', 'wide', 'total'],
  ];
  for (const [sport, league, type, family, pair] of families) {
    assert.deepEqual([model(sport, league, type).family, model(sport, league, type).pair], [family, pair], type);
  }
  for (const type of ['both_teams_to_score', 'correct_score', 'player_anytime_td'])
    assert.equal(resultModel(TYPES.of(type, 'soccer'), 'soccer', 'epl'), undefined);
});

test('deviations are those of the sport, and shrink with the part of the game', () => {
  near(model('basketball', 'nba', 'point_spread').deviation, 12.04, 0);
  near(model('basketball', 'ncaab', 'point_spread').deviation, 10, 0);
  near(model('basketball', 'nba', 'total_points').deviation, 17.68, 0);
  near(model('football', 'nfl', 'point_spread').deviation, 12.74, 0);
  near(model('football', 'ncaaf', 'point_spread').deviation, 16, 0);
  near(model('basketball', 'nba', 'total_points_q1').deviation, 17.68 / 2, 1e-12);
});

test('goals follow the plain Poisson and Skellam laws', () => {
  near(resultProbability(model('hockey', 'nhl', 'total_goals'), 6, 5.8), poisson(6, 5.8), 1e-15);
  near(resultProbability(model('soccer', 'epl', 'total_goals'), 3, 2.6), 0.21757, 6e-6);
  near(resultProbability(model('soccer', 'epl', 'point_spread'), 0, 0.4), 0.25767, 6e-6);
  near(
    resultProbability(model('hockey', 'nhl', 'puck_line_p1'), 1, 0.5),
    skellam(1, (5.9 / 3 + 0.5) / 2, (5.9 / 3 - 0.5) / 2),
    1e-12,
  );
});

test('runs of baseball scatter wider than a Poisson would have it', () => {
  const nine = resultProbability(model('baseball', 'mlb', 'total_runs'), 9, 8.8);
  assert.ok(nine < 0.1 && nine > 0.08, `${nine}`);
  assert.ok(nine < 0.75 * poisson(9, 8.8));
});

test('if play continues until one team leads nobody ties, and one-score wins get the probability of ties', () => {
  for (const [sport, league, type] of [
    ['hockey', 'nhl', 'puck_line'],
    ['baseball', 'mlb', 'run_line'],
    ['basketball', 'nba', 'point_spread'],
  ] as const) {
    assert.equal(resultProbability(model(sport, league, type), 0, 0.5), 0);
  }
  const run = model('baseball', 'mlb', 'run_line');
  const byOne = resultProbability(run, 1, 0.1) + resultProbability(run, -1, 0.1);
  near(byOne, 0.275, 0.02);
  assert.ok(resultProbability(model('soccer', 'epl', 'point_spread'), 0, 0.4) > 0.2);
});

const kinds: [sport: string, league: string, type: string, from: number, to: number][] = [
  ['football', 'nfl', 'point_spread', -17, 17],
  ['football', 'ncaaf', 'point_spread', -40, 40],
  ['football', 'nfl', 'total_points', 33, 60],
  ['basketball', 'nba', 'point_spread', -15, 15],
  ['basketball', 'nba', 'total_points', 190, 250],
  ['baseball', 'mlb', 'run_line', -3, 3],
  ['baseball', 'mlb', 'total_runs', 6, 13],
  ['baseball', 'mlb', 'team_total_1st_5_innings', 1, 4],
  ['hockey', 'nhl', 'puck_line', -2, 2],
  ['hockey', 'nhl', 'total_goals', 4.5, 8],
  ['soccer', 'epl', 'point_spread', -3.5, 3.5],
  ['soccer', 'epl', 'total_goals', 1.5, 4.5],
  ['tennis', 'atp', 'game_handicap', -6, 6],
  ['tennis', 'atp', 'total_games', 18, 40],
  ['football', 'nfl', 'player_pass_yds', 180, 300],
];

test('over all results the probabilities sum to one, each is within 0-1, and the mean is near the centre', () => {
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.integer({ min: 0, max: 20 }), ([sport, league, type, from, to], part) => {
      const m = model(sport, league, type);
      const centre = Math.round(2 * (from + ((to - from) * part) / 20)) / 2;
      let sum = 0;
      let mean = 0;
      for (let x = -200; x <= 2000; x++) {
        const p = resultProbability(m, x, centre);
        assert.ok(p >= 0 && p <= 1);
        sum += p;
        mean += p * x;
      }
      near(sum, 1, 1e-6);
      near(mean, centre, 0.6 + 0.02 * Math.abs(centre));
    }),
    { numRuns: 100 },
  );
});

test('runs of baseball have the measured deviation of 4.34 at 8.8 a game', () => {
  const m = model('baseball', 'mlb', 'total_runs');
  let variance = 0;
  for (let x = 0; x < 200; x++) variance += resultProbability(m, x, 8.8) * (x - 8.8) ** 2;
  near(Math.sqrt(variance), 4.34, 1e-6);
});

test('a wide model gives a single result less than the known distributions do', () => {
  near(resultProbability(model('football', 'nfl', 'player_pass_yds'), 250, 250), 0.0031, 1e-4);
  assert.ok(resultProbability(model('basketball', 'nba', 'player_points'), 20, 20) < poisson(20, 20) / 2);
  assert.ok(resultProbability(model('rugby', 'nrl', 'point_spread'), 3, 3) <= normalBetween(3, 3, 3, 16));
});

test('a total is never below zero', () => {
  assert.equal(resultProbability(model('tennis', 'atp', 'total_sets'), -1, 2.5), 0);
});

test('the centre read from a price gives that price back', () => {
  for (const [sport, league, type, line] of [
    ['soccer', 'epl', 'total_goals', 2.5],
    ['soccer', 'epl', 'total_goals', 3],
    ['hockey', 'nhl', 'total_goals', 5.5],
    ['basketball', 'nba', 'total_points', 221.5],
    ['baseball', 'mlb', 'total_runs', 8.5],
    ['basketball', 'nba', 'player_points', 24.5],
  ] as const) {
    const m = model(sport, league, type);
    for (const p of [0.3, 0.45, 0.5, 0.62]) {
      const centre = centreFromPrice(m, line, p);
      let over = 0;
      let under = 0;
      for (let x = 0; x <= 900; x++) {
        if (x > line) over += resultProbability(m, x, centre);
        if (x < line) under += resultProbability(m, x, centre);
      }
      near(over / (over + under), p, m.family === 'normal' ? 0.001 : 1e-7);
    }
  }
  near(centreFromPrice(model('basketball', 'nba', 'point_spread'), 3.5, 0.5), 3.5, 1e-12);
  assert.ok(Number.isNaN(centreFromPrice(model('soccer', 'epl', 'total_goals'), 2.5, 1)));
});

test('a part of the game has the place that its name says', () => {
  const partOf = (type: string) => gamePart(TYPES.usual(type).part);
  assert.deepEqual(partOf('total_goals_p3'), { from: 2 / 3, share: 1 / 3 });
  assert.deepEqual(partOf('total_points'), { from: 0, share: 1 });
  assert.deepEqual(partOf('point_spread_h2'), { from: 1 / 2, share: 1 / 2 });
  assert.deepEqual(partOf('total_points_q4'), { from: 3 / 4, share: 1 / 4 });
  assert.deepEqual(partOf('total_runs_1st_5_innings'), { from: 0, share: 5 / 9 });
});

const IN_PLAY: [sport: string, league: string, type: string, begun: number, centre: number][] = [
  ['football', 'nfl', 'point_spread', 7, 4],
  ['football', 'nfl', 'total_points', 31, 45],
  ['basketball', 'nba', 'point_spread', -12, -6],
  ['basketball', 'nba', 'total_points', 110, 221.5],
  ['baseball', 'mlb', 'run_line', 2, 2.4],
  ['baseball', 'mlb', 'total_runs', 5, 8.6],
  ['hockey', 'nhl', 'puck_line', -1, -0.8],
  ['hockey', 'nhl', 'total_goals', 3, 5.1],
  ['soccer', 'epl', 'point_spread', 1, 1.3],
  ['soccer', 'epl', 'total_goals', 2, 3.1],
];

test('in play the results have probabilities, none is below the score, and the deviation is smaller', () => {
  for (const [sport, league, type, begun, centre] of IN_PLAY) {
    const whole = model(sport, league, type);
    let before = spread(whole, centre);
    for (const share of [0.75, 0.5, 0.25, 0.05]) {
      const now = modelInPlay(whole, share, begun)!;
      // The market expects ever fewer points to come.
      const expected = begun + (centre - begun) * share;
      near(sumOf(now, expected), 1, whole.ties === 'spread_out' ? 1e-3 : 1e-6);
      if (whole.pair === 'total')
        for (let x = 0; x < begun; x++) assert.equal(resultProbability(now, x, expected), 0, `${type} ${x}`);
      const deviation = spread(now, expected);
      if (whole.family === 'poisson') near(deviation, Math.sqrt(expected - begun), 1e-3);
      assert.ok(deviation < before, `${type} ${share}: ${deviation} of ${before}`);
      before = deviation;
    }
  }
});

function sumOf(of: ResultModel, centre: number): number {
  let sum = 0;
  for (let x = -300; x <= 600; x++) sum += resultProbability(of, x, centre);
  return sum;
}

function spread(of: ResultModel, centre: number): number {
  let mean = 0;
  let square = 0;
  for (let x = -300; x <= 600; x++) {
    const p = resultProbability(of, x, centre);
    mean += p * x;
    square += p * x * x;
  }
  return Math.sqrt(square - mean * mean);
}

test('with a quarter left half the deviation remains, and further goals have a Poisson distribution of their own', () => {
  const total = modelInPlay(model('basketball', 'nba', 'total_points'), 0.25, 170)!;
  near(total.deviation, 17.68 / 2, 1e-9);
  near(resultProbability(total, 222, 221.5), normalBetween(222, 222, 221.5, 8.84), 1e-6);
  const goals = modelInPlay(model('soccer', 'epl', 'total_goals'), 0.3, 2)!;
  near(resultProbability(goals, 2, 2.8), Math.exp(-0.8), 1e-12);
  near(resultProbability(goals, 3, 2.8), 0.8 * Math.exp(-0.8), 1e-12);
  const margin = modelInPlay(model('soccer', 'epl', 'point_spread'), 0.5, 1)!;
  near(resultProbability(margin, 2, 1.3), skellam(1, 0.8, 0.5), 1e-12);
  // Football's key numbers apply to whole games.
  assert.equal(modelInPlay(model('football', 'nfl', 'point_spread'), 0.5, 0)!.family, 'normal');
  assert.equal(modelInPlay(model('football', 'nfl', 'player_pass_yds'), 0.5, 0), undefined);
  assert.equal(modelInPlay(model('soccer', 'epl', 'total_goals'), 0.5, Number.NaN), undefined);
});

test('in play a price leads to its centre and back', () => {
  for (const [sport, league, type, begun, centre] of IN_PLAY) {
    const now = modelInPlay(model(sport, league, type), 0.4, begun)!;
    if (now.family === 'skellam' || now.ties !== 'stand') continue;
    const line = Math.floor(centre) + 0.5;
    let over = 0;
    for (let x = line + 0.5; x <= line + 200; x++) over += resultProbability(now, x, centre);
    near(centreFromPrice(now, line, over), centre, now.family === 'normal' ? 0.6 : 1e-6);
  }
  const goals = modelInPlay(model('soccer', 'epl', 'total_goals'), 0.4, 3)!;
  for (const line of [2.5, 3]) assert.ok(Number.isNaN(centreFromPrice(goals, line, 0.5)), String(line));
});

test('on a quarter line half of the stake is returned at the number next to it', () => {
  const goals = model('soccer', 'epl', 'total_goals');
  const two = resultProbability(goals, 2, 2.7);
  near(refundedShare(goals, 2, 2.7), two, 1e-12);
  for (const line of [1.75, 2.25]) near(refundedShare(goals, line, 2.7), two / 2, 1e-12);
  for (const line of [1.5, 2.5, 2.1]) assert.equal(refundedShare(goals, line, 2.7), 0);
  // Over 2.25 wins (d-1) with probability A and loses with B + two/2; at the fair price both are equal.
  const three = 1 - two - resultProbability(goals, 1, 2.7) - resultProbability(goals, 0, 2.7);
  const lost = 1 - three - two / 2;
  near(centreFromPrice(goals, 2.25, three / (three + lost)), 2.7, 1e-6);
});

test('many results at once are as likely as one by one', () => {
  const models = [
    model('basketball', 'nba', 'total_points'),
    model('basketball', 'nba', 'player_points'),
    model('baseball', 'mlb', 'total_runs'),
    modelInPlay(model('soccer', 'epl', 'total_goals'), 0.4, 3)!,
    model('football', 'nfl', 'point_spread'),
  ];
  for (const model of models)
    for (const from of [-4, 0, 2, 9]) {
      const out = new Float64Array(12);
      resultProbabilities(model, from, 5.5, out);
      assert.deepEqual(
        [...out],
        Array.from(out, (_, i) => resultProbability(model, from + i, 5.5)),
      );
    }
});

test('halves of football have ties and key numbers of their own, and a first inning is mostly a tie', () => {
  const at = (sport: string, league: string, type: string, margin: number, centre = 0) =>
    resultProbability(model(sport, league, type), margin, centre);
  const half = (margin: number, centre = 0) => at('football', 'nfl', 'point_spread_h1', margin, centre);
  near(half(0), 0.09, 0.003);
  near((half(3) + half(3, 3)) / 2, 0.08, 0.003);
  for (const key of [3, 7])
    for (const other of [1, 2, 5, 8, 9]) assert.ok(half(key) > 2 * half(other), `${key} ${other}`);
  assert.equal(half(7), half(-7));
  // Of first innings, half are without a run; nine innings are tied as often as games have extra innings.
  near(at('baseball', 'mlb', 'moneyline_1st_1_innings', 0), 0.55, 0.005);
  near(at('baseball', 'mlb', 'moneyline_1st_5_innings', 0), 0.157, 0.005);
  const college = (margin: number) => at('football', 'ncaaf', 'point_spread_h1', margin);
  assert.ok(college(0) > 0.05 && college(0) < half(0));
});

test('the results of a part of a game are together certain, and its price finds its centre again', () => {
  const parts: [sport: string, league: string, type: string][] = [
    ['football', 'nfl', 'point_spread_h1'],
    ['football', 'nfl', 'point_spread_q3'],
    ['football', 'ncaaf', 'point_spread_h2'],
    ['baseball', 'mlb', 'run_line_1st_1_innings'],
    ['baseball', 'mlb', 'run_line_1st_5_innings'],
  ];
  for (const [sport, league, type] of parts) {
    const part = model(sport, league, type);
    for (const centre of [-4, -0.3, 0, 1.6, 7]) {
      // A centre that exceeds the runs expected is nobody's.
      if (part.family === 'run_margin' && Math.abs(centre) > part.goals) continue;
      let sum = 0;
      for (let x = -140; x <= 140; x++) sum += resultProbability(part, x, centre);
      near(sum, 1, 1e-4);
    }
    if (part.family !== 'run_margin') continue;
    for (const line of [-0.5, 0, 0.5, 1])
      for (const p of [0.3, 0.5, 0.64]) {
        const centre = centreFromPrice(part, line, p);
        let [over, under] = [0, 0];
        for (let x = -39; x < 40; x++) {
          if (x > line) over += resultProbability(part, x, centre);
          if (x < line) under += resultProbability(part, x, centre);
        }
        near(over / (over + under), p, 1e-3);
      }
  }
});
