// The history thread. It reads the shards' logs by itself; the front sends it queries. A thread that dies is replaced,
// and continues where the last write ended.

import { LIMITS } from '../../base/model/limits.js';
import type { EngineLog } from '../../base/model/log.js';
import type { Prediction } from '../../store/clv/prediction.js';
import type { AskHistory } from '../../store/clv/queries.js';
import type { HistoryNote, HistoryTask, HistoryThreadData } from './protocol.js';
import { TaskThread, workerFile } from './task-thread.js';

export class HistoryThread {
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

  readonly ask: AskHistory = (kind, question) => this.#thread.run({ kind, question } as HistoryTask) as Promise<never>;

  /** Settles when they are queued for writing. */
  async predict(predictions: readonly Prediction[]): Promise<void> {
    await this.#thread.run({ kind: 'predict', predictions });
  }

  /** Reads what was committed up to now, writes it and ends. */
  close(): Promise<void> {
    return this.#thread.close({ kind: 'close' });
  }
}
