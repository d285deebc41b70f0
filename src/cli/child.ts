// A child process of the supervisor: the engine, or one of the fronts. It takes its orders from the channel to the
// supervisor, and ends when that is closed.

import { mcpSdk } from '../front/mcp/sdk.js';
import { loadCatalogue } from '../rules/catalogue/load.js';
import { createLog, type Log } from '../server/observe/log.js';
import { type Serving, serve } from '../server/roles.js';
import { type CommandContext, type Order, onUncaughtErrors, type Report, type StartOrder } from './command-context.js';
import { makeFeeds } from './feeds.js';

export interface ChildContext extends Pick<CommandContext, 'clock' | 'env' | 'version' | 'out' | 'onUncaught'> {
  /** Messages of the supervisor, until it is gone. */
  onOrder(order: (order: Order) => void): void;
  onOrphaned(gone: () => void): void;
  report(report: Report): void;
  /** Signals of the system, which the supervisor receives too: it decides. */
  onSignal(end: (signal: string) => void): void;
}

/** Resolves when the process must end. Rejects if it could not start, or cannot continue. */
export async function runChild(context: ChildContext): Promise<void> {
  let begun: Promise<Child> | undefined;
  await new Promise<void>((resolve, reject) => {
    const end = (): void => {
      if (begun === undefined) resolve();
      else begun.then((child) => child.close()).then(resolve, reject);
    };
    onUncaughtErrors(context, reject);
    context.onOrphaned(end);
    context.onSignal((signal) => {
      // A terminal's interrupt goes to every process at once; the supervisor decides when each must end.
      if (signal === 'SIGTERM') end();
    });
    context.onOrder((order) => {
      if (order.kind === 'stop') end();
      else if (order.kind === 'start') {
        begun = Child.start(order, context, reject);
        begun.catch(reject);
      } else begun?.then((child) => child.take(order)).catch(() => undefined);
    });
  });
}

class Child {
  readonly #context: ChildContext;
  readonly #collecting = new Map<number, (text: string) => void>();
  #running: Serving | undefined;
  #lastNo = 0;

  constructor(context: ChildContext) {
    this.#context = context;
  }

  static async start(order: StartOrder, context: ChildContext, broken: (error: Error) => void): Promise<Child> {
    const { config, label } = order;
    const log = createLog(config.logLevel, { write: context.out }, label);
    const child = new Child(context);
    try {
      child.#running = await child.#start(order, log, broken);
    } catch (error) {
      context.report({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
      throw error;
    }
    return child;
  }

  take(order: Order): Promise<void> | void {
    if (order.kind === 'metrics') return this.#tellMetrics(order.no);
    if (order.kind === 'collected') {
      this.#collecting.get(order.no)?.(order.text);
      this.#collecting.delete(order.no);
    }
  }

  async close(): Promise<void> {
    await this.#running?.close();
  }

  async #start(order: StartOrder, log: Log, broken: (error: Error) => void): Promise<Serving> {
    const { clock, env, version, report } = this.#context;
    const { config, role, label } = order;
    const feeds = role === 'engine' ? await makeFeeds(config, loadCatalogue(config.catalogueDir), env) : [];
    const starting = serve(role === 'engine' ? 'writer' : 'replica', {
      config,
      feeds,
      clock,
      log,
      version,
      supervised: { label, collectMetrics: (own) => this.#collect(own) },
      onFailure: broken,
      onEnd: (reason) => broken(new Error(`${label} ends itself: ${reason}`)),
    });
    // As in a server of one process; the engine answers no request.
    if (role !== 'engine') mcpSdk();
    const running = await starting;
    const { accounts, engine } = running.server;
    const { simulated } = engine.directory;
    const testKeys = simulated && feeds.some((feed) => feed.simulated) ? accounts.testKeys() : [];
    report({ kind: 'ready', port: running.port, simulated, testKeys });
    return running;
  }

  async #tellMetrics(no: number): Promise<void> {
    this.#context.report({ kind: 'metrics', no, text: (await this.#running?.server.metricsText()) ?? '' });
  }

  #collect(own: string): Promise<string> {
    const no = ++this.#lastNo;
    return new Promise((resolve) => {
      this.#collecting.set(no, resolve);
      this.#context.report({ kind: 'collect', no, own });
    });
  }
}
