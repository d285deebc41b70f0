// One shard's thread: a league's messages always meet the same memory, in order. Of a thread that dies, the commits that
// were not delivered yet are read from the log by the caller.
import type { Opportunity } from '../delta/opportunity.js';
import type { EvaluationQuestion } from '../detect/question.js';
import type { EngineLog } from '../model/log.js';
import type { UniverseSpec } from '../model/opportunity.js';
import { CommitGate } from '../store/commit-gate.js';
import { CommitGuard } from '../store/commit-guard.js';
import { decode, decodePair } from '../wire/codec.js';
import { readBatch } from './log-message.js';
import { unpackOpportunities } from './packed-news.js';
import type { AppliedBatch, EvaluationAnswer, ShardAnswer, ShardTask, ShardThreadData } from './protocol.js';
import { TaskThread, workerFile } from './task-thread.js';

export class ShardThread {
  readonly shard: number;
  readonly #tasks: TaskThread<ShardTask>;
  readonly #guard: CommitGuard;
  readonly #gate: CommitGate;
  readonly #readTo: () => number;
  readonly #universes = new Map<string, { spec: UniverseSpec; since: number }>();
  /** Memory of the last answer that was read. If it were dropped, only a major GC would free it. */
  #memory: ArrayBuffer | null = null;
  /** Versions of the set of universes: the current one, and the last one the thread acknowledged. */
  #version = 0;
  #universesVersion = 0;

  /** @param readTo position up to which this process's late readers have read: the log is not cut past it */
  constructor(options: Omit<ShardThreadData, 'guard' | 'gate'>, readTo: () => number, log: EngineLog) {
    this.#readTo = readTo;
    const guard = CommitGuard.memory();
    const gate = CommitGate.memory();
    const data: ShardThreadData = { ...options, guard, gate };
    this.#guard = new CommitGuard(guard);
    this.#gate = new CommitGate(gate);
    this.shard = data.shard;
    const { shard } = data;
    this.#tasks = new TaskThread({
      file: workerFile('shard'),
      name: `the thread of shard ${shard}`,
      workerData: data,
      log,
      fields: { shard },
    });
  }

  /** As in TaskThread: its store is open. */
  get begun(): Promise<void> {
    return this.#tasks.begun;
  }

  /** As in TaskThread: its store is read. */
  get serving(): Promise<void> {
    return this.#tasks.serving;
  }

  /** As in TaskThread. */
  get alive(): boolean {
    return this.#tasks.alive;
  }

  /**
   * Transfers `batch` to the thread, one at a time. Rejects if the thread died during the task.
   * @param refused the batch is committed only after this settles with null; otherwise it is undone
   */
  async apply(
    batch: Uint8Array<ArrayBuffer> | null,
    position: number,
    refused?: Promise<unknown>,
  ): Promise<AppliedBatch> {
    if (refused === undefined) this.#gate.open();
    else this.#holdUntil(refused);
    const version = this.#version;
    const universes = this.#universesVersion === version ? null : { version, specs: [...this.#universes.values()] };
    const memory = this.#memory;
    this.#memory = null;
    const task: ShardTask = { kind: 'apply', batch, position, universes, memory, readTo: this.#readTo() };
    const transferList = [batch?.buffer, memory].filter((each) => each instanceof ArrayBuffer);
    const bytes = (await this.#tasks.run(task, transferList)) as Uint8Array<ArrayBuffer>;
    const { first: message, second } = decodePair(bytes);
    const answer = second as ShardAnswer;
    // A replaced thread reports 0, and is sent the set with the next batch.
    this.#universesVersion = answer.universes;
    const release = (): void => {
      this.#memory = bytes.buffer;
    };
    return { ...answer, batch: message.length === 0 ? null : readBatch(message), release };
  }

  #holdUntil(refused: Promise<unknown>): void {
    this.#gate.hold();
    void refused.then((refusal) => (refusal === null ? this.#gate.open() : this.#gate.refuse()));
  }

  /** Watches a universe from the next batch on. */
  registerUniverse(spec: UniverseSpec): void {
    this.#universes.set(spec.key, { spec, since: ++this.#version });
  }

  dropUniverse(key: string): void {
    if (this.#universes.delete(key)) this.#version++;
  }

  /** Rejects if the thread died during the question. */
  async evaluate(question: EvaluationQuestion): Promise<Opportunity[]> {
    const task: ShardTask = { kind: 'evaluate', question };
    const answer = decode((await this.#tasks.run(task)) as Uint8Array) as EvaluationAnswer;
    return unpackOpportunities(answer.opportunities);
  }

  /** Terminates the thread as a crash would, at any point outside a transaction. */
  kill(): Promise<void> {
    return this.#guard.whileIdle(() => this.#tasks.terminate());
  }

  close(): Promise<void> {
    return this.#tasks.close({ kind: 'close' });
  }

  /** Ends the thread at once, where it has not been given anything. */
  end(): Promise<void> {
    return this.#tasks.end();
  }
}
