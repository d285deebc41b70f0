// `overround serve --fronts N`: one engine process and N fronts that share the port, supervised from here. Any of them
// that dies is replaced while the others continue; their logs and metrics go through this process.

import { type ChildProcess, fork } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { monotonicMs } from '../base/model/clock.js';
import { type Config, ConfigError } from '../config/config.js';
import { withKindDefaults } from '../config/settings.js';
import { freePort } from '../front/http/port-free.js';
import { backoffMs } from '../intake/feeds/wait.js';
import { createLog, type Log } from '../server/observe/log.js';
import { mergeMetrics } from '../server/observe/meters.js';
import { startBanner } from './banner.js';
import { CHILD, type CommandContext, keyCommand, type Order, type Report, type StartOrder } from './command-context.js';
import { anySimulated } from './feeds.js';

const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));
/** A process that does not return its metrics in time is omitted. */
const METRICS_MS = 1_000;
/** All have ended within ten seconds of the signal. */
const FRONT_END_MS = 4_500;
const ENGINE_END_MS = 5_000;

/** Resolves when all have ended. Rejects if they could not start. */
export async function supervise(given: Config, context: CommandContext): Promise<void> {
  const config = withKindDefaults(given, await anySimulated(given));
  if (process.platform !== 'linux')
    throw new ConfigError('--fronts needs Linux, which shares a port out among processes');
  if (config.cluster.length > 0)
    throw new ConfigError(
      '--fronts and --cluster cannot be had together: fronts of a cluster are started with --role front',
    );
  const port = await freePort(config.host, config.port);
  const supervisor = new Supervisor({ ...config, port }, context);
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      supervisor.stop().then(resolve, reject);
    };
    context.onSignal((signal) => {
      supervisor.log.info({ signal }, 'closing: finishing what was begun');
      stop();
    });
    supervisor.start().catch((error: unknown) => {
      const failed = (): void => reject(error);
      supervisor.stop().then(failed, failed);
    });
  });
}

type Ready = Extract<Report, { kind: 'ready' }>;

class Supervisor {
  readonly log: Log;
  readonly #config: Config;
  readonly #context: CommandContext;
  readonly #engine: Supervised;
  readonly #fronts: Supervised[];
  /** Those whose first process is not ready yet. */
  readonly #waiting = new Map<Supervised, { ready(report: Ready): void; failed(error: Error): void }>();
  readonly #metrics = new Map<number, (text: string) => void>();
  #lastNo = 0;

  constructor(config: Config, context: CommandContext) {
    this.#config = config;
    this.#context = context;
    this.log = createLog(config.logLevel, { write: context.out }, 'supervisor');
    this.#engine = this.#place('engine', 'engine');
    this.#fronts = Array.from({ length: config.fronts }, (_, place) => this.#place('front', `front-${place + 1}`));
  }

  /** Settles when all serve. */
  async start(): Promise<void> {
    const { host, port, fronts } = this.#config;
    const { simulated, testKeys } = await this.#started(this.#engine);
    await Promise.all(this.#fronts.map((front) => this.#started(front)));
    const { out, command } = this.#context;
    const makeKey = keyCommand(command, this.#config);
    out(`${startBanner({ host, port, simulated, testKeys, makeKey })}\n`);
    out(`${JSON.stringify({ msg: 'listening', host, port, pid: process.pid, fronts })}\n`);
  }

  /** Fronts first, so that the engine finishes what they have begun. Rejects if any had to be killed. */
  async stop(): Promise<void> {
    const fronts = await Promise.allSettled(this.#fronts.map((front) => front.stop(FRONT_END_MS)));
    await this.#engine.stop(ENGINE_END_MS);
    for (const front of fronts) if (front.status === 'rejected') throw front.reason;
  }

  #place(role: StartOrder['role'], label: string): Supervised {
    const supervised: Supervised = new Supervised({
      program: [MAIN, CHILD],
      label,
      order: () => ({
        kind: 'start',
        role,
        label,
        config: this.#config,
      }),
      log: this.log,
      out: this.#context.out,
      report: (report) => this.#received(supervised, report),
      onGone: () => {
        this.#waiting.get(supervised)?.failed(new Error(`${label} ended before it was ready`));
      },
    });
    return supervised;
  }

  #started(supervised: Supervised): Promise<Ready> {
    const ready = new Promise<Ready>((resolve, reject) => {
      this.#waiting.set(supervised, { ready: resolve, failed: reject });
    });
    supervised.start();
    return ready.finally(() => this.#waiting.delete(supervised));
  }

  #received(from: Supervised, report: Report): void {
    switch (report.kind) {
      case 'ready':
        this.log.info({ from: from.label, pid: from.pid, port: report.port }, 'a process is ready');
        this.#waiting.get(from)?.ready(report);
        break;
      case 'failed':
        this.#waiting.get(from)?.failed(new Error(report.message));
        break;
      case 'metrics':
        this.#metrics.get(report.no)?.(report.text);
        break;
      case 'collect':
        this.#collect(from, report.own).then(
          (text) => from.send({ kind: 'collected', no: report.no, text }),
          this.#failed,
        );
        break;
    }
  }

  readonly #failed = (error: unknown): void => {
    this.log.error({ err: error }, 'the metrics of the processes could not be put together');
  };

  async #collect(asking: Supervised, own: string): Promise<string> {
    const others = [this.#engine, ...this.#fronts].filter((each) => each !== asking && each.pid !== undefined);
    return mergeMetrics([own, ...(await Promise.all(others.map((each) => this.#metricsOf(each))))]);
  }

  #metricsOf(supervised: Supervised): Promise<string> {
    const no = ++this.#lastNo;
    return new Promise((resolve) => {
      const done = (text: string): void => {
        clearTimeout(timer);
        this.#metrics.delete(no);
        resolve(text);
      };
      const timer = setTimeout(() => done(''), METRICS_MS);
      this.#metrics.set(no, done);
      supervised.send({ kind: 'metrics', no });
    });
  }
}

// One supervised process: it is replaced when it dies, after a delay that grows with each death in a row. Its output
// lines are labelled, whatever wrote them.

interface SupervisedOptions {
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
    this.#startedMs = monotonicMs();
    let child: ChildProcess;
    try {
      child = fork(file, args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], serialization: 'advanced' });
    } catch (error) {
      this.#notStarted(error);
      return;
    }
    if (child.pid === undefined) {
      // It has no exit.
      child.once('error', (error) => this.#notStarted(error));
      return;
    }
    this.#child = child;
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

  /** Out of memory, files or processes: what passes. */
  #notStarted(error: unknown): void {
    const { log, label } = this.#options;
    log.error({ of: label, err: error }, 'the system starts no process');
    this.#gone(null, null);
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
