// Alerts at a node of a cluster: the writer evaluates and sends them, as a single process does, from rules it takes over
// from the previous writer; other nodes ask it.

import { join } from 'node:path';
import type { AlertSharing, Alerts } from '../alerts/alerts.js';
import type { AlertCaller, AlertSource } from '../alerts/source.js';
import { RemoteAlerts } from '../fronts/remote-alerts.js';
import type { LogSource } from '../log/source.js';
import type { AlertRule, AlertState, NewRule } from '../model/alert.js';
import { noWriter } from '../model/errors.js';
import type { EngineLog } from '../model/log.js';
import { AlertStore } from '../store/alert-store.js';
import { Superseded } from './alert-entries.js';
import { pause } from './attempts.js';
import type { ClusterNats } from './nats.js';
import { SharedAlerts } from './shared-alerts.js';

export interface ClusterAlertsOptions {
  nats: ClusterNats;
  dataDir: string;
  /** Where this node asks the writer. */
  writer: Pick<LogSource, 'request'>;
  /** Evaluates and sends what a directory contains, and shares what becomes of it. */
  open(path: string, sharing: AlertSharing): Pick<Alerts, 'close' | keyof AlertSource>;
  log: EngineLog;
  /** Delay (ms) before rules that could not be taken over are tried again. */
  againMs?: number;
}

const AGAIN_MS = 1_000;
/** A node that writes and is refused this often says so. */
const REFUSALS = 10;
/** How long changes under way may take at the end of a term. */
const DRAIN_MS = 1_000;

export class ClusterAlerts implements AlertSource {
  readonly #options: ClusterAlertsOptions;
  readonly #remote: RemoteAlerts;
  /** The writer's. */
  #alerts: ReturnType<ClusterAlertsOptions['open']> | undefined;
  #shared: SharedAlerts | undefined;
  /** 0 while another node writes. */
  #term = 0;
  #turn: Promise<void> = Promise.resolve();

  constructor(options: ClusterAlertsOptions) {
    this.#options = options;
    this.#remote = new RemoteAlerts(options.writer);
  }

  /** The alerts in this process: what other nodes ask for. Throws ApiError `unavailable` if there are none. */
  get here(): AlertSource {
    if (this.#alerts === undefined) throw noWriter();
    return this.#alerts;
  }

  list(account: string): Promise<AlertState[]> {
    return (this.#alerts ?? this.#remote).list(account);
  }

  create(caller: AlertCaller, rule: NewRule): Promise<AlertRule> {
    return (this.#alerts ?? this.#remote).create(caller, rule);
  }

  remove(account: string, id: string): Promise<boolean> {
    return (this.#alerts ?? this.#remote).remove(account, id);
  }

  /** This node writes from now on. */
  begin(term: number): void {
    this.#term = term;
    this.#turn = this.#turn.then(() => this.#open(term));
  }

  /** It no longer does; settles when nothing is evaluated or sent here any more. */
  end(): Promise<void> {
    this.#term = 0;
    // Rules that are being taken over are the next writer's.
    if (this.#alerts === undefined) this.#shared?.close();
    this.#turn = this.#turn.then(() => this.#close());
    return this.#turn;
  }

  async #open(term: number): Promise<void> {
    const { nats, dataDir, log, open, againMs = AGAIN_MS } = this.#options;
    const path = join(dataDir, 'alerts');
    for (let refusals = 0; this.#term === term; ) {
      const shared = new SharedAlerts({ nats, term, log, onSuperseded: () => this.#again(term) });
      this.#shared = shared;
      try {
        const store = new AlertStore(path);
        await shared.load(store).finally(() => store.close());
        if (this.#term === term) this.#alerts = open(path, shared);
        return;
      } catch (error) {
        shared.close();
        if (this.#term !== term) return;
        if (!(error instanceof Superseded)) log.error({ err: error }, 'alerts could not be taken over; tried again');
        else if (++refusals === REFUSALS)
          log.warn({ term }, 'this node writes the log, but a later writer stores the alerts: they are not evaluated');
        await pause(againMs);
      }
    }
  }

  /** The servers may say so before the lease does. If this node goes on writing nevertheless, it takes over anew. */
  #again(term: number): void {
    const { againMs = AGAIN_MS } = this.#options;
    this.#turn = this.#turn
      .then(() => this.#close())
      .then(() => pause(againMs))
      .then(() => this.#open(term));
  }

  async #close(): Promise<void> {
    const closed = this.#alerts
      ?.close()
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'alerts were not closed in order'));
    this.#alerts = undefined;
    // Changes that the servers do not take in time are found or sent again by the next writer.
    if (closed !== undefined) await Promise.race([closed, pause(DRAIN_MS)]);
    this.#shared?.close();
    await closed;
  }
}
