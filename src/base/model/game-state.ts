// The live state of a game, as books state it and as it is served.

/** What only some sports have, as a source states it; with `home_` and `away_` where each side has its own. */
export const SPORT_NUMBERS = [
  ...(['inning', 'outs', 'balls', 'strikes'] as const),
  ...(['down', 'distance', 'yard_line', 'home_timeouts', 'away_timeouts'] as const),
  ...(['current_set', 'home_sets', 'away_sets', 'home_games', 'away_games'] as const),
  ...(['home_red_cards', 'away_red_cards', 'home_yellow_cards', 'away_yellow_cards'] as const),
  ...(['home_corners', 'away_corners', 'home_shots', 'away_shots'] as const),
  ...(['home_wickets', 'away_wickets', 'home_overs', 'away_overs'] as const),
] as const;
/** Of a tennis game the points (`40`, `AD`). */
export const SPORT_TEXTS = ['inning_half', 'home_points', 'away_points', 'server'] as const;
export const SPORT_FLAGS = ['on_first', 'on_second', 'on_third', 'is_tie_break'] as const;
export const SPORT_FIELDS = [...SPORT_NUMBERS, ...SPORT_TEXTS, ...SPORT_FLAGS] as const;

type SportState = { [Name in (typeof SPORT_NUMBERS)[number]]?: number } & {
  [Name in (typeof SPORT_TEXTS)[number]]?: string;
} & { [Name in (typeof SPORT_FLAGS)[number]]?: boolean };

/** The fields of its sport that a state has. */
export function sportState(state: GameState): SportState {
  const own: Record<string, unknown> = {};
  for (const name of SPORT_FIELDS) if (state[name] !== undefined) own[name] = state[name];
  return own;
}

/** Live state of a game; every field may be missing or null. */
export interface GameState extends SportState {
  home_score?: number | null;
  away_score?: number | null;
  period?: string | null;
  clock?: string | null;
  score_type?: string | null;
  possession?: string | null;
  is_timeout?: boolean | null;
  fouls_home?: number | null;
  fouls_away?: number | null;
  power_play?: string | null;
  last_play?: string | null;
}
