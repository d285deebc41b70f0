// What a server is made from: what its program gives it, whatever its role, and what its role gives it.

import type { SharedCounts } from '../accounts/shared-counts.js';
import type { AlertsOptions } from '../alerts/alerts.js';
import type { Clock } from '../base/model/clock.js';
import type { Config } from '../config/config.js';
import type { Engine } from '../engine/engine.js';
import type { PlayerOptions } from '../engine/replay/player.js';
import type { Feed } from '../intake/feeds/feed.js';
import type { Writer } from '../replication/port/source.js';
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
