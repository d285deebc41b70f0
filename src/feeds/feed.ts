// The port every feed stands behind: it makes ingest messages and hands them to a sink that answers when they are
// committed. The sink's promise is the back-pressure: a feed waits for it before it sends more.

import type { IngestMessage } from '../ingest/message.js';
import type { Clock } from '../model/clock.js';
import type { IngestReceipt } from '../model/normal-message.js';

export type { IngestReceipt } from '../model/normal-message.js';

export type IngestSink = (messages: IngestMessage[]) => Promise<IngestReceipt>;

export interface FeedLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What is counted of a feed beside its state; each is a counter of /metrics. */
export const FEED_COUNTS = ['messages', 'bad_messages', 'gaps', 'reconnects', 'failed_requests'] as const;
export type FeedCount = (typeof FEED_COUNTS)[number];

/** Where a feed tells what the sink can't see. A part is what may fail by itself: a sport, a market. */
export interface FeedReport {
  succeeded(part: string): void;
  /** Until its next success the part counts as failing, for this reason. */
  failed(part: string, reason: string): void;
  /** Not there where nobody counts. */
  counted?(what: FeedCount): void;
}

export interface FeedContext {
  clock: Clock;
  sink: IngestSink;
  log: FeedLog;
  /** Not there where nobody asks how the feed is. */
  report?: FeedReport;
}

export interface Feed {
  /** As given on the command line, without secrets. */
  readonly name: string;
  /** True where the prices are made up: /health and the start banner say so. */
  readonly simulated: boolean;
  /** Runs until stopped (or, for a recording, until its end); rejects only on what no retry can mend. */
  run(context: FeedContext): Promise<void>;
  /** Asks the feed to end; run() settles soon after. */
  stop(): void;
}
