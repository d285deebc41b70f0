// Answers to queries about closing line value.
import type { Bet, BetGrade, Grader } from './grader.js';
import type { Predictions } from './predictions.js';
import type { Settler } from './settler.js';
import type { ClvQuestion, GradedBet } from './source.js';
import { type ClvGroup, groupGraded, type JudgedPrediction } from './summary.js';

export function answerClv(
  predictions: Predictions,
  grader: Grader,
  settler: Settler,
  question: ClvQuestion,
): ClvGroup[] {
  const { fromUs, toUs, sports, leagues, books, devigBooks, nowUs } = question;
  const graded: JudgedPrediction[] = [];
  for (const { event, predictions: made } of predictions.all()) {
    if (!has(sports, event.sport) || !has(leagues, event.league)) continue;
    for (const prediction of made) {
      if (prediction.atUs < fromUs || prediction.atUs > toUs || !has(books, prediction.book)) continue;
      const grade = grader.grade(event, prediction, nowUs);
      if (has(devigBooks, grade.devigBook))
        graded.push({ ...grade, settled: settler.settlePrediction(event, prediction, nowUs / 1000) });
    }
  }
  return groupGraded(graded, question.groupBy);
}

function has(wanted: readonly string[] | null, value: string): boolean {
  return wanted === null || wanted.includes(value);
}

export function answerBets(
  grader: Grader,
  bets: readonly Bet[],
  nowUs: number,
  canonical: (book: string) => string,
): GradedBet[] {
  return bets.map((bet) => gradedBet(bet, grader.gradeBet(bet, nowUs, canonical)));
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
    closing:
      closing === null
        ? null
        : {
            american: closing.line.point.american,
            decimal: closing.line.point.decimal,
            probability: Number.isNaN(closing.probability) ? null : closing.probability,
            devigBook: closing.source === '' ? null : closing.source,
          },
    clv,
    reason,
  };
}
