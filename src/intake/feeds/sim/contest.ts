// A simulated game: its score, and the market's fair expectation of the rest. Those of two players are below.

import type { GameState } from '../../../base/model/game-state.js';
import { type Ladder, TableLadder } from './ladder.js';
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

// Tennis, best of three sets: the home player wins every game of a set with the same probability, from which sets,
// match, games won and games played follow by enumeration.

/** Best of three sets; seconds per game, changeover included. */
const MATCH = { setsToWin: 2, gamesMost: 39, gameS: 225 } as const;

/** How a set ends: games of both players, and the probability of it. */
interface SetEnd {
  home: number;
  away: number;
  chance: number;
}

export class TennisMatch implements Contest {
  state: GameState = { home_score: 0, away_score: 0 };
  over = false;
  remaining = 1;
  readonly #strength: number;
  #sets: [number, number] = [0, 0];
  #games: [number, number] = [0, 0];
  #played = 0;
  #won = 0;
  readonly #setScores: [home: number, away: number][] = [];

  constructor(strengths: Strengths) {
    this.#strength = strengths.margin;
  }

  #gameChance(side: number, total: number): number {
    // A closer match is a longer one; nothing else can move the total here.
    const edge = (this.#strength + side * 0.055) * Math.max(0.5, 1 - total * 0.5);
    return Math.max(0.3, Math.min(0.7, 0.5 + edge));
  }

  fair(side: number, total: number): Fair {
    const p = this.#gameChance(side, total);
    const fresh = setEnds(0, 0, p);
    const margins = new Float64Array(2 * MATCH.gamesMost + 1);
    const totals = new Float64Array(MATCH.gamesMost + 1);
    let home = 0;
    const finish = (margin: number, games: number, chance: number): void => {
      margins[MATCH.gamesMost + this.#won + margin]! += chance;
      totals[Math.min(MATCH.gamesMost, this.#played + games)]! += chance;
    };
    const playSets = (sets: [number, number], ends: SetEnd[], margin: number, games: number, chance: number): void => {
      for (const end of ends) {
        const next: [number, number] = end.home > end.away ? [sets[0] + 1, sets[1]] : [sets[0], sets[1] + 1];
        const likely = chance * end.chance;
        const marginNow = margin + end.home - end.away;
        const gamesNow = games + end.home + end.away;
        if (next[0] === MATCH.setsToWin) home += likely;
        if (next[0] === MATCH.setsToWin || next[1] === MATCH.setsToWin) finish(marginNow, gamesNow, likely);
        else playSets(next, fresh, marginNow, gamesNow, likely);
      }
    };
    const [h, a] = this.#games;
    playSets([...this.#sets], setEnds(h, a, p), -(h - a), -(h + a), 1);
    return {
      home,
      draw: 0,
      margin: new TableLadder(-MATCH.gamesMost, margins),
      total: new TableLadder(0, totals),
      homeScore: null,
      awayScore: null,
    };
  }

  get result(): ContestResult {
    const parts = this.#setScores.map(([home_score, away_score], i) => ({
      part: `set_${i + 1}`,
      home_score,
      away_score,
    }));
    return { home_score: this.#sets[0], away_score: this.#sets[1], parts };
  }

  play(elapsedS: number, random: Random): boolean {
    const before = this.#played;
    while (!this.over && this.#played < Math.floor(elapsedS / MATCH.gameS)) this.#playGame(random);
    const done = this.#sets[0] + this.#sets[1] + (this.#games[0] + this.#games[1]) / 10;
    this.remaining = this.over ? 0 : Math.max(0.03, 1 - done / 2.5);
    this.state = {
      home_score: this.#sets[0],
      away_score: this.#sets[1],
      score_type: 'sets',
      period: this.over ? 'Final' : `Set ${this.#sets[0] + this.#sets[1] + 1}`,
      last_play: [...this.#setScores, ...(this.over ? [] : [this.#games])].map((games) => games.join('-')).join(' '),
      possession: this.#played % 2 === 0 ? 'home' : 'away',
    };
    return this.#played !== before;
  }

  #playGame(random: Random): void {
    const side = random.chance(this.#gameChance(0, 0)) ? 0 : 1;
    this.#games[side]++;
    this.#played++;
    this.#won += side === 0 ? 1 : -1;
    const [h, a] = this.#games;
    if (!isSetOver(h, a)) return;
    this.#sets[side]++;
    this.#setScores.push([h, a]);
    this.#games = [0, 0];
    this.over = this.#sets[side] === MATCH.setsToWin;
  }
}

function isSetOver(home: number, away: number): boolean {
  return Math.max(home, away) === 7 || (Math.max(home, away) === 6 && Math.abs(home - away) >= 2);
}

/** All ends of a set from `home`-`away` games on. */
function setEnds(home: number, away: number, p: number): SetEnd[] {
  // chance[h][a]: probability of reaching h-a.
  const chance = Array.from({ length: 8 }, () => new Float64Array(8));
  chance[home]![away] = 1;
  const ends: SetEnd[] = [];
  for (let games = home + away; games <= 13; games++)
    for (let h = Math.max(home, games - 7); h <= Math.min(7, games - away); h++) {
      const a = games - h;
      const here = chance[h]![a]!;
      if (here === 0) continue;
      if (isSetOver(h, a)) {
        ends.push({ home: h, away: a, chance: here });
        continue;
      }
      chance[h + 1]![a]! += here * p;
      chance[h]![a + 1]! += here * (1 - p);
    }
  return ends;
}

// A fight of three rounds: it ends early at a constant hazard rate, else on points.

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
