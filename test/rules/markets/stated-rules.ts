// What each market type of the catalogue means in the sports that have it: the judge of what follows from its name.

/**
 * A row has the rules (family, sides, part, subject, line, step, statistic, tie, overtime, model), the sports that they hold
 * in, where they do not hold in all others of the type, and the types. `%` is the part, and `=` the player's statistic, that
 * stands in the name itself.
 */
const STATED = `
winner by_book game game none - score push counts margin in football mma boxing cricket rugby aussie_rules handball
  lacrosse dota2: moneyline
winner by_book game game none - score cannot_happen counts margin: moneyline
winner three regulation game none - score third_side does_not margin in soccer: moneyline moneyline_lay
handicap by_book game game required 0.5 score push counts margin: point_spread puck_line run_line
handicap by_book regulation game required 0.25 score push does_not margin in soccer: point_spread
handicap by_book game game required 0.5 games push counts margin in tennis: point_spread
handicap by_book game game required 0.5 points push counts margin in volleyball table_tennis badminton: point_spread
handicap by_book regulation game required 0.25 score push does_not margin: point_spread_rest
total two game game required 0.5 score push counts total: total_points total_runs
total two game game required 0.5 points push counts total in volleyball table_tennis badminton: total_points
handicap by_book game game required 0.5 sets push counts wide_margin: set_handicap
handicap by_book game game required 0.5 games push counts wide_margin: game_handicap
total two regulation game required 0.25 score push does_not total: total_goals
total two game game required 0.5 score push counts total in hockey: total_goals
total two game game required 0.5 games push counts wide_total: total_games
total two game game required 0.5 sets push counts wide_total: total_sets
handicap by_book game game required 0.5 maps push counts wide_margin: map_handicap
total two game game required 0.5 maps push counts wide_total: total_maps
total two game game required 0.5 rounds push counts wide_total: total_rounds
total two game team required 0.5 score push counts total: team_total
total two regulation team required 0.25 score push does_not total in soccer: team_total
total two game team required 0.5 points push counts total in volleyball table_tennis badminton: team_total
winner three regulation game none - score third_side does_not margin: moneyline_3way
winner two regulation game none - score push does_not margin: draw_no_bet
winner two game game none - advanced cannot_happen counts -: to_qualify
other by_book regulation game none - double_chance cannot_happen does_not - in soccer: double_chance
other by_book game game none - double_chance cannot_happen counts -: double_chance
yes_no two regulation game none - both_teams_to_score cannot_happen does_not -: both_teams_to_score
yes_no two game game none - both_teams_to_score cannot_happen counts - in hockey: both_teams_to_score
odd_even two game game none - - cannot_happen counts -: odd_even
odd_even two regulation game none - - cannot_happen does_not - in soccer: odd_even
other by_book regulation game none - score cannot_happen does_not - in soccer: correct_score
other by_book game game none - score cannot_happen counts -: correct_score
other by_book game game none - winning_margin cannot_happen counts -: winning_margin
other by_book regulation game none - winning_margin cannot_happen does_not - in soccer: winning_margin
other by_book regulation game none - half_time_full_time cannot_happen does_not -: half_time_full_time
other by_book game game none - half_time_full_time cannot_happen counts - in rugby: half_time_full_time
other by_book game game none - first_to_score cannot_happen counts -: first_team_to_score
other by_book regulation game none - first_to_score cannot_happen does_not - in soccer: first_team_to_score
other by_book game game required 1 race cannot_happen counts -: race_to_points
yes_no two game game none - overtime cannot_happen counts -: overtime
other by_book game game none - - cannot_happen counts -: method_of_victory player_method_of_first_basket
yes_no two game game none - - cannot_happen counts -: fight_goes_distance
total two regulation game required 0.25 corners push does_not wide_total: total_corners
handicap by_book regulation game required 0.25 corners push does_not wide_margin: corners_spread
total two regulation game required 0.25 cards push does_not wide_total: total_cards
handicap by_book regulation game required 0.25 cards push does_not wide_margin: cards_spread
outright by_book game game none - - cannot_happen counts -: outrights outrights_lay
winner by_book game game none - score push counts margin: moneyline_lay
winner by_book game game none - score cannot_happen counts margin in basketball baseball hockey tennis:
  moneyline_lay
winner by_book % game none - score push does_not margin: moneyline_h1 moneyline_q1 moneyline_q2 moneyline_q3
  moneyline_q4 moneyline_p1 moneyline_p2 moneyline_p3 moneyline_1st_1_innings moneyline_1st_3_innings
  moneyline_1st_5_innings moneyline_1st_7_innings
winner three % game none - score third_side does_not margin in soccer: moneyline_h1 moneyline_h2
handicap by_book % game required 0.5 score push does_not margin: point_spread_h1 point_spread_q1 point_spread_q2
  point_spread_q3 point_spread_q4 puck_line_p1 puck_line_p2 puck_line_p3 run_line_1st_1_innings
  run_line_1st_3_innings run_line_1st_5_innings run_line_1st_7_innings
handicap by_book % game required 0.25 score push does_not margin in soccer: point_spread_h1 point_spread_h2
total two % game required 0.5 score push does_not total: total_points_h1 total_points_q1 total_points_q2
  total_points_q3 total_points_q4 total_goals_p1 total_goals_p2 total_goals_p3 total_runs_1st_1_innings
  total_runs_1st_3_innings total_runs_1st_5_innings total_runs_1st_7_innings
total two % game required 0.25 score push does_not total: total_goals_h1 total_goals_h2
total two % team required 0.5 score push does_not total: team_total_h1 team_total_q1 team_total_q2 team_total_q3
  team_total_q4 team_total_p1 team_total_p2 team_total_p3 team_total_1st_1_innings team_total_1st_3_innings
  team_total_1st_5_innings team_total_1st_7_innings
total two % team required 0.25 score push does_not total in soccer: team_total_h1 team_total_h2
winner by_book % game none - score push counts margin: moneyline_h2
handicap by_book % game required 0.5 score push counts margin: point_spread_h2
total two % game required 0.5 score push counts total: total_points_h2
total two % team required 0.5 score push counts total: team_total_h2
total two game player required 0.5 = push counts wide_total: player_pass_yds player_pass_tds player_pass_attempts
  player_pass_completions player_pass_interceptions player_pass_longest_completion player_rush_yds player_rush_tds
  player_rush_attempts player_rush_longest player_receptions player_reception_yds player_reception_tds
  player_reception_longest player_rush_reception_yds player_pass_rush_yds player_fantasy_points
  player_rush_reception_tds player_pass_rush_reception_tds player_pass_rush_reception_yds player_sacks
  player_solo_tackles player_tackles_assists player_defensive_interceptions player_field_goals player_kicking_points
  player_pats player_tds_over player_points player_assists player_rebounds player_threes player_blocks player_steals
  player_blocks_steals player_turnovers player_points_rebounds_assists player_points_rebounds player_points_assists
  player_rebounds_assists player_frees_made player_frees_attempts player_batter_hits player_batter_home_runs
  player_batter_fantasy_score player_pitcher_fantasy_score player_batter_total_bases player_batter_rbis
  player_batter_runs_scored player_batter_hits_runs_rbis player_batter_singles player_batter_doubles
  player_batter_triples player_batter_walks player_batter_strikeouts player_batter_stolen_bases
  player_pitcher_strikeouts player_pitcher_hits_allowed player_pitcher_walks player_pitcher_earned_runs
  player_pitcher_outs player_goals player_shots_on_goal player_blocked_shots player_power_play_points
  player_total_saves player_aces player_double_faults player_disposals player_marks player_afl_fantasy_points
  player_tries player_runs player_wickets player_significant_strikes player_takedowns
yes_no two game player none - = cannot_happen counts -: player_anytime_td player_1st_td player_last_td
  player_double_double player_triple_double player_first_basket player_first_team_basket
  player_batter_first_home_run player_pitcher_record_a_win player_goal_scorer_anytime player_goal_scorer_first
  player_goal_scorer_last player_marks_most player_tackles_most player_try_scorer_anytime player_try_scorer_last
  player_try_scorer_first
total two regulation player required 0.5 = push does_not wide_total in soccer: player_assists
total two % player required 0.5 = push does_not wide_total: player_points_q1 player_rebounds_q1 player_assists_q1
yes_no two regulation player none - = cannot_happen does_not - in soccer: player_goal_scorer_anytime
yes_no two regulation player none - = cannot_happen does_not -: player_first_goal_scorer player_last_goal_scorer
  player_to_receive_card player_to_receive_red_card
total two regulation player required 0.5 = push does_not wide_total: player_shots player_shots_on_target
  player_tackles player_passes
winner by_book % game none - score cannot_happen does_not margin: moneyline_map_1 moneyline_map_2 moneyline_map_3
  moneyline_map_4 moneyline_map_5
total two % game required 0.5 rounds push does_not wide_total: total_rounds_map_1 total_rounds_map_2
  total_rounds_map_3 total_rounds_map_4 total_rounds_map_5
total two % game required 0.5 kills push does_not wide_total: total_kills_map_1 total_kills_map_2 total_kills_map_3
  total_kills_map_4 total_kills_map_5
handicap by_book % game required 0.5 rounds push does_not wide_margin: round_handicap_map_1 round_handicap_map_2
  round_handicap_map_3 round_handicap_map_4 round_handicap_map_5
`;

const ROWS = STATED.replaceAll(/\n {2}/g, ' ')
  .trim()
  .split('\n')
  .map((row) => {
    const [head = '', types = ''] = row.split(': ');
    const [rules = '', sports = ''] = head.split(' in ');
    return { rules, sports: sports.split(' '), types: types.split(' ') };
  });

export function statedRules(type: string, sport: string): string {
  const own = ROWS.filter(({ types }) => types.includes(type));
  const { rules = '' } =
    own.find(({ sports }) => sports.includes(sport)) ?? own.find(({ sports: [one] }) => !one) ?? {};
  const [, innings] = /_1st_(\d)_innings$/.exec(type) ?? [];
  const part = innings === undefined ? (/_(h\d|q\d|p\d|map_\d)$/.exec(type)?.[1] ?? '') : `innings_1_${innings}`;
  return rules.replace('%', part).replace('=', type.replace(/^player_|_q\d$/g, ''));
}
