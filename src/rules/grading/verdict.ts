// The words in which a bet's end is said, and what each means for the stake.

import type { GameResult, PairOfScores } from '../../base/model/result.js';
import type { RulesByFamily } from '../markets/house-rules.js';
import type { TypeRules } from '../markets/rules.js';

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

/** What a result does not say although a bet needs it. */
export const MISSING = [
  'final_score_not_told',
  'regulation_not_told',
  'part_not_told',
  'sets_not_told',
  'innings_not_told',
  'play_not_told',
  'winner_not_told',
  'advanced_not_told',
  'statistic_not_told',
  'player_not_told',
  'places_not_told',
  'score_not_told',
] as const;
export type Missing = (typeof MISSING)[number];

export const GRADE_REASONS = [
  'no_result',
  'not_final',
  'postponed',
  'cancelled',
  'abandoned',
  'retired',
  'walkover',
  'disqualified',
  'shortened',
  'awarded',
  'no_contest',
  'did_not_play',
  'settled_at_value',
  ...MISSING,
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
  /** The book's own rules of this game, by family of market types. */
  readonly house: RulesByFamily;
  /** A game between pairs: its deciding set may be a tie-break. */
  readonly pairs?: boolean;
  /** The score at which the bet was made, for a handicap that is counted from there. */
  readonly scored?: PairOfScores | null;
}

export interface Grade {
  readonly result: BetResult;
  readonly reason: GradeReason | null;
  /** Share of the stake at the full price (0-1) and share returned unchanged; the rest is lost. */
  readonly won: number;
  readonly refunded: number;
}

/** A grade, or what the result would have to say for one. */
export type Verdict = Grade | Missing;

export const WON = grade('won', 1, 0);
export const LOST = grade('lost', 0, 0);
export const PUSH = grade('push', 0, 1);
/** A contract pays half of what it pays where it wins. */
export const HALF = grade('half', 0.5, 0);
/** What play had not decided when it ended; why it ended is said by the caller. */
export const UNDECIDED = grade('void', 0, 1, 'abandoned');

export function grade(result: BetResult, won: number, refunded: number, reason: GradeReason | null = null): Grade {
  return { result, reason, won, refunded };
}

export function ungradeable(reason: GradeReason): Grade {
  return grade('ungradeable', 0, 0, reason);
}

export function pending(reason: GradeReason): Grade {
  return grade('pending', 0, 0, reason);
}

export function voided(reason: GradeReason): Grade {
  return grade('void', 0, 1, reason);
}

export const isResult = (name: string): name is Winner => name === 'home' || name === 'away' || name === 'draw';
export type Winner = 'home' | 'away' | 'draw';

export function winnerOf({ home, away }: PairOfScores): Winner {
  return home > away ? 'home' : away > home ? 'away' : 'draw';
}

export const isOver = ({ status }: GameResult): boolean => status === 'final';
