// Simulates football, basketball, hockey, baseball and soccer along their clocks, score by score.

import type { GameState } from '../../../base/model/game-state.js';
import type { Contest, ContestResult, Fair, Strengths } from './contest.js';
import { countMass, type Ladder, normalLadder, TableLadder } from './ladder.js';
import { type ClockPosition, clockText, type LeagueModel, partName, periodName, positionAt } from './league-model.js';
import type { Random } from './prng.js';

/** No game has more than this many periods of overtime: the next score, or else a random draw, ends it. */
const OVERTIME_MAX = 6;
const SCORES_APART_S = 20;

export class ScoreGame implements Contest {
  state: GameState = { home_score: 0, away_score: 0 };
  over = false;
  remaining = 1;
  readonly #model: LeagueModel;
  readonly #strengths: Strengths;
  readonly #teams: readonly [home: string, away: string];
  readonly #meanScore: number;
  readonly #turns: Turns;
  /** Rounds begun, and the turns of the last one that are still to come. */
  #rounds = 0;
  #due: { side: 0 | 1; at: number }[] = [];
  #home = 0;
  #away = 0;
  #period = 0;
  #periodDone = 0;
  /** Scores of each period that has begun, the overtimes being one. */
  readonly #parts: [home: number, away: number][] = [[0, 0]];
  #fouls: [number, number] = [0, 0];
  #lastPlay: string | null = null;

  constructor(model: LeagueModel, strengths: Strengths, teams: readonly [home: string, away: string]) {
    this.#model = model;
    this.#strengths = strengths;
    this.#teams = teams;
    this.#meanScore = moment(model, 1);
    this.#turns = turnsOf(model);
  }

  fair(side: number, total: number): Fair {
    const { margin, total: strength } = this.#strengths;
    const { marginDeviation, totalDeviation, family, shape } = this.#model;
    // A count varies with its own mean, so the model's standard deviation does not apply.
    const scatter = family === 'goals' ? Math.sqrt(strength + strength ** 2 / (2 * shape)) : 0;
    const fairOf = family === 'points' ? pointsFair : goalsFair;
    return fairOf(
      this.#model,
      margin + side * (scatter || marginDeviation),
      strength + total * (scatter || totalDeviation),
      { homeScore: this.#home, awayScore: this.#away, remaining: this.remaining },
    );
  }

  get result(): ContestResult {
    const parts = this.#parts.map(([home_score, away_score], i) => ({
      part: partName(this.#model.clock, i),
      home_score,
      away_score,
    }));
    return { home_score: this.#home, away_score: this.#away, parts };
  }

  play(elapsedS: number, random: Random): boolean {
    if (this.over) return false;
    const { clock } = this.#model;
    const position = positionAt(clock, elapsedS);
    const before = this.#home + this.#away;
    while (!this.over && (this.#period < position.period || this.#periodDone < position.done)) {
      const until = this.#period < position.period ? 1 : position.done;
      this.#playPart(until, random);
      if (this.#period < position.period && !this.over) this.#endPeriod(random);
    }
    const overtime = this.#period - clock.periods.length;
    const share = clock.overtime?.share ?? 0;
    this.remaining = this.over
      ? 0
      : overtime >= 0
        ? share * (1 - this.#periodDone)
        : 1 - (this.#period + this.#periodDone) / clock.periods.length;
    this.state = this.#describe(position, random);
    return this.#home + this.#away !== before || this.over;
  }

  /** Scores between now and `until` (share of the running period). */
  #playPart(until: number, random: Random): void {
    const { clock, family } = this.#model;
    const overtime = this.#period >= clock.periods.length;
    const part = Math.max(0, until - this.#periodDone);
    const share = part * (overtime ? (clock.overtime?.share ?? 0) : 1 / clock.periods.length);
    if (family === 'points') this.#playTurns(until, random);
    else this.#playCounts(part, share, this.#halfAtBat(until), random);
    this.#periodDone = until;
    const lastInning = clock.minutes === null && this.#period >= clock.periods.length - 1;
    if (lastInning && this.#halfAtBat(until) === 'home' && this.#home > this.#away) this.over = true;
    if (family === 'points' && clock.periods.length < 5 && random.chance(share * 40)) this.#fouls[random.below(2)]!++;
  }

  /** Each side in its turn scores or does not. */
  #playTurns(until: number, random: Random): void {
    const { clock, total: usual } = this.#model;
    const { margin, total } = this.#strengths;
    const regular = clock.periods.length;
    const played = Math.min(this.#period + until, regular) / regular;
    const extra = Math.max(0, this.#period + until - regular) * (clock.overtime?.share ?? 0);
    const now = (played + extra) * this.#turns.rounds;
    while ((this.#due[0]?.at ?? this.#rounds) < now) {
      const turn = this.#due.shift();
      if (turn === undefined) {
        const from = this.#rounds++;
        if (!random.chance(this.#turns.chance)) continue;
        this.#due = ([0, 1] as const).map((side) => ({ side, at: from + random.next() })).sort((a, b) => a.at - b.at);
        continue;
      }
      const expected = Math.max(0.24 * total, total + (turn.side === 0 ? margin : -margin));
      if (random.chance((this.#turns.scores * expected) / usual)) this.#score(turn.side, random);
    }
  }

  #playCounts(part: number, share: number, half: 'home' | 'away' | null, random: Random): void {
    const { clock } = this.#model;
    const { margin, total } = this.#strengths;
    const least = 0.12 * total;
    const plays = (points: number, batting: number): number =>
      random.poisson((Math.max(least, points) * share * batting) / this.#meanScore);
    const home = plays((total + margin) / 2, half === 'away' ? 0 : half === 'home' ? 2 : 1);
    const away = plays((total - margin) / 2, half === 'home' ? 0 : half === 'away' ? 2 : 1);
    // No two scores within seconds; a longer part stands for many of them.
    const scores = part * clock.periodS < SCORES_APART_S ? Math.min(1, home + away) : home + away;
    for (let i = 0, left = home; i < scores && !this.over; i++) {
      const side = random.chance(left / (home + away - i)) ? 0 : 1;
      if (side === 0) left--;
      this.#score(side, random);
      // Sudden death.
      if (this.#period >= clock.periods.length && clock.overtime?.suddenDeath) this.over = true;
    }
  }

  #halfAtBat(done: number): 'home' | 'away' | null {
    if (this.#model.clock.minutes !== null) return null;
    return done > 0.5 ? 'home' : 'away';
  }

  #score(side: 0 | 1, random: Random): void {
    const points = random.weighted(this.#model.scores);
    if (side === 0) this.#home += points;
    else this.#away += points;
    this.#parts.at(-1)![side] += points;
    this.#lastPlay = `${this.#teams[side]} +${points}`;
  }

  #endPeriod(random: Random): void {
    const { clock } = this.#model;
    const last = this.#period >= clock.periods.length - 1;
    const tied = this.#home === this.#away;
    if (last && (clock.overtime === null || !tied)) {
      this.over = true;
      return;
    }
    const overtime = this.#period - clock.periods.length;
    if (tied && overtime >= 0 && (clock.overtime?.suddenDeath || overtime >= OVERTIME_MAX)) {
      this.#score(random.chance(0.5) ? 0 : 1, random);
      this.over = true;
      return;
    }
    this.#period++;
    if (this.#period <= clock.periods.length) this.#parts.push([0, 0]);
    this.#periodDone = 0;
    this.#fouls = [0, 0];
  }

  #describe(position: ClockPosition, random: Random): GameState {
    const { clock, scoreType, spreadMarket } = this.#model;
    const state: GameState = { home_score: this.#home, away_score: this.#away, score_type: scoreType };
    if (this.over) {
      state.period = 'Final';
      state.clock = clockText(clock, { period: this.#period, done: 1, inBreak: true });
      return state;
    }
    const name = periodName(clock, this.#period);
    if (clock.minutes === null) state.period = `${this.#periodDone > 0.5 ? 'Bottom' : 'Top'} ${name}`;
    else state.period = position.inBreak ? `${name} end` : name;
    state.clock = clockText(clock, { ...position, period: this.#period });
    if (this.#lastPlay !== null) state.last_play = this.#lastPlay;
    if (scoreType === 'points') {
      state.is_timeout = position.inBreak || random.chance(0.06);
      state.possession = random.chance(0.5) ? 'home' : 'away';
      if (this.#model.scores.length < 4) {
        state.fouls_home = this.#fouls[0];
        state.fouls_away = this.#fouls[1];
      }
    }
    if (spreadMarket === 'puck_line' && random.chance(0.12)) state.power_play = random.chance(0.5) ? 'home' : 'away';
    return state;
  }
}

// Sports with many points are played in turns, so that results scatter as their prices say: of scores at any moment the
// margin would scatter nearly twice as much.

interface Turns {
  /** Pairs of turns in a game. */
  rounds: number;
  /** That a round takes place; otherwise neither side scores in it: totals scatter more than margins. */
  chance: number;
  /** Chance that a side of mean strength scores in its turn. */
  scores: number;
}

function turnsOf(model: LeagueModel): Turns {
  const { total, marginDeviation, totalDeviation } = model;
  const mean = moment(model, 1);
  const margin = marginDeviation ** 2;
  const scores = (moment(model, 2) / mean - margin / total) / mean;
  const played = total / (2 * scores * mean);
  const idle = Math.max(0, totalDeviation ** 2 - margin) / (4 * (scores * mean) ** 2 * played);
  return { rounds: played / (1 - idle), chance: 1 - idle, scores };
}

/** Mean of a power of the points that one score counts. */
function moment({ scores }: LeagueModel, power: number): number {
  let sum = 0;
  let weights = 0;
  for (const [points, weight] of scores) {
    sum += points ** power * weight;
    weights += weight;
  }
  return sum / weights;
}

// Fair probabilities of games decided by scores: normal margins and totals for sports with many points, counts for
// sports with few.

interface Standing {
  homeScore: number;
  awayScore: number;
  /** Share of the game still to play. */
  remaining: number;
}

/** Late in a game standard deviations approach zero; a price still needs some uncertainty. */
const REMAINING_MIN = 0.004;
const LEVEL = (): number => 1;

/** `margin` and `total` are the market's expectation for a whole game. */
function pointsFair(model: LeagueModel, margin: number, total: number, standing: Standing): Fair {
  const { homeScore, awayScore } = standing;
  const remaining = Math.max(REMAINING_MIN, standing.remaining);
  const spread = Math.sqrt(remaining);
  const centre = homeScore - awayScore + margin * remaining;
  const marginDeviation = Math.max(0.8, model.marginDeviation * spread);
  const totalDeviation = Math.max(0.8, model.totalDeviation * spread);
  const factor = (k: number): number => model.marginFactor(k, centre);
  const marginLadder = normalLadder(centre, marginDeviation, factor);
  const scored = homeScore + awayScore;
  const side = (score: number, expected: number): Ladder =>
    normalLadder(score + expected * remaining, Math.hypot(marginDeviation, totalDeviation) / 2, LEVEL, score);
  return {
    home: marginLadder.above(0),
    draw: 0,
    margin: marginLadder,
    total: normalLadder(scored + total * remaining, totalDeviation, LEVEL, scored),
    homeScore: side(homeScore, (total + margin) / 2),
    awayScore: side(awayScore, (total - margin) / 2),
  };
}

function goalsFair(model: LeagueModel, margin: number, total: number, standing: Standing): Fair {
  const remaining = Math.max(REMAINING_MIN, standing.remaining);
  const least = 0.12 * total;
  const homeMean = Math.max(least, (total + margin) / 2) * remaining;
  const awayMean = Math.max(least, (total - margin) / 2) * remaining;
  const shape = model.shape * remaining;
  const home = countMass(homeMean, shape);
  const away = countMass(awayMean, shape);
  const lead = standing.homeScore - standing.awayScore;
  const low = lead - away.length;
  const margins = new Float64Array(home.length + away.length + 1);
  const totals = new Float64Array(home.length + away.length);
  const homeScores = new Float64Array(home.length + 1);
  const awayScores = new Float64Array(away.length + 1);
  const ends = (h: number, a: number, mass: number): void => {
    margins[lead + h - a - low]! += mass;
    totals[h + a]! += mass;
    homeScores[h]! += mass;
    awayScores[a]! += mass;
  };
  const draws = model.clock.overtime === null;
  // Extra time ends ties by one, slightly more often in favour of the better side.
  const homeWins = 0.5 + (homeMean / (homeMean + awayMean) - 0.5) * 0.7;
  for (let h = 0; h < home.length; h++)
    for (let a = 0; a < away.length; a++) {
      const mass = home[h]! * away[a]!;
      if (draws || lead + h !== a) ends(h, a, mass);
      else {
        ends(h + 1, a, mass * homeWins);
        ends(h, a + 1, mass * (1 - homeWins));
      }
    }
  const marginLadder = new TableLadder(low, margins);
  const win = marginLadder.above(0.5);
  return {
    home: win,
    draw: draws ? marginLadder.above(-0.5) - win : 0,
    margin: marginLadder,
    total: new TableLadder(standing.homeScore + standing.awayScore, totals),
    homeScore: new TableLadder(standing.homeScore, homeScores),
    awayScore: new TableLadder(standing.awayScore, awayScores),
  };
}
