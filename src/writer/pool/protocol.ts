// The messages between the front and the threads of the shards and of history, and how a thread serves them.

import type { MessagePort } from 'node:worker_threads';
import type { ShardTimes } from '../../base/diagnostics/diagnostic-channels.js';
import type { BatchReceipt, NormalMessage } from '../../base/model/normal-message.js';
import type { UniverseSpec } from '../../base/model/opportunity.js';
import { decode, encodeOwn } from '../../base/wire/codec.js';
import type { EvaluationQuestion } from '../../detection/question.js';
import type { CatalogueData } from '../../rules/catalogue/file-schema.js';
import type { Prediction } from '../../store/clv/prediction.js';
import type { AskedHistory } from '../../store/clv/queries.js';
import type { Durability } from '../../store/shard-env.js';
import type { RunResult } from './recorded-run.js';
import type { Retention } from './shard-writer.js';

export interface ShardThreadData {
  shard: number;
  dataDir: string;
  catalogue: CatalogueData;
  durability: Durability;
  retention: Retention;
  /** Of the data directory. */
  idSecret: string;
  /** For the CommitGuard: the thread is only terminated outside its transactions. */
  guard: SharedArrayBuffer;
}

export type ShardTask =
  /**
   * `batch`: NormalMessage[] as MessagePack, or null for a clock tick. `memory`: of an answer that was read, for the
   * next one: it is passed back and forth. `readTo`: the log is not cut past it, as someone still reads it. `hold`: it is
   * committed, or undone, by the next task.
   */
  | ({ kind: 'apply'; batch: Uint8Array | null; position: number; hold: boolean } & SharedTask)
  /** Of the batch at this position; answered with monotonicMs afterwards, null if there is none. */
  | { kind: 'commit'; position: number }
  | { kind: 'undo' }
  /** Another process's batch, by its encoded delta. */
  | ({ kind: 'fold'; delta: Uint8Array } & SharedTask)
  | RunTask
  | EvaluationTask
  | { kind: 'abandon'; id: number }
  | { kind: 'close' };

/** What goes with every task that commits. */
export interface SharedTask {
  universes: UniverseTask | null;
  memory: ArrayBuffer | null;
  readTo: number;
}

/** A stretch of a recording: `input` is a RunInput as MessagePack. */
export interface RunTask extends SharedTask {
  kind: 'run';
  input: Uint8Array;
}

/** Sent after the deltas of a run. */
export interface RunAnswer extends Omit<RunResult, 'deltas'> {
  universes: number;
  nextDeadlineMs: number;
  /** As in ShardAnswer. */
  failure: string | null;
}

/** One slice of an evaluation; the question is sent with the first. */
export interface EvaluationTask {
  kind: 'evaluate';
  id: number;
  question: EvaluationQuestion | null;
}

/**
 * The universes a shard must watch in addition to those it starts with: all of them, so that a new thread catches up.
 */
export interface UniverseTask {
  /** Incremented with every change of the set. */
  version: number;
  /** `since`: version at which it was registered, so that one released and registered again starts from nothing. */
  specs: readonly { spec: UniverseSpec; since: number }[];
}

/** Sent after the batch's encoded delta, which is absent if nothing changed (base/wire/codec.ts: a pair). */
export interface ShardAnswer {
  receipts: BatchReceipt[];
  /** Version of the universes that the shard watches; 0 if it was never sent any. */
  universes: number;
  /** Markets with more lines or middles than are evaluated. */
  boundedMarkets: number;
  /** Universes are not complete, and an empty batch would bring them nearer to it. */
  joining: boolean;
  /** The next moment (Unix ms) when time alone may change something; possibly too early. */
  nextDeadlineMs: number;
  /** Set if the store had no room: nothing of the batch was applied. */
  failure: string | null;
  /** Absent if the batch failed. */
  times?: ShardTimes;
}

/** A committed batch, as in the log and as sent to other processes. */
export interface LogBatch {
  position: number;
  /** Encoded Delta. */
  delta: Uint8Array;
}

export interface AppliedBatch extends ShardAnswer {
  /** Null if nothing changed. */
  batch: LogBatch | null;
  /** To be called when the batch has been read: its memory is invalid afterwards. */
  release(): void;
}

export interface AppliedRun extends RunAnswer {
  /** As in AppliedBatch; one after the other. */
  deltas: Uint8Array;
  release(): void;
}

// The input of a shard's thread for a position: messages, and the time if that is not the position's.

interface BatchInput {
  messages: readonly NormalMessage[];
  /** Unix time (ms) by which prices are fresh or stale, and games live; null if it is the position's. */
  nowMs: number | null;
  /** New games and their rows that are taken; absent if there is no need to count them. */
  newMax?: number;
}

/** Null for a clock tick at the position's time. */
export function encodeBatch(input: BatchInput): Uint8Array<ArrayBuffer> | null {
  const { messages, nowMs, newMax } = input;
  if (nowMs !== null || newMax !== undefined) return encodeOwn(input);
  return messages.length === 0 ? null : encodeOwn(messages);
}

export function decodeBatch(bytes: Uint8Array | null): BatchInput {
  if (bytes === null) return { messages: [], nowMs: null };
  const input = decode(bytes) as readonly NormalMessage[] | BatchInput;
  return 'messages' in input ? input : { messages: input, nowMs: null };
}

// The history thread's.

export interface HistoryThreadData {
  dataDir: string;
  epoch: string;
  /** First position of the data directory. */
  createdPosition: number;
  shards: number;
  durability: Durability;
  catalogue: CatalogueData;
  days: number;
  bytesMax: number;
  /** Sources of results, the most trusted first. */
  resultSources: readonly string[];
  /** RecordedPositions, for the shards' threads. */
  recorded: SharedArrayBuffer;
}

export type HistoryTask =
  | AskedHistory
  /** Predictions, as they are detected. */
  | { kind: 'predict'; predictions: readonly Prediction[] }
  | { kind: 'close' };

/** Messages of the thread itself: lines for the log. */
export interface HistoryNote {
  level: 'warn' | 'error';
  fields: object;
  message: string;
}

// A thread's side of its tasks: they come one after another on a port, and each is answered there.

/** The one task that piscina knows of: it runs as long as its thread. */
export interface Serve {
  port: MessagePort;
}

/** The first is `serving`: the thread is ready for tasks. */
export type Answer = { kind: 'serving' } | { kind: 'done'; result: unknown } | { kind: 'failed'; error: unknown };

/**
 * A Uint8Array returned by `run` is transferred, with all of its memory. Settles when the other end closes.
 */
export function serveTasks<Task>({ port }: Serve, run: (task: Task) => Promise<unknown>): Promise<void> {
  const answer = async (task: Task): Promise<void> => {
    try {
      const result = await run(task);
      const transferList = result instanceof Uint8Array ? [result.buffer as ArrayBuffer] : [];
      port.postMessage({ kind: 'done', result } satisfies Answer, transferList);
    } catch (error) {
      port.postMessage({ kind: 'failed', error } satisfies Answer);
    }
  };
  port.on('message', (task: Task) => void answer(task));
  port.postMessage({ kind: 'serving' } satisfies Answer);
  return new Promise((resolve) => port.once('close', resolve));
}
