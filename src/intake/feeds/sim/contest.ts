// A simulated game: its score, and the market's fair expectation of the rest.

import type { GameState } from '../../../base/model/game-state.js';
import type { Ladder } from './ladder.js';
import type { LeagueModel } from './league-model.js';
import type { Random } from './prng.js';

/** The market's fair probabilities at one moment, all from one distribution of results, so that they are consistent. */
export interface Fair {
  /** Probability that the home side wins; with `draw`, in regular time. */
  home: number;
  /** 0 if a draw is impossible. */
  draw: number;
  /** Home score minus away score; null if there is no market on it. */
  margin: Ladder | null;
  total: Ladder;
  homeScore: Ladder | null;
  awayScore: Ladder | null;
}

export interface Contest {
  /**
   * Fair probabilities in the present state of the game. `side` and `total` are the market's deviations from the teams'
   * true strengths, in standard deviations of the result.
   */
  fair(side: number, total: number): Fair;
  /** Plays on until this many seconds after the start. True if the score changed. */
  play(elapsedS: number, random: Random): boolean;
  readonly state: GameState;
  readonly over: boolean;
  /** What it has come to so far. */
  readonly result: ContestResult;
  /** Share of the game still to play: 1 before it, 0 at its end. */
  readonly remaining: number;
}

/** As ingest takes a result. */
export interface ContestResult {
  home_score: number;
  away_score: number;
  /** Overtimes together are `ot`. */
  parts: { part: string; home_score: number; away_score: number }[];
  stats?: Record<string, { home: number; away: number }>;
}

/** A game's own strengths, in the units of its league's model. */
export interface Strengths {
  margin: number;
  total: number;
}

export function drawStrengths(model: LeagueModel, random: Random): Strengths {
  const total = Math.max(model.total * 0.75, model.total + random.normal() * model.totalSpread);
  const deviation = Math.max(-2.2, Math.min(2.2, random.normal()));
  const margin = model.homeEdge + deviation * model.marginSpread;
  return { total, margin };
}
