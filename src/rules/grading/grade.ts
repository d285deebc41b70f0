// How one bet ended: from the declared settlement of its market type, the book's own rules and the result of its game.
// Pure; which result counts, and a venue's own word on its market, are decided by the caller.

import type { GameResult } from '../../base/model/result.js';
import { GAME, REGULATION } from '../markets/parts.js';
import { isPostponed, standingOf, type Timing } from './action.js';
import { countedOf, wasNotPlayed } from './counted.js';
import { gradeCount, gradeHandicap, gradeParity, gradeTotal } from './lines.js';
import { playerOf, playerStatistic } from './players.js';
import { gradeNamed, gradeOutright, gradeYesNo } from './propositions.js';
import { type BetQuestion, type Grade, isOver, pending, ungradeable, type Verdict, voided } from './verdict.js';
import { gradeWinner } from './winners.js';

export type { Timing } from './action.js';
export { isGradeable } from './propositions.js';
export {
  BET_RESULTS,
  type BetQuestion,
  type BetResult,
  GRADE_REASONS,
  type Grade,
  type GradeReason,
} from './verdict.js';

/**
 * @param closed nobody is expected to tell more of this game: what is not told then cannot be graded
 * @param timing without it, a game is never too late
 */
export function gradeBet(question: BetQuestion, result: GameResult | null, closed: boolean, timing?: Timing): Grade {
  const { winner: house } = question.house;
  if (timing !== undefined && isPostponed(house, result?.status ?? null, timing)) return voided('postponed');
  if (result === null) return pending('no_result');
  switch (result.status) {
    case 'live':
      return pending('not_final');
    case 'postponed':
      return pending('postponed');
    case 'cancelled':
      return voided('cancelled');
    case 'abandoned':
    case 'final': {
      const standing = standingOf(question, result);
      if (typeof standing === 'object' && 'won' in standing) return standing;
      const told = typeof standing === 'string' ? standing : gradeQuestion(question, standing.result);
      const reason = typeof standing === 'string' ? 'abandoned' : standing.reason;
      if (typeof told !== 'string') return told.reason === 'abandoned' ? { ...told, reason } : told;
      // Only the caller knows at which score a bet was made.
      if (told === 'score_not_told') return pending(told);
      if (typeof standing !== 'string' && standing.result.status === 'abandoned') return voided(reason);
      return closed ? ungradeable('not_told') : pending(told);
    }
  }
}

function gradeQuestion(question: BetQuestion, result: GameResult): Verdict {
  const { rules, sport } = question;
  if (wasNotPlayed(rules.part, sport, result)) return voided('did_not_play');
  if (rules.subject === 'player') return gradePlayer(question, result);
  switch (rules.family) {
    case 'winner':
      return gradeWinner(question, result);
    case 'outright':
      return gradeOutright(question, result);
    case 'yes_no':
    case 'other':
      return gradeNamed(question, result);
  }
  const counted = countedOf(rules, sport, result);
  if (typeof counted === 'string') return counted;
  switch (rules.family) {
    case 'handicap':
      return gradeHandicap(question, counted);
    case 'total':
      return gradeTotal(question, counted);
    case 'odd_even':
      return gradeParity(question.selection, counted);
  }
}

function gradePlayer({ rules, selection, line, player }: BetQuestion, result: GameResult): Verdict {
  const told = player === null ? undefined : playerOf(result, player);
  if (told === undefined) return 'player_not_told';
  if (!told.played) return voided('did_not_play');
  const { family, part, statistic } = rules;
  const ofPart = part === GAME || part === REGULATION ? null : part;
  const count = statistic === null ? undefined : playerStatistic(told, statistic, ofPart);
  if (count === undefined) return 'statistic_not_told';
  const over = isOver(result);
  if (family === 'yes_no') return gradeYesNo(selection, count > 0, over);
  return gradeCount(rules, selection, line, over ? [count, count] : [count, Number.POSITIVE_INFINITY]);
}
