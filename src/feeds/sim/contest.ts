// A game as the simulation plays it: the score it has and what the market thinks will come.

import type { GameState } from '../../model/game-state.js';
import type { Ladder } from './ladder.js';
import type { LeagueModel } from './league-model.js';
import type { Random } from './prng.js';

/** The market's fair chances at one moment, all of one distribution of results, so that they fit each other. */
export interface Fair {
  /** Chance that the home side wins; with `draw`, of the regular time. */
  home: number;
  /** 0 where a draw cannot be. */
  draw: number;
  /** Home score minus away score; null where no margin is bet on. */
  margin: Ladder | null;
  total: Ladder;
  homeScore: Ladder | null;
  awayScore: Ladder | null;
}

export interface Contest {
  /**
   * Fair chances as the game stands. `side` and `total` are what the market thinks off the teams' true strengths, in
   * deviations of the result.
   */
  fair(side: number, total: number): Fair;
  /** Plays on to so many seconds after the start. True where the score is different. */
  play(elapsedS: number, random: Random): boolean;
  readonly state: GameState;
  readonly over: boolean;
  /** Share of the game still to play, 1 before it, 0 at its end. */
  readonly remaining: number;
}

export interface ContestTeams {
  home: string;
  away: string;
}

/** A game's own strengths, in the units of its league's model. */
export interface Strengths {
  margin: number;
  total: number;
}

export function drawStrengths(model: LeagueModel, random: Random): Strengths {
  const total = Math.max(model.total * 0.75, model.total + random.normal() * model.totalApart);
  const apart = Math.max(-2.2, Math.min(2.2, random.normal()));
  const margin = model.homeEdge + apart * model.marginApart;
  return { total, margin };
}
