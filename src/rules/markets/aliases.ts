// Market names of files and other odds services, first of all The Odds API's, as the types that they are here: in filters, in what
// is pushed, in results and in bets alike. A part of the game stays as it is stated: `totals_h1` is `total_points_h1`.

/** What a name of another service stands for. */
export interface MarketAlias {
  type: string;
  /** True if every line of such a market is an alternate one. */
  alternate: boolean;
}

/** The Odds API's names of markets of a game, longer ones before their beginnings. */
export const GAME_MARKETS = ['h2h_3_way', 'h2h_lay', 'h2h', 'spreads', 'totals', 'team_totals', 'btts'] as const;
/** Of who wins, as files and other services call it: in soccer, and where it says three ways, of regular time. */
const WINNERS = new Map([
  ['1x2', 'moneyline_3way'],
  ['full_time_result', 'moneyline_3way'],
  ['match_odds', 'moneyline'],
  ['match_result', 'moneyline'],
  ['match_winner', 'moneyline'],
  ['moneyline_3_way', 'moneyline_3way'],
]);
/** OpticOdds and SharpAPI name a part of the game before the market: `1st_half_point_spread`. */
const PART_FIRST = /^(?:([1-4])(?:st|nd|rd|th)_(half|quarter|period)|(1st_[1-9]_innings))_(.+)$/;
const PARTS: Readonly<Record<string, string>> = { half: 'h', quarter: 'q', period: 'p' };
const WINNER_OF_PART = /^(?:moneyline|draw_no_bet|double_chance|both_teams_to_score)$/;
const SPREAD = /^(?:point_spread|run_line|puck_line|goal_spread)$/;
const TOTAL = /^total_(?:points|goals|runs)$/;
const TEAM_TOTAL = /^team_total(?:_(?:points|goals|runs))?$/;
/** Their handicap and total of soccer with quarter steps. */
const ASIAN: Readonly<Record<string, string>> = { asian_handicap: 'point_spread', asian_total_goals: 'total_goals' };
const GAME_MARKET = new RegExp(`^(alternate_)?(${GAME_MARKETS.join('|')})(?:_([a-z0-9_]+))?$`);
/** Overs alone, at many lines, of what has a type with both sides. */
const OVERS = /^player_(?:disposals|marks|tackles)_over$/;
const PLAYER_MARKET = /^(player_|batter_|pitcher_)([a-z0-9_]+?)(_alternate)?$/;
/** The same of what has a name of its own there. */
const SCORERS: Readonly<Record<string, string>> = {
  player_goal_scorer_over: 'player_goals',
  player_try_scorer_over: 'player_tries',
};
/** The same of what OpticOdds and SharpAPI call otherwise; baseball's only there. */
const STATISTICS: Readonly<Record<string, string>> = {
  player_passing_attempts: 'player_pass_attempts',
  player_passing_completions: 'player_pass_completions',
  player_passing_touchdowns: 'player_pass_tds',
  player_passing_yards: 'player_pass_yds',
  player_rushing_attempts: 'player_rush_attempts',
  player_rushing_yards: 'player_rush_yds',
  player_receiving_yards: 'player_reception_yds',
  player_passing_rushing_yards: 'player_pass_rush_yds',
  player_rushing_receiving_yards: 'player_rush_reception_yds',
  player_made_threes: 'player_threes',
};
const BATTERS = /^player_(hits|hits_runs_rbis|home_runs|rbis|total_bases)$/;
/** Other counted units of a match: these replace the noun, while h1, q3, 1st_5_innings are parts of the game. */
const COUNTED = new Set(['corners', 'cards']);
/** Sports whose lines have names of their own, and any other. */
const LINE_SPORTS = ['', 'soccer', 'hockey', 'baseball'];

/** The types of a sport's main lines. */
export function lineTypes(sport: string): { spread: string; total: string } {
  if (sport === 'hockey') return { spread: 'puck_line', total: 'total_goals' };
  if (sport === 'baseball') return { spread: 'run_line', total: 'total_runs' };
  return { spread: 'point_spread', total: sport === 'soccer' ? 'total_goals' : 'total_points' };
}

/**
 * Undefined if the name is none of another service. `h2h_3_way` is settled on regular time while `h2h` includes overtime
 * where no draw is offered, so it is a type of its own, `moneyline_3way`. Baseball's `batter_hits` and `pitcher_strikeouts`
 * get the prefix `player_` of props; both kinds have strikeouts.
 */
export function marketAlias(name: string, sport: string): MarketAlias | undefined {
  const game = GAME_MARKET.exec(name);
  if (game !== null) return { type: gameType(game[2]!, game[3], sport), alternate: game[1] !== undefined };
  const winner = WINNERS.get(name);
  if (winner !== undefined) return { type: sport === 'soccer' ? 'moneyline' : winner, alternate: false };
  const ofPart = partFirst(name, sport);
  if (ofPart !== undefined) return { type: ofPart, alternate: false };
  if (sport === 'soccer' && Object.hasOwn(ASIAN, name)) return { type: ASIAN[name]!, alternate: false };
  if (name === 'goal_spread') return { type: lineTypes(sport).spread, alternate: false };
  if (name !== 'team_total' && TEAM_TOTAL.test(name)) return { type: 'team_total', alternate: false };
  if (Object.hasOwn(STATISTICS, name)) return { type: STATISTICS[name]!, alternate: false };
  if (sport === 'baseball' && BATTERS.test(name))
    return { type: name.replace(BATTERS, 'player_batter_$1'), alternate: false };
  if (sport === 'hockey' && name === 'player_saves') return { type: 'player_total_saves', alternate: false };
  const scorer = Object.hasOwn(SCORERS, name) ? SCORERS[name] : undefined;
  if (scorer !== undefined) return { type: scorer, alternate: true };
  if (OVERS.test(name)) return { type: name.slice(0, -'_over'.length), alternate: true };
  const player = PLAYER_MARKET.exec(name);
  if (player === null) return undefined;
  const type = `${player[1] === 'player_' ? '' : 'player_'}${player[1]}${player[2]}`;
  return type === name ? undefined : { type, alternate: player[3] !== undefined };
}

/** A name as that of a type may be: `moneyline_3-way`, `player_points_+_assists`. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/_*[^a-z0-9_]+_*/g, '_');
}

/**
 * Whether a service with names of both means the winner of a soccer game by this one only where it has no three-way one: books
 * call a bet without a draw so too.
 */
export function isSecondWinner(name: string, sport: string): boolean {
  return sport === 'soccer' && /^(?:[12](?:st|nd)_half_)?moneyline$/.test(name);
}

/** The types that a filter with this name means, in any sport; itself if it is none of another service. */
export function typesMeant(name: string): readonly string[] {
  const plain = plainName(name);
  const types = LINE_SPORTS.flatMap((sport) => marketAlias(plain, sport)?.type ?? []);
  return types.length === 0 ? [plain] : [...new Set(types)];
}

/** Undefined for markets of a part that are none of the books' usual ones. What they call baseball's first half has five innings. */
function partFirst(name: string, sport: string): string | undefined {
  const [, no, unit, innings, base = ''] = PART_FIRST.exec(name) ?? [];
  const type = typeOfPart(base, sport);
  if (type === undefined) return undefined;
  if (innings !== undefined) return `${type}_${innings}`;
  if (sport !== 'baseball' || unit !== 'half') return `${type}_${PARTS[unit!]}${no}`;
  return no === '1' ? `${type}_1st_5_innings` : undefined;
}

function typeOfPart(base: string, sport: string): string | undefined {
  if (base === 'moneyline_3_way') return sport === 'soccer' ? 'moneyline' : 'moneyline_3way';
  if (WINNER_OF_PART.test(base)) return base;
  if (SPREAD.test(base)) return lineTypes(sport).spread;
  if (TOTAL.test(base)) return lineTypes(sport).total;
  if (TEAM_TOTAL.test(base)) return 'team_total';
  return sport === 'soccer' ? ASIAN[base] : undefined;
}

function gameType(base: string, suffix: string | undefined, sport: string): string {
  const part = suffix === undefined ? '' : `_${suffix}`;
  const counted = suffix !== undefined && COUNTED.has(suffix) ? suffix : undefined;
  switch (base) {
    case 'h2h':
      return `moneyline${part}`;
    case 'h2h_3_way':
      return `moneyline_3way${part}`;
    case 'h2h_lay':
      return `moneyline${part}_lay`;
    case 'spreads':
      return counted ? `${counted}_spread` : `${lineTypes(sport).spread}${part}`;
    case 'totals':
      return counted ? `total_${counted}` : `${lineTypes(sport).total}${part}`;
    case 'btts':
      return `both_teams_to_score${part}`;
    default:
      return `team_total${part}`;
  }
}
