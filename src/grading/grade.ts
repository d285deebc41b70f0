// How one bet ended: from the declared settlement of its market type and the result of its game. Pure; which result
// counts, and a venue's own word on its market, are decided by the caller.
import { GAME, REGULATION } from '../markets/parts.js';
import { SCORE, type TypeRules } from '../markets/rules.js';
import type { GameResult, PlayerResult } from '../model/result.js';
import { type Counted, countedOf, hadOvertime, scoreOf } from './counted.js';
import { playerStatistic } from './players.js';
import { gradeOf } from './settle.js';

export const BET_RESULTS = [
  'won',
  'lost',
  'half_won',
  'half_lost',
  'push',
  'void',
  'half',
  'pending',
  'ungradeable',
] as const;
export type BetResult = (typeof BET_RESULTS)[number];

export const GRADE_REASONS = [
  'no_result',
  'not_final',
  'postponed',
  'cancelled',
  'abandoned',
  'did_not_play',
  'not_told',
  'no_line',
  'no_team',
  'unknown_selection',
  'no_rule',
  'tie',
  'dead_heat',
] as const;
export type GradeReason = (typeof GRADE_REASONS)[number];

export interface BetQuestion {
  readonly rules: TypeRules;
  readonly sport: string;
  /** `home`, `over`, `yes`, `home_or_draw`, `2-1` …, in lower case. */
  readonly selection: string;
  readonly line: number | null;
  /** Whose, for types about one team. */
  readonly team: 'home' | 'away' | null;
  /** Canonical name, for types about a player and for outrights. */
  readonly player: string | null;
  /** Whether the book offers a draw in this market: then a tie loses for both teams. */
  readonly threeWay: boolean;
  /** Its book pays half on a tie. */
  readonly tieSettlesHalf: boolean;
}

export interface Grade {
  readonly result: BetResult;
  readonly reason: GradeReason | null;
  /** Share of the stake at the full price (0-1) and share returned unchanged; the rest is lost. */
  readonly won: number;
  readonly refunded: number;
}

const WON = grade('won', 1, 0);
const LOST = grade('lost', 0, 0);
const PUSH = grade('push', 0, 1);
/** A contract pays half of what it pays where it wins. */
const HALF = grade('half', 0.5, 0);
const ABANDONED = grade('void', 0, 1, 'abandoned');
/** Not told yet, and perhaps never. */
const NOT_TOLD = 'not_told';

/**
 * @param closed nobody is expected to tell more of this game: what is not told then cannot be graded
 */
export function gradeBet(question: BetQuestion, result: GameResult | null, closed: boolean): Grade {
  if (result === null) return pending('no_result');
  switch (result.status) {
    case 'live':
      return pending('not_final');
    case 'postponed':
      return pending('postponed');
    case 'cancelled':
      return grade('void', 0, 1, 'cancelled');
    case 'abandoned':
    case 'final': {
      const found = gradeQuestion(question, result);
      if (found !== NOT_TOLD) return found;
      if (result.status === 'abandoned') return ABANDONED;
      return closed ? ungradeable(NOT_TOLD) : pending(NOT_TOLD);
    }
  }
}

function gradeQuestion(question: BetQuestion, result: GameResult): Grade | typeof NOT_TOLD {
  const { rules, sport } = question;
  if (rules.subject === 'player') return gradePlayer(question, result);
  if (rules.family === 'outright') return gradeOutright(question, result);
  if (rules.family === 'yes_no' || rules.family === 'other') return gradeNamed(question, result);
  const counted = countedOf(rules.statistic === null ? { ...rules, statistic: SCORE } : rules, sport, result);
  if (counted === undefined) return NOT_TOLD;
  switch (rules.family) {
    case 'winner':
      return gradeWinner(question, counted);
    case 'handicap':
      return gradeHandicap(question, counted);
    case 'total':
      return gradeTotal(question, counted);
    case 'odd_even':
      return gradeParity(question.selection, counted.home + counted.away, counted.over);
  }
}

function gradeWinner({ rules, selection, threeWay, tieSettlesHalf }: BetQuestion, counted: Counted): Grade {
  const winner = winnerOf(counted);
  if (selection.includes('_or_')) return doubleChance(selection, winner, counted.over);
  if (!isResult(selection)) return ungradeable('unknown_selection');
  if (!counted.over) return ABANDONED;
  if (winner !== 'draw' || selection === 'draw') return winner === selection ? WON : LOST;
  if (tieSettlesHalf) return HALF;
  if (threeWay || rules.sides === 'three' || rules.tie === 'third_side' || rules.tie === 'loses') return LOST;
  return rules.tie === 'push' ? PUSH : ungradeable('tie');
}

function doubleChance(selection: string, winner: string, over: boolean): Grade {
  const named = selection.split('_or_');
  if (named.length !== 2 || !named.every(isResult)) return ungradeable('unknown_selection');
  if (!over) return ABANDONED;
  return named.includes(winner) ? WON : LOST;
}

function gradeHandicap({ rules, selection, line, threeWay }: BetQuestion, { home, away, over }: Counted): Grade {
  if (line === null) return ungradeable('no_line');
  if (!isResult(selection)) return ungradeable('unknown_selection');
  if (!over) return ABANDONED;
  const three = threeWay || rules.sides === 'three' || rules.tie === 'third_side';
  // The draw of a three-way handicap is stated at the home team's line.
  if (selection === 'draw') return home + line === away ? WON : LOST;
  const distance = (selection === 'home' ? home - away : away - home) + line;
  if (distance === 0 && three) return LOST;
  // A contract has no refund: whoever gives points must win by more.
  if (rules.tie === 'loses') return distance > 0 || (distance === 0 && line > 0) ? WON : LOST;
  return gradeDistance(distance, true);
}

function gradeTotal({ rules, selection, line, team }: BetQuestion, { home, away, over }: Counted): Grade {
  if (rules.subject === 'team' && team === null) return ungradeable('no_team');
  return gradeCount(rules, selection, line, team === null ? home + away : team === 'home' ? home : away, over);
}

/** Over, under or exactly a line. What can still rise has decided an over that it passed. */
function gradeCount(rules: TypeRules, selection: string, line: number | null, count: number, over: boolean): Grade {
  if (line === null) return ungradeable('no_line');
  if (selection === 'exactly' || selection === 'draw') return !over ? ABANDONED : count === line ? WON : LOST;
  if (selection !== 'over' && selection !== 'under') return ungradeable('unknown_selection');
  const distance = selection === 'over' ? count - line : line - count;
  if (!over && count <= line) return ABANDONED;
  if (distance === 0 && rules.sides === 'three') return LOST;
  if (rules.tie === 'loses') return distance > 0 || (distance === 0 && selection === 'under') ? WON : LOST;
  return gradeDistance(distance, over);
}

/**
 * By how much a bet beats its line, in halves of the stake where the line is a quarter.
 * @param over otherwise a half on the number itself is not decided yet, and refunded
 */
function gradeDistance(distance: number, over: boolean): Grade {
  const reason = over ? null : 'abandoned';
  switch (gradeOf(distance)) {
    case 1:
      return WON;
    case 0.5:
      return grade('half_won', 0.5, 0.5, reason);
    case 0:
      return PUSH;
    case -0.5:
      return grade('half_lost', 0, 0.5, reason);
    default:
      return LOST;
  }
}

function gradeParity(selection: string, count: number, over: boolean): Grade {
  if (selection !== 'odd' && selection !== 'even') return ungradeable('unknown_selection');
  if (!over) return ABANDONED;
  return (count % 2 === 0) === (selection === 'even') ? WON : LOST;
}

function gradePlayer({ rules, selection, line, player }: BetQuestion, result: GameResult): Grade | typeof NOT_TOLD {
  const told = player === null ? undefined : playerOf(result, player);
  if (told === undefined) return NOT_TOLD;
  if (!told.played) return grade('void', 0, 1, 'did_not_play');
  const { family, part, statistic } = rules;
  const ofPart = part === GAME || part === REGULATION ? null : part;
  const count = statistic === null ? undefined : playerStatistic(told, statistic, ofPart);
  if (count === undefined) return NOT_TOLD;
  const over = result.status === 'final';
  if (family === 'yes_no') return gradeYesNo(selection, count > 0, over);
  return gradeCount(rules, selection, line, count, over);
}

function playerOf({ players }: GameResult, name: string): PlayerResult | undefined {
  return Object.hasOwn(players, name) ? players[name] : undefined;
}

/** @param over otherwise only a yes is decided */
function gradeYesNo(selection: string, yes: boolean, over: boolean): Grade {
  if (selection !== 'yes' && selection !== 'no') return ungradeable('unknown_selection');
  if (!over && !yes) return ABANDONED;
  return yes === (selection === 'yes') ? WON : LOST;
}

/** The places of those who finished: players by name with the statistic `position`. */
function gradeOutright({ player, selection }: BetQuestion, result: GameResult): Grade | typeof NOT_TOLD {
  const name = player ?? selection;
  const told = playerOf(result, name);
  const first = Object.values(result.players).filter(({ stats }) => stats['position'] === 1).length;
  if (first === 0) return NOT_TOLD;
  if (told?.played === false) return grade('void', 0, 1, 'did_not_play');
  if (told?.stats['position'] !== 1) return told === undefined ? NOT_TOLD : LOST;
  // Those who share the first place share the stake.
  return first === 1 ? WON : grade('won', 1 / first, 0, 'dead_heat');
}

type Named = (question: BetQuestion, result: GameResult) => Grade | typeof NOT_TOLD;

/** Questions by what their market type declares as counted. */
const NAMED: Readonly<Record<string, Named>> = {
  [SCORE]: ({ rules, sport, selection }, result) => {
    const stated = /^(\d+)\D+(\d+)$/.exec(selection);
    const counted = scoreOf(rules, sport, result);
    if (counted === undefined) return NOT_TOLD;
    if (stated === null) return ungradeable('unknown_selection');
    if (!counted.over) return ABANDONED;
    return Number(stated[1]) === counted.home && Number(stated[2]) === counted.away ? WON : LOST;
  },
  double_chance: ({ rules, sport, selection }, result) => {
    const counted = scoreOf(rules, sport, result);
    return counted === undefined ? NOT_TOLD : doubleChance(selection, winnerOf(counted), counted.over);
  },
  both_teams_to_score: ({ rules, sport, selection }, result) => {
    const counted = scoreOf(rules, sport, result);
    return counted === undefined ? NOT_TOLD : gradeYesNo(selection, counted.home > 0 && counted.away > 0, counted.over);
  },
  overtime: ({ selection }, result) => {
    const had = hadOvertime(result);
    return had === undefined ? NOT_TOLD : gradeYesNo(selection, had, result.status === 'final');
  },
  half_time_full_time: ({ rules, sport, selection }, result) => {
    const [half, full] = [
      scoreOf({ ...rules, part: 'h1', overtime: 'does_not' }, sport, result),
      scoreOf(rules, sport, result),
    ];
    if (half === undefined || full === undefined) return NOT_TOLD;
    if (!full.over) return ABANDONED;
    const named = selection.split(/[_/-]/).filter((word) => word !== '');
    if (named.length !== 2 || !named.every(isResult)) return ungradeable('unknown_selection');
    return named[0] === winnerOf(half) && named[1] === winnerOf(full) ? WON : LOST;
  },
};

function gradeNamed(question: BetQuestion, result: GameResult): Grade | typeof NOT_TOLD {
  const { statistic } = question.rules;
  const named = statistic !== null && Object.hasOwn(NAMED, statistic) ? NAMED[statistic]! : undefined;
  return named === undefined ? ungradeable('no_rule') : named(question, result);
}

function winnerOf({ home, away }: Counted): 'home' | 'away' | 'draw' {
  return home > away ? 'home' : away > home ? 'away' : 'draw';
}

const isResult = (name: string): boolean => name === 'home' || name === 'away' || name === 'draw';

function grade(result: BetResult, won: number, refunded: number, reason: GradeReason | null = null): Grade {
  return { result, reason, won, refunded };
}

function pending(reason: GradeReason): Grade {
  return grade('pending', 0, 0, reason);
}

function ungradeable(reason: GradeReason): Grade {
  return grade('ungradeable', 0, 0, reason);
}
