// One event of the simulated market: its game and the market's fair price, as dated versions so that every book can
// follow with its own delay.

import type { GameState } from '../../../base/model/game-state.js';
import { HOUR_MS } from '../../../base/model/time.js';
import { type Contest, type ContestResult, drawStrengths, type Fair, Fight, TennisMatch } from './contest.js';
import type { LeagueModel, SlotPlan } from './league-model.js';
import { Random, unit } from './prng.js';
import type { Prop } from './props.js';
import { ScoreGame } from './score-game.js';

/** Number of versions; books further behind than the oldest use the oldest. */
const VERSIONS_MAX = 32;
const PREMATCH_STEP_MS = 75_000;
/** Per step before the game: standard deviation of the walk, pull back to the middle, chance and size of news. */
const WALK = { step: 0.011, pull: 0.02, newsChance: 0.006, newsLeast: 0.05, newsMost: 0.12 };
const POSTPONED_PER_HOUR = 1 / 60;
const MOVED_PER_HOUR = 1 / 20;
const FAST_FORWARD_MS = 15_000;

export type Phase = 'upcoming' | 'live' | 'ended' | 'postponed';

export interface Side {
  id: string;
  name: string;
}

type EventSetup = Pick<
  SimEvent,
  'serial' | 'seed' | 'league' | 'model' | 'home' | 'away' | 'startMs' | 'board' | 'props'
>;

/** The market's opinion from `atMs` until the next version. */
export interface Version {
  index: number;
  atMs: number;
  fair: Fair;
  /** Side and total on the scale of log odds: a book reprices when these have moved enough. */
  side: number;
  total: number;
  /** Counts scores and news, which no book ignores. */
  stamp: number;
}

export class SimEvent {
  readonly serial: number;
  readonly seed: number;
  readonly league: string;
  readonly model: LeagueModel;
  readonly home: Side;
  readonly away: Side;
  /** Its offers, one per book. */
  readonly board: readonly SlotPlan[];
  /** Its players' statistics, whether they are offered or not. */
  readonly props: readonly Prop[];
  startMs: number;
  phase: Phase = 'upcoming';
  /** Whether a book has stated a price of it. */
  priced = false;
  /** When advance() is due. */
  nextMs: number;
  /** Last score or end of one (live) and last news (before the game). */
  scoredMs = Number.NEGATIVE_INFINITY;
  newsMs = Number.NEGATIVE_INFINITY;
  readonly #contest: Contest;
  readonly #random: Random;
  readonly #scale: { margin: number; total: number };
  readonly #versions: Version[] = [];
  #kickoffMs: number;
  #versionCount = 0;
  #stamp = 0;
  #side = 0;
  #total = 0;
  #sideCentre = 0;
  #totalCentre = 0;

  constructor(setup: EventSetup, nowMs: number) {
    const { serial, seed, league, model, home, away, startMs, board, props } = setup;
    this.serial = serial;
    this.seed = seed;
    this.league = league;
    this.model = model;
    this.home = home;
    this.away = away;
    this.startMs = startMs;
    this.board = board;
    this.props = props;
    this.#random = new Random(seed, 1);
    this.#contest = newContest(model, this.#random, [home.name, away.name]);
    this.#scale = scaleOf(model);
    this.#side = this.#random.normal() * 0.06;
    this.#total = this.#random.normal() * 0.06;
    this.#kickoffMs = startMs + Math.floor(this.#random.next() * 150) * 1_000;
    if (startMs <= nowMs) this.#fastForward(nowMs);
    // A game that was over when it was made has no price.
    if (this.phase !== 'ended') this.#addVersion(nowMs);
    this.nextMs = nowMs + this.#stepMs();
  }

  /** As messages name it. */
  get ref() {
    const start_time = new Date(this.startMs).toISOString();
    return { league: this.league, home_team: this.home.name, away_team: this.away.name, start_time };
  }

  get live(): boolean {
    return this.phase === 'live';
  }

  get state(): GameState | null {
    return this.phase === 'live' || this.phase === 'ended' ? this.#contest.state : null;
  }

  /** What the game has come to. */
  get result(): ContestResult {
    return this.#contest.result;
  }

  get remaining(): number {
    return this.#contest.remaining;
  }

  get versions(): readonly Version[] {
    return this.#versions;
  }

  get latest(): Version {
    return this.#versions.at(-1)!;
  }

  /** The version a book knows at `nowMs`: the newest that is older than its own delay. */
  visible(bookSeed: number, delayMs: number, nowMs: number): Version {
    for (let i = this.#versions.length - 1; i > 0; i--) {
      const version = this.#versions[i]!;
      const lateMs = delayMs * (0.5 + unit(bookSeed, this.serial, version.index));
      if (version.atMs + lateMs <= nowMs) return version;
    }
    return this.#versions[0]!;
  }

  /** Advances the price, the schedule or the game; to be called when `nextMs` has come. */
  advance(nowMs: number): void {
    if (this.phase === 'upcoming') this.#beforeGame(nowMs);
    else if (this.phase === 'live') this.#play(nowMs);
    this.nextMs =
      this.phase === 'ended' || this.phase === 'postponed' ? Number.POSITIVE_INFINITY : nowMs + this.#stepMs();
    if (this.phase === 'upcoming') this.nextMs = Math.min(this.nextMs, Math.max(this.#kickoffMs, nowMs + 1));
  }

  #stepMs(): number {
    if (this.live) return Math.floor(this.#random.between(3_000, 6_500));
    return 10_000 + Math.floor(this.#random.exponential(PREMATCH_STEP_MS - 10_000));
  }

  #beforeGame(nowMs: number): void {
    if (nowMs >= this.#kickoffMs) {
      this.phase = 'live';
      this.#stamp++;
      this.#play(nowMs);
      return;
    }
    this.#reschedule(nowMs);
    if (this.phase !== 'upcoming') return;
    this.#walk(1);
    if (this.#random.chance(WALK.newsChance)) {
      const size = this.#random.between(WALK.newsLeast, WALK.newsMost) * (this.#random.chance(0.5) ? 1 : -1);
      if (this.#random.chance(0.65)) {
        this.#side += size;
        this.#sideCentre += 0.8 * size;
      } else {
        this.#total += size;
        this.#totalCentre += 0.8 * size;
      }
      this.newsMs = nowMs;
      this.#stamp++;
    }
    this.#addVersion(nowMs);
  }

  /** Rarely the start moves by some minutes; more rarely the game is cancelled. */
  #reschedule(nowMs: number): void {
    const aheadMs = this.startMs - nowMs;
    const stepHours = PREMATCH_STEP_MS / HOUR_MS;
    if (aheadMs < 0.25 * HOUR_MS) return;
    if (this.#random.chance(POSTPONED_PER_HOUR * stepHours)) this.phase = 'postponed';
    else if (this.#random.chance(MOVED_PER_HOUR * stepHours)) {
      const early = aheadMs > 3 * HOUR_MS && this.#random.chance(0.4);
      const minutes = (1 + this.#random.below(6)) * (early ? -5 : 5);
      this.startMs += minutes * 60_000;
      this.#kickoffMs += minutes * 60_000;
    }
  }

  #walk(steps: number): void {
    const size = WALK.step * Math.sqrt(steps);
    const pull = WALK.pull * steps;
    this.#side += pull * (this.#sideCentre - this.#side) + size * this.#random.normal();
    this.#total += pull * (this.#totalCentre - this.#total) + size * this.#random.normal();
    this.#side = Math.max(-0.6, Math.min(0.6, this.#side));
    this.#total = Math.max(-0.6, Math.min(0.6, this.#total));
  }

  #play(nowMs: number): void {
    this.#walk(0.1);
    if (this.#contest.play((nowMs - this.#kickoffMs) / 1_000, this.#random)) {
      this.scoredMs = nowMs;
      this.#stamp++;
    }
    if (this.#contest.over) this.phase = 'ended';
    else this.#addVersion(nowMs);
  }

  #fastForward(nowMs: number): void {
    this.phase = 'live';
    this.#kickoffMs = this.startMs;
    for (let ms = this.startMs; ms < nowMs && !this.#contest.over; ms += FAST_FORWARD_MS)
      this.#contest.play((ms - this.startMs) / 1_000, this.#random);
    if (this.#contest.over) this.phase = 'ended';
  }

  #addVersion(nowMs: number): void {
    const fair = this.#contest.fair(this.#side, this.#total);
    const home = Math.max(0.02, Math.min(0.98, fair.home + fair.draw / 2));
    const margin = fair.margin === null ? 0 : (1.2 * fair.margin.mean) / this.#scale.margin;
    this.#versions.push({
      index: this.#versionCount++,
      atMs: nowMs,
      fair,
      side: Math.log(home / (1 - home)) + margin,
      total: (1.6 * fair.total.mean) / this.#scale.total,
      stamp: this.#stamp,
    });
    if (this.#versions.length > VERSIONS_MAX) this.#versions.shift();
  }
}

function newContest(model: LeagueModel, random: Random, teams: readonly [home: string, away: string]): Contest {
  const strengths = drawStrengths(model, random);
  if (model.family === 'sets') return new TennisMatch(strengths);
  if (model.family === 'rounds') return new Fight(strengths, random.between(0.16, 0.38));
  return new ScoreGame(model, strengths, teams);
}

function scaleOf(model: LeagueModel): { margin: number; total: number } {
  const { family, total, shape, marginDeviation, totalDeviation } = model;
  if (family !== 'goals') return { margin: marginDeviation, total: totalDeviation };
  const scatter = Math.sqrt(total + total ** 2 / (2 * shape));
  return { margin: scatter, total: scatter };
}
