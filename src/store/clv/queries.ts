// The questions to history and to closing line value, whichever thread or process stores it.

import type { ClvGrouping } from '../../base/model/bet-words.js';
import type { DescribedBet } from '../../rules/catalogue/described-bet.js';
import type { MarketFilter } from '../../rules/markets/categories.js';
import type { ClvGroup } from '../../schema/clv.js';
import type { HistoryQuestion, OpeningFields } from '../history/answers.js';
import type { DayQuestion, PastAnswer, PastQuestion } from '../history/event-log.js';
import type { HistoryReply, LinesQuestion } from '../history/queries.js';
import type { RecordedRow } from '../history/recorded-row.js';
import type { ClosedEvent, ClosedEventQuestion } from './closing-day.js';
import type { Bet, NoGrade } from './grader.js';
import type { Prediction } from './prediction.js';
import type { SettledBet, StatedBet } from './settler.js';

export interface ClvQuestion {
  groupBy: ClvGrouping;
  /** Time of detection, Unix µs, both inclusive. */
  fromUs: number;
  toUs: number;
  /** Null means all, as in the next. */
  sports: readonly string[] | null;
  leagues: readonly string[] | null;
  books: readonly string[] | null;
  devigBooks: readonly string[] | null;
  /** The book whose closing prices are the fair ones, the first of these that has any; the engine's own reference by default. */
  against?: readonly string[] | null;
  nowUs: number;
}

export interface PredictionsQuestion {
  events: readonly string[];
  /** Ids of opportunities; null means all, as in the next. */
  ids: readonly string[] | null;
  markets: MarketFilter | null;
  sports: readonly string[] | null;
  leagues: readonly string[] | null;
  books: readonly string[] | null;
  limit: number;
}

/** Which prediction it is. */
export type PredictionKey = readonly [event: string, id: string];

export interface PredictionsAnswer {
  /** The newest first. */
  found: PredictionKey[];
  /** How many there are without the limit. */
  total: number;
}

/** A price above fair: as it was detected, as it closed, and how it ended. */
export interface GradedPrediction extends Prediction {
  player: string | null;
  teamName: string | null;
  closing: ClosedAt | null;
  clv: number | null;
  settled: SettledBet;
}

export interface ClosedAt {
  american: number;
  decimal: number;
  /** Fair, 0-1; null if there is none, as its source. */
  probability: number | null;
  devigBook: string | null;
}

export interface GradedBet extends Omit<Bet, 'atUs' | 'decimal'> {
  closing: ClosedAt | null;
  clv: number | null;
  reason: NoGrade | null;
}

/** By kind: what is asked, and what is answered. Sent between threads and processes: plain values. */
export interface HistoryQuestions {
  history: [question: HistoryQuestion, reply: HistoryReply];
  /** JSON text of an event's opening or closing prices; null if history does not know it. */
  lines: [question: LinesQuestion, text: string | null];
  /** Ids of a league's games that start in an interval (Unix ms, its end left out), by start; at most so many. */
  day: [question: DayQuestion, events: string[]];
  /** A game's closing prices; null if it is not known, or nothing of it has closed. */
  closed: [question: ClosedEventQuestion, answer: ClosedEvent | null];
  /** The opening of each row, by odds id; unknown ids are omitted. */
  openings: [rows: readonly string[], openings: readonly (readonly [id: string, opening: OpeningFields])[]];
  /** What rows are or were, in the order of their odds ids; null for one that history does not know. */
  rows: [rows: readonly string[], recorded: (RecordedRow | null)[]];
  /** The odds ids of the rows that bets describe; null for one that is not known. */
  described: [bets: readonly DescribedBet[], rows: (string | null)[]];
  /** What the table showed at an instant. */
  past: [question: PastQuestion, answer: PastAnswer];
  clv: [question: ClvQuestion, groups: ClvGroup[]];
  /** Which predictions there are. */
  predicted: [question: PredictionsQuestion, answer: PredictionsAnswer];
  /** In the order of the question, without those that are there no more. */
  predictions: [question: { of: readonly PredictionKey[]; nowUs: number }, graded: GradedPrediction[]];
  /** How bets ended, in their order. */
  settle: [question: { bets: readonly StatedBet[]; nowMs: number }, settled: SettledBet[]];
  /** In the order of the bets. */
  grade: [question: { bets: readonly Bet[]; nowUs: number; against?: readonly string[] | null }, graded: GradedBet[]];
}
export type HistoryKind = keyof HistoryQuestions;

/** One of the questions, as it is sent. */
export type AskedHistory = {
  [Kind in HistoryKind]: { kind: Kind; question: HistoryQuestions[Kind][0] };
}[HistoryKind];

export type AskHistory = <Kind extends HistoryKind>(
  kind: Kind,
  question: HistoryQuestions[Kind][0],
) => Promise<HistoryQuestions[Kind][1]>;
