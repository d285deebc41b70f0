// Tennis, best of three sets: the home player wins every game of a set with the same probability, from which sets,
// match, games won and games played follow by enumeration.

import type { GameState } from '../../../base/model/game-state.js';
import type { Contest, ContestResult, Fair, Strengths } from './contest.js';
import { TableLadder } from './ladder.js';
import type { Random } from './prng.js';

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
