// Matches of esports, whose score is of maps: who won a map, and the rounds or kills in it. A map is told by its rounds (13-9)
// or by who won it (1-0); who made more kills says nothing of who won.
import type { GameResult, PairOfScores, PartScore } from '../../base/model/result.js';

export const MAP_PART = /^map_(\d)$/;

interface Format {
  /** Rounds that win a map, by two. */
  readonly to: number;
  /** Rounds of a side in an overtime that win it; 0 where a lead of two does. */
  readonly overtime: number;
}

const ROUNDS: Readonly<Record<string, Format>> = {
  cs2: { to: 13, overtime: 3 },
  valorant: { to: 13, overtime: 0 },
};
const NO_ROUNDS: ReadonlySet<string> = new Set(['lol', 'dota2']);

/** Whether a sport's score is of maps. */
export function isOfMaps(sport: string): boolean {
  return Object.hasOwn(ROUNDS, sport) || NO_ROUNDS.has(sport);
}

export function mapsOf({ parts }: GameResult): PartScore[] {
  return parts.filter(({ part }) => MAP_PART.test(part));
}

/** Told by who won it. */
const isWon = ({ home, away }: PairOfScores): boolean => home + away === 1;

/** Whether a map's own score says that it is over. */
export function isCompleteMap(sport: string, map: PartScore): boolean {
  if (isWon(map)) return map.final || !Object.hasOwn(ROUNDS, sport);
  const format = ROUNDS[sport];
  if (format === undefined) return false;
  const { to, overtime } = format;
  const [most, least] = [Math.max(map.home, map.away), Math.min(map.home, map.away)];
  if (most - least < 2) return false;
  if (most === to) return true;
  return most > to && (overtime === 0 || (most - to) % overtime === 0);
}

/** What says who won a map: its score, or that one side won all that were played. */
export function wonOf(sport: string, part: string, result: GameResult): PairOfScores | undefined {
  const told = result.parts.find((one) => one.part === part);
  if (told !== undefined && (Object.hasOwn(ROUNDS, sport) || isWon(told))) return told;
  const { score, status } = result;
  if (status !== 'final' || score === null || Number(MAP_PART.exec(part)?.[1]) > score.home + score.away)
    return undefined;
  if (score.away === 0) return { home: 1, away: 0 };
  return score.home === 0 ? { home: 0, away: 1 } : undefined;
}

/** Rounds of a map, or of all of them; undefined if they are not told. */
export function roundsOf(sport: string, part: string, result: GameResult): PairOfScores | undefined {
  if (!Object.hasOwn(ROUNDS, sport)) return undefined;
  const maps = mapsOf(result);
  if (MAP_PART.test(part)) {
    const map = maps.find((one) => one.part === part);
    return map === undefined || isWon(map) ? undefined : map;
  }
  const { score, status } = result;
  const whole = maps.length > 0 && !maps.some(isWon);
  if (!whole || (status === 'final' && (score === null || score.home + score.away !== maps.length))) return undefined;
  return maps.reduce((sum, { home, away }) => ({ home: sum.home + home, away: sum.away + away }), { home: 0, away: 0 });
}
