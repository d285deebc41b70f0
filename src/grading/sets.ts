// Matches that are scored in sets: what a set counts, when it is complete, and between which numbers a match that was broken
// off could still have ended.
import type { GameResult, PairOfScores, PartScore } from '../model/result.js';

/** Between which numbers what is not over could have ended. */
export interface Bounds {
  readonly total: readonly [least: number, most: number];
  /** Of the home team. */
  readonly margin: readonly [least: number, most: number];
}

interface Format {
  /** What each set counts. */
  readonly unit: 'games' | 'points';
  /** Points or games with which a set is won, by two. */
  readonly to: number;
  /** With which it is won at the latest; Infinity if only a lead of two ends it. */
  readonly cap: number;
  /** The least with which a deciding set is won. */
  readonly decider: number;
  /** Sets that win a match, in its usual formats. */
  readonly wins: readonly number[];
}

const FORMATS: Readonly<Record<string, Format>> = {
  tennis: { unit: 'games', to: 6, cap: 7, decider: 6, wins: [2, 3] },
  volleyball: { unit: 'points', to: 25, cap: Number.POSITIVE_INFINITY, decider: 15, wins: [2, 3] },
  table_tennis: { unit: 'points', to: 11, cap: Number.POSITIVE_INFINITY, decider: 11, wins: [2, 3, 4] },
  badminton: { unit: 'points', to: 21, cap: 30, decider: 21, wins: [2] },
};

export const SET_PART = /^set_(\d)$/;
const TIE_BREAK_TO = 10;

export function formatOf(sport: string): Format | undefined {
  return Object.hasOwn(FORMATS, sport) ? FORMATS[sport] : undefined;
}

export function setsOf({ parts }: GameResult): PartScore[] {
  return parts.filter(({ part }) => SET_PART.test(part));
}

/** Whether the score is that of a set that is won. */
export function isCompleteSet(sport: string, set: PartScore): boolean {
  const format = formatOf(sport);
  if (format === undefined) return false;
  const [most, least] = [Math.max(set.home, set.away), Math.min(set.home, set.away)];
  if (set.tieBreak === true) return (most === 1 && least === 0) || (most >= TIE_BREAK_TO && most - least >= 2);
  const to = toOf(format, set);
  if (most >= to && most - least >= 2) return true;
  return most === format.cap && least >= most - (sport === 'tennis' ? 1 : 2);
}

/**
 * A match tie-break is one set, and one game. It is one where a source says so; untold, where pairs play a deciding set to
 * ten or more, or it is told as 1-0.
 */
export function withTieBreak(result: GameResult, sport: string, pairs: boolean): GameResult {
  if (sport !== 'tennis') return result;
  const last = setsOf(result).at(-1);
  if (last === undefined || (last.tieBreak !== true && !looksLikeTieBreak(last, result, pairs))) return result;
  const won = last.home > last.away ? { home: 1, away: 0 } : { home: 0, away: 1 };
  const over = result.status === 'final' || last.final || isCompleteSet(sport, { ...last, tieBreak: true });
  const counted: PartScore = { ...last, ...(over ? won : { home: 0, away: 0 }), tieBreak: true, final: over };
  return { ...result, parts: result.parts.map((part) => (part === last ? counted : part)) };
}

function looksLikeTieBreak(last: PartScore, result: GameResult, pairs: boolean): boolean {
  const before = setsOf(result).slice(0, -1);
  const won = before.filter(({ home, away }) => home > away).length;
  if (before.length === 0 || won * 2 !== before.length) return false;
  const most = Math.max(last.home, last.away);
  if (pairs && most >= TIE_BREAK_TO) return true;
  return most === 1 && last.home + last.away === 1 && (result.status === 'final' || last.final);
}

/** How a match that was broken off could have ended, in sets. */
export function boundsOfSets(sport: string, won: PairOfScores): Bounds {
  const { home, away } = won;
  const needed = neededIn(sport, won);
  const [few, many] = [Math.min(...needed), Math.max(...needed)];
  return {
    total: [few + Math.min(home, away), 2 * many - 1],
    margin: [home - many, many - away],
  };
}

/**
 * The same in games or points. How long a set may last is not bounded, so the most is not either.
 * @param won sets that are complete
 * @param current the set that was not, if one had begun
 */
export function boundsOfUnits(
  sport: string,
  so: PairOfScores,
  won: PairOfScores,
  current: PartScore | undefined,
): Bounds {
  const { to, decider } = formatOf(sport)!;
  const least = Math.min(to, decider);
  let total = Number.POSITIVE_INFINITY;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const margin = so.home - so.away;
  for (const needed of neededIn(sport, won))
    for (const side of ['home', 'away'] as const) {
      const own = won[side];
      const more = current === undefined ? 0 : toWin(sport, current, side);
      const after = own + (current === undefined ? 0 : 1);
      const other = won[side === 'home' ? 'away' : 'home'];
      total = Math.min(total, so.home + so.away + more + (needed - Math.max(after, other)) * least);
      const swing = more + Math.max(0, needed - after) * to;
      if (side === 'home') high = Math.max(high, margin + swing);
      else low = Math.min(low, margin - swing);
    }
  return { total: [total, Number.POSITIVE_INFINITY], margin: [low, high] };
}

/** The least that this side still needs for the set. */
export function toWin(sport: string, set: PairOfScores & Pick<PartScore, 'part'>, side: 'home' | 'away'): number {
  const format = formatOf(sport)!;
  const { cap } = format;
  const to = toOf(format, set);
  const [own, other] = side === 'home' ? [set.home, set.away] : [set.away, set.home];
  const byTwo = Math.max(to, other + 2);
  // In tennis 6-6 is decided by a tie-break; a set that went beyond it is won by two.
  const target = other < cap ? Math.min(byTwo, Math.max(cap, own)) : byTwo;
  return Math.max(0, target - own);
}

/** With how many a set is won: the fifth may be shorter. */
function toOf({ to, decider }: Format, { part }: Pick<PartScore, 'part'>): number {
  return part === 'set_5' ? decider : to;
}

/** Sets that would have won the match, as far as its score tells. */
function neededIn(sport: string, { home, away }: PairOfScores): number[] {
  const most = Math.max(home, away);
  const usual = formatOf(sport)!.wins.filter((wins) => wins > most);
  return usual.length > 0 ? usual : [most + 1];
}
