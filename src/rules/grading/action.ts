// Which bets have action at a book, by how far the game was played: a match that a side gave up, a game that was called early,
// awarded, or no contest.

import type { GameResult, ResultStatus } from '../../base/model/result.js';
import { HOUR_MS } from '../../base/model/time.js';
import { type HouseRules, SAME_DAY, type Shortened } from '../markets/house-rules.js';
import { GAME, REGULATION } from '../markets/parts.js';
import { isSetComplete } from './counted.js';
import { withTieBreak } from './sets.js';
import { type BetQuestion, type GradeReason, LOST, type Missing, type Verdict, voided, WON } from './verdict.js';

/** In a fight, giving up and being disqualified are ways to lose it. */
const FIGHTS: ReadonlySet<string> = new Set(['mma', 'boxing']);
const BASEBALL = 'baseball';
/** Of baseball, the home side not batting where it leads. */
const FULL_INNINGS = 8.5;

/** What play decided: of a game that did not come to its end, by a result that is `abandoned`. */
export interface Standing {
  readonly result: GameResult;
  /** Why that which it had not decided is void. */
  readonly reason: GradeReason;
}

/** The bet's grade where how the game ended decides it; else the result by which it is graded, or what is not told. */
export function standingOf(question: BetQuestion, told: GameResult): Standing | Verdict {
  const { sport, pairs = false } = question;
  const result = withTieBreak(told, sport, pairs);
  const { ended } = result;
  if (ended === 'walkover') return voided('walkover');
  if (result.winner === 'none') return brokenOff(result, 'no_contest');
  // An awarded score is nobody's play.
  if (ended === 'awarded') return brokenOff({ ...result, score: null }, 'awarded');
  if ((ended === 'retired' || ended === 'disqualified') && !FIGHTS.has(sport)) return givenUp(question, result, ended);
  if (isShortened(question, result)) return shortened(question, result);
  return { result, reason: 'abandoned' };
}

function brokenOff(result: GameResult, reason: GradeReason): Standing {
  return { result: { ...result, status: 'abandoned' }, reason };
}

const isWhole = ({ rules: { part, subject } }: BetQuestion): boolean =>
  subject !== 'player' && (part === GAME || part === REGULATION);

/** The winner is who goes on, where the book lets that stand. */
function givenUp(question: BetQuestion, result: GameResult, reason: GradeReason): Standing | Verdict {
  const { rules, house, sport, selection } = question;
  if (rules.family !== 'winner' || !isWhole(question)) return brokenOff(result, reason);
  const { retirement } = house.winner;
  if (retirement === 'completed') return voided(reason);
  if (retirement === 'first_set') {
    const complete = isSetComplete(sport, brokenOff(result, reason).result);
    if (complete === undefined) return 'sets_not_told';
    if (!complete) return voided(reason);
  }
  const winner = result.winner ?? result.advanced;
  if (winner !== 'home' && winner !== 'away') return 'winner_not_told';
  return selection === winner ? WON : LOST;
}

function isShortened({ sport }: BetQuestion, { status, ended, innings }: GameResult): boolean {
  if (ended === 'shortened') return true;
  if (sport !== BASEBALL || innings === undefined) return false;
  return status === 'abandoned' || (status === 'final' && ended === undefined && innings < FULL_INNINGS);
}

/** What needs less than was played stands at the score that it was called at. */
function shortened(question: BetQuestion, result: GameResult): Standing | Missing {
  const { rules, house } = question;
  const least = house[rules.statistic === 'double_chance' ? 'winner' : rules.family].shortened;
  if (least === null || !isWhole(question)) return brokenOff(result, 'shortened');
  const enough = wasEnough(least, result);
  if (typeof enough === 'string') return enough;
  return enough ? { result: { ...result, status: 'final' }, reason: 'shortened' } : brokenOff(result, 'shortened');
}

function wasEnough(least: Shortened, { innings, score }: GameResult): boolean | Missing {
  if (!('innings' in least)) return 'play_not_told';
  if (innings === undefined) return 'innings_not_told';
  const homeLeads = score !== null && score.home > score.away;
  return innings >= (homeLeads ? least.innings - 0.5 : least.innings);
}

// Whether a game began too late for bets on it to stand.

/** Of the game of a bet; Unix ms. */
export interface Timing {
  /** The start that stood when the bet was made. */
  readonly betOnMs: number;
  /** As it is known now. */
  readonly startMs: number;
  /** Books say that it is postponed. */
  readonly calledOff: boolean;
  readonly nowMs: number;
  /** The calendar day in the league's home zone. */
  readonly dayOf: (ms: number) => string;
}

/** @param status of the result; null without one */
export function isPostponed(
  { postponed_hours }: HouseRules,
  status: ResultStatus | null,
  { betOnMs, startMs, calledOff, nowMs, dayOf }: Timing,
): boolean {
  // A recording is graded at the end of all time, which is on no day.
  const isLate = (ms: number): boolean => {
    if (ms === Number.POSITIVE_INFINITY) return true;
    return postponed_hours === SAME_DAY ? dayOf(ms) > dayOf(betOnMs) : ms - betOnMs > postponed_hours * HOUR_MS;
  };
  const played = status === 'live' || status === 'final' || status === 'abandoned';
  if (played) return isLate(startMs);
  // Its new start may be early enough, and what is late now cannot begin in time any more.
  return isLate(nowMs) && (status === 'postponed' || calledOff || isLate(startMs));
}
