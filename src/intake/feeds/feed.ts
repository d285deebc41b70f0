// The port of all feeds: a feed makes ingest messages and passes them to a sink whose promise settles when they are
// committed. That promise is the back-pressure: a feed awaits it before it sends more.

import type { Clock } from '../../base/model/clock.js';
import type { IngestReceipt } from '../../base/model/normal-message.js';
import type { IngestMessage } from '../ingest/message.js';

export type { IngestReceipt } from '../../base/model/normal-message.js';

export type IngestSink = (messages: IngestMessage[]) => Promise<IngestReceipt>;

export interface FeedLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Counters of a feed in addition to its state; each is a counter of /metrics. Parts of answers that cannot be are
 * refused; markets are left out whose meaning nothing tells.
 */
export const FEED_COUNTS = [
  'messages',
  'bad_messages',
  'gaps',
  'reconnects',
  'failed_requests',
  'refused_parts',
  'left_out',
] as const;
export type FeedCount = (typeof FEED_COUNTS)[number];

/** Where a feed reports what the sink cannot see. A part is whatever can fail by itself: a sport, a market. */
export interface FeedReport {
  succeeded(part: string): void;
  /** The part counts as failing, for this reason, until its next success. */
  failed(part: string, reason: string): void;
  /** A game was left out because a league's list of teams lacks this name; absent if nobody notes it. */
  unlisted?(league: string, name: string, book: string): void;
  /** An answer has a field that the upstream's documents lack, as `kind.field`; absent if nobody notes it. */
  unknownField?(name: string): void;
  /** Absent if nobody counts. */
  counted?(what: FeedCount, times?: number): void;
}

/** What a feed knows over restarts, by names of its own. */
export interface FeedMemory {
  /** Undefined if nothing was written. */
  read(name: string): unknown;
  /** Settles once it is stored; rejects as the sink does. */
  write(name: string, value: unknown): Promise<void>;
}

export interface FeedContext {
  clock: Clock;
  sink: IngestSink;
  log: FeedLog;
  /** Absent if nothing is kept. */
  memory?: FeedMemory;
  /** `book|league` → the feed that listed its games last in this run, one for all feeds. Absent if there are no others. */
  listers?: Map<string, string>;
  /** Absent if nobody observes the feed's status. */
  report?: FeedReport;
}

export interface Feed {
  /** As given on the command line, without secrets. */
  readonly name: string;
  /** True if the prices are simulated: /health and the start banner say so. */
  readonly simulated: boolean;
  /** Runs until stopped (or, for a recording, until its end); rejects only if no retry can help. */
  run(context: FeedContext): Promise<void>;
  /** Asks the feed to end; run() settles soon after. */
  stop(): void;
}

/** One that ends when it is told to. */
export abstract class StoppableFeed implements Feed {
  readonly name: string;
  readonly simulated: boolean;
  protected readonly stopping = new AbortController();

  constructor(name: string, simulated = false) {
    this.name = name;
    this.simulated = simulated;
  }

  abstract run(context: FeedContext): Promise<void>;

  stop(): void {
    this.stopping.abort();
  }
}
