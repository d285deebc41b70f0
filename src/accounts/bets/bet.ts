// An account's bet as it is stored, and what became of it.

import type { BetMode, BetRejection, BetStatus, FillBound } from '../../base/model/bet-words.js';
import type { Commission } from '../../base/model/commission.js';
import type { PairOfScores } from '../../base/model/result.js';
import type { Tier } from '../../rules/catalogue/types.js';
import type { BetResult } from '../../rules/grading/grade.js';

/** What was bet: the row's words when the bet was recorded. */
export interface BetSubject {
  oddsId: string;
  event: string;
  eventName: string;
  sport: string;
  league: string;
  market: string;
  selection: string;
  selectionType: string;
  player: string | null;
  /** The statistic, of a row that has one; not kept by earlier releases. */
  stat?: string;
  team: 'home' | 'away' | null;
  teamName: string | null;
  sportsbook: string;
  line: number | null;
  /** The stake's. */
  currency: string;
  /** Of bets recorded since these are kept, as the next three: of the game as it was then. */
  home?: string;
  away?: string;
  startMs?: number;
  /** The book offered a draw in this market. */
  threeWay?: boolean;
  /** The score at which it was made, where its book counts from there. */
  scored?: PairOfScores;
  /** What its market charged; absent: its book's. */
  commission?: Commission;
  /** No result can say how it ends, and its book states no settlements. */
  noRule?: true;
  /** The selection is laid: the stake is the backer's. Absent where lays were recorded as if they were backed. */
  lay?: boolean;
}

/** As the caller stated it. */
export interface BetRequest {
  clientId: string;
  oddsId: string;
  mode: BetMode;
  /** Undefined: the row's. A main line that moves keeps its row's id. */
  line?: number | null | undefined;
  /** Cents of the row's currency. */
  cents: number;
  /** The least price. */
  decimal: number;
  american: number;
  tag: string | null;
  note: string | null;
}

export interface BetFill {
  decimal: number;
  /** Cents of the row's currency. */
  cents: number;
  /** Cents of the bankroll's. */
  home: number;
  /** Of a lay, what it may lose: the backer's winnings, in cents of the bankroll. */
  liability?: number;
  atMs: number;
}

export interface BetGrading {
  result: BetResult;
  reason: string | null;
  /** Cents of the bankroll, not rounded; null while it is open. */
  profit: number | null;
  revision: number;
  clv: number | null;
  atMs: number;
}

/** Its line is its subject's. */
export interface Bet extends Omit<BetRequest, 'line'> {
  /** What was changed since, as it was recorded: a repetition of that request is none of another bet. */
  recorded?: Pick<BetRequest, 'cents' | 'decimal' | 'tag' | 'note'>;
  /** Counted in its account, from 1. */
  no: number;
  /** Of the key that recorded it: whose books it is judged by. */
  tier: Tier;
  subject: BetSubject | null;
  status: BetStatus;
  reason: BetRejection | null;
  fills: readonly BetFill[];
  bound: FillBound | null;
  /** The game was under way. */
  live: boolean;
  /** Units of the bankroll for one of the row's currency, at the fill. */
  rate: number;
  recordedMs: number;
  /** While it is pending: when it is judged. */
  judgeMs: number | null;
  grading: BetGrading | null;
}

export function idOfBet(no: number): string {
  return `bet_${String(no).padStart(8, '0')}`;
}

/** Undefined if it is none. */
export function noOfBet(id: string): number | undefined {
  const digits = /^bet_(\d{8,12})$/.exec(id)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Cents of the bankroll that were staked on it: of a lay by the backer. */
export function stakeOf({ fills }: Pick<Bet, 'fills'>): number {
  return fills.reduce((sum, { home }) => sum + home, 0);
}

/** Cents of the bankroll that it may lose: the stake, of a lay its liability. */
export function riskOf({ fills }: Pick<Bet, 'fills'>): number {
  return fills.reduce((sum, { home, liability }) => sum + (liability ?? home), 0);
}

/** The most that it may win or lose. */
export function reachOf({ fills }: Pick<Bet, 'fills'>): number {
  return fills.reduce(
    (sum, { decimal, home, liability = 0 }) => sum + Math.max(liability, Math.ceil(home * Math.max(1, decimal - 1))),
    0,
  );
}

/**
 * Cents of the bankroll, not rounded. A lay loses a share of its liability, which is rounded by itself: what the stake in
 * whole cents would lose at its price is another amount.
 * @param units profit for a unit of the backer's stake
 */
export function profitOfFill({ decimal, home, liability }: BetFill, units: number): number {
  return liability !== undefined && units < 0 ? liability * (units / (decimal - 1)) : home * units;
}

/** It has money in it. */
export function counts({ status }: Pick<Bet, 'status'>): boolean {
  return status === 'filled' || status === 'part_filled';
}
