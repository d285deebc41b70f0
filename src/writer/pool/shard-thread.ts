// One shard's thread: a league's messages always meet the same memory, in order. Of a thread that dies, the commits that
// were not delivered yet are read from the log by the caller.
import { setTimeout } from 'node:timers/promises';
import { ApiError } from '../../base/model/errors.js';
import { LIMITS } from '../../base/model/limits.js';
import type { EngineLog } from '../../base/model/log.js';
import type { UniverseSpec } from '../../base/model/opportunity.js';
import { decode, decodePair } from '../../base/wire/codec.js';
import type { EvaluationAnswer, EvaluationQuestion } from '../../detection/question.js';
import type { Opportunity } from '../../log/delta/opportunity.js';
import { CommitGuard } from '../../store/shared-memory.js';
import type {
  AppliedBatch,
  AppliedRun,
  EvaluationTask,
  RunAnswer,
  ShardAnswer,
  ShardTask,
  ShardThreadData,
  SharedTask,
} from './protocol.js';
import { encodeRun, type RunInput } from './recorded-run.js';
import { TaskThread, workerFile } from './task-thread.js';

/** How long an exit may wait for an open transaction (ms). */
const EXIT_MS = 500;

/** Of the threads that are not closed: a process that exits otherwise, as by an error, ends them wherever they are. */
const guards = new Set<CommitGuard>();
const holdAll = (): void => {
  for (const guard of guards) guard.hold(EXIT_MS);
};

const LEAST_SHARE_MS = 9 * LIMITS.evaluationSlice.max;

/** One shard's answers to a question, best first, and how many prices were evaluated for them. */
export interface ShardFound {
  opportunities: Opportunity[];
  prices: number;
}

export class ShardThread extends TaskThread<ShardTask> {
  readonly shard: number;
  readonly #guard: CommitGuard;
  readonly #readTo: () => number;
  readonly #universes = new Map<string, { spec: UniverseSpec; since: number }>();
  /** Memory of the last answer that was read. If it were dropped, only a major GC would free it. */
  #memory: ArrayBuffer | null = null;
  /** Versions of the set of universes: the current one, and the last one the thread acknowledged. */
  #version = 0;
  #universesVersion = 0;
  /** Of those whose active opportunities are all shown; -1: of none, not of those of the start either. */
  #readyVersion = -1;
  #lastEvaluation = 0;
  /** Both as of its last answer. */
  #isFull = false;
  #nextDeadlineMs = Number.POSITIVE_INFINITY;
  /** Settles when no batch is held: an evaluation sees none that may be undone. */
  #settled: Promise<void> = Promise.resolve();
  #settle = (): void => undefined;
  /** Settles when no slice of an evaluation runs or waits. */
  #slices: Promise<void> = Promise.resolve();

  /** @param readTo position up to which this process's late readers have read: the log is not cut past it */
  constructor(options: Omit<ShardThreadData, 'guard'>, readTo: () => number, log: EngineLog) {
    const { shard } = options;
    const guard = CommitGuard.memory();
    const workerData: ShardThreadData = { ...options, guard };
    super({ file: workerFile('shard'), name: `the thread of shard ${shard}`, workerData, log, fields: { shard } });
    this.shard = shard;
    this.#guard = new CommitGuard(guard);
    if (guards.size === 0) process.on('exit', holdAll);
    guards.add(this.#guard);
    this.#readTo = readTo;
  }

  /** Its store had no room for what it was given last. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** The next moment (Unix ms) when time alone may change something; possibly too early, unknown before the first batch. */
  get nextDeadlineMs(): number {
    return this.#nextDeadlineMs;
  }

  /**
   * Transfers `batch` to the thread, one at a time. Rejects if the thread died during the task.
   * @param hold it is not committed before commit(); undo() takes it back
   */
  async apply(batch: Uint8Array<ArrayBuffer> | null, position: number, hold = false): Promise<AppliedBatch> {
    const task: ShardTask = { kind: 'apply', batch, position, hold, ...this.#shared() };
    const { memory } = task;
    const transferList = [batch?.buffer, memory].filter((each) => each instanceof ArrayBuffer);
    if (hold)
      this.#settled = new Promise((settle) => {
        this.#settle = settle;
      });
    try {
      const { first, answer, release } = await this.#answered<ShardAnswer>(
        task,
        transferList,
        ({ joining }) => !joining,
      );
      // There is nothing to be committed or undone.
      if (first.length === 0) this.#settle();
      return { batch: first.length === 0 ? null : { position, delta: first }, release, ...answer };
    } catch (error) {
      this.#settle();
      throw error;
    }
  }

  /**
   * Commits what apply() held at a position; returns monotonicMs afterwards, null if the thread holds nothing of it: it
   * was replaced. Rejects if the commit failed, or the thread died meanwhile.
   */
  async commit(position: number): Promise<number | null> {
    try {
      return (await this.run({ kind: 'commit', position })) as number | null;
    } finally {
      this.#settle();
    }
  }

  /** Takes back what apply() held. */
  async undo(): Promise<void> {
    await this.run({ kind: 'undo' }).finally(() => this.#settle());
  }

  /** Commits another process's batch, by its encoded delta, which is copied. Rejects as apply() does. */
  async fold(delta: Uint8Array): Promise<{ failure: string | null; release(): void }> {
    const task: ShardTask = { kind: 'fold', delta, ...this.#shared() };
    const { answer, release } = await this.#answered<ShardAnswer>(
      task,
      task.memory === null ? [] : [task.memory],
      () => null,
    );
    return { failure: answer.failure, release };
  }

  /** Plays a stretch of a recording. Rejects if the thread died during the task: all of it is committed then, or nothing. */
  async play(input: RunInput): Promise<AppliedRun> {
    const encoded = encodeRun(input);
    const task: ShardTask = { kind: 'run', input: encoded, ...this.#shared() };
    const transferList = [encoded.buffer, ...(task.memory === null ? [] : [task.memory])];
    const {
      first: deltas,
      answer,
      release,
    } = await this.#answered<RunAnswer>(task, transferList, ({ steps }) => steps.length > 0);
    return { deltas, release, ...answer };
  }

  #shared(): SharedTask {
    const version = this.#version;
    const universes = this.#universesVersion === version ? null : { version, specs: [...this.#universes.values()] };
    const memory = this.#memory;
    this.#memory = null;
    return { universes, memory, readTo: this.#readTo() };
  }

  /** `ready`: whether the universes that it knows are complete with this answer; null: none is. */
  async #answered<Answer extends ShardAnswer | RunAnswer>(
    task: ShardTask,
    transferList: ArrayBuffer[],
    ready: (answer: Answer) => boolean | null,
  ) {
    const bytes = (await this.run(task, transferList)) as Uint8Array<ArrayBuffer>;
    const { first, second } = decodePair(bytes);
    const answer = second as Answer;
    // A replaced thread reports 0, and is sent the set with the next batch.
    this.#universesVersion = answer.universes;
    this.#nextDeadlineMs = answer.nextDeadlineMs;
    this.#isFull = answer.failure !== null;
    const release = (): void => {
      this.#memory = bytes.buffer;
      const isReady = ready(answer);
      if (isReady === null) this.#readyVersion = -1;
      else if (isReady && answer.failure === null) this.#readyVersion = answer.universes;
    };
    return { first, answer, release };
  }

  /** Watches a universe from the next batch on. */
  registerUniverse(spec: UniverseSpec): void {
    if (!this.#universes.has(spec.key)) this.#universes.set(spec.key, { spec, since: ++this.#version });
  }

  /** Whether its active opportunities are shown; of one that was not registered: if it is one of the start. */
  isReady(key: string): boolean {
    return this.#readyVersion >= (this.#universes.get(key)?.since ?? 0);
  }

  dropUniverses(): void {
    this.#universes.clear();
    this.#version++;
  }

  dropUniverse(key: string): void {
    if (this.#universes.delete(key)) this.#version++;
  }

  /**
   * Evaluates a question in slices, one slice of all questions at a time, each after `idle` settles: batches go first.
   * If they leave no time, one slice in ten is the question's, so that it ends at all.
   * Rejects with ApiError `unavailable` if the thread died meanwhile, and with the signal's reason.
   */
  async evaluate(question: EvaluationQuestion, idle: () => Promise<void>, signal: AbortSignal): Promise<ShardFound> {
    const id = ++this.#lastEvaluation;
    const opportunities: Opportunity[] = [];
    try {
      for (let first = true; ; first = false) {
        const task: EvaluationTask = { kind: 'evaluate', id, question: first ? question : null };
        const { prices, found, done } = await this.#sliceOf(task, idle, signal);
        if (found !== null) opportunities.push(...found);
        if (done) return { opportunities, prices };
      }
    } catch (error) {
      if (signal.aborted) {
        // It is not there any more if the thread died.
        if (this.alive) await this.run({ kind: 'abandon', id }).catch(() => undefined);
        throw error;
      }
      if (error instanceof ApiError) throw error;
      throw new ApiError('unavailable', 'a shard failed and is being replaced: send again', { retryAfter: 1 });
    }
  }

  #sliceOf(task: EvaluationTask, idle: () => Promise<void>, signal: AbortSignal): Promise<EvaluationAnswer> {
    const slice = this.#slices.then(async () => {
      await Promise.race([idle(), setTimeout(LEAST_SHARE_MS, undefined, { ref: false })]);
      await this.#settled;
      signal.throwIfAborted();
      return decode((await this.run(task)) as Uint8Array) as EvaluationAnswer;
    });
    this.#slices = slice.then(
      () => undefined,
      () => undefined,
    );
    return slice;
  }

  /** Terminates the thread as a crash would, at any point outside a transaction. */
  kill(): Promise<void> {
    return this.#guard.whileIdle(() => this.terminate());
  }

  override async close(last: ShardTask = { kind: 'close' }): Promise<void> {
    await super.close(last).finally(() => {
      guards.delete(this.#guard);
      if (guards.size === 0) process.off('exit', holdAll);
    });
  }
}
