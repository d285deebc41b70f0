// A thread that runs a file of workers/, and its tasks, one after another. Piscina starts it and reports its death; each
// life has a pool of its own, because a pool whose thread ended before it was ready never says so and starts no other.
// Tasks go over a port: sending each through piscina takes several times as long (docs/bench/profile.md).
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MessageChannel, type MessagePort, type Transferable } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { ApiError } from '../../base/model/errors.js';
import type { EngineLog } from '../../base/model/log.js';
import { endWhereGivenUp } from '../../base/model/storage-error.js';
import type { Answer, Serve } from './protocol.js';

export interface TaskThreadOptions {
  /** Its default export serves a Serve task with serveTasks(). */
  file: URL;
  /** As in "the thread of shard 0", for the log and errors. */
  name: string;
  workerData: unknown;
  log: EngineLog;
  /** Added to its lines in the log. */
  fields?: object;
  /** Maximum number of tasks waiting, if bounded. */
  queueMax?: number;
  /** A task that is unanswered at six looks at this interval is reported: the thread may hang. 10 s by default. */
  lookEveryMs?: number;
  /** Messages of the thread itself. */
  onNote?: (note: unknown) => void;
}

interface QueuedTask<Task> {
  task: Task;
  transferList: readonly Transferable[];
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

interface Life {
  readonly pool: Piscina;
  readonly port: MessagePort;
  readonly late: NodeJS.Timeout;
  serving: boolean;
  /** Why it ends, where known. */
  cause: unknown;
}

/** A thread that failed at its start is started again after this long. */
const AGAIN_MS = 1_000;
/** Long enough for a busy machine to load the thread's modules. */
const BEGIN_MS = 60_000;
const LOOK_EVERY_MS = 10_000;
/** Looks, not time: none is taken while the process itself is stopped. */
const HANGS_AFTER = 6;

/** The compiled file of a worker in workers/. */
export function workerFile(name: string): URL {
  return new URL(`../../../workers/${name}.js`, import.meta.url);
}

export class TaskThread<Task> {
  /** Settles when the file of the first thread is loaded; rejects if it ended before, with what the operator is told. */
  readonly begun: Promise<void>;
  /** Settles when the first thread is ready for tasks; rejects as `begun`. */
  readonly serving: Promise<void>;
  readonly #options: TaskThreadOptions;
  /** The first of them has been sent to the thread. */
  readonly #queue: QueuedTask<Task>[] = [];
  readonly #onBegun: (failure?: Error) => void;
  readonly #onServing: (failure?: Error) => void;
  /** Undefined from a failed start to the next one, and at the end. */
  #life: Life | undefined;
  #again: NodeJS.Timeout | undefined;
  #closing = false;
  readonly #looking: NodeJS.Timeout;
  /** The first task at the last look, and the looks at which it was that. */
  #looked: { task: QueuedTask<Task>; times: number } | undefined;

  /** Throws if the file is missing. */
  constructor(options: TaskThreadOptions) {
    const filename = fileURLToPath(options.file);
    if (!existsSync(filename)) throw new Error(`the compiled worker is missing: ${filename}`);
    this.#options = options;
    [this.begun, this.#onBegun] = outcome();
    [this.serving, this.#onServing] = outcome();
    this.#life = this.#start();
    this.#looking = setInterval(() => this.#look(), options.lookEveryMs ?? LOOK_EVERY_MS).unref();
  }

  /** False from a failed start to the next one: tasks are refused. */
  get alive(): boolean {
    return this.#life !== undefined;
  }

  /** It has not answered a task for a minute. */
  get hangs(): boolean {
    return this.#looked !== undefined && this.#looked.times >= HANGS_AFTER && this.#queue[0] === this.#looked.task;
  }

  /**
   * Rejects with what the task threw, and if the thread died during it; the tasks after it are then run by its
   * successor. Rejects with ApiError `unavailable` if there is no thread and none could be started, or too many tasks wait.
   */
  run(task: Task, transferList: readonly Transferable[] = []): Promise<unknown> {
    const { name, queueMax = Number.POSITIVE_INFINITY } = this.#options;
    if (this.#life === undefined) return Promise.reject(this.#unavailable());
    if (this.#queue.length >= queueMax)
      return Promise.reject(new ApiError('unavailable', `too much waits for ${name}: try again`, { retryAfter: 1 }));
    return new Promise((resolve, reject) => {
      if (this.#queue.push({ task, transferList, resolve, reject }) === 1) this.#send();
    });
  }

  /** Terminates the thread as a crash would. */
  async terminate(): Promise<void> {
    await Promise.all(this.#life?.pool.threads.map((thread) => thread.terminate()) ?? []);
  }

  /** Ends the thread after a last task; what waits then is rejected. Rejects if the thread could not do that task. */
  async close(last: Task): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#again);
    clearInterval(this.#looking);
    if (this.#life === undefined) return;
    try {
      await this.run(last);
    } finally {
      await this.end();
    }
  }

  /** Ends the thread at once; what waits is rejected. */
  async end(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#again);
    clearInterval(this.#looking);
    const life = this.#life;
    if (life === undefined) return;
    this.#life = undefined;
    this.#forget(life, 'was closed');
    await life.pool.destroy();
  }

  #start(): Life {
    const { file, workerData, onNote = () => {} } = this.#options;
    const { port1, port2 } = new MessageChannel();
    const pool = new Piscina({
      filename: file.href,
      // Piscina starts no successor: that is decided here.
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: Number.POSITIVE_INFINITY,
      concurrentTasksPerWorker: 1,
      // Waiting in Atomics.wait would stop the thread's timers and its flushes between tasks.
      atomics: 'disabled',
      workerData,
    });
    const late = setTimeout(() => {
      life.cause = new Error(`it did not begin within ${BEGIN_MS / 1000} s`);
      void pool.destroy();
    }, BEGIN_MS);
    const life: Life = { pool, port: port1, late, serving: false, cause: undefined };
    pool.on('workerCreate', () => {
      clearTimeout(late);
      this.#onBegun();
    });
    pool.on('error', (error: unknown) => {
      life.cause = error;
    });
    pool.on('message', onNote);
    // If it ended before it was given its task, only this makes that task fail. The cause is known by then.
    pool.on('workerDestroy', () => setImmediate(() => void pool.destroy()));
    port1.on('message', (answer: Answer) => this.#take(life, answer));
    const serve: Serve = { port: port2 };
    pool.run(serve, { transferList: [port2] }).then(
      () => this.#ended(life, new Error('it stopped serving')),
      (error: unknown) => this.#ended(life, error),
    );
    pool.threads[0]!.once('exit', (code) => {
      life.cause ??= new Error(`it exited with code ${code}`);
    });
    return life;
  }

  #look(): void {
    const task = this.#life?.serving ? this.#queue[0] : undefined;
    if (task === undefined) this.#looked = undefined;
    else if (this.#looked?.task !== task) this.#looked = { task, times: 1 };
    else if (++this.#looked.times === HANGS_AFTER) {
      const { name, log, fields } = this.#options;
      log.error({ ...fields }, `${name} has not answered for a minute: if it stays so, restart the process`);
    }
  }

  #take(life: Life, answer: Answer): void {
    if (answer.kind === 'serving') {
      life.serving = true;
      this.#onServing();
      return;
    }
    const first = this.#queue.shift();
    if (answer.kind === 'failed') first?.reject(answer.error);
    else first?.resolve(answer.result);
    this.#send();
  }

  #send(): void {
    const next = this.#queue[0];
    if (next !== undefined) this.#life?.port.postMessage(next.task, next.transferList);
  }

  #ended(life: Life, error: unknown): void {
    if (this.#life !== life) return;
    this.#life = undefined;
    const { name, log, fields } = this.#options;
    const cause = life.cause ?? error;
    // It would fail again and again.
    endWhereGivenUp(cause);
    if (life.serving) this.#queue.shift()?.reject(cause);
    if (life.serving && !this.#closing) {
      log.error({ ...fields, err: cause }, `${name} died and is replaced`);
      this.#release(life);
      this.#life = this.#start();
      this.#send();
      return;
    }
    this.#forget(life, `failed at its start: ${cause instanceof Error ? cause.message : String(cause)}`);
    if (this.#closing) return;
    log.error({ ...fields, err: cause, again_in_ms: AGAIN_MS }, `${name} could not be started`);
    this.#again = setTimeout(() => {
      this.#life = this.#start();
    }, AGAIN_MS);
  }

  /** Nothing waits for a thread that is gone. */
  #forget(life: Life, why: string): void {
    this.#release(life);
    const failure = new Error(`${this.#options.name} ${why}`);
    this.#onBegun(failure);
    this.#onServing(failure);
    for (const { reject } of this.#queue.splice(0)) reject(this.#unavailable());
  }

  #release(life: Life): void {
    clearTimeout(life.late);
    life.port.close();
  }

  #unavailable(): ApiError {
    const { name } = this.#options;
    const why = this.#closing ? 'is being closed' : 'could not be started and is tried again';
    return new ApiError('unavailable', `${name} ${why}: try again`, { retryAfter: 1 });
  }
}

/** A promise that nobody has to await, and what settles it; the first call decides. */
function outcome(): [Promise<void>, (failure?: Error) => void] {
  let settle = (_failure?: Error): void => {};
  const promise = new Promise<void>((resolve, reject) => {
    settle = (failure) => (failure === undefined ? resolve() : reject(failure));
  });
  promise.catch(() => undefined);
  return [promise, settle];
}
