// History of a server: its thread, and what that cannot read from the log, the prices above fair as they are detected.

import type { GameState } from '../base/model/game-state.js';
import { LIMITS } from '../base/model/limits.js';
import type { Config } from '../config/config.js';
import type { Engine } from '../engine/engine.js';
import type { OpenDelta } from '../log/delta/delta.js';
import type { Opportunity, OpportunityOf } from '../log/delta/opportunity.js';
import type { LogSource } from '../replication/port/source.js';
import { type Prediction, predictionOf } from '../store/clv/prediction.js';
import type { AskedHistory, AskHistory } from '../store/clv/queries.js';
import { RecordedPositions } from '../store/shared-memory.js';
import type { HistoryNote, HistoryTask, HistoryThreadData } from '../writer/pool/protocol.js';
import { TaskThread, workerFile } from '../writer/pool/task-thread.js';
import type { Log } from './observe/log.js';

/** The universe of all books. */
const ALL_BOOKS = 'sharp';
const HAND_OVER_MS = 1_000;
/** Sent at once; more than this within a second are counted and dropped. */
const PREDICTIONS_MAX = LIMITS.newPredictions.max;

/** Price history as a server has it. */
export interface ServedHistory {
  readonly ask: AskHistory;
  /** How far what is written is behind what was committed, in seconds; absent where another process writes it. */
  lagSeconds?(): number;
  begun(): Promise<void>;
  close(): Promise<void>;
}

/** That of another process; undefined if history is disabled. */
export function remoteHistory(log: LogSource, { historyDays }: Config): ServedHistory | undefined {
  if (historyDays === 0) return undefined;
  const ask: AskHistory = async (kind, question) =>
    (await log.request('history', { kind, question } as AskedHistory)) as never;
  return { ask, begun: () => Promise.resolve(), close: () => Promise.resolve() };
}

/** Stored by this process; undefined if history is disabled. */
export function keepHistory(engine: Engine, config: Config, log: Log): HistoryKeeper | undefined {
  return config.historyDays === 0 ? undefined : new HistoryKeeper(engine, config, log);
}

export class HistoryKeeper implements ServedHistory {
  readonly ask: AskHistory = (kind, question) => {
    this.#handOver();
    return this.#thread.run({ kind, question } as HistoryTask) as Promise<never>;
  };
  /** It reads the shards' logs by itself; one that dies is replaced, and continues where the last write ended. */
  readonly #thread: TaskThread<HistoryTask>;
  readonly #log: Log;
  readonly #engine: Engine;
  readonly #timer: NodeJS.Timeout;
  readonly #recorded: RecordedPositions;
  /** Of the newest delta of each shard. */
  readonly #committed: number[] = [];
  #predictions: Prediction[] = [];
  #leftOut = 0;
  #handingOver: Promise<unknown> = Promise.resolve();

  constructor(engine: Engine, config: Config, log: Log) {
    const { path, epoch, createdPosition, envs } = engine.directory;
    const recorded = engine.shards?.retention.recorded ?? RecordedPositions.memory();
    this.#recorded = new RecordedPositions(recorded);
    const workerData: HistoryThreadData = {
      dataDir: path,
      epoch,
      createdPosition,
      shards: envs.length,
      durability: config.durability,
      catalogue: engine.catalogue.data,
      days: config.historyDays,
      bytesMax: config.historyBytesMax,
      resultSources: config.resultSources,
      recorded,
    };
    this.#thread = new TaskThread({
      file: workerFile('history'),
      name: 'the history thread',
      workerData,
      log,
      queueMax: LIMITS.historyRequests.max,
      onNote: (note) => {
        const { level, fields, message } = note as HistoryNote;
        log[level](fields, message);
      },
    });
    this.#log = log;
    this.#engine = engine;
    // Those noted in the last moment before a crash are not stored.
    this.#predict(engine.opportunities.of(ALL_BOOKS).opportunities());
    engine.onDelta((_applied, delta) => {
      this.#committed[delta.shard] = delta.position;
      this.#note(delta);
    });
    this.#timer = setInterval(() => this.#handOver(), HAND_OVER_MS);
    this.#timer.unref();
  }

  lagSeconds(): number {
    const behind = this.#committed.map((position, shard) => position - this.#recorded.of(shard));
    return Math.max(0, ...behind.filter((us) => us > 0)) / 1e6;
  }

  /** Settles when nothing in the logs can be cut away before history has read it. */
  begun(): Promise<void> {
    return this.#thread.serving;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#handOver();
    await this.#handingOver;
    // It reads what was committed up to now, and writes it.
    await this.#thread.close({ kind: 'close' });
  }

  /** The first of each price above fair, as detected. */
  #note({ position, opportunities }: Pick<OpenDelta, 'position' | 'opportunities'>): void {
    for (const { universe, detected } of opportunities)
      if (universe === ALL_BOOKS) this.#predict(detected.filter(({ detectedUs }) => detectedUs === position));
  }

  #predict(opportunities: Iterable<Opportunity>): void {
    for (const opportunity of opportunities) {
      if (opportunity.kind !== 'ev' || !(opportunity.edge > 0)) continue;
      if (this.#predictions.length >= PREDICTIONS_MAX) this.#leftOut++;
      else this.#predictions.push(predictionOf(opportunity, this.#stateFor(opportunity)));
    }
  }

  /** Where a game stands whose market counts from there. */
  #stateFor({ item, market, sport }: OpportunityOf<'ev'>): GameState | null | undefined {
    const { catalogue, table } = this.#engine;
    return catalogue.types.of(market, sport).rest ? table.events.get(item.event_id)?.state : undefined;
  }

  #handOver(): void {
    if (this.#leftOut > 0) this.#log.warn({ count: this.#leftOut }, 'too many prices above fair at once to keep all');
    this.#leftOut = 0;
    if (this.#predictions.length === 0) return;
    const predictions = this.#predictions;
    this.#predictions = [];
    this.#handingOver = this.#thread
      .run({ kind: 'predict', predictions })
      .catch((error: unknown) => this.#log.error({ err: error }, 'prices above fair could not be stored for CLV'));
  }
}
