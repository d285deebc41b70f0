// A second reading of what books publish about games by the clock or by innings: where they differ in ties, and what becomes
// of bets on a game that was broken off, called early or put off. What is decided follows from every way in which the game
// could have gone on, never from what a source tells of it.
import { type TrueBet, trueReturn } from './second-grader.js';

export const PERIODS = {
  football: 4,
  basketball: 4,
  hockey: 3,
  soccer: 2,
  baseball: 9,
  handball: 2,
  rugby: 2,
  aussie_rules: 4,
  lacrosse: 4,
} as const;
export type Sport = keyof typeof PERIODS;
type Points = [home: number, away: number];

/** As far as it was played. */
export interface Story {
  sport: Sport;
  /** Those that began; the last one may have been cut short. */
  periods: Points[];
  /** Whether the last of them came to its end. */
  complete: boolean;
  /** After regular time, perhaps not to its end. */
  extra: Points | null;
  end: 'played' | 'broken off' | 'called early';
  /** Of baseball: the home side of the last inning did not bat, as it led. */
  halfLeft: boolean;
}

const AUSTRALIANS = ['sportsbet', 'tab', 'pointsbetau', 'neds'];

/** A tie in a winner of the whole game that is shown without a draw. */
export function tieAt(book: string, sport: Sport): 'refund' | 'half' {
  if (book === 'kalshi' || book === 'polymarket') return 'half';
  const codes = sport === 'aussie_rules' || sport === 'rugby';
  if (codes && AUSTRALIANS.includes(book)) return 'half';
  return book === 'betmgm' && sport === 'aussie_rules' ? 'half' : 'refund';
}

/** What one unit staked at `decimal` returns. */
export function storyReturn(story: Story, bet: TrueBet, decimal: number): number {
  const { sport, periods, extra } = story;
  const whole = bet.periods.length === PERIODS[sport];
  if (story.end === 'played' || (sport === 'baseball' && whole && stands(story, bet)))
    return trueReturn({ sport: 'football', periods: all(story), extra }, bet, decimal);
  // Half a stake at a time: one half may be decided and the other not.
  const { line } = bet;
  const isQuarter = line !== null && bet.tie === 'refund' && !Number.isInteger(2 * line);
  let sum = 0;
  for (const shift of isQuarter ? [-0.25, 0.25] : [0, 0]) {
    const half = { ...bet, line: line === null ? null : line + shift };
    const returns = new Set<number>();
    for (const [more, after] of continuations(story)) {
      const regular = periods.map(
        (points, i): Points => (i < periods.length - 1 || isEnded(story) ? points : add(points, more)),
      );
      if (regular.length < PERIODS[sport]) regular.push(after);
      while (regular.length < PERIODS[sport]) regular.push([0, 0]);
      const played = periods.length === PERIODS[sport] && story.complete ? after : null;
      const last = extra === null ? played : add(extra, more);
      returns.add(trueReturn({ sport: 'football', periods: regular, extra: last }, half, decimal));
    }
    sum += returns.size === 1 ? [...returns][0]! / 2 : 0.5;
  }
  return sum;
}

/** Whether nothing more can come in the last period that began. */
function isEnded({ complete, halfLeft, periods, sport }: Story): boolean {
  return complete && !(halfLeft && periods.length < PERIODS[sport]);
}

/** Winners after five innings, four and a half if the home side leads; totals and run lines after nine. */
function stands({ periods, halfLeft, complete }: Story, { family }: TrueBet): boolean {
  const [home, away] = periods.reduce(add, [0, 0]);
  const innings = complete ? periods.length - (halfLeft ? 0.5 : 0) : periods.length - 1;
  const least = family === 'winner' || family === 'double_chance' ? 5 : 9;
  if (!['winner', 'double_chance', 'handicap', 'total', 'odd_even'].includes(family)) return false;
  return innings >= (home > away ? least - 0.5 : least);
}

const GRID: readonly Points[] = [0, 1, 2, 3, 4].flatMap((home) => [0, 1, 2, 3, 4].map((away): Points => [home, away]));
/** As far as a side may be behind. */
const LEADS: readonly Points[] = Array.from({ length: 28 }, (_, i) => i).flatMap((k): Points[] => [[k, 0], [0, k]]); // biome-ignore format: one line
const MANY: readonly Points[] = [...GRID, ...LEADS, [90, 0], [0, 90], [91, 90]];

/** Of what was being played, and of the first that was to follow. */
function continuations(story: Story): [Points, Points][] {
  const none: Points = [0, 0];
  const after = MANY.map((points): [Points, Points] => [none, points]);
  if (isEnded(story) && story.extra === null && story.periods.length === PERIODS[story.sport]) return after;
  // The visitors have batted.
  const more = story.halfLeft ? MANY.filter(([, away]) => away === 0) : MANY;
  return [...after, ...more.map((points): [Points, Points] => [points, none])];
}

function all({ periods, sport }: Story): Points[] {
  return [...periods, ...Array.from({ length: PERIODS[sport] - periods.length }, (): Points => [0, 0])];
}

function add([a, b]: readonly number[], [c, d]: readonly number[]): Points {
  return [a! + c!, b! + d!];
}

/** Whether a bet is void because the game began so many hours after the start at which it was made, at night in New York. */
export function isTooLate(book: string, league: string, startMs: number, lateHours: number): boolean {
  const american = ['draftkings', 'fanduel', 'betmgm', 'caesars'].includes(book);
  if (!american || league !== 'mlb') return lateHours > 36;
  const day = (ms: number) => new Date(ms - 4 * 3_600_000).toISOString().slice(0, 10);
  return day(startMs + lateHours * 3_600_000) !== day(startMs);
}
