// What a server is made from.

import type { SharedCounts } from '../accounts/shared-counts.js';
import type { AlertsOptions } from '../alerts/alerts.js';
import type { ClvSource } from '../clv/source.js';
import type { Config } from '../config/config.js';
import type { EngineOptions } from '../engine/engine-options.js';
import type { EngineView } from '../engine/engine-view.js';
import type { Feed, IngestSink } from '../feeds/feed.js';
import type { HistorySource } from '../history/source.js';
import type { Clock } from '../model/clock.js';
import type { Log } from '../observe/log.js';
import type { PlayerOptions } from '../replay/player.js';

export interface ServerParts {
  config: Config;
  feeds: readonly Feed[];
  clock: Clock;
  log: Log;
  /** The program's release. */
  version: string;
  /** Replaces the engine in this process. */
  engine?: EngineView;
  /** What the engine in this process publishes to others, and its role among them. */
  outside?: Pick<EngineOptions, 'onBatch' | 'node'>;
  /** The recording that is served, on a clock of its own. */
  replay?: ServedRecording;
  /** The feeds start when it settles; at once by default. */
  feedsAfter?: Promise<void>;
  /** The counts of other processes for requests and streams of the same keys. */
  sharedCounts?: SharedCounts;
  /** Changes of the process that writes the log, as seen by this one; none by default. */
  leaseChanges?: () => number;
  /** Several processes of ours listen on the port. */
  sharedPort?: boolean;
  /** The name of this process among several: a label of every metric. */
  label?: string;
  /** Merges this process's metrics with those of the others. */
  collectMetrics?: (own: string) => Promise<string>;
  /** Overrides the usual timings of alerts. */
  alerts?: Pick<AlertsOptions, 'schedule' | 'timeoutMs'>;
  /** The history, if another process stores it. */
  history?: HistorySource & ClvSource;
  /** A thread failed at its start when the server already listened: the process is of no use. By default only logged. */
  onFailure?(error: Error): void;
  /** Wraps the feeds' sink (recording). */
  wrapSink?: (sink: IngestSink) => IngestSink;
}

export interface ServedRecording extends Omit<PlayerOptions, 'target' | 'times' | 'wait'> {
  /** Names the positions of the recording: the same in every run. */
  epoch: string;
  simulated: boolean;
  /** The directory's control store has the bets of an earlier run. */
  again: boolean;
}
