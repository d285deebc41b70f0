// Matches of maps: how a map, its rounds and the match are graded by what a result tells.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GameResult, PartScore } from '../../../src/base/model/result.js';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { type BetQuestion, gradeBet } from '../../../src/rules/grading/grade.js';

const { types, houseRules, sports, leagues } = loadCatalogue();
const SPORTS = ['cs2', 'lol', 'dota2', 'valorant'];

type Maps = readonly (readonly [home: number, away: number, final?: boolean])[];

function told(status: GameResult['status'], score: readonly [number, number] | null, maps: Maps = []): GameResult {
  const parts = maps.map(([home, away, final = false], i): PartScore => ({ part: `map_${i + 1}`, home, away, final }));
  const at = score === null ? null : { home: score[0], away: score[1] };
  return { status, score: at, parts, regulation: null, stats: {}, players: {} };
}

function said(type: string, sport: string, selection: string, result: GameResult, line: number | null = null): string {
  const rules = types.of(type, sport, sport);
  const question: BetQuestion = {
    rules,
    sport,
    selection,
    line,
    team: null,
    player: null,
    threeWay: false,
    house: houseRules.of('nobody', sport, sport),
  };
  const { result: ended, reason } = gradeBet(question, result, false);
  return reason === null ? ended : `${ended} ${reason}`;
}

test('the four games are sports and leagues of their own, and one category', () => {
  for (const id of SPORTS) {
    assert.ok(leagues.some((league) => league.id === id && league.sport === id));
    assert.ok(sports.find((sport) => sport.id === id)?.aliases.includes('esports'));
  }
  assert.deepEqual([...loadCatalogue().sportsMatching(['esports']).sports].sort(), [...SPORTS].sort());
});

test('a type with a map in its name is about that map, as the catalogue says it and as its name does', () => {
  for (const type of ['moneyline_map_1', 'total_rounds_map_2', 'total_kills_map_3', 'round_handicap_map_1'])
    assert.equal(types.of(type, 'cs2').part, `map_${type.at(-1)}`, type);
  assert.equal(types.of('moneyline_1st_map', 'cs2').part, 'map_1');
  assert.deepEqual(
    [types.stated('h2h_map_2', 'cs2').type, types.of('moneyline_map_7', 'lol').part],
    ['moneyline_map_2', 'map_7'],
  );
  assert.equal(types.of('point_spread_map_1', 'cs2').statistic, 'rounds');
  assert.equal(types.of('total_points_map_1', 'lol').statistic, 'kills');
  assert.equal(types.of('total_maps', 'dota2').part, 'game');
});

test('a match is won by maps, a map by its rounds', () => {
  const result = told(
    'final',
    [2, 1],
    [
      [13, 9],
      [14, 16],
      [19, 17],
    ],
  );
  for (const sport of ['cs2', 'valorant']) {
    assert.equal(said('moneyline', sport, 'home', result), 'won');
    const maps = [1, 2, 3].map((no) => said(`moneyline_map_${no}`, sport, 'home', result));
    assert.deepEqual(maps, ['won', 'lost', 'won']);
    assert.equal(said('map_handicap', sport, 'home', result, -1.5), 'lost');
    assert.equal(said('point_spread', sport, 'away', result, 1.5), 'won');
    assert.equal(said('total_maps', sport, 'over', result, 2.5), 'won');
    assert.equal(said('total_rounds', sport, 'over', result, 87.5), 'won');
    assert.equal(said('total_rounds_map_1', sport, 'under', result, 22), 'push');
    assert.equal(said('round_handicap_map_2', sport, 'home', result, 2.5), 'won');
    assert.equal(said('point_spread_map_3', sport, 'home', result, -2.5), 'lost');
  }
});

test('kills do not say who won a map: told by who won it, or by a match in which one side won all', () => {
  for (const sport of ['lol', 'dota2']) {
    const kills: Maps = [
      [12, 25],
      [30, 8],
      [20, 22],
    ];
    assert.equal(said('moneyline_map_1', sport, 'home', told('final', [2, 1], kills)), 'pending part_not_told');
    const won: Maps = [
      [1, 0],
      [0, 1],
      [1, 0],
    ];
    const maps = [1, 2, 3].map((no) => said(`moneyline_map_${no}`, sport, 'home', told('final', [2, 1], won)));
    assert.deepEqual(maps, ['won', 'lost', 'won']);
    assert.equal(said('moneyline_map_2', sport, 'home', told('final', [2, 0])), 'won');
    assert.equal(said('moneyline_map_1', sport, 'home', told('final', [0, 2], kills.slice(0, 2))), 'lost');
    const counted = { ...told('final', [2, 1], won), stats: { kills_map_1: { home: 12, away: 25 } } };
    assert.equal(said('total_kills_map_1', sport, 'over', counted, 36.5), 'won');
    assert.equal(said('total_kills_map_2', sport, 'over', counted, 36.5), 'pending statistic_not_told');
  }
});

test('rounds are not read from a map that is told by its winner alone', () => {
  const result = told(
    'final',
    [2, 0],
    [
      [1, 0],
      [1, 0],
    ],
  );
  assert.equal(said('moneyline_map_1', 'cs2', 'home', result), 'won');
  assert.equal(said('total_rounds_map_1', 'cs2', 'under', result, 20.5), 'pending statistic_not_told');
  assert.equal(said('total_rounds', 'cs2', 'under', result, 40.5), 'pending statistic_not_told');
});

test('a map, or a set, to which the match did not come is no bet', () => {
  const result = told(
    'final',
    [2, 0],
    [
      [13, 9],
      [13, 4],
    ],
  );
  assert.equal(said('moneyline_map_3', 'cs2', 'home', result), 'void did_not_play');
  assert.equal(said('total_rounds_map_3', 'cs2', 'over', result, 20.5), 'void did_not_play');
  const tennis = { ...result, parts: ['set_1', 'set_2'].map((part) => ({ part, home: 6, away: 1, final: true })) };
  assert.equal(said('moneyline_set_3', 'tennis', 'home', tennis), 'void did_not_play');
});

test('of a match that was broken off, maps that were complete stand', () => {
  const cases: [sport: string, map: [number, number], complete: boolean][] = [
    ['cs2', [13, 11], true],
    ['cs2', [13, 12], false],
    ['cs2', [15, 13], false],
    ['cs2', [16, 12], true],
    ['cs2', [19, 17], true],
    ['valorant', [15, 13], true],
    ['valorant', [14, 13], false],
    ['cs2', [12, 3], false],
  ];
  for (const [sport, map, complete] of cases) {
    const result = told('abandoned', null, [map]);
    const expected = complete ? 'won' : 'void abandoned';
    assert.equal(said('moneyline_map_1', sport, 'home', result), expected, `${sport} ${map.join('-')}`);
  }
  const later = told(
    'abandoned',
    [1, 0],
    [
      [15, 13],
      [3, 5],
    ],
  );
  assert.equal(said('moneyline_map_1', 'cs2', 'home', later), 'won');
  assert.equal(said('moneyline_map_2', 'cs2', 'home', later), 'void abandoned');
});

test('two maps of a group may end level', () => {
  const result = told('final', [1, 1]);
  assert.equal(said('moneyline', 'dota2', 'home', result), 'push');
  assert.equal(types.of('moneyline', 'dota2', 'dota2').tie, 'push');
  assert.equal(types.of('moneyline', 'cs2', 'cs2').tie, 'cannot_happen');
});
