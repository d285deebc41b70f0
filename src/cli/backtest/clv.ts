// Closing line value over a recording: the first of each price above fair, graded by the close in the recording.

import type { ClvGrouping } from '../../base/model/bet-words.js';
import { LIMITS } from '../../base/model/limits.js';
import type { UniverseSpec } from '../../base/model/opportunity.js';
import { present } from '../../base/model/present.js';
import { formatMs } from '../../base/model/time.js';
import { readInstants } from '../../engine/replay/instants.js';
import type { BadLine } from '../../intake/feeds/replay/recording.js';
import type { UniverseNews } from '../../log/delta/opportunity.js';
import { Grader } from '../../store/clv/grader.js';
import { type Prediction, predictionOf } from '../../store/clv/prediction.js';
import { Settler } from '../../store/clv/settler.js';
import { groupGraded, type JudgedPrediction } from '../../store/clv/summary.js';
import { MemoryHistoryStore } from '../../store/history/memory-store.js';
import { Recorder } from '../../store/history/recorder.js';
import type { BacktestOptions } from './backtest.js';
import { Timeline } from './timeline.js';

interface ClvBacktestOptions extends Omit<BacktestOptions, 'limits' | 'write' | 'onBadLine'> {
  /** Minimum edge in percent. */
  minEv: number;
  groupBy: ClvGrouping;
  /** A file with what became of the games. */
  results?: string | undefined;
  onBadLine?(file: string, bad: BadLine): void;
}

/** Changes in memory before they are packed. */
const PENDING_MAX = LIMITS.historyUnwritten.max;

/** Rejects if the file cannot be read. */
export async function runClvBacktest(options: ClvBacktestOptions) {
  const { catalogue, books, minEv, groupBy, devigBook } = options;
  const recorder = new Recorder(new MemoryHistoryStore());
  recorder.begin('backtest', 1);
  const universe: UniverseSpec = { key: 'backtest', books, kept: { minEv }, ...present({ devigBook }) };
  const against = devigBook === undefined ? null : [devigBook];
  const predictions = new Map<string, Prediction>();
  const note = (news: readonly UniverseNews[]): void => {
    for (const { detected } of news)
      for (const opportunity of detected)
        if (opportunity.kind === 'ev' && opportunity.edge > 0 && opportunity.edge >= minEv)
          if (!predictions.has(opportunity.id)) {
            const { item, market, sport } = opportunity;
            const state = catalogue.types.of(market, sport).rest ? timeline.get(item.event_id)?.state : undefined;
            predictions.set(opportunity.id, predictionOf(opportunity, state));
          }
  };
  const timeline = new Timeline(catalogue, universe, (_atMs, _position, news) => note(news), recorder);
  let polls = 0;
  let firstMs: number | null = null;
  let lastMs = 0;
  let resultsRejected = 0;
  for await (const instant of readInstants({ ...options, leagues: catalogue })) {
    const { rejected } = timeline;
    timeline.play(instant);
    if (recorder.pending >= PENDING_MAX) recorder.flush();
    if (instant.results) {
      resultsRejected += timeline.rejected - rejected;
      continue;
    }
    polls++;
    firstMs ??= instant.atMs;
    lastMs = instant.atMs;
  }
  recorder.flush();
  const results = { resultOf: (id: string) => timeline.results.get(id) };
  const judges = {
    grader: new Grader(recorder, catalogue),
    settler: new Settler(recorder, catalogue, results, []),
  };
  const graded = gradeAll(recorder, judges, predictions.values(), lastMs, against);
  return {
    polls,
    quotes: timeline.quotes,
    books: timeline.books,
    refusals: timeline.refusals.leftOutReasons,
    date_range: { from: firstMs === null ? null : formatMs(firstMs), to: firstMs === null ? null : formatMs(lastMs) },
    group_by: groupBy,
    groups: groupGraded(graded, groupBy),
    by_market: groupGraded(graded, 'market'),
    by_edge: groupGraded(graded, 'edge'),
    /** Results that could not be applied. */
    results_rejected: resultsRejected,
  };
}

function gradeAll(
  recorder: Recorder,
  { grader, settler }: { grader: Grader; settler: Settler },
  predictions: Iterable<Prediction>,
  nowMs: number,
  against: readonly string[] | null,
): JudgedPrediction[] {
  const graded: JudgedPrediction[] = [];
  for (const prediction of predictions) {
    const event = recorder.find(prediction.event);
    if (event === undefined) continue;
    // Nobody tells more.
    const settled = settler.settlePrediction(event, prediction, Number.POSITIVE_INFINITY);
    graded.push({ ...grader.grade(event, prediction, nowMs * 1000, against), settled });
  }
  return graded;
}
