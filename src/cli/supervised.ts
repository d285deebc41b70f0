// One supervised process: it is replaced when it dies, after a delay that grows with each death in a row. Its output
// lines are labelled, whatever wrote them.
import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { monotonicMs } from '../base/model/clock.js';
import { backoffMs } from '../intake/feeds/backoff.js';
import type { Log } from '../server/observe/log.js';
import type { Order, Report, StartOrder } from './processes.js';

export interface SupervisedOptions {
  /** The program's entry point, and its arguments. */
  program: readonly [file: string, ...args: string[]];
  label: string;
  /** Made for each process. */
  order(): StartOrder;
  log: Log;
  out(text: string): void;
  report(report: Report): void;
  /** A process of this slot has ended. */
  onGone(): void;
}

const BACKOFF = { firstMs: 100, capMs: 5_000 };
/** A process that lived this long did not fail at its start. */
const SETTLED_MS = 10_000;

export class Supervised {
  readonly #options: SupervisedOptions;
  #child: ChildProcess | undefined;
  #startedMs = 0;
  #deaths = 0;
  #stopping = false;
  #again: NodeJS.Timeout | undefined;
  #ended: Promise<void> = Promise.resolve();

  constructor(options: SupervisedOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get label(): string {
    return this.#options.label;
  }

  start(): void {
    const { program, log, label } = this.#options;
    const [file, ...args] = program;
    const child = fork(file, args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], serialization: 'advanced' });
    this.#child = child;
    this.#startedMs = monotonicMs();
    this.#pass(child);
    child.on('message', (report) => this.#options.report(report as Report));
    // Followed by its exit, or caused by a message to one that has ended.
    child.on('error', (error) => log.debug({ of: label, err: error }, 'a process could not be reached'));
    this.#ended = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        this.#child = undefined;
        this.#gone(code, signal);
        resolve();
      });
    });
    this.send(this.#options.order());
  }

  send(order: Order): void {
    if (this.#child?.connected) this.#child.send(order, () => undefined);
  }

  /** Ends the process without a replacement. Rejects if it had to be killed after this long. */
  async stop(withinMs: number): Promise<void> {
    const { label } = this.#options;
    let killed = false;
    this.#stopping = true;
    clearTimeout(this.#again);
    this.send({ kind: 'stop' });
    const late = setTimeout(() => {
      killed = this.#child?.kill('SIGKILL') ?? false;
    }, withinMs);
    await this.#ended;
    clearTimeout(late);
    if (killed) throw new Error(`${label} did not end within ${withinMs / 1000} s and was killed`);
  }

  #gone(code: number | null, signal: NodeJS.Signals | null): void {
    const { log, label } = this.#options;
    this.#options.onGone();
    if (this.#stopping) return;
    this.#deaths = monotonicMs() - this.#startedMs >= SETTLED_MS ? 1 : this.#deaths + 1;
    const waitMs = Math.round(backoffMs(this.#deaths, BACKOFF, () => 1));
    log.error({ of: label, code, signal, again_in_ms: waitMs }, 'a process ended and is replaced');
    this.#again = setTimeout(() => this.start(), waitMs);
  }

  /** Its log is labelled already; output of the system in its name is not. */
  #pass(child: ChildProcess): void {
    const { out, log, label } = this.#options;
    createInterface({ input: child.stdout! }).on('line', (line) => out(`${line}\n`));
    createInterface({ input: child.stderr! }).on('line', (line) => {
      if (line !== '') log.error({ of: label }, line);
    });
  }
}
