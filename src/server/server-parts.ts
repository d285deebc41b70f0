// What a server is made from: what its program gives it, whatever its role, and what its role gives it; what it
// does only while it writes the log, and how it ends.

import type { SharedCounts } from '../accounts/shared-counts.js';
import type { AlertsOptions } from '../alerts/alerts.js';
import type { Clock } from '../base/model/clock.js';
import type { Config } from '../config/config.js';
import type { Engine } from '../engine/engine.js';
import type { PlayerOptions } from '../engine/replay/player.js';
import type { Feed } from '../intake/feeds/feed.js';
import type { Terms, Writer } from '../replication/port/source.js';
import type { ServedHistory } from './history-keeper.js';
import type { Log } from './observe/log.js';

export interface ServerParts {
  config: Config;
  feeds: readonly Feed[];
  clock: Clock;
  log: Log;
  /** The program's release. */
  version: string;
  /** The recording that is served, on a clock of its own. */
  replay?: ServedRecording;
  /** Among processes with a supervisor. */
  supervised?: Supervised;
  /** Overrides the usual timings of alerts. */
  alerts?: Pick<AlertsOptions, 'schedule' | 'timeoutMs'>;
  /** A thread failed at its start when the server already listened: the process is of no use. By default only logged. */
  onFailure?(error: Error): void;
  /** The log can no longer be followed: the server must be closed, and started anew. */
  onEnd?(reason: string): void;
}

export interface Supervised {
  /** The name of this process among several: a label of every metric. */
  label: string;
  /** Merges this process's metrics with those of the others. */
  collectMetrics(own: string): Promise<string>;
}

export interface RoleParts {
  /** Closed with the server. */
  engine: Engine;
  /** When this process writes the log. */
  writer: Writer;
  /** Undefined if history is disabled. */
  history: ServedHistory | undefined;
  /** The counts of other processes for requests and streams of the same keys. */
  sharedCounts?: SharedCounts;
  /** Changes of the process that writes the log, as seen by this one; none by default. */
  leaseChanges?: () => number;
  /** Several processes of ours listen on the port. */
  sharedPort?: boolean;
}

export interface ServedRecording extends Omit<PlayerOptions, 'target' | 'times' | 'wait' | 'onSeeking'> {
  /** Names the positions of the recording: the same in every run. */
  epoch: string;
  simulated: boolean;
  /** The directory's control store has the bets of an earlier run. */
  again: boolean;
}

type Step = readonly [what: string, end: () => unknown];

/** The end of a server, step after step. A step that fails does not keep the ones after it from being done. */
export class Shutdown {
  readonly #steps: Step[] = [];
  #at: string | null = null;
  #running: Promise<void> | undefined;

  /** The step that is under way; null before and after. */
  get at(): string | null {
    return this.#at;
  }

  /** What was opened last is closed first. */
  add(what: string, end: () => unknown): void {
    this.#steps.unshift([what, end]);
  }

  /** Once, however often it is called. Rejects at the end with the first failure. @param steps by default those added */
  run(steps: Iterable<Step> = this.#steps): Promise<void> {
    this.#running ??= this.#run(steps);
    return this.#running;
  }

  async #run(steps: Iterable<Step>): Promise<void> {
    const failures: unknown[] = [];
    for (const [what, end] of steps) {
      this.#at = what;
      try {
        await end();
      } catch (error) {
        failures.push(error);
      }
    }
    this.#at = null;
    if (failures.length > 0) throw failures[0];
  }
}

interface Closed {
  close(): Promise<void>;
}

/**
 * What a server does only while its process writes the log: it evaluates and sends alerts, and from the first time on it runs
 * feeds. One term's alerts are over before the next one's begin.
 */
export function serverTerms(openAlerts: () => Closed, log: Log): ServerTerms {
  let nowBegun = (): void => {};
  const begun = new Promise<void>((resolve) => {
    nowBegun = resolve;
  });
  let alerts: Closed | undefined;
  let turn: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void> | void): Promise<void> => {
    turn = turn.then(work).catch((error: unknown) => log.error({ err: error }, 'alerts could not be continued'));
    return turn;
  };
  return {
    begun,
    begin: () => {
      nowBegun();
      void inTurn(() => {
        alerts = openAlerts();
      });
    },
    end: () =>
      inTurn(async () => {
        await alerts?.close();
        alerts = undefined;
      }),
  };
}

export interface ServerTerms extends Terms {
  /** Settles when the first term begins. */
  readonly begun: Promise<void>;
}
