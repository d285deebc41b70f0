// What a selection says of the sides of its game, and of the same game listed the other way round.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GameResult } from '../../../src/base/model/result.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { gradeBet } from '../../../src/rules/grading/grade.js';
import type { TypeRules } from '../../../src/rules/markets/rules.js';
import {
  outcomeName,
  outcomeOf,
  swapLine,
  swapSelection,
  swapSide,
} from '../../../src/rules/markets/selection-words.js';

const catalogue = loadCatalogue();
const { types } = catalogue;
const of = (type: string, text: string): string | undefined => outcomeOf(types.usual(type), text);
const turned = (type: string, text: string): string => swapSelection(types.usual(type), text);

test('however an outcome is written, it has one word', () => {
  const written: Record<string, Record<string, string[]>> = {
    double_chance: {
      home_or_draw: ['1x', '1X', 'x1', 'draw_or_home', 'Home or Draw', 'Draw/Home', 'home_or_tie', 'home_draw'],
      home_or_away: ['12', '21', 'away_or_home', 'Home or Away'],
      draw_or_away: ['x2', 'X2', 'away_or_draw', 'Draw or Away', 'the draw or away'],
    },
    half_time_full_time: {
      home_draw: ['home_draw', 'Home/Draw', '1/X', '1x', 'home - draw'],
      draw_draw: ['XX', 'Draw/Draw'],
    },
    winning_margin: {
      home_by_1: ['Home by 1', 'home_1', 'home_by_1', 'home by 1 goal', 'Home to win by exactly 1', 'home win by 1'],
      away_by_7_12: ['away_7_12', 'Away by 7-12', 'away by 7 to 12 points'],
      away_by_13_plus: ['Away by 13+', 'away by 13 or more', 'away_13_plus'],
      draw: ['draw', 'Tie', 'X'],
    },
    correct_score: { '2_1': ['2-1', '2:1', '2_1', 'Home 2-1', 'home_2_1'], '1_2': ['1-2', 'Away 2-1', 'Away 1-2'] },
    moneyline: {
      home: ['1', 'Home'],
      draw: ['X', 'draw', 'The Draw', 'Tie'],
      away: ['2'],
      home_or_draw: ['1X', 'draw_or_home'],
    },
    point_spread: { home: ['1'], draw: ['x', 'tie'], away: ['2'] },
    first_team_to_score: { home: ['1', 'home'], away: ['2'] },
  };
  for (const [type, words] of Object.entries(written))
    for (const [word, texts] of Object.entries(words))
      for (const text of texts) assert.equal(of(type, text), word, `${type} ${text}`);
  assert.equal(of('double_chance', 'home_or_home'), undefined);
  assert.equal(of('correct_score', 'Draw 2-1'), undefined);
  assert.equal(of('player_points', '1'), undefined);
  assert.equal(of('total_goals', '1'), undefined);
});

test('a selection of a game listed the other way round is turned, by word, id and label', () => {
  const pairs: Record<string, [string, string][]> = {
    double_chance: [
      ['home_or_draw', 'draw_or_away'],
      ['home_or_away', 'home_or_away'],
      ['1x', 'draw_or_away'],
      ['Home or Draw', 'draw_or_away'],
    ],
    half_time_full_time: [
      ['home_away', 'away_home'],
      ['1/X', 'away_draw'],
    ],
    correct_score: [
      ['2-1', '1-2'],
      ['2_1', '1_2'],
      ['Home 2-1', 'Away 2-1'],
    ],
    winning_margin: [
      ['Home by 1', 'Away by 1'],
      ['away_by_7_12', 'home_by_7_12'],
      ['1-5', '1-5'],
      ['homestead', 'homestead'],
    ],
    moneyline: [
      ['1', 'away'],
      ['draw', 'draw'],
    ],
    total_points: [['over', 'over']],
    result_and_total: [
      ['Home & Over 2.5', 'Away & Over 2.5'],
      ['home_over', 'away_over'],
      ['1X & Under', 'X2 & Under'],
    ],
    first_play: [['home_run', 'home_run']],
  };
  for (const [type, texts] of Object.entries(pairs))
    for (const [text, other] of texts) assert.equal(turned(type, text), other, `${type} ${text}`);
});

test('an outcome is named by the teams that play', () => {
  const game = { home: 'Arsenal', away: 'Chelsea' };
  const name = (type: string, outcome: string) => outcomeName(types.usual(type), outcome, game);
  assert.equal(name('double_chance', 'draw_or_away'), 'Draw or Chelsea');
  assert.equal(name('half_time_full_time', 'home_draw'), 'Arsenal/Draw');
  assert.equal(name('winning_margin', 'away_by_7_12'), 'Chelsea by 7-12');
  assert.equal(name('winning_margin', 'home_by_13_plus'), 'Arsenal by 13+');
  assert.equal(name('correct_score', '2_1'), '2-1');
  assert.equal(name('double_chance', 'nobody'), undefined);
});

/** Every selection that names a side, by how a market type is written. */
function selectionsOf({ family, statistic, sides }: TypeRules): string[] {
  if (family === 'winner')
    return ['home', 'away', ...(sides === 'two' ? [] : ['draw', 'home_or_draw', 'home_or_away', 'draw_or_away'])];
  if (family === 'handicap') return ['home', 'draw', 'away'];
  if (family !== 'other')
    return family === 'total' ? ['over', 'under'] : family === 'odd_even' ? ['odd', 'even'] : ['yes', 'no'];
  switch (statistic) {
    case 'double_chance':
      return ['home_or_draw', 'home_or_away', 'draw_or_away'];
    case 'half_time_full_time':
      return ['home', 'draw', 'away'].flatMap((half) => ['home', 'draw', 'away'].map((full) => `${half}_${full}`));
    case 'winning_margin':
      return ['home_by_1', 'home_by_2_3', 'away_by_1', 'away_by_2_plus', 'draw'];
    case 'score':
      return ['0_0', '1_0', '0_1', '2_1', '1_2', '3_1'];
    default:
      return ['home', 'away', 'none'];
  }
}

const SCORES = [0, 1, 2, 3].flatMap((home) => [0, 1, 2, 3].map((away) => ({ home, away })));

function resultOf(score: { home: number; away: number }, half: { home: number; away: number }): GameResult {
  const rest = { home: score.home - half.home, away: score.away - half.away };
  const parts = ['h1', 'h2', 'q1', 'q2', 'q3', 'q4', 'p1', 'p2', 'p3'].map((part) => ({
    part,
    final: true,
    ...(part === 'h2' || part.endsWith('3') || part.endsWith('4') ? rest : half),
  }));
  const counts = {
    corners: score,
    cards: half,
    sets: score,
    games: score,
    maps: score,
    rounds: score,
    first_to_score: half,
  };
  return { status: 'final', score, parts, stats: counts, players: {}, ended: 'normal', regulation: score };
}

test('in every market type of the catalogue a selection turned twice is itself, and turned at the reversed score it ends alike', () => {
  let graded = 0;
  const house = catalogue.houseRules.of('draftkings', 'soccer', 'epl');
  for (const { id } of catalogue.marketTypes)
    for (const sport of ['soccer', 'basketball', 'hockey', 'tennis']) {
      const rules = types.of(id, sport);
      if (rules.subject === 'player' || rules.family === 'outright') continue;
      const other = types.of(rules.turned, sport);
      for (const selection of selectionsOf(rules)) {
        const mirrored = swapSelection(rules, selection);
        assert.equal(swapSelection(other, mirrored), selection, `${id} ${selection}`);
        assert.equal(outcomeOf(rules, selection) ?? selection, selection, `${id} ${selection}`);
        for (const line of rules.line === 'none' ? [null] : [-1, 0, 1, 1.5]) {
          const at = swapLine(rules, selection, line);
          assert.equal(swapLine(other, mirrored, at), line, `${id} ${selection}`);
          for (const score of SCORES)
            for (const half of [
              { home: 0, away: 0 },
              { home: Math.min(1, score.home), away: 0 },
            ]) {
              const turn = ({ home, away }: { home: number; away: number }) => ({ home: away, away: home });
              const team = rules.subject === 'team' ? 'home' : null;
              const bet = { sport, player: null, threeWay: rules.family !== 'winner' || rules.sides !== 'two', house };
              const plain = gradeBet({ ...bet, rules, selection, line, team }, resultOf(score, half), true);
              const swapped = { ...bet, rules: other, selection: mirrored, line: at, team: swapSide(team) };
              const back = gradeBet(swapped, resultOf(turn(score), turn(half)), true);
              assert.deepEqual(back, plain, `${id} ${sport} ${selection} ${line} ${JSON.stringify({ score, half })}`);
              if (plain.result === 'won') graded++;
            }
        }
      }
    }
  assert.ok(graded > 5_000, `${graded} bets won`);
});
