// Per league: how it scores, how far apart its teams are, what its books offer. Round figures that make prices and
// lines look like the league's; they are no forecast.

import { PROPS, type Prop, type PropKind } from './props.js';

export interface LeagueModel {
  /** `points`: normal margin and total. `goals`: counts of each side. `sets`: tennis. `rounds`: a fight. */
  family: 'points' | 'goals' | 'sets' | 'rounds';
  /** Share of the events, relative to other leagues. */
  weight: number;
  /** Mean total of a game and its standard deviation between games. */
  total: number;
  totalSpread: number;
  /** Standard deviation of the fair margin between games, and home advantage; in points. */
  marginSpread: number;
  homeEdge: number;
  /** Standard deviation of a game's result around its fair margin and total, points. */
  marginDeviation: number;
  totalDeviation: number;
  /** Negative binomial shape of one side's score (`goals`); Infinity for Poisson. */
  shape: number;
  /** How much likelier a final margin is than its neighbours. */
  marginFactor: (k: number, favourite: number) => number;
  spreadMarket: string;
  totalMarket: string;
  /** Fixed handicap (puck and run lines), or 0 if the line follows the margin. */
  fixedSpread: number;
  spreadStep: number;
  totalStep: number;
  clock: GameClock;
  /** Weights of the points that one score counts. */
  scores: readonly (readonly [points: number, weight: number])[];
  scoreType: string;
  restHours: number;
  /** Whether a game may end level although its winner is bet without a draw. */
  mayTie?: boolean;
  /** Largest stake the sharp book accepts on a main market, US dollars. */
  maxBet: number;
  props: readonly PropKind[];
}

const NOT_TIED = (k: number): number => (k === 0 ? 0 : 1);
const PLAIN = (): number => 1;

/**
 * Field goals and touchdowns: how much likelier than a smooth curve the favourite's margins are, and the underdog's.
 */
const FOOTBALL_FAVOURITE = [
  0.05, 0.76, 0.77, 2.9, 0.86, 0.71, 1.27, 1.9, 0.81, 0.31, 1.12, 0.53, 0.45, 0.6, 1.4, 0.7, 0.8, 1.15,
];
const FOOTBALL_UNDERDOG = [
  0.05, 0.76, 0.77, 2.05, 0.86, 0.71, 1.17, 1.35, 0.81, 0.31, 1.12, 0.53, 0.45, 0.6, 1.5, 0.7, 0.8, 1.15,
];

function footballMargin(k: number, favourite: number): number {
  const table = k * favourite >= 0 ? FOOTBALL_FAVOURITE : FOOTBALL_UNDERDOG;
  return table[Math.abs(k)] ?? 0.95;
}

const overtime = (minutes: number | null, periodS: number, share: number, suddenDeath = false) => ({
  period: minutes === null ? 'Extra' : 'OT',
  minutes,
  periodS,
  share,
  suddenDeath,
});

const clock = (
  periods: string,
  minutes: number | null,
  periodS: number,
  breaksS: readonly number[],
  extra: GameClock['overtime'],
): GameClock => ({ periods: periods.split(' '), minutes, countsUp: extra === null, periodS, breaksS, overtime: extra });

const FOOTBALL_CLOCK = clock('Q1 Q2 Q3 Q4', 15, 2_520, [120, 780, 120], overtime(10, 1_200, 0.12));
const BASKETBALL_CLOCK = clock('Q1 Q2 Q3 Q4', 12, 1_740, [130, 900, 130], overtime(5, 900, 0.1));
const HALVES_CLOCK = clock('H1 H2', 20, 2_900, [900], overtime(5, 900, 0.12));
const HOCKEY_CLOCK = clock('P1 P2 P3', 20, 2_280, [1_080, 1_080], overtime(5, 600, 0.08, true));
const SOCCER_CLOCK = clock('H1 H2', 45, 2_840, [900], null);
const BASEBALL_CLOCK = clock('1 2 3 4 5 6 7 8 9', null, 1_020, [], overtime(null, 1_020, 0.11));

type Scores = LeagueModel['scores'];
const weights = (...scores: Scores): Scores => scores;

const FOOTBALL: LeagueModel = {
  family: 'points',
  weight: 10,
  total: 44.5,
  totalSpread: 3.5,
  marginSpread: 5.5,
  homeEdge: 1.7,
  marginDeviation: 12.7,
  totalDeviation: 13.2,
  shape: Number.POSITIVE_INFINITY,
  marginFactor: footballMargin,
  spreadMarket: 'point_spread',
  totalMarket: 'total_points',
  fixedSpread: 0,
  spreadStep: 0.5,
  totalStep: 0.5,
  clock: FOOTBALL_CLOCK,
  scores: weights([7, 55], [3, 38], [6, 3], [8, 2], [2, 2]),
  scoreType: 'points',
  restHours: 100,
  maxBet: 20_000,
  props: PROPS.football,
};

const BASKETBALL: LeagueModel = {
  ...FOOTBALL,
  weight: 12,
  total: 226,
  totalSpread: 7,
  marginSpread: 6,
  homeEdge: 2.3,
  marginDeviation: 12.1,
  totalDeviation: 17.7,
  marginFactor: NOT_TIED,
  clock: BASKETBALL_CLOCK,
  scores: weights([2, 56], [3, 30], [1, 14]),
  restHours: 20,
  maxBet: 15_000,
  props: PROPS.basketball,
};

const HOCKEY: LeagueModel = {
  ...FOOTBALL,
  family: 'goals',
  weight: 9,
  total: 6.1,
  totalSpread: 0.35,
  marginSpread: 0.55,
  homeEdge: 0.2,
  marginFactor: PLAIN,
  spreadMarket: 'puck_line',
  totalMarket: 'total_goals',
  fixedSpread: 1.5,
  clock: HOCKEY_CLOCK,
  scores: [[1, 1]],
  scoreType: 'goals',
  restHours: 20,
  maxBet: 7_500,
  props: PROPS.hockey,
};

const BASEBALL: LeagueModel = {
  ...HOCKEY,
  total: 8.7,
  totalSpread: 0.8,
  marginSpread: 0.85,
  shape: 3.9,
  spreadMarket: 'run_line',
  totalMarket: 'total_runs',
  clock: BASEBALL_CLOCK,
  scores: weights([1, 60], [2, 25], [3, 10], [4, 5]),
  scoreType: 'runs',
  props: PROPS.baseball,
};

const SOCCER: LeagueModel = {
  ...HOCKEY,
  weight: 4,
  total: 2.75,
  totalSpread: 0.3,
  marginSpread: 0.8,
  homeEdge: 0.3,
  spreadMarket: 'point_spread',
  fixedSpread: 0,
  spreadStep: 0.25,
  totalStep: 0.25,
  clock: SOCCER_CLOCK,
  restHours: 60,
  maxBet: 10_000,
  props: PROPS.soccer,
};

const TENNIS: LeagueModel = {
  ...BASKETBALL,
  family: 'sets',
  weight: 5,
  marginSpread: 0.045,
  homeEdge: 0,
  marginDeviation: 5.5,
  totalDeviation: 5,
  totalMarket: 'total_games',
  scoreType: 'sets',
  restHours: 24,
  maxBet: 3_000,
  props: [],
};

const FIGHTS: LeagueModel = {
  ...TENNIS,
  family: 'rounds',
  weight: 6,
  marginSpread: 0.9,
  totalDeviation: 1,
  totalMarket: 'total_rounds',
  totalStep: 1,
  scoreType: 'rounds',
  restHours: 400,
};

const BY_SPORT: Record<string, LeagueModel> = {
  football: FOOTBALL,
  basketball: BASKETBALL,
  hockey: HOCKEY,
  baseball: BASEBALL,
  soccer: SOCCER,
  tennis: TENNIS,
  mma: FIGHTS,
};

const BY_LEAGUE: Record<string, Partial<LeagueModel>> = {
  nfl: { mayTie: true },
  ncaaf: {
    total: 53,
    totalSpread: 6,
    marginSpread: 10,
    homeEdge: 2.4,
    marginDeviation: 15.8,
    totalDeviation: 15.5,
    maxBet: 8_000,
  },
  ncaab: {
    weight: 11,
    total: 146,
    marginSpread: 8,
    homeEdge: 3,
    marginDeviation: 10.4,
    totalDeviation: 15.5,
    clock: HALVES_CLOCK,
    maxBet: 5_000,
  },
  wnba: {
    weight: 4,
    total: 164,
    marginSpread: 5.5,
    homeEdge: 2,
    marginDeviation: 11.4,
    totalDeviation: 15.5,
    maxBet: 3_000,
  },
  epl: { weight: 6 },
  mls: { weight: 6, total: 2.95, marginSpread: 0.5, homeEdge: 0.4 },
};

/** Leagues without a team list can only be played one against one, by invented players. */
const INVENTED_PLAYERS = new Set(['sets', 'rounds']);

/** A day's board as a US book has it: with every league that has teams, most games would be of soccer. */
const PLAYED = new Set('nfl ncaaf nba ncaab wnba mlb mlb-preseason nhl epl mls atp wta ufc'.split(' '));

/** The model of a league, or undefined if it is not simulated or has no teams or players. */
export function leagueModel(leagueId: string, sport: string, hasTeams: boolean): LeagueModel | undefined {
  const base = PLAYED.has(leagueId) ? BY_SPORT[sport] : undefined;
  if (base === undefined || (!hasTeams && !INVENTED_PLAYERS.has(base.family))) return undefined;
  const own = BY_LEAGUE[leagueId];
  return own === undefined ? base : { ...base, ...own };
}

export type SlotKind = 'moneyline' | 'spread' | 'total' | 'home_total' | 'away_total' | 'prop';

export interface SlotPlan {
  kind: SlotKind;
  /** Alternate lines on either side of the main one. */
  alternates: number;
  prop: Prop | null;
}

/** Quotes of one book on one event: bounds of what a rate may lead to. */
const QUOTES_MIN = 6;
const QUOTES_MAX = 64;
/** Seconds between two polls that boards are sized for. */
const POLL_S = 40;
/** A goal is a large step: lines two goals away are almost certain. */
const ALTERNATES_MAX = { points: 4, goals: 2 };

/** Quotes of one book on one event that fit the rate (quotes a second over all books and events). */
export function boardSize(rate: number, books: number, events: number): number {
  return Math.round(Math.max(QUOTES_MIN, Math.min(QUOTES_MAX, (rate * POLL_S) / (books * events))));
}

/** What is offered on an event: main markets always; then team totals, alternate lines and the first of the props as far as `size` quotes go. */
export function planBoard(model: LeagueModel, props: readonly Prop[], size: number): SlotPlan[] {
  const scores = model.family === 'points' || model.family === 'goals';
  let room = size - QUOTES_MIN;
  const teamTotals = scores && room >= 8;
  if (teamTotals) room -= 4;
  const most = model.family === 'points' ? ALTERNATES_MAX.points : scores ? ALTERNATES_MAX.goals : 0;
  const alternates = Math.min(most, Math.floor((room * 0.3) / 8 + 0.5));
  room -= 8 * alternates;
  const slot = (kind: SlotPlan['kind'], count = 0): SlotPlan => ({ kind, alternates: count, prop: null });
  const plan = [slot('moneyline')];
  if (model.family !== 'rounds') plan.push(slot('spread', alternates));
  plan.push(slot('total', alternates));
  if (teamTotals) plan.push(slot('home_total'), slot('away_total'));
  for (const prop of props.slice(0, Math.max(0, Math.floor(room / 2))))
    plan.push({ kind: 'prop', alternates: 0, prop });
  return plan;
}

// The state of a game a number of seconds after its start: period, clock, share played. Breaks included.

interface GameClock {
  /** Names of the regular periods. */
  periods: readonly string[];
  /** Minutes on the clock of a period; null for games without a clock. */
  minutes: number | null;
  /** True where the clock counts up through the game (soccer). */
  countsUp: boolean;
  /** Seconds a period takes from start to end, stoppages included. */
  periodS: number;
  /** Break after the n-th period, seconds. */
  breaksS: readonly number[];
  /** What decides a tie; null if a draw is final. Repeated until the game is decided. */
  overtime: { period: string; minutes: number | null; periodS: number; share: number; suddenDeath: boolean } | null;
}

export interface ClockPosition {
  /** From 0; the number of regular periods is the first overtime. */
  period: number;
  /** Share of the running period, 0-1. */
  done: number;
  inBreak: boolean;
}

/** Length of the regular game, seconds. */
export function regularS(clock: GameClock): number {
  let seconds = clock.periods.length * clock.periodS;
  for (let i = 0; i < clock.periods.length - 1; i++) seconds += clock.breaksS[i] ?? 0;
  return seconds;
}

export function positionAt(clock: GameClock, elapsedS: number): ClockPosition {
  let left = Math.max(0, elapsedS);
  for (let period = 0; period < clock.periods.length; period++) {
    if (left < clock.periodS) return { period, done: left / clock.periodS, inBreak: false };
    left -= clock.periodS;
    const breakS = clock.breaksS[period] ?? 0;
    if (left < breakS) return { period, done: 1, inBreak: true };
    left -= breakS;
  }
  const overtimeS = clock.overtime?.periodS ?? 1;
  const overtime = Math.floor(left / overtimeS);
  return { period: clock.periods.length + overtime, done: left / overtimeS - overtime, inBreak: false };
}

export function periodName(clock: GameClock, period: number): string {
  const name = clock.periods[period];
  if (name !== undefined) return name;
  if (clock.minutes === null) return String(period + 1);
  const further = period - clock.periods.length;
  return further === 0 ? (clock.overtime?.period ?? 'OT') : `${clock.overtime?.period ?? 'OT'}${further + 1}`;
}

/** As market types name the parts of a game: `q1`, `innings_3_3`; `ot` is all overtime. */
export function partName(clock: GameClock, period: number): string {
  const name = clock.periods[period];
  if (name === undefined) return 'ot';
  return clock.minutes === null ? `innings_${name}_${name}` : name.toLowerCase();
}

/** `7:05`, counting down, or up through the whole game; null without a clock. */
export function clockText(clock: GameClock, position: ClockPosition): string | null {
  const regular = position.period < clock.periods.length;
  const minutes = regular ? clock.minutes : (clock.overtime?.minutes ?? null);
  if (minutes === null) return null;
  const played = position.done * minutes * 60;
  const seconds = clock.countsUp ? played + position.period * minutes * 60 : minutes * 60 - played;
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}
