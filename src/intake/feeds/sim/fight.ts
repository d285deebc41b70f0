// A fight of three rounds: it ends early at a constant hazard rate, else on points.

import type { GameState } from '../../../base/model/game-state.js';
import type { Contest, ContestResult, Fair, Strengths } from './contest.js';
import type { Ladder } from './ladder.js';
import type { Random } from './prng.js';

const ROUNDS = 3;
const ROUND_S = 300;
const BREAK_S = 60;

export class Fight implements Contest {
  state: GameState = {};
  over = false;
  remaining = 1;
  /** Log odds that the home fighter wins. */
  #edge: number;
  /** Expected ends per round. */
  readonly #hazard: number;
  /** Rounds fought, with a fraction. */
  #fought = 0;
  #homeWon = false;

  /** `hazard` is the mean number of stoppages in a fight of a round's length. */
  constructor(strengths: Strengths, hazard: number) {
    this.#edge = strengths.margin;
    this.#hazard = hazard;
  }

  fair(side: number, total: number): Fair {
    const home = 1 / (1 + Math.exp(-(this.#edge + side * 1.6)));
    const hazard = this.#hazard * Math.exp(-total * 0.8);
    return {
      home,
      draw: 0,
      margin: null,
      total: roundsLadder(hazard, this.#fought),
      homeScore: null,
      awayScore: null,
    };
  }

  get result(): ContestResult {
    const home_score = Number(this.over && this.#homeWon);
    // A line of 2.5 rounds is passed in the middle of the third one.
    const stats = { rounds: { home: Math.round(this.#fought), away: 0 } };
    return { home_score, away_score: Number(this.over) - home_score, parts: [], stats };
  }

  play(elapsedS: number, random: Random): boolean {
    if (this.over) return false;
    const round = Math.floor(elapsedS / (ROUND_S + BREAK_S));
    const inRound = Math.min(1, (elapsedS - round * (ROUND_S + BREAK_S)) / ROUND_S);
    const fought = Math.min(ROUNDS, round + inRound);
    const ended = random.chance(1 - Math.exp(-this.#hazard * (fought - this.#fought)));
    this.#edge += random.normal() * 0.5 * Math.sqrt(fought - this.#fought);
    this.#fought = fought;
    this.over = ended || fought >= ROUNDS;
    if (this.over) this.#homeWon = random.chance(1 / (1 + Math.exp(-this.#edge)));
    this.remaining = this.over ? 0 : 1 - fought / ROUNDS;
    const left = Math.floor(ROUND_S * (1 - inRound));
    this.state = {
      score_type: 'rounds',
      period: this.over ? 'Final' : `R${round + 1}`,
      clock: this.over ? null : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`,
    };
    return this.over;
  }
}

/** Rounds a fight lasts, given that `fought` of them are over. */
function roundsLadder(hazard: number, fought: number): Ladder {
  return {
    mean: fought + (1 - Math.exp(-hazard * (ROUNDS - fought))) / hazard,
    above: (line) => (line <= fought ? 1 : line >= ROUNDS ? 0 : Math.exp(-hazard * (line - fought))),
  };
}
