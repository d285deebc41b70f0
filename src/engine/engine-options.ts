// What an engine is made from, and what its callers give it and get.

import { randomBytes } from 'node:crypto';
import type { Caller } from '../accounts/key-record.js';
import type { Clock } from '../base/model/clock.js';
import type { EngineLog } from '../base/model/log.js';
import type { OperatorSettings } from '../base/model/money.js';
import type { BatchReceipt } from '../base/model/normal-message.js';
import type { UniverseSpec } from '../base/model/opportunity.js';
import { DAY_MS } from '../base/model/time.js';
import type { Unmatched } from '../base/model/unmatched.js';
import type { Config } from '../config/config.js';
import { moneyOf } from '../config/settings.js';
import type { EvaluationQuestion } from '../detection/question.js';
import type { FeedInfo } from '../intake/feeds/feed-watch.js';
import type { UnknownLists } from '../intake/ingest/unknown-names.js';
import type { ControlAnswer, ControlRequest } from '../log/control/control-queue.js';
import type { Opportunity } from '../log/delta/opportunity.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import type { DataDirectory, DirectoryOptions } from '../store/data-directory.js';
import type { DelayedStore } from '../store/delayed-store.js';
import type { Durability } from '../store/shard-env.js';
import { RecordedPositions } from '../store/shared-memory.js';
import type { LogBatch } from '../writer/pool/protocol.js';
import type { Retention } from '../writer/pool/shard-writer.js';

interface CommonOptions {
  clock: Clock;
  /** Undefined means the built-in catalogue. */
  catalogueDir: string | undefined;
  /** Overrides those of the catalogue's books. */
  money?: OperatorSettings;
  /** How far behind the Free tier's table is, in seconds; 60 by default. */
  delaySeconds?: number;
  log: EngineLog;
  /** The role of this process among others; alone by default. */
  node?: NodeFacts;
  /** If another process writes the log, always or at times: what it is asked by. */
  remote?(catalogue: Catalogue): RemoteWriter;
}

/** With the shards in this process. */
export interface EngineOptions extends CommonOptions {
  dataDir: string;
  /** What a new directory will hold: simulated odds, or real ones; by default what comes first. */
  simulated?: boolean | undefined;
  /** Number of shard threads of a new data directory; an existing one keeps its number. */
  workers: number;
  durability: Durability;
  retention: Retention;
  queueQuotesMax: number;
  /**
   * Called with each committed batch in the order of positions, before this process's own readers: for followers of the
   * log in other processes. The batch's memory is valid during the call.
   */
  onBatch?: (batch: LogBatch) => void;
  /** It accepts nothing until lead() is called: another machine writes the log, and this one follows it. */
  standby?: boolean;
  /** Of a new directory, in place of random ones. */
  named?: DirectoryOptions['named'];
  /** Time passes only with passTime(): the clock is a recording's. */
  recorded?: boolean;
}

/** Over stores that another process, or what follows the log, writes. */
export interface FrontOptions extends CommonOptions {
  directory: DataDirectory;
  delayedStore: DelayedStore;
  logSeconds: number;
}

/** The answers to a question, best first. Each is exact as of a position from `from` to `to`; equal: all of one state. */
export interface Evaluated {
  opportunities: readonly Opportunity[];
  from: number;
  to: number;
  /** Prices evaluated for them. */
  prices: number;
}

/**
 * The process that writes the log, to an engine that does not, or only at times: it requests there what only the writer
 * can do.
 */
export interface RemoteWriter {
  start(): void;
  /** Everything up to a position is shown here. */
  reached(position: number): void;
  /** Settles when everything valid in them is shown here. */
  ingest(raw: readonly unknown[], options?: IngestOptions): Promise<IngestAnswer>;
  runControl(request: ControlRequest): Promise<ControlAnswer>;
  evaluate(question: EvaluationQuestion, caller: Caller): Promise<Evaluated>;
  unmatched(): Promise<Unmatched[]>;
  ensureUniverse(spec: UniverseSpec, caller?: Caller): Promise<void>;
  isWatched(key: string): boolean;
  dropUniverse(key: string): void;
  close(): Promise<void>;
}

/** The role of this process among those that share one log. */
export interface NodeFacts {
  /** `all` if engine and front are one. */
  readonly role: 'engine' | 'front' | 'all';
  /** It writes the log itself. */
  readonly leads: boolean;
  /** The name of the process that writes the log; null if there is none. */
  readonly writer: string | null;
  /** How far the table is behind the writer; 0 in the writer itself. */
  readonly lagMs: number;
  /** Live front processes, including this one if it is a front. */
  readonly fronts: number;
  /** If feeds run in another process: the last reported state of them. */
  readonly feeds?: readonly FeedInfo[];
}

/** The result of one caller's messages. */
export interface IngestAnswer extends BatchReceipt {
  /** Messages of which nothing was valid. */
  unread: number;
  /** Position at which a table shows them. */
  position: number;
  /** Names in them that the catalogue does not know. */
  unknown: UnknownLists;
}

export interface IngestOptions {
  /** monotonicMs at which reading the messages began; now by default. */
  sinceMs?: number;
  /** A message with a name that the catalogue does not know is rejected. */
  strict?: boolean;
  /** Messages of the same sender are taken in the order of the calls, also where one is read in several turns. */
  sender?: string;
  /** Who pushes them; none of a feed's. */
  account?: string | undefined;
  /** With the milliseconds that reading took in later turns, if it did. */
  onRead?: (ms: number) => void;
}

export function nodeName(): string {
  return `${randomBytes(4).toString('hex')}-${process.pid}`;
}

// Maps the settings to an engine's options.

const RESULTS_DAYS_LEAST = 2;

type Given = Pick<EngineOptions, 'clock' | 'log' | 'workers' | 'delaySeconds' | 'simulated'>;

export function engineOptions(config: Config, given: Given): EngineOptions {
  return {
    ...given,
    dataDir: config.dataDir,
    catalogueDir: config.catalogueDir,
    money: moneyOf(config),
    durability: config.durability,
    retention: {
      logSeconds: config.logRetentionS,
      logBytesMax: config.logBytesMax,
      fileBytesMax: config.mapBytesMax,
      // As long as history, and never less than until the last corrections of a game.
      resultsMs: Math.max(config.historyDays, RESULTS_DAYS_LEAST) * DAY_MS,
      resultSources: config.resultSources,
      ...(config.historyDays > 0 ? { recorded: RecordedPositions.memory() } : {}),
    },
    queueQuotesMax: config.ingestQueueMax,
  };
}
