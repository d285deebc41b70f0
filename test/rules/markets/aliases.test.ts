// Names of The Odds API's list of markets, as the catalogue's types.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadCatalogue } from '../../../src/rules/catalogue/load.js';
import { marketAlias, plainName, typesMeant } from '../../../src/rules/markets/aliases.js';
import { unknownMarkets } from '../../../src/rules/markets/categories.js';

const catalogue = loadCatalogue();

/** By sport: what its documents list, and the type here. */
const LISTED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  basketball: {
    h2h: 'moneyline',
    spreads: 'point_spread',
    totals: 'total_points',
    alternate_spreads: 'point_spread',
    alternate_totals: 'total_points',
    team_totals: 'team_total',
    alternate_team_totals: 'team_total',
    h2h_q1: 'moneyline_q1',
    spreads_h1: 'point_spread_h1',
    totals_q4: 'total_points_q4',
    team_totals_h2: 'team_total_h2',
    h2h_3_way: 'moneyline_3way',
    player_points_alternate: 'player_points',
    player_points_rebounds_assists: 'player_points_rebounds_assists',
  },
  hockey: { spreads: 'puck_line', totals_p1: 'total_goals_p1', alternate_spreads_p3: 'puck_line_p3' },
  baseball: {
    spreads: 'run_line',
    totals_1st_5_innings: 'total_runs_1st_5_innings',
    h2h_1st_1_innings: 'moneyline_1st_1_innings',
    batter_home_runs: 'player_batter_home_runs',
    pitcher_strikeouts_alternate: 'player_pitcher_strikeouts',
    batter_fantasy_score: 'player_batter_fantasy_score',
    pitcher_fantasy_score: 'player_pitcher_fantasy_score',
  },
  soccer: {
    h2h: 'moneyline',
    h2h_lay: 'moneyline_lay',
    totals: 'total_goals',
    btts: 'both_teams_to_score',
    draw_no_bet: 'draw_no_bet',
    double_chance: 'double_chance',
    alternate_totals_corners: 'total_corners',
    alternate_spreads_corners: 'corners_spread',
    alternate_totals_cards: 'total_cards',
    alternate_spreads_cards: 'cards_spread',
  },
};

test('every name of The Odds API’s list is a type of the catalogue, in pushes, results and bets', () => {
  for (const [sport, names] of Object.entries(LISTED))
    for (const [name, type] of Object.entries(names)) {
      const stated = catalogue.types.stated(name, sport);
      assert.deepEqual([name, stated.type], [name, type]);
      assert.equal(stated.alternate, name.includes('alternate'), name);
      if (!name.startsWith('player_points_rebounds')) assert.ok(catalogue.marketType(type) !== undefined, type);
    }
});

/** By sport: what OpticOdds and SharpAPI call it, and the type here. */
const PART_FIRST: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  basketball: {
    '1st_half_point_spread': 'point_spread_h1',
    '3rd_quarter_total_points': 'total_points_q3',
    '1st_half_team_total': 'team_total_h1',
    '1st_quarter_moneyline': 'moneyline_q1',
    player_made_threes: 'player_threes',
  },
  football: { player_receiving_yards: 'player_reception_yds', player_passing_touchdowns: 'player_pass_tds' },
  hockey: {
    '1st_period_puck_line': 'puck_line_p1',
    'moneyline_3-way': 'moneyline_3way',
    player_saves: 'player_total_saves',
  },
  // What they call its first half has five innings.
  baseball: {
    '1st_half_run_line': 'run_line_1st_5_innings',
    '1st_3_innings_total_runs': 'total_runs_1st_3_innings',
    'player_hits_+_runs_+_rbis': 'player_batter_hits_runs_rbis',
  },
  soccer: {
    'moneyline_3-way': 'moneyline',
    asian_handicap: 'point_spread',
    asian_total_goals: 'total_goals',
    '1st_half_asian_handicap': 'point_spread_h1',
    '1st_half_moneyline_3-way': 'moneyline_h1',
    team_total_goals: 'team_total',
  },
};

test('names of OpticOdds and SharpAPI, with the part of the game before the market, are types of the catalogue', () => {
  for (const [sport, names] of Object.entries(PART_FIRST))
    for (const [name, type] of Object.entries(names)) {
      const stated = catalogue.types.stated(plainName(name), sport);
      assert.deepEqual([name, stated], [name, { type, team: null, alternate: false }]);
      assert.ok(catalogue.marketType(type) !== undefined, type);
    }
  assert.deepEqual(typesMeant('1st_half_point_spread'), ['point_spread_h1', 'puck_line_h1', 'run_line_1st_5_innings']);
  // Other questions of a part, a half of baseball that is none, and statistics of more than one kind of player.
  for (const name of [
    '1st_half_race_to_20',
    '2nd_half_run_line',
    '4th_quarter_moneyline_incl_ot_',
    'player_strikeouts',
  ])
    assert.equal(marketAlias(name, 'baseball'), undefined, name);
  assert.equal(marketAlias('asian_handicap', 'basketball'), undefined);
});

test('who wins is known by the names that files have for it, and a draw is one way of three', () => {
  const typesOf = (name: string) =>
    ['soccer', 'hockey', 'tennis', ''].map((sport) => catalogue.types.stated(name, sport).type);
  const threeWay = ['moneyline', 'moneyline_3way', 'moneyline_3way', 'moneyline_3way'];
  for (const name of ['1x2', 'full_time_result']) assert.deepEqual(typesOf(name), threeWay, name);
  for (const name of ['match_odds', 'match_result', 'match_winner'])
    assert.deepEqual(typesOf(name), ['moneyline', 'moneyline', 'moneyline', 'moneyline'], name);
  assert.deepEqual(typesMeant('1x2'), ['moneyline_3way', 'moneyline']);
  assert.deepEqual(typesMeant('match odds'), ['moneyline']);
  for (const name of ['match_result_and_total', 'match_winner_h1'])
    assert.equal(marketAlias(name, 'soccer'), undefined);
});

test('a name of our own is no alias, and in a filter a name means the types of every sport', () => {
  for (const type of ['moneyline', 'total_points', 'player_points', 'both_teams_to_score', 'team_total', 'total'])
    assert.equal(marketAlias(type, 'basketball'), undefined);
  assert.deepEqual(typesMeant('spreads'), ['point_spread', 'puck_line', 'run_line']);
  assert.deepEqual(typesMeant('totals_h1'), ['total_points_h1', 'total_goals_h1', 'total_runs_h1']);
  assert.deepEqual(typesMeant('h2h'), ['moneyline']);
  assert.deepEqual(typesMeant('anything'), ['anything']);
  assert.deepEqual(typesMeant('player_points_+_assists'), ['player_points_assists']);
});

test('names of parts, of lines with overs alone and of every usual statistic are known; a misspelled one is not', () => {
  const known = (type: string): boolean => catalogue.marketType(type) !== undefined;
  const names = [
    'h2h_3_way_h1',
    'alternate_totals_q3',
    'player_pass_yds_q1',
    'player_disposals_over',
    'player_try_scorer_last',
    'player_method_of_first_basket',
    'player_marks_most',
    'player_tackles_most',
    'player_goal_scorer_over',
    'player_try_scorer_over',
    'batter_fantasy_score',
    'pitcher_fantasy_score_alternate',
  ];
  assert.deepEqual(unknownMarkets(names, known), []);
  assert.deepEqual(unknownMarkets(['h2h_3_wayy', 'moneylin_h1', 'player_nothing'], known), [
    'h2h_3_wayy',
    'moneylin_h1',
    'player_nothing',
  ]);
  assert.deepEqual(marketAlias('player_goal_scorer_over', ''), { type: 'player_goals', alternate: true });
  assert.deepEqual(marketAlias('player_try_scorer_over', ''), { type: 'player_tries', alternate: true });
  assert.deepEqual(marketAlias('player_marks_over', ''), { type: 'player_marks', alternate: true });
});
