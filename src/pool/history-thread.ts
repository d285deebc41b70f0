// The history thread. It reads the shards' logs by itself; the front sends it queries. A thread that dies is replaced,
// and continues where the last write ended.
import type { Bet } from '../clv/grader.js';
import type { Prediction } from '../clv/prediction.js';
import type { ClvQueries, ClvQuestion, GradedBet, PredictionsAnswer, PredictionsQuestion } from '../clv/queries.js';
import type { SettledBet, StatedBet } from '../clv/settler.js';
import type { ClvGroup } from '../clv/summary.js';
import type { HistoryQuestion, OpeningFields } from '../history/answers.js';
import type { PastAnswer, PastQuestion } from '../history/event-log.js';
import type { HistoryQueries, HistoryReply, LinesQuestion } from '../history/queries.js';
import { LIMITS } from '../model/limits.js';
import type { EngineLog } from '../model/log.js';
import type { HistoryNote, HistoryTask, HistoryThreadData } from './history-protocol.js';
import { TaskThread, workerFile } from './task-thread.js';

export class HistoryThread implements HistoryQueries, ClvQueries {
  readonly #thread: TaskThread<HistoryTask>;

  constructor(data: HistoryThreadData, log: EngineLog) {
    this.#thread = new TaskThread({
      file: workerFile('history'),
      name: 'the history thread',
      workerData: data,
      log,
      queueMax: LIMITS.historyRequests.max,
      onNote: (note) => {
        const { level, fields, message } = note as HistoryNote;
        log[level](fields, message);
      },
    });
  }

  /**
   * Settles when nothing in the logs can be cut away before history has read it. Rejects if the thread failed at its
   * start.
   */
  begun(): Promise<void> {
    return this.#thread.serving;
  }

  history(question: HistoryQuestion): Promise<HistoryReply> {
    return this.#run({ kind: 'history', question }) as Promise<HistoryReply>;
  }

  lines(question: LinesQuestion): Promise<string | null> {
    return this.#run({ kind: 'lines', question }) as Promise<string | null>;
  }

  openings(rows: readonly string[]): Promise<Map<string, OpeningFields>> {
    return this.#run({ kind: 'openings', rows }) as Promise<Map<string, OpeningFields>>;
  }

  past(question: PastQuestion): Promise<PastAnswer> {
    return this.#run({ kind: 'past', question }) as Promise<PastAnswer>;
  }

  clv(question: ClvQuestion): Promise<ClvGroup[]> {
    return this.#run({ kind: 'clv', question }) as Promise<ClvGroup[]>;
  }

  predictions(question: PredictionsQuestion): Promise<PredictionsAnswer> {
    return this.#run({ kind: 'predictions', question }) as Promise<PredictionsAnswer>;
  }

  settleBets(bets: readonly StatedBet[], nowMs: number): Promise<SettledBet[]> {
    return this.#run({ kind: 'settle', bets, nowMs }) as Promise<SettledBet[]>;
  }

  gradeBets(bets: readonly Bet[], nowUs: number): Promise<GradedBet[]> {
    return this.#run({ kind: 'bets', bets, nowUs }) as Promise<GradedBet[]>;
  }

  /** Settles when they are queued for writing. */
  async predict(predictions: readonly Prediction[]): Promise<void> {
    await this.#run({ kind: 'predict', predictions });
  }

  /** Reads what was committed up to now, writes it and ends. */
  close(): Promise<void> {
    return this.#thread.close({ kind: 'close' });
  }

  #run(task: HistoryTask): Promise<unknown> {
    return this.#thread.run(task);
  }
}
