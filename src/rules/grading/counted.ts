// What a market counts, as far as a result tells it: the score or another statistic of the game or a part of it, or a
// player's. Parts that no source tells follow from others: halves from quarters, a second half from the final score.

import type { GameResult, PairOfScores, PartScore } from '../../base/model/result.js';
import { words } from '../../base/model/words.js';
import { GAME, REGULATION } from '../markets/parts.js';
import { type MarketRules, SCORE } from '../markets/rules.js';
import {
  type Bounds,
  boundsOfSet,
  boundsOfSets,
  boundsOfUnits,
  formatOf,
  isCompleteSet,
  SET_PART,
  setsOf,
} from './sets.js';
import { isOver, type Missing } from './verdict.js';

export interface Counted extends PairOfScores {
  /** It can change no more. */
  readonly over: boolean;
  /** Absent: what is counted can rise without end. */
  readonly bounds?: Bounds;
}

const SOCCER = 'soccer';
const BASEBALL = 'baseball';
const SETS = 'sets';
/** Counted one for one in the score. */
const IN_SCORE: ReadonlySet<string> = new Set(['maps', 'legs', 'frames']);
/** Sports in which nothing is played after the time or the sets that belong to the match. */
const NO_EXTRA: ReadonlySet<string> = new Set(
  words(`
  tennis volleyball table_tennis badminton cricket mma boxing golf cs2 lol dota2 valorant
`),
);
/** More is played after a tie, and it may stay one. Elsewhere a tie stands, or that depends on the competition. */
const PLAYS_ON: ReadonlySet<string> = new Set(['football', 'basketball', 'baseball', 'hockey', 'lacrosse']);
/** What is played after regular time. */
const EXTRA_PARTS: ReadonlySet<string> = new Set(['ot', 'et', 'so', 'pens']);
const INNINGS = /^innings_(\d+)_(\d+)$/;
const REGULAR_INNINGS = 9;

/** The parts that together are another one, by the ways in which games are divided. */
const COMPOSED: Readonly<Record<string, readonly (readonly string[])[]>> = {
  h1: [['q1', 'q2']],
  h2: [['q3', 'q4']],
  [REGULATION]: [
    ['h1', 'h2'],
    ['q1', 'q2', 'q3', 'q4'],
    ['p1', 'p2', 'p3'],
    Array.from({ length: REGULAR_INNINGS }, (_, i) => `innings_${i + 1}_${i + 1}`),
  ],
};

/** A set or map that the match did not come to, by the score of sets or maps at its end. */
export function wasNotPlayed(part: string, sport: string, result: GameResult): boolean {
  const { score } = result;
  if (!isOver(result) || score === null || (formatOf(sport) === undefined && !isOfMaps(sport))) return false;
  if (score.home + score.away === 0 || result.parts.some((one) => one.part === part)) return false;
  return numberOf(part) > score.home + score.away;
}

/** What both teams have of a market's statistic in its part; otherwise what is not told. */
export function countedOf(rules: MarketRules, sport: string, result: GameResult): Counted | Missing {
  const { part } = rules;
  if (isOfMaps(sport)) {
    const ofMaps = countedInMaps(rules, sport, result);
    if (ofMaps !== undefined) return ofMaps;
  }
  const unit = formatOf(sport)?.unit;
  const statistic = rules.statistic ?? unit ?? SCORE;
  if (statistic === SCORE || IN_SCORE.has(statistic)) {
    const own = statistic === SCORE ? undefined : statisticOf(result, statistic);
    if (own !== undefined) return { ...own, over: isOver(result) };
    const score = scoreOf(rules, sport, result);
    return (
      score ?? (part === GAME ? 'final_score_not_told' : part === REGULATION ? 'regulation_not_told' : 'part_not_told')
    );
  }
  // Of regular time alone nobody tells statistics.
  const over = part === REGULATION ? isOver(result) : hasEnded(part, sport, result);
  const told = statisticOf(result, part === GAME || part === REGULATION ? statistic : `${statistic}_${part}`);
  if (told !== undefined) return { ...told, over };
  if (statistic === unit && SET_PART.test(part)) return ofSet(part, sport, result) ?? 'sets_not_told';
  const sets = setsOf(result);
  const untold = lacksSets(sport, result);
  if (statistic === SETS) {
    const won = sets.length === 0 || untold ? result.score : setsWon(sets, sport, result);
    if (won === null) return sets.length === 0 ? 'final_score_not_told' : 'sets_not_told';
    return {
      home: won.home,
      away: won.away,
      over,
      ...(over || formatOf(sport) === undefined ? {} : { bounds: boundsOfSets(sport, won) }),
    };
  }
  if (statistic !== unit) return 'statistic_not_told';
  if (sets.length === 0 || untold || part !== GAME) return 'sets_not_told';
  const sum = sumOf(sets);
  if (over) return { ...sum, over };
  const current = sets.at(-1)!;
  const open = isPartOver(current, sport, result) ? undefined : current;
  return { ...sum, over, bounds: boundsOfUnits(sport, sum, setsWon(sets, sport, result), open) };
}

/** Of what a match of maps counts otherwise than other games: a map's winner, and rounds. */
function countedInMaps(
  { part, statistic }: MarketRules,
  sport: string,
  result: GameResult,
): Counted | Missing | undefined {
  const isMap = MAP_PART.test(part);
  const isRounds = statistic === 'rounds';
  if (isRounds ? statisticOf(result, isMap ? `rounds_${part}` : 'rounds') !== undefined : !isMap || statistic !== SCORE)
    return undefined;
  const counted = isRounds ? roundsOf(sport, part, result) : wonOf(sport, part, result);
  if (counted === undefined) return isRounds ? 'statistic_not_told' : 'part_not_told';
  const map = isMap ? result.parts.find((one) => one.part === part) : undefined;
  const over = map === undefined ? hasEnded(part, sport, result) : isPartOver(map, sport, result);
  return { home: counted.home, away: counted.away, over };
}

function statisticOf({ stats }: GameResult, name: string): PairOfScores | undefined {
  return Object.hasOwn(stats, name) ? stats[name] : undefined;
}

function ofSet(part: string, sport: string, result: GameResult): Counted | undefined {
  const set = partScore(part, sport, result);
  if (set === undefined || set.over) return set;
  return { ...set, bounds: boundsOfSet(sport, { ...set, part, final: false }) };
}

/** The score of a part; undefined if it is not told and does not follow from what is. */
export function scoreOf(
  { part, overtime }: Pick<MarketRules, 'part' | 'overtime'>,
  sport: string,
  result: GameResult,
): Counted | undefined {
  const { score, parts, regulation } = result;
  const over = isOver(result);
  if (part === GAME) return overtime === 'counts' ? withEnd(score, over) : regulationOf(sport, result);
  if (part === REGULATION) return regulationOf(sport, result);
  if (part === 'h2' && overtime === 'counts') {
    const first = partScore('h1', sport, result);
    if (score === null || first?.over !== true) return undefined;
    return { home: score.home - first.home, away: score.away - first.away, over };
  }
  const told = partScore(part, sport, result);
  if (told !== undefined || !Object.hasOwn(OTHER_HALF, part)) return told;
  const other = parts.find((one) => one.part === OTHER_HALF[part]);
  const whole = regulation ?? regulationOf(sport, result);
  if (other === undefined || whole === undefined || whole.home < other.home || whole.away < other.away)
    return undefined;
  return { home: whole.home - other.home, away: whole.away - other.away, over: hasEnded(part, sport, result) };
}

const OTHER_HALF: Readonly<Record<string, string>> = { h1: 'h2', h2: 'h1' };

/** Whether extra time was played; undefined if that does not follow from what is told. */
export function hadOvertime(sport: string, result: GameResult): boolean | undefined {
  const { ended, score } = result;
  if (ended === 'overtime' || ended === 'penalties' || hasExtra(result)) return true;
  if (isRegular(sport, result)) return false;
  if (score === null) return undefined;
  const regular = result.regulation ?? (isOver(result) ? partScore(REGULATION, sport, result) : undefined);
  if (regular !== undefined && (regular.home !== score.home || regular.away !== score.away)) return true;
  if (score.home !== score.away) return regular === undefined ? undefined : false;
  return PLAYS_ON.has(sport) && (regular !== undefined || isOver(result)) ? true : undefined;
}

/** Whether nothing was played after regular time, whatever the scores are. */
function isRegular(sport: string, { ended, innings = 0 }: GameResult): boolean {
  return (
    ended === 'normal' ||
    ended === 'shortened' ||
    NO_EXTRA.has(sport) ||
    (sport === BASEBALL && innings > 0 && innings <= REGULAR_INNINGS)
  );
}

const hasExtra = ({ parts }: GameResult): boolean => parts.some(({ part }) => EXTRA_PARTS.has(part));

/**
 * Whether regular time is known to have ended level, whatever its score was: more was played, or what was played leaves it
 * level still. In soccer more is also played where two games together are level.
 */
export function wasLevel(sport: string, result: GameResult): boolean {
  const { ended, score } = result;
  if (ended === 'overtime' || ended === 'penalties') return true;
  if (sport === SOCCER) return false;
  return hasExtra(result) || (isOver(result) && score !== null && score.home === score.away);
}

/** A score after regular time is told once that has been played. */
function regulationOf(sport: string, result: GameResult): Counted | undefined {
  const { score, ended } = result;
  if (result.regulation !== null) return { ...result.regulation, over: result.status !== 'live' };
  const composed = partScore(REGULATION, sport, result);
  if (composed?.over === true) return composed;
  if (hasExtra(result)) return composed;
  // Soccer's final score is that of ninety minutes unless more was played.
  return isRegular(sport, result) || (sport === SOCCER && ended === undefined) || result.status !== 'final'
    ? (withEnd(score, isOver(result)) ?? composed)
    : composed;
}

/** The winner of what was played after a tie, where a source tells that by itself. */
export function extraWinner({ parts }: GameResult): PairOfScores | undefined {
  return parts.findLast(({ part, home, away }) => (part === 'pens' || part === 'so') && home !== away);
}

function partScore(part: string, sport: string, result: GameResult): Counted | undefined {
  const told = result.parts.find((one) => one.part === part);
  if (told !== undefined)
    return withHomeToBat(part, sport, result, {
      home: told.home,
      away: told.away,
      over: isPartOver(told, sport, result),
    });
  for (const names of waysTo(part)) {
    const found = names.map((name) => partScore(name, sport, result));
    if (found.every((one) => one !== undefined))
      return withHomeToBat(part, sport, result, { ...sumOf(found), over: found.every(({ over }) => over) });
    // Of a game that was broken off, what has no score did not begin, or at least no fewer were scored (isUntold).
    const begun = found.filter((one) => one !== undefined);
    if (result.status === 'abandoned' && begun.length > 0) return { ...sumOf(begun), over: false };
  }
  return undefined;
}

/** Whether baseball's innings were broken off after their first half: only the home side can still score in them. */
export function isHomeToBat(part: string, sport: string, { innings }: GameResult): boolean {
  return sport === BASEBALL && INNINGS.test(part) && innings === endOf(part) - 0.5;
}

function withHomeToBat(part: string, sport: string, result: GameResult, counted: Counted): Counted {
  if (counted.over || !isHomeToBat(part, sport, result)) return counted;
  const { home, away } = counted;
  const endless = Number.POSITIVE_INFINITY;
  return { ...counted, bounds: { total: [home + away, endless], margin: [home - away, endless] } };
}

function waysTo(part: string): readonly (readonly string[])[] {
  const innings = INNINGS.exec(part);
  if (innings === null || innings[1] === innings[2]) return Object.hasOwn(COMPOSED, part) ? COMPOSED[part]! : [];
  const [from, to] = [Number(innings[1]), Number(innings[2])];
  return [Array.from({ length: to - from + 1 }, (_, i) => `innings_${from + i}_${from + i}`)];
}

/** Also where its own score is that of a set that is won. */
function isPartOver(part: PartScore, sport: string, result: GameResult): boolean {
  if (part.final || hasEnded(part.part, sport, result)) return true;
  if (SET_PART.test(part.part) && isCompleteSet(sport, part)) return true;
  return MAP_PART.test(part.part) && isCompleteMap(sport, part);
}

/**
 * Whether a part is known to have come to its end, also where its own score is not told. In a game that was broken off it
 * has once a later one has a score, once its innings were played, and where the score counts a set or map that is not told.
 */
export function hasEnded(part: string, sport: string, result: GameResult): boolean {
  if (isOver(result)) return true;
  if (part === GAME) return false;
  const { innings, parts } = result;
  if (numberOf(part) <= setsCounted(sport, result) && !parts.some((one) => one.part === part)) return true;
  const isRegularTold = result.status === 'abandoned' && result.regulation !== null;
  if (part === REGULATION && (isRegularTold || hadOvertime(sport, result) === true)) return true;
  const end = endOf(part);
  if (INNINGS.test(part) && innings !== undefined && innings >= end) return true;
  return parts.some((other) => startOf(other.part) >= end);
}

/** Whether a part, or one of those of which it is composed, was played to its end and has no score. */
export function isUntold(part: string, sport: string, result: GameResult): boolean {
  if (part === GAME || result.parts.some((one) => one.part === part)) return false;
  if (hasEnded(part, sport, result)) return scoreOf({ part, overtime: 'does_not' }, sport, result)?.over !== true;
  // Regular time that goes on is counted by the score.
  return part !== REGULATION && waysTo(part).some((names) => names.some((name) => isUntold(name, sport, result)));
}

/** Whether a match had more sets than have a score. */
export function lacksSets(sport: string, result: GameResult): boolean {
  const numbers = setsOf(result).map(({ part }) => numberOf(part));
  return new Set(numbers).size < Math.max(setsCounted(sport, result), ...numbers);
}

/** Sets or maps that the score counts: those that came to their end. */
function setsCounted(sport: string, { score }: GameResult): number {
  return score === null || (formatOf(sport) === undefined && !isOfMaps(sport)) ? 0 : score.home + score.away;
}

/** Of a set or map, counted from 1; NaN of other parts. */
function numberOf(part: string): number {
  return Number(SET_PART.exec(part)?.[1] ?? MAP_PART.exec(part)?.[1]);
}

/** Who won a set that is not told: where one side won all that were played. */
export function wonSet(part: string, sport: string, result: GameResult): PairOfScores | undefined {
  const { score } = result;
  if (!SET_PART.test(part) || score === null || !(numberOf(part) <= setsCounted(sport, result))) return undefined;
  return wonAll(score);
}

function wonAll({ home, away }: PairOfScores): PairOfScores | undefined {
  if (away === 0) return { home: 1, away: 0 };
  return home === 0 ? { home: 0, away: 1 } : undefined;
}

/** Parts one after the other from the start of the game, as far as none between them is untold; no shoot-out. */
export function partsFromStart({ parts }: GameResult): PartScore[] {
  const inOrder = parts
    .filter(({ part }) => part !== 'pens' && part !== 'so')
    .sort((a, b) => startOf(a.part) - startOf(b.part) || endOf(a.part) - endOf(b.part));
  const found: PartScore[] = [];
  let at = 0;
  for (const part of inOrder) {
    const isExtra = EXTRA_PARTS.has(part.part);
    const from = isExtra ? regularEnd(inOrder) : startOf(part.part);
    if (from > at) break;
    // Told by finer parts already.
    if (from < at && !isExtra) continue;
    found.push(part);
    at = endOf(part.part);
  }
  return found;
}

const TWELFTHS = 12;

function regularEnd(parts: readonly PartScore[]): number {
  return parts.some(({ part }) => INNINGS.test(part)) ? REGULAR_INNINGS : TWELFTHS;
}

/** Of parts of one division of a game: in twelfths, which halves, quarters and thirds have in common. */
function startOf(part: string): number {
  if (EXTRA_PARTS.has(part)) return Number.MAX_SAFE_INTEGER;
  const [, unit, no] = /^([hqp]|set_|map_)(\d)$/.exec(part) ?? [];
  if (unit === undefined) return Number(INNINGS.exec(part)?.[1] ?? 1) - 1;
  return (Number(no) - 1) * lengthOf(unit);
}

function endOf(part: string): number {
  const [, unit] = /^([hqp]|set_|map_)(\d)$/.exec(part) ?? [];
  if (unit !== undefined) return startOf(part) + lengthOf(unit);
  return Number(INNINGS.exec(part)?.[2] ?? Number.MAX_SAFE_INTEGER);
}

function lengthOf(unit: string): number {
  return unit === 'h' ? 6 : unit === 'q' ? 3 : unit === 'p' ? 4 : 1;
}

function withEnd(scores: PairOfScores | null, over: boolean): Counted | undefined {
  return scores === null ? undefined : { home: scores.home, away: scores.away, over };
}

function sumOf(parts: readonly PairOfScores[]): PairOfScores {
  let home = 0;
  let away = 0;
  for (const part of parts) {
    home += part.home;
    away += part.away;
  }
  return { home, away };
}

function setsWon(sets: readonly PartScore[], sport: string, result: GameResult): PairOfScores {
  let home = 0;
  let away = 0;
  for (const set of sets) {
    if (!isPartOver(set, sport, result)) continue;
    if (set.home > set.away) home++;
    else if (set.away > set.home) away++;
  }
  return { home, away };
}

/** Whether a first set is known to be complete, or known not to be; undefined if that is not told. */
export function isSetComplete(sport: string, result: GameResult): boolean | undefined {
  const sets = setsOf(result);
  const first = sets.find(({ part }) => numberOf(part) === 1);
  if (first === undefined ? hasEnded('set_1', sport, result) : isPartOver(first, sport, result)) return true;
  return sets.length === 0 && result.score === null ? undefined : false;
}

// Matches of esports, whose score is of maps: who won a map, and the rounds or kills in it. A map is told by its rounds (13-9)
// or by who won it (1-0); who made more kills says nothing of who won.

const MAP_PART = /^map_(\d)$/;

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
function isOfMaps(sport: string): boolean {
  return Object.hasOwn(ROUNDS, sport) || NO_ROUNDS.has(sport);
}

function mapsOf({ parts }: GameResult): PartScore[] {
  return parts.filter(({ part }) => MAP_PART.test(part));
}

/** Told by who won it. */
const isWon = ({ home, away }: PairOfScores): boolean => home + away === 1;

/** Whether a map's own score says that it is over. */
function isCompleteMap(sport: string, map: PartScore): boolean {
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
function wonOf(sport: string, part: string, result: GameResult): PairOfScores | undefined {
  const told = result.parts.find((one) => one.part === part);
  if (told !== undefined && (Object.hasOwn(ROUNDS, sport) || isWon(told))) return told;
  const { score } = result;
  return score === null || numberOf(part) > score.home + score.away ? undefined : wonAll(score);
}

/** Rounds of a map, or of all of them; undefined if they are not told. */
function roundsOf(sport: string, part: string, result: GameResult): PairOfScores | undefined {
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
