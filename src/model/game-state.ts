// The live state of a game, as books state it and as it is served.

/** Live state of a game; every field may be missing or null. */
export interface GameState {
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
