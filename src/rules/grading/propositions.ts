// Propositions: what is neither who won nor how many, by what their market type declares as counted. And outrights.

import type { GameResult } from '../../base/model/result.js';
import { GAME } from '../markets/parts.js';
import { SCORE, type TypeRules } from '../markets/rules.js';
import { type Counted, countedOf, hadOvertime, hasEnded, partsFromStart } from './counted.js';
import { playerOf } from './players.js';
import {
  type BetQuestion,
  type Grade,
  grade,
  isOver,
  isResult,
  LOST,
  type Missing,
  UNDECIDED,
  ungradeable,
  type Verdict,
  voided,
  WON,
  winnerOf,
} from './verdict.js';
import { gradeDoubleChance } from './winners.js';

type Named = (question: BetQuestion, result: GameResult) => Verdict;

/** A question about the score, of which only what is told is asked. */
const ofScore =
  (answer: (question: BetQuestion, counted: Counted, result: GameResult) => Grade | 'part_not_told'): Named =>
  (question, result) => {
    const counted = countedOf({ ...question.rules, statistic: SCORE }, question.sport, result);
    return typeof counted === 'string' ? counted : answer(question, counted, result);
  };

const NAMED: Readonly<Record<string, Named>> = {
  [SCORE]: ofScore(({ selection }, { home, away, over }) => {
    const stated = /^(\d+)\D+(\d+)$/.exec(selection);
    if (stated === null) return ungradeable('unknown_selection');
    const [wantsHome, wantsAway] = [Number(stated[1]), Number(stated[2])];
    if (home > wantsHome || away > wantsAway) return LOST;
    if (!over) return UNDECIDED;
    return home === wantsHome && away === wantsAway ? WON : LOST;
  }),
  double_chance: gradeDoubleChance,
  both_teams_to_score: ofScore(({ selection }, { home, away, over }) =>
    gradeYesNo(selection, home > 0 && away > 0, over),
  ),
  overtime: ({ selection, sport }, result) => {
    const had = hadOvertime(sport, result);
    return had === undefined ? 'regulation_not_told' : gradeYesNo(selection, had, isOver(result));
  },
  half_time_full_time: ofScore(({ rules, sport, selection }, full, result) => {
    const half = countedOf({ ...rules, statistic: SCORE, part: 'h1', overtime: 'does_not' }, sport, result);
    const isUntold = typeof half === 'string' || !half.over;
    if (isUntold && hasEnded('h1', sport, result)) return 'part_not_told';
    if (typeof half === 'string') return UNDECIDED;
    const named = selection
      .split(/[_/-]/)
      .map((word) => word.trim())
      .filter((word) => word !== '');
    if (named.length !== 2 || !named.every(isResult)) return ungradeable('unknown_selection');
    if (half.over && named[0] !== winnerOf(half)) return LOST;
    if (!full.over) return UNDECIDED;
    return named[0] === winnerOf(half) && named[1] === winnerOf(full) ? WON : LOST;
  }),
  winning_margin: ofScore(({ selection }, counted) => {
    const stated = MARGIN.exec(selection);
    if (selection !== 'draw' && selection !== 'tie' && stated === null) return ungradeable('unknown_selection');
    if (!counted.over) return UNDECIDED;
    const margin = counted.home - counted.away;
    if (stated === null) return margin === 0 ? WON : LOST;
    const [, side, from, to, open] = stated;
    const by = side === 'home' ? margin : -margin;
    return by >= Number(from) && (open !== undefined || by <= Number(to ?? from)) ? WON : LOST;
  }),
  first_to_score: (question, result) => {
    const { selection } = question;
    const none = NOBODY.has(selection);
    if (!none && selection !== 'home' && selection !== 'away') return ungradeable('unknown_selection');
    const { stats } = result;
    const told = Object.hasOwn(stats, 'first_to_score') ? stats['first_to_score']! : firstToScore(question, result);
    if (typeof told === 'string') return told;
    const first = winnerOf(told);
    if (first !== 'draw') return first === selection ? WON : LOST;
    return isOver(result) ? (none ? WON : LOST) : UNDECIDED;
  },
  race: (question, result) => {
    const { selection, line } = question;
    if (line === null) return ungradeable('no_line');
    if (!NOBODY.has(selection) && selection !== 'home' && selection !== 'away') return ungradeable('unknown_selection');
    return race(question, result, line);
  },
};

/** `home by 1-6`, `away_7_12`, `home by 13+`, `away by 3`. */
const MARGIN = /^(home|away)(?:\s+by|_by)?[\s_]+(\d+)(?:\s*(?:-|_|to|\s)\s*(\d+)|(\+|\s*or more|_plus))?(?:\s+\w+)?$/;
const NOBODY: ReadonlySet<string> = new Set(['none', 'neither', 'no_goal', 'no goal', 'no score', 'no_score', 'draw']);

export function gradeNamed(question: BetQuestion, result: GameResult): Verdict {
  return isNamed(question.rules) ? NAMED[question.rules.statistic!]!(question, result) : ungradeable('no_rule');
}

function isNamed({ statistic }: TypeRules): boolean {
  return statistic !== null && Object.hasOwn(NAMED, statistic);
}

/** Whether a result can say how a bet on such a market ended. Without that only its venue's own word can. */
export function isGradeable(rules: TypeRules): boolean {
  const { family, subject, statistic } = rules;
  if (subject === 'player') return statistic !== null && (family === 'total' || family === 'yes_no');
  return (family !== 'other' && family !== 'yes_no') || isNamed(rules);
}

/** @param over otherwise only a yes is decided */
export function gradeYesNo(selection: string, yes: boolean, over: boolean): Grade {
  if (selection !== 'yes' && selection !== 'no') return ungradeable('unknown_selection');
  if (!over && !yes) return UNDECIDED;
  return yes === (selection === 'yes') ? WON : LOST;
}

/** Who had scored when nobody else had, as the scores of parts tell; level if nobody has. */
function firstToScore({ rules, sport }: BetQuestion, result: GameResult): { home: number; away: number } | Missing {
  for (const at of partsFromStart(result)) {
    const [home, away] = [at.home > 0, at.away > 0];
    if (home && away) return 'part_not_told';
    if (home || away) return at;
  }
  const whole = countedOf({ ...rules, statistic: SCORE }, sport, result);
  return typeof whole !== 'string' && whole.home > 0 && whole.away > 0 ? 'part_not_told' : whole;
}

/** Who reached a number first: the one who had after the first part in which anybody did, if it was one alone. */
function race({ selection, rules, sport }: BetQuestion, result: GameResult, to: number): Verdict {
  let [home, away] = [0, 0];
  for (const part of partsFromStart(result)) {
    home += part.home;
    away += part.away;
    if (home >= to && away >= to) return 'part_not_told';
    if (home >= to || away >= to) return (home >= to ? 'home' : 'away') === selection ? WON : LOST;
  }
  const whole = countedOf({ ...rules, statistic: SCORE, part: GAME, overtime: 'counts' }, sport, result);
  if (typeof whole === 'string') return whole;
  if (whole.home >= to && whole.away >= to) return 'part_not_told';
  if (whole.home >= to || whole.away >= to) return (whole.home >= to ? 'home' : 'away') === selection ? WON : LOST;
  return whole.over ? (NOBODY.has(selection) ? WON : LOST) : UNDECIDED;
}

/** The places of those who finished: players by name with the statistic `position`. */
export function gradeOutright({ player, selection, house }: BetQuestion, result: GameResult): Verdict {
  const told = playerOf(result, player ?? selection);
  const first = Object.values(result.players).filter(({ stats }) => stats['position'] === 1).length;
  if (first === 0) return 'places_not_told';
  if (told?.played === false) return voided('did_not_play');
  const no = player !== null && selection === 'no';
  if (told?.stats['position'] !== 1) return told === undefined ? 'player_not_told' : no ? WON : LOST;
  if (no) return first === 1 ? LOST : ungradeable('dead_heat');
  // Those who share the first place share the stake.
  return first === 1 || house.outright.dead_heat === 'full' ? WON : grade('won', 1 / first, 0, 'dead_heat');
}
