// The true games of a world, and how each bet on them is settled, written from the rules of the bets alone: nothing is
// shared with the engine.
import type { Random } from './random.js';

const HOUR_MS = 3_600_000;

export interface Game {
  no: number;
  league: string;
  sport: string;
  home: string;
  away: string;
  startMs: number;
  /** It has two players of one name. */
  namesakes: boolean;
  /** Mean and deviation of the home side's margin and of the total. */
  margin: number;
  marginSd: number;
  total: number;
  totalSd: number;
  /** Chance of a draw in regulation. */
  draw: number;
}

/** The kind of bet. `winner2` counts overtime, `tie2` does not; both refund a tie. `winner3` and `handicap3` count regulation. */
export type Contract = 'winner2' | 'tie2' | 'winner3' | 'handicap2' | 'handicap3' | 'total';

interface League {
  id: string;
  sport: string;
  teams: readonly [string, string][];
  marginSd: number;
  total: number;
  totalSd: number;
  draw: number;
}

export const LEAGUES: readonly League[] = [
  {
    id: 'mlb',
    sport: 'baseball',
    teams: [
      ['New York Yankees', 'Boston Red Sox'],
      ['Chicago Cubs', 'New York Mets'],
    ],
    marginSd: 4,
    total: 8.5,
    totalSd: 4.3,
    draw: 0,
  },
  {
    id: 'nba',
    sport: 'basketball',
    teams: [
      ['Los Angeles Lakers', 'Boston Celtics'],
      ['Utah Jazz', 'Phoenix Suns'],
    ],
    marginSd: 12,
    total: 225,
    totalSd: 17,
    draw: 0,
  },
  {
    id: 'nhl',
    sport: 'hockey',
    teams: [
      ['Boston Bruins', 'Toronto Maple Leafs'],
      ['New York Rangers', 'Montreal Canadiens'],
    ],
    marginSd: 2.4,
    total: 6,
    totalSd: 2.3,
    draw: 0.22,
  },
  {
    id: 'epl',
    sport: 'soccer',
    teams: [
      ['Arsenal', 'Chelsea'],
      ['Liverpool', 'Everton'],
    ],
    marginSd: 1.8,
    total: 2.75,
    totalSd: 1.6,
    draw: 0.26,
  },
  {
    id: 'nfl',
    sport: 'football',
    teams: [
      ['Dallas Cowboys', 'New York Giants'],
      ['Chicago Bears', 'Green Bay Packers'],
    ],
    marginSd: 13,
    total: 44,
    totalSd: 13,
    draw: 0,
  },
];

/** Whether a handicap in play counts only what follows the bet. */
export const countsFromBet = (book: string, sport: string): boolean =>
  sport === 'soccer' && (book === 'pinnacle' || book === 'bet365');

/** One game of two teams, a series on successive days, or two games on one day. */
export function makeGames(random: Random, nowMs: number): Game[] {
  const games: Game[] = [];
  for (const league of random.shuffled(LEAGUES).slice(0, random.int(1, 2)))
    for (const [home, away] of random.shuffled(league.teams).slice(0, random.int(1, 2))) {
      // Some games have already begun, some begin within minutes.
      const hours = random.chance(0.12) ? -random.between(0.1, 1) : random.between(2, 20);
      const firstMs =
        nowMs + (random.chance(0.12) ? random.int(2, 60) * 1_000 : Math.round(hours * 12) * (HOUR_MS / 12));
      const startsMs = [firstMs];
      if (league.id === 'mlb' && random.chance(0.6)) startsMs.push(firstMs + random.int(10, 18) * 0.5 * HOUR_MS);
      if (random.chance(0.3)) startsMs.push(firstMs + random.int(23, 26) * HOUR_MS);
      for (const startMs of startsMs) {
        const { id, sport, marginSd, totalSd, draw } = league;
        const margin = random.normal() * marginSd * 0.4;
        const total = league.total + random.normal() * totalSd * 0.2;
        games.push({
          no: games.length,
          league: id,
          sport,
          home,
          away,
          startMs,
          namesakes: random.chance(0.4),
          margin,
          marginSd,
          total,
          totalSd,
          draw,
        });
      }
    }
  return games;
}

/** The probability that a bet wins (home side, or over), given that it is not a push. */
export function chanceOf(game: Game, contract: Contract, type: string, line: number): number {
  const { margin, marginSd, draw } = game;
  const first = (chance: number): number => (type === 'home' || type === 'over' ? chance : 1 - chance);
  const above = (mean: number, sd: number): number => normalCdf(mean / sd);
  if (contract === 'total') return first(above(game.total - line, game.totalSd));
  const home = above(margin + (contract.startsWith('handicap') ? homeLine(type, line) : 0), marginSd);
  if (contract === 'winner2' || contract === 'tie2' || contract === 'handicap2') return first(home);
  if (type === 'draw') return draw;
  return (1 - draw) * first(home);
}

function homeLine(type: string, line: number): number {
  return type === 'away' ? -line : line;
}

/** The result of a game: home margin in regulation, and with overtime. */
export interface Result {
  regulation: number;
  final: number;
  /** The number of goals, points or runs of the game, or of a player. */
  count: number;
}

/** Every result that distinguishes bets on these lines. */
export function resultsOf(sport: string, linesMax: number): Result[] {
  const results: Result[] = [];
  const top = Math.ceil(linesMax) + 2;
  for (let margin = -top; margin <= top; margin++) {
    if (margin !== 0) results.push({ regulation: margin, final: margin, count: 0 });
    else if (sport === 'soccer') results.push({ regulation: 0, final: 0, count: 0 });
    // A football game may end in a tie after overtime.
    else
      results.push(
        ...(sport === 'football' ? [-1, 0, 1] : [-1, 1]).map((final) => ({ regulation: 0, final, count: 0 })),
      );
  }
  return results;
}

export function countsOf(lines: readonly number[]): Result[] {
  const counts = new Set<number>();
  for (const line of lines) for (const near of [-2, -1, 0, 1, 2]) counts.add(Math.max(0, Math.floor(line) + near));
  counts.add(0);
  return [...counts].map((count) => ({ regulation: 0, final: 0, count }));
}

/** The return of a stake of 1 at the price `decimal`. */
export function backOf(contract: Contract, type: string, line: number | null, decimal: number, end: Result): number {
  switch (contract) {
    case 'winner2':
      if (end.final === 0) return 1;
      return end.final > 0 === (type === 'home') ? decimal : 0;
    case 'tie2':
      if (end.regulation === 0) return 1;
      return end.regulation > 0 === (type === 'home') ? decimal : 0;
    case 'winner3':
      return Math.sign(end.regulation) === { home: 1, draw: 0, away: -1 }[type] ? decimal : 0;
    case 'handicap3': {
      const home = end.regulation + homeLine(type, line!);
      return Math.sign(home) === { home: 1, draw: 0, away: -1 }[type] ? decimal : 0;
    }
    case 'handicap2':
      return halves(type === 'home' ? end.final + line! : line! - end.final, decimal);
    case 'total':
      return halves(type === 'over' ? end.count - line! : line! - end.count, decimal);
  }
}

/** The return of a liability of 1 on a lay that wins `net`: the opposite of the backer's bet. */
export function layBackOf(contract: Contract, type: string, line: number | null, net: number, end: Result): number {
  const backer = backOf(contract, type, line, 2, end) - 1;
  return backer >= 0 ? 1 - backer : 1 - backer * (net - 1);
}

/** A quarter line is half a stake on each of the two lines beside it. */
function halves(beatenBy: number, decimal: number): number {
  const whole = (by: number): number => (by > 0 ? decimal : by === 0 ? 1 : 0);
  if (Number.isInteger(beatenBy * 2)) return whole(beatenBy);
  return (whole(beatenBy - 0.25) + whole(beatenBy + 0.25)) / 2;
}

function normalCdf(z: number): number {
  // Abramowitz and Stegun 26.2.17, good to 7e-8.
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail =
    ((((1.330274429 * t - 1.821255978) * t + 1.781477937) * t - 0.356563782) * t + 0.31938153) *
    t *
    Math.exp(-0.5 * z * z) *
    0.3989422804014327;
  return z > 0 ? 1 - tail : tail;
}
