// Answers to queries about closing line value.

import { compareText } from '../../base/model/compare.js';
import { ownName } from '../../rules/catalogue/private-book.js';
import { marketTest } from '../../rules/markets/categories.js';
import type { MarketTypes } from '../../rules/markets/market-types.js';
import type { ClvGroup } from '../../schema/clv.js';
import type { ClosingPrice } from './fair-prices.js';
import type { Bet, BetGrade, Grader } from './grader.js';
import type { Prediction, Predictions } from './prediction.js';
import type {
  ClosedAt,
  ClvQuestion,
  GradedBet,
  GradedPrediction,
  HistoryQuestions,
  PredictionsAnswer,
  PredictionsQuestion,
} from './queries.js';
import type { Settler } from './settler.js';
import { groupGraded, type JudgedPrediction } from './summary.js';

/** What judges the prices that were detected above fair. */
export interface Judges {
  predictions: Predictions;
  grader: Grader;
  settler: Settler;
}

export function answerClv({ predictions, grader, settler }: Judges, question: ClvQuestion): ClvGroup[] {
  const { fromUs, toUs, sports, leagues, books, devigBooks, nowUs, against = null } = question;
  const graded: JudgedPrediction[] = [];
  for (const { event, predictions: made } of predictions.all()) {
    if (!has(sports, event.sport) || !has(leagues, event.league)) continue;
    for (const prediction of made) {
      if (prediction.atUs < fromUs || prediction.atUs > toUs || !has(books, prediction.book)) continue;
      const grade = grader.grade(event, prediction, nowUs, against);
      if (has(devigBooks, grade.devigBook))
        graded.push({ ...grade, settled: settler.settlePrediction(event, prediction, nowUs / 1000) });
    }
  }
  return groupGraded(graded, question.groupBy);
}

export function answerPredicted(
  predictions: Predictions,
  { events, ids, markets, sports, leagues, books, limit }: PredictionsQuestion,
  types: MarketTypes,
): PredictionsAnswer {
  const hasMarket = markets === null ? null : marketTest(markets, types);
  const found: Prediction[] = [];
  for (const { event, predictions: made } of predictions.ofEvents(events)) {
    if (!has(sports, event.sport) || !has(leagues, event.league)) continue;
    for (const prediction of made)
      if (has(ids, prediction.id) && has(books, prediction.book) && (hasMarket?.(prediction.market) ?? true))
        found.push(prediction);
  }
  found.sort((a, b) => b.atUs - a.atUs || compareText(a.id, b.id));
  return { found: found.slice(0, limit).map(({ event, id }) => [event, id] as const), total: found.length };
}

export function answerPredictions(
  { predictions, grader, settler }: Judges,
  { of, nowUs }: HistoryQuestions['predictions'][0],
): GradedPrediction[] {
  return of.flatMap(([eventId, id]) => {
    const found = predictions.get(eventId, id);
    if (found === undefined) return [];
    const { event, prediction } = found;
    const { row, closing, clv } = grader.grade(event, prediction, nowUs);
    const settled = settler.settlePrediction(event, prediction, nowUs / 1000);
    const closed = closing === undefined ? null : closedAt(closing);
    const [player, team] = [row?.player ?? null, row?.team ?? null];
    return { ...prediction, player, teamName: team && event[team], closing: closed, clv, settled };
  });
}

function has(wanted: readonly string[] | null, value: string): boolean {
  return wanted === null || wanted.includes(value);
}

export function answerBets(grader: Grader, { bets, nowUs, against = null }: HistoryQuestions['grade'][0]): GradedBet[] {
  return bets.map((bet) => gradedBet(bet, grader.gradeBet(bet, nowUs, against)));
}

function gradedBet(bet: Bet, { row, event, line, american, closing, clv, reason }: BetGrade): GradedBet {
  return {
    oddsId: row?.id ?? bet.oddsId,
    event: event?.id ?? bet.event,
    market: row?.market ?? bet.market,
    selection: row?.selection ?? bet.selection,
    sportsbook: row?.book ?? bet.sportsbook,
    line,
    american,
    closing: closing === null ? null : closedAt(closing),
    clv,
    reason,
  };
}

function closedAt({ line: { point }, probability, source }: ClosingPrice): ClosedAt {
  return {
    american: point.american,
    decimal: point.decimal,
    probability: Number.isNaN(probability) ? null : probability,
    devigBook: source === '' ? null : ownName(source),
  };
}
