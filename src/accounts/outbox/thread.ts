// The main thread's side of the thread that sends alerts, which starts with the first rule: most servers have none. A
// thread that dies is replaced: what is stored is sent by the next one.

import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { EngineLog } from '../../base/model/log.js';
import { endWhereGivenUp } from '../../base/model/storage-error.js';
import type { Control } from '../../log/control/control.js';
import type { ControlRequest } from '../../log/control/control-queue.js';
import type { Bot } from './target.js';

const WORKER_FILE = fileURLToPath(new URL('../../../workers/alerts.js', import.meta.url));
const REPLACED_AFTER_MS = 1_000;

export interface OutboxThreadOptions {
  data: OutboxThreadData;
  /** Runs the thread's commands. */
  control: Control;
  log: EngineLog;
}

export class OutboxThread {
  readonly #options: OutboxThreadOptions;
  #worker: Worker | undefined;
  #closing = false;
  #replacing: NodeJS.Timeout | undefined;

  constructor(options: OutboxThreadOptions) {
    if (!existsSync(WORKER_FILE)) throw new Error(`the compiled worker is missing: ${WORKER_FILE}`);
    this.#options = options;
  }

  /** A rule has messages in the store. A thread that is started later sees them by itself. */
  added(ruleId: string): void {
    this.#worker?.postMessage({ kind: 'added', ruleId } satisfies OutboxTask);
  }

  /** The rules changed: the new number of rules in the store. */
  rulesChanged(count: number): void {
    if (this.#worker !== undefined) this.#worker.postMessage({ kind: 'rules' } satisfies OutboxTask);
    else if (count > 0 && this.#replacing === undefined && !this.#closing) this.#start();
  }

  async close(): Promise<void> {
    this.#closing = true;
    clearTimeout(this.#replacing);
    const worker = this.#worker;
    if (worker === undefined) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage({ kind: 'close' } satisfies OutboxTask);
    await ended;
  }

  #start(): void {
    this.#replacing = undefined;
    const { data: workerData, log } = this.#options;
    const worker = new Worker(WORKER_FILE, { workerData });
    this.#worker = worker;
    worker.on('message', (note: OutboxNote) => this.#take(worker, note));
    let cause: unknown;
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', (code) => {
      this.#worker = undefined;
      if (cause !== undefined || !this.#closing)
        log.error({ code, err: cause }, 'the thread that sends alerts died and is replaced');
      endWhereGivenUp(cause);
      if (!this.#closing) this.#replacing = setTimeout(() => this.#start(), REPLACED_AFTER_MS);
    });
  }

  #take(worker: Worker, note: OutboxNote): void {
    const { log } = this.#options;
    switch (note.kind) {
      case 'run':
        void this.#run(worker, note.no, note.request);
        break;
      case 'off':
        log.warn({ alert: note.ruleId, reason: note.reason }, 'an alert is switched off: its target took nothing');
        break;
      case 'failed':
        log.error({ reason: note.message }, 'an alert could not be sent or noted; it will be tried again');
    }
  }

  async #run(worker: Worker, no: number, request: ControlRequest): Promise<void> {
    let done: Pick<Extract<OutboxTask, { kind: 'ran' }>, 'reply' | 'failure'>;
    try {
      done = { reply: await this.#options.control.runHere(request), failure: null };
    } catch (error) {
      done = { reply: null, failure: (error as Error).message };
    }
    worker.postMessage({ kind: 'ran', no, ...done } satisfies OutboxTask);
  }
}

export interface OutboxThreadData {
  /** Of the control store, which this thread reads. */
  path: string;
  hosts: readonly string[];
  telegram: Bot;
  timeoutMs: number;
  waitsMs: readonly number[];
  giveUpMs: number;
}

export type OutboxTask =
  /** A rule was added or removed. */
  | { kind: 'rules' }
  /** A rule's messages were stored. */
  | { kind: 'added'; ruleId: string }
  /** A command was run, and the store shows what it changed; or it could not be. */
  | { kind: 'ran'; no: number; reply: unknown; failure: string | null }
  | { kind: 'close' };

export type OutboxNote =
  /** A command to run. */
  | { kind: 'run'; no: number; request: ControlRequest }
  | { kind: 'off'; ruleId: string; name: string; reason: string }
  | { kind: 'failed'; message: string };
