// How one bet ended: from the declared settlement of its market type, the book's own rules and the result of its game.
// Pure; which result counts, and a venue's own word on its market, are decided by the caller.

import type { GameResult, PairOfScores, PlayerResult, ResultStatus } from '../../base/model/result.js';
import { HOUR_MS } from '../../base/model/time.js';
import { type HouseRules, SAME_DAY, type Shortened } from '../markets/house-rules.js';
import { GAME, REGULATION } from '../markets/parts.js';
import { SCORE, type TypeRules } from '../markets/rules.js';
import {
  type Counted,
  countedOf,
  hadOvertime,
  hasEnded,
  isHomeToBat,
  isSetComplete,
  isUntold,
  lacksSets,
  partsFromStart,
  scoreOf,
  wasNotPlayed,
} from './counted.js';
import { gradeCount, gradeMargin, hasThirdSide, type Range } from './known-result.js';
import { type Bounds, withTieBreak } from './sets.js';
import {
  type BetQuestion,
  type Grade,
  type GradeReason,
  grade,
  isOver,
  isResult,
  LOST,
  type Missing,
  pending,
  UNDECIDED,
  ungradeable,
  type Verdict,
  voided,
  WON,
  winnerOf,
} from './verdict.js';
import { gradeDoubleChance, gradeWinner } from './winners.js';

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
      if (typeof told !== 'string' && told.reason !== 'abandoned') return told;
      // Only the caller knows at which score a bet was made.
      if (told === 'score_not_told') return pending(told);
      if (typeof standing !== 'string' && standing.result.status === 'abandoned' && !waits(question, told, standing))
        return typeof told === 'string' ? voided(standing.reason) : { ...told, reason: standing.reason };
      if (closed) return ungradeable('not_told');
      return pending(typeof told === 'string' ? told : 'part_not_told');
    }
  }
}

/** What can be decided before its part is over: by a count that was passed, which a winner and a margin have not. */
const PASSED: ReadonlySet<string> = new Set(['total', 'yes_no', 'other']);

/** Of a game that was broken off: what the bet needs was played, and what came of it is merely not told. */
function waits({ rules: { part, family }, sport }: BetQuestion, told: Verdict, { result }: Standing): boolean {
  // Who was first to a score that has been reached.
  if (told === 'part_not_told' && (part === GAME || part === REGULATION)) return true;
  if (part === GAME) return told === 'sets_not_told' && lacksSets(sport, result);
  const ended = hasEnded(part, sport, result);
  if (typeof told === 'string' && ended) return true;
  return (ended || isHomeToBat(part, sport, result) || PASSED.has(family)) && isUntold(part, sport, result);
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
      return gradeHandicap(question, counted, result);
    case 'total':
      return gradeTotal(question, counted);
    case 'odd_even':
      return gradeParity(question.selection, counted);
  }
}

function gradePlayer(question: BetQuestion, result: GameResult): Verdict {
  const { rules, selection, line, player, sport } = question;
  const told = player === null ? undefined : playerOf(result, player);
  if (told === undefined) return 'player_not_told';
  if (!told.played) return voided('did_not_play');
  const { family, part, statistic } = rules;
  const ofPart = part === GAME || part === REGULATION ? null : part;
  const count = statistic === null ? undefined : playerStatistic(told, statistic, ofPart);
  if (count === undefined) return 'statistic_not_told';
  const over = ofPart === null ? isOver(result) : hasEnded(ofPart, sport, result);
  if (family === 'yes_no') return gradeYesNo(selection, count > 0, over);
  return gradeCount(question, line, over ? [count, count] : [count, Number.POSITIVE_INFINITY]);
}

// Which bets have action at a book, by how far the game was played: a match that a side gave up, a game that was called early,
// awarded, or no contest.

/** In a fight, giving up and being disqualified are ways to lose it. */
const FIGHTS: ReadonlySet<string> = new Set(['mma', 'boxing']);
const BASEBALL = 'baseball';
/** Of baseball, the home side not batting where it leads. */
const FULL_INNINGS = 8.5;

/** What play decided: of a game that did not come to its end, by a result that is `abandoned`. */
interface Standing {
  readonly result: GameResult;
  /** Why that which it had not decided is void. */
  readonly reason: GradeReason;
}

/** The bet's grade where how the game ended decides it; else the result by which it is graded, or what is not told. */
function standingOf(question: BetQuestion, told: GameResult): Standing | Verdict {
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
function isPostponed(
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

// Handicaps, totals, odd and even: a count against a line.

const ENDLESS: Bounds = {
  total: [0, Number.POSITIVE_INFINITY],
  margin: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
};

function gradeHandicap(question: BetQuestion, counted: Counted, result: GameResult): Verdict {
  const { selection, line } = question;
  if (line === null) return ungradeable('no_line');
  if (!isResult(selection)) return ungradeable('unknown_selection');
  const from = scoredBefore(question, result);
  if (typeof from === 'string') return from;
  return gradeMargin(question, line, marginsOf(counted, from), counted.over);
}

function marginsOf({ home, away, over, bounds = ENDLESS }: Counted, from: PairOfScores): Range {
  const before = from.home - from.away;
  const margin = home - away - before;
  return over ? [margin, margin] : [bounds.margin[0] - before, bounds.margin[1] - before];
}

/** What does not count for a bet that was made in play at a book that counts from there. */
function scoredBefore(question: BetQuestion, result: GameResult): PairOfScores | Missing {
  const { rules, house, scored = null, sport } = question;
  if (rules.rest) return scored === null ? 'score_not_told' : scoredWithin(question, scored, result);
  // With a draw its start is stated in advance.
  const fromBet = sport === 'soccer' && house.handicap.score_from === 'bet' && !hasThirdSide(question);
  if (!fromBet || scored === null || rules.statistic !== SCORE) return { home: 0, away: 0 };
  return scoredWithin(question, scored, result);
}

/** What of a game's score at a bet was scored in the bet's part: nothing before that begins. */
function scoredWithin({ rules, sport }: BetQuestion, scored: PairOfScores, result: GameResult): PairOfScores | Missing {
  if (rules.part !== 'h2') return scored;
  const first = scoreOf({ part: 'h1', overtime: 'does_not' }, sport, result);
  if (first === undefined) return 'part_not_told';
  return { home: Math.max(0, scored.home - first.home), away: Math.max(0, scored.away - first.away) };
}

function gradeTotal(question: BetQuestion, counted: Counted): Grade {
  const { rules, line, team } = question;
  if (rules.subject === 'team' && team === null) return ungradeable('no_team');
  const count = team === null ? counted.home + counted.away : counted[team];
  const most = team === null ? counted.bounds?.total[1] : undefined;
  const least = team === null ? counted.bounds?.total[0] : undefined;
  return gradeCount(question, line, counted.over ? [count, count] : [least ?? count, most ?? Number.POSITIVE_INFINITY]);
}

function gradeParity(selection: string, { home, away, over }: Counted): Grade {
  if (selection !== 'odd' && selection !== 'even') return ungradeable('unknown_selection');
  if (!over) return UNDECIDED;
  return ((home + away) % 2 === 0) === (selection === 'even') ? WON : LOST;
}

// A player's statistics: as they are told, or as they follow from others that are.

/** Sums of others. */
const SUMS: Readonly<Record<string, readonly string[]>> = {
  points_rebounds_assists: ['points', 'rebounds', 'assists'],
  points_rebounds: ['points', 'rebounds'],
  points_assists: ['points', 'assists'],
  rebounds_assists: ['rebounds', 'assists'],
  blocks_steals: ['blocks', 'steals'],
  rush_reception_yds: ['rush_yds', 'reception_yds'],
  pass_rush_yds: ['pass_yds', 'rush_yds'],
  batter_hits_runs_rbis: ['batter_hits', 'batter_runs_scored', 'batter_rbis'],
};
/** Questions of yes and no, by the statistic that must be at least 1. */
const AT_LEAST_ONE: Readonly<Record<string, string>> = {
  goal_scorer_anytime: 'goals',
  try_scorer_anytime: 'tries',
  to_receive_card: 'cards',
  to_receive_red_card: 'red_cards',
};
/** A double-double counts how many of these reach ten. */
const DOUBLES: Readonly<Record<string, number>> = { double_double: 2, triple_double: 3, quadruple_double: 4 };
const DOUBLES_OF = ['points', 'rebounds', 'assists', 'blocks', 'steals'] as const;
const TEN = 10;

/** Names may be those of members that every object has. */
function own<Value>(of: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}

export function playerOf({ players }: GameResult, name: string): PlayerResult | undefined {
  return own(players, name);
}

/** In a part of the game: `points_q1`. Undefined if it is not told. */
function playerStatistic({ stats }: PlayerResult, statistic: string, part: string | null): number | undefined {
  const told = (name: string): number | undefined => own(stats, part === null ? name : `${name}_${part}`);
  const itself = told(statistic);
  if (itself !== undefined) return itself;
  const one = own(AT_LEAST_ONE, statistic);
  if (one !== undefined) return told(one);
  const doubles = own(DOUBLES, statistic);
  if (doubles !== undefined) {
    const values = DOUBLES_OF.map(told);
    const reached = values.filter((value) => value !== undefined && value >= TEN).length;
    if (reached >= doubles) return 1;
    return values.includes(undefined) ? undefined : 0;
  }
  let sum = 0;
  for (const name of own(SUMS, statistic) ?? [statistic]) {
    const value = told(name);
    if (value === undefined) return undefined;
    sum += value;
  }
  return sum;
}

// Propositions: what is neither who won nor how many, by what their market type declares as counted. And outrights.

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

function gradeNamed(question: BetQuestion, result: GameResult): Verdict {
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
function gradeYesNo(selection: string, yes: boolean, over: boolean): Grade {
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
function gradeOutright({ player, selection, house }: BetQuestion, result: GameResult): Verdict {
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
