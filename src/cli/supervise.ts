// `overround serve --fronts N`: one engine process and N fronts that share the port, supervised from here. Any of them
// that dies is replaced while the others continue; their logs and metrics go through this process.
import { fileURLToPath } from 'node:url';
import { type Config, ConfigError } from '../config/config.js';
import { withKindDefaults } from '../config/store.js';
import { freePort } from '../front/http/port-free.js';
import { createLog, type Log } from '../server/observe/log.js';
import { mergeMetrics } from '../server/observe/merge-metrics.js';
import { startBanner } from './banner.js';
import { keyCommand } from './command-line.js';
import { anySimulated } from './feeds.js';
import { CHILD, type Report, type StartOrder } from './processes.js';
import type { ServeContext } from './serve-context.js';
import { Supervised } from './supervised.js';

const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));
/** A process that does not return its metrics in time is omitted. */
const METRICS_MS = 1_000;
/** All have ended within ten seconds of the signal. */
const FRONT_END_MS = 4_500;
const ENGINE_END_MS = 5_000;

/** Resolves when all have ended. Rejects if they could not start. */
export async function supervise(given: Config, context: ServeContext): Promise<void> {
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
  readonly #context: ServeContext;
  readonly #engine: Supervised;
  readonly #fronts: Supervised[];
  /** Those whose first process is not ready yet. */
  readonly #waiting = new Map<Supervised, { ready(report: Ready): void; failed(error: Error): void }>();
  readonly #metrics = new Map<number, (text: string) => void>();
  #lastNo = 0;

  constructor(config: Config, context: ServeContext) {
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
