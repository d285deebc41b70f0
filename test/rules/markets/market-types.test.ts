import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { expandMarkets, marketTest } from '../../../src/rules/markets/categories.js';
import { contractType, deriveRules } from '../../../src/rules/markets/derive.js';
import { MarketTypes } from '../../../src/rules/markets/market-types.js';
import { SCORE, type TypeRules } from '../../../src/rules/markets/rules.js';
import { needsLine, openStatistic, sideOf } from '../../../src/rules/markets/sides.js';
import { statedRules } from './stated-rules.js';

const { marketTypes, types } = loadCatalogue();

test('a type of the catalogue has the rules that are stated of it, in every sport that has it', () => {
  for (const { id, sports } of marketTypes)
    for (const sport of sports) {
      const { family, sides, part, subject, line, line_step, statistic, tie, overtime, model } = types.of(id, sport);
      const rules = [family, sides, part, subject, line, line_step, statistic, tie, overtime, model];
      assert.equal(rules.map((rule) => rule ?? '-').join(' '), statedRules(id, sport), `${id} ${sport}`);
    }
});

test('a type and sport have one object', () => {
  for (const type of ['moneyline', 'total_throw_ins_h1', 'player_fantasy_score'])
    for (const sport of ['soccer', 'basketball', '']) assert.equal(types.of(type, sport), types.of(type, sport));
  assert.equal(types.of('moneyline', 'basketball').type, 'moneyline');
  assert.equal(types.of('total_points', 'football'), types.of('total_points', 'basketball'));
});

const IMPLIED: readonly [type: string, sport: string, rules: Partial<TypeRules>][] = [
  ['moneyline', 'football', { family: 'winner', sides: 'by_book', part: 'game', tie: 'push', overtime: 'counts' }],
  ['moneyline', 'basketball', { tie: 'cannot_happen' }],
  ['moneyline', 'soccer', { sides: 'three', part: 'regulation', tie: 'third_side', overtime: 'does_not' }],
  ['moneyline_3way', 'hockey', { sides: 'three', part: 'regulation', tie: 'third_side', overtime: 'does_not' }],
  ['moneyline_3way_h1', 'football', { sides: 'three', part: 'h1', tie: 'third_side' }],
  ['moneyline_q1', 'basketball', { part: 'q1', tie: 'push', overtime: 'does_not', model: 'margin' }],
  ['moneyline_1st_half', 'basketball', { family: 'winner', part: 'h1', tie: 'push' }],
  ['draw_no_bet', 'soccer', { sides: 'two', part: 'regulation', tie: 'push', model: 'margin' }],
  ['corners_spread', 'soccer', { family: 'handicap', statistic: 'corners', model: 'wide_margin', line_step: 0.25 }],
  ['alternate_spread', 'tennis', { family: 'handicap', statistic: 'games' }],
  ['game_handicap', 'tennis', { family: 'handicap', statistic: 'games', line: 'required' }],
  ['point_spread_1st_5_innings', 'baseball', { part: 'innings_1_5', overtime: 'does_not' }],
  ['total_points_h2', 'football', { part: 'h2', overtime: 'counts' }],
  ['total_goals_h2', 'soccer', { part: 'h2', overtime: 'does_not', line_step: 0.25 }],
  ['total_games_set_1', 'tennis', { family: 'total', part: 'set_1', statistic: 'games' }],
  ['total_throw_ins', 'soccer', { family: 'total', statistic: 'throw_ins', model: 'wide_total', line: 'required' }],
  ['team_total_q3', 'basketball', { subject: 'team', part: 'q3', statistic: SCORE, model: 'total' }],
  ['player_fantasy_score', 'football', { subject: 'player', family: 'total', statistic: 'fantasy_score' }],
  ['player_anytime_try', 'rugby', { subject: 'player', family: 'yes_no', line: 'none', line_step: null }],
  ['player_prop', 'hockey', { subject: 'player', statistic: null }],
  ['moneyline_lay', 'tennis', { lay: true, backed: 'moneyline', family: 'winner' }],
  ['home_clean_sheet', 'soccer', { family: 'yes_no', turned: 'away_clean_sheet' }],
  ['clean_sheet_home', 'soccer', { turned: 'clean_sheet_away' }],
  ['to_win_both_halves_away_1st_half', 'soccer', { turned: 'to_win_both_halves_home_1st_half' }],
  ['home_away', 'soccer', { turned: 'home_away' }],
  ['home_runs_total', 'baseball', { turned: 'home_runs_total' }],
  ['player_batter_home_runs', 'baseball', { turned: 'player_batter_home_runs' }],
  ['set_betting', 'tennis', { family: 'other', statistic: SCORE }],
  ['exact_score_h1', 'soccer', { family: 'other', statistic: SCORE, part: 'h1' }],
  ['ht_ft', 'soccer', { family: 'other', statistic: 'half_time_full_time', part: 'regulation' }],
  ['margin_of_victory', 'football', { family: 'other', statistic: 'winning_margin' }],
  ['team_to_score_first', 'soccer', { statistic: 'first_to_score' }],
  ['european_handicap', 'soccer', { family: 'handicap', statistic: SCORE, sides: 'three', tie: 'third_side' }],
  ['point_spread_3way', 'soccer', { family: 'handicap', sides: 'three', tie: 'third_side' }],
  ['total_points_h1_contract_kalshi', 'football', { family: 'total', part: 'h1', tie: 'loses', model: 'total' }],
  ['kalshi_kxnbamention', 'basketball', { family: 'other', line: 'none', statistic: null, model: null }],
];

test('a type that the catalogue lacks gets its rules from its name', () => {
  for (const [type, sport, rules] of IMPLIED) {
    const found = types.of(type, sport);
    for (const [field, value] of Object.entries(rules))
      assert.equal(found[field as keyof TypeRules], value, `${type} ${sport} ${field}`);
    assert.equal(found.derived, !marketTypes.some(({ id }) => id === type), type);
  }
});

test('a contract venue’s own strikes have the rules of their market, but for what the number pays', () => {
  const type = contractType('total_throw_ins', 'some-venue');
  const own = new MarketTypes([{ id: 'total_throw_ins', ...deriveRules('total_throw_ins'), statistic: 'throws' }]);
  assert.equal(type, 'total_throw_ins_contract_some_venue');
  assert.deepEqual([own.usual(type).statistic, own.usual(type).tie], ['throws', 'loses']);
  assert.equal(own.contract(type, 'some-venue'), type);
  // Laid, they are no price to back.
  const laid = own.contract('total_throw_ins_lay', 'some-venue');
  const { lay, backed, tie } = own.usual(laid);
  assert.deepEqual({ lay, backed, tie }, { lay: true, backed: type, tie: 'loses' });
  assert.equal(own.contract(laid, 'some-venue'), laid);
  const longest = own.contract(`${'a'.repeat(48)}_total_lay`, 'some-venue');
  assert.deepEqual([longest.length, own.usual(longest).lay], [64, true]);
});

test('home and away team totals are the team total of that team', () => {
  assert.deepEqual(types.stated('home_team_total_h1'), { type: 'team_total_h1', team: 'home', alternate: false });
  assert.deepEqual(types.stated('team_total_home'), { type: 'team_total', team: 'home', alternate: false });
  assert.deepEqual(types.stated('away_team_total'), { type: 'team_total', team: 'away', alternate: false });
  assert.deepEqual(types.stated('home_clean_sheet'), { type: 'home_clean_sheet', team: null, alternate: false });
});

test('a row has a side only if its complement is certain', () => {
  const side = (type: string, sport: string, selection: string, line: boolean) => {
    const found = sideOf(types.of(type, sport), selection, line);
    return found === undefined ? undefined : `${found.pairing} ${found.side}`;
  };
  assert.equal(side('moneyline', 'soccer', 'draw', false), 'winner 2');
  assert.equal(side('point_spread', 'football', 'away', true), 'handicap 1');
  assert.equal(side('race_to_points', 'basketball', 'home', true), undefined);
  assert.equal(side('point_spread_3way', 'soccer', 'home', true), undefined);
  assert.equal(side('total_goals_3way', 'soccer', 'over', true), undefined);
  assert.equal(side('correct_score', 'soccer', 'home', false), undefined);
  assert.equal(side('anything', 'soccer', 'over', true), 'total 0');
  assert.equal(side('odd_even', 'soccer', 'even', false), 'opposite 1');
  assert.equal(side('total_points', 'football', 'constructor', true), undefined);
});

test('a line is needed where the entry says so, and where a name implies it for that side', () => {
  const needs = (type: string, selection: string) => needsLine(types.usual(type), selection);
  for (const type of ['corners_spread', 'cards_spread', 'game_handicap', 'point_spread_q2', 'sets_handicap'])
    assert.equal(needs(type, 'home'), true, type);
  assert.equal(needs('player_points', 'yes'), true);
  assert.equal(needs('player_fantasy_score', 'yes'), false);
  assert.equal(needs('player_fantasy_score', 'over'), true);
  assert.equal(needs('moneyline', 'home'), false);
});

test('a book’s own text distinguishes bets only under a type that names no statistic', () => {
  for (const { id } of marketTypes.filter(({ statistic }) => statistic !== null))
    assert.equal(openStatistic(types.usual(id), 'Points'), null, id);
  for (const type of ['player_prop', 'player_props', 'player_over_under', 'player_total_h1', 'team_specials'])
    assert.equal(openStatistic(types.usual(type), 'Shots On Goal'), 'shots on goal', type);
  assert.equal(openStatistic(types.usual('player_prop'), null), null);
});

test('market aliases expand as the specification lists them and mix with exact types', () => {
  const exact = (...names: string[]) => expandMarkets(names).exact;
  assert.deepEqual(exact('main'), ['moneyline', 'point_spread', 'total_points']);
  assert.deepEqual(exact('spread'), ['point_spread', 'puck_line', 'run_line', 'set_handicap', 'spread']);
  const totals = ['total_points', 'total_goals', 'total_runs', 'total_games', 'total_rounds', 'team_total'];
  assert.deepEqual(exact('total'), [...totals, 'total'], 'and what is pushed by the name itself');
  assert.equal(exact('main', ' Draw_No_Bet', 'spread').length, 8);
  assert.deepEqual(exact('constructor'), ['constructor']);
  const passes = marketTest(expandMarkets(['props', 'moneyline']), types);
  assert.deepEqual(['moneyline', 'player_points', 'player_new', 'total_points'].map(passes), [true, true, true, false]);
});
