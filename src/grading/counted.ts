// What a market counts, as far as a result tells it: the score or another statistic of the game or a part of it, or a
// player's. Parts that no source tells follow from others: halves from quarters, a second half from the final score.
import { GAME, REGULATION } from '../markets/parts.js';
import { type MarketRules, SCORE } from '../markets/rules.js';
import type { GameResult, PairOfScores, PartScore } from '../model/result.js';

export interface Counted extends PairOfScores {
  /** It can change no more. */
  readonly over: boolean;
}

const SOCCER = 'soccer';
const SETS = 'sets';
const GAMES = 'games';
/** What is played after regular time. */
const EXTRA_PARTS: ReadonlySet<string> = new Set(['ot', 'et', 'so', 'pens']);
const SET_PART = /^set_\d$/;
const INNINGS = /^innings_(\d+)_(\d+)$/;

/** The parts that together are another one, by the ways in which games are divided. */
const COMPOSED: Readonly<Record<string, readonly (readonly string[])[]>> = {
  h1: [['q1', 'q2']],
  h2: [['q3', 'q4']],
  [REGULATION]: [
    ['h1', 'h2'],
    ['q1', 'q2', 'q3', 'q4'],
    ['p1', 'p2', 'p3'],
  ],
};

/** What both teams have of a market's statistic in its part; undefined if that is not told. */
export function countedOf(rules: MarketRules, sport: string, result: GameResult): Counted | undefined {
  const { statistic, part } = rules;
  if (statistic === SCORE) return scoreOf(rules, sport, result);
  const over = isOver(result);
  if (statistic === null) return undefined;
  const told = result.stats[part === GAME || part === REGULATION ? statistic : `${statistic}_${part}`];
  if (told !== undefined) return { ...told, over };
  if (statistic === GAMES && SET_PART.test(part)) return partScore(part, result);
  const sets = result.parts.filter((one) => SET_PART.test(one.part));
  if (statistic === SETS) return sets.length > 0 ? setsWon(sets, result) : withEnd(result.score, over);
  return statistic === GAMES && sets.length > 0 && part === GAME ? withEnd(sumOf(sets), over) : undefined;
}

/** The score of a part; undefined if it is not told and does not follow from what is. */
export function scoreOf({ part, overtime }: MarketRules, sport: string, result: GameResult): Counted | undefined {
  const { score, parts, regulation } = result;
  const over = isOver(result);
  if (part === GAME) return overtime === 'counts' ? withEnd(score, over) : regulationOf(sport, result);
  if (part === REGULATION) return regulationOf(sport, result);
  if (part === 'h2' && overtime === 'counts') {
    const first = partScore('h1', result);
    if (score === null || first === undefined) return undefined;
    return { home: score.home - first.home, away: score.away - first.away, over };
  }
  const told = partScore(part, result);
  if (told !== undefined || part !== 'h2') return told;
  const first = parts.find((one) => one.part === 'h1');
  const whole = regulation ?? regulationOf(sport, result);
  if (first === undefined || whole === undefined) return undefined;
  return { home: whole.home - first.home, away: whole.away - first.away, over };
}

/** Whether extra time was played; undefined if that is not told. */
export function hadOvertime(result: GameResult): boolean | undefined {
  if (result.parts.some(({ part }) => EXTRA_PARTS.has(part))) return true;
  const { regulation, score } = result;
  if (regulation !== null && score !== null)
    return regulation.home !== score.home || regulation.away !== score.away || score.home === score.away;
  return result.status === 'final' && result.parts.length > 0 ? false : undefined;
}

function regulationOf(sport: string, result: GameResult): Counted | undefined {
  const over = isOver(result) || result.parts.some(({ part }) => EXTRA_PARTS.has(part));
  if (result.regulation !== null) return { ...result.regulation, over };
  const composed = partScore(REGULATION, result);
  if (composed !== undefined) return composed;
  // Soccer's final score is that of ninety minutes unless more was played.
  const extra = result.parts.some(({ part }) => EXTRA_PARTS.has(part));
  return sport === SOCCER && !extra ? withEnd(result.score, over) : undefined;
}

function partScore(part: string, result: GameResult): Counted | undefined {
  const told = result.parts.find((one) => one.part === part);
  if (told !== undefined) return { home: told.home, away: told.away, over: isPartOver(told, result) };
  for (const names of waysTo(part)) {
    const found = names.map((name) => partScore(name, result));
    if (found.every((one) => one !== undefined)) return { ...sumOf(found), over: found.every(({ over }) => over) };
  }
  return undefined;
}

function waysTo(part: string): readonly (readonly string[])[] {
  const innings = INNINGS.exec(part);
  if (innings === null || innings[1] === innings[2]) return COMPOSED[part] ?? [];
  const [from, to] = [Number(innings[1]), Number(innings[2])];
  return [Array.from({ length: to - from + 1 }, (_, i) => `innings_${from + i}_${from + i}`)];
}

/** In a game that was abandoned, a part is over once a later one has a score. */
function isPartOver(part: PartScore, result: GameResult): boolean {
  if (isOver(result) || part.final) return true;
  const end = endOf(part.part);
  return result.parts.some((other) => startOf(other.part) >= end);
}

/** Of parts of one division of a game: in twelfths, which halves, quarters and thirds have in common. */
function startOf(part: string): number {
  if (EXTRA_PARTS.has(part)) return Number.MAX_SAFE_INTEGER;
  const [, unit, no] = /^([hqp]|set_)(\d)$/.exec(part) ?? [];
  if (unit === undefined) return Number(INNINGS.exec(part)?.[1] ?? 1) - 1;
  return (Number(no) - 1) * lengthOf(unit);
}

function endOf(part: string): number {
  const [, unit] = /^([hqp]|set_)(\d)$/.exec(part) ?? [];
  if (unit !== undefined) return startOf(part) + lengthOf(unit);
  return Number(INNINGS.exec(part)?.[2] ?? Number.MAX_SAFE_INTEGER);
}

function lengthOf(unit: string): number {
  return unit === 'h' ? 6 : unit === 'q' ? 3 : unit === 'p' ? 4 : 1;
}

const isOver = ({ status }: GameResult): boolean => status === 'final';

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

function setsWon(sets: readonly PartScore[], result: GameResult): Counted {
  let home = 0;
  let away = 0;
  for (const set of sets) {
    if (!isPartOver(set, result)) continue;
    if (set.home > set.away) home++;
    else if (set.away > set.home) away++;
  }
  return { home, away, over: isOver(result) };
}
