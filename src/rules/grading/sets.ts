// Matches that are scored in sets: what a set counts, when it is complete, and between which numbers a match that was broken
// off could still have ended.
import type { GameResult, PairOfScores, PartScore } from '../../base/model/result.js';

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
  /** Of both sides in one set; Infinity if it may go on for ever. */
  readonly most: number;
  /** The least with which a deciding set is won. */
  readonly decider: number;
  /** Sets that win a match, in its usual formats. */
  readonly wins: readonly number[];
}

const ENDLESS = Number.POSITIVE_INFINITY;

const FORMATS: Readonly<Record<string, Format>> = {
  tennis: { unit: 'games', to: 6, cap: 7, most: ENDLESS, decider: 6, wins: [2, 3] },
  volleyball: { unit: 'points', to: 25, cap: ENDLESS, most: ENDLESS, decider: 15, wins: [3] },
  table_tennis: { unit: 'points', to: 11, cap: ENDLESS, most: ENDLESS, decider: 11, wins: [2, 3, 4] },
  badminton: { unit: 'points', to: 21, cap: 30, most: 59, decider: 21, wins: [2] },
};

export const SET_PART = /^set_(\d)$/;
const TIE_BREAK_TO = 10;

export function formatOf(sport: string): Format | undefined {
  return Object.hasOwn(FORMATS, sport) ? FORMATS[sport] : undefined;
}

/** In their order, whatever that of the source is. */
export function setsOf({ parts }: GameResult): PartScore[] {
  return parts.filter(({ part }) => SET_PART.test(part)).sort((a, b) => (a.part < b.part ? -1 : 1));
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
  const over = isPlayedOut(result) || last.final || isCompleteSet(sport, { ...last, tieBreak: true });
  const counted: PartScore = { ...last, ...(over ? won : { home: 0, away: 0 }), tieBreak: true, final: over };
  return { ...result, parts: result.parts.map((part) => (part === last ? counted : part)) };
}

function isPlayedOut({ status, ended }: GameResult): boolean {
  return status === 'final' && ended !== 'retired' && ended !== 'disqualified';
}

function looksLikeTieBreak(last: PartScore, result: GameResult, pairs: boolean): boolean {
  const before = setsOf(result).slice(0, -1);
  const won = before.filter(({ home, away }) => home > away).length;
  if (before.length === 0 || won * 2 !== before.length) return false;
  const most = Math.max(last.home, last.away);
  if (pairs && most >= TIE_BREAK_TO) return true;
  return most === 1 && last.home + last.away === 1 && (isPlayedOut(result) || last.final);
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
 * The same in games or points.
 * @param won sets that are complete
 * @param current the set that was not, if one had begun
 */
export function boundsOfUnits(
  sport: string,
  so: PairOfScores,
  won: PairOfScores,
  current: PartScore | undefined,
): Bounds {
  const format = formatOf(sport)!;
  const complete = won.home + won.away;
  const begun = complete + (current === undefined ? 0 : 1);
  let total = Number.POSITIVE_INFINITY;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const margin = so.home - so.away;
  for (const needed of neededIn(sport, won))
    for (const side of ['home', 'away'] as const) {
      const own = won[side];
      const more = current === undefined ? 0 : toWin(sport, current, side);
      const after = own + (current === undefined ? 0 : 1);
      const other = won[side === 'home' ? 'away' : 'home'];
      const sets = needed - Math.max(after, other);
      total = Math.min(total, so.home + so.away + more + inSets(format, begun, sets));
      let swing = more + inSets(format, begun, needed - after);
      // One more set may be worth more than what is left of this one, if it is lost by little.
      if (current !== undefined && other + 1 < needed)
        swing = Math.max(swing, byLittle(format, current, side) + inSets(format, begun, needed - own));
      if (side === 'home') high = Math.max(high, margin + swing);
      else low = Math.min(low, margin - swing);
    }
  const played = so.home + so.away - (current === undefined ? 0 : current.home + current.away);
  const sets = 2 * Math.max(...neededIn(sport, won)) - 1 - complete;
  return { total: [total, played + sets * format.most], margin: [low, high] };
}

/** Of a set that was not complete. */
export function boundsOfSet(sport: string, set: PartScore): Bounds {
  const [byHome, byAway] = [toWin(sport, set, 'home'), toWin(sport, set, 'away')];
  const { home, away } = set;
  return {
    total: [home + away + Math.min(byHome, byAway), formatOf(sport)!.most],
    margin: [home - away - byAway, home - away + byHome],
  };
}

/** The least that this side still needs for the set. */
function toWin(sport: string, set: PairOfScores & Pick<PartScore, 'part'>, side: 'home' | 'away'): number {
  const format = formatOf(sport)!;
  const { cap } = format;
  const to = toOf(format, set);
  const [own, other] = side === 'home' ? [set.home, set.away] : [set.away, set.home];
  const byTwo = Math.max(to, other + 2);
  // In tennis 6-6 is decided by a tie-break; a set that went beyond it is won by two.
  const target = other < cap ? Math.min(byTwo, Math.max(cap, own)) : byTwo;
  return Math.max(0, target - own);
}

/** What this side still gains on the other where it loses the set as narrowly as it can. */
function byLittle({ cap }: Format, { home, away }: PairOfScores, side: 'home' | 'away'): number {
  const [own, other] = side === 'home' ? [home, away] : [away, home];
  return (Number.isFinite(cap) && own < cap && other <= cap ? -1 : -2) - (own - other);
}

/** The least of the next sets together. */
function inSets(format: Format, begun: number, count: number): number {
  let sum = 0;
  for (let no = begun + 1; no <= begun + count; no++) sum += toOf(format, { part: `set_${no}` });
  return sum;
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
