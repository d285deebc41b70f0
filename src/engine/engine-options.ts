// What an engine is made from.
import type { Clock } from '../base/model/clock.js';
import type { EngineLog } from '../base/model/log.js';
import type { OperatorSettings } from '../base/model/money.js';
import type { DirectoryOptions } from '../store/data-directory.js';
import type { Durability } from '../store/shard-env.js';
import type { LogBatch } from '../writer/pool/protocol.js';
import type { Retention } from '../writer/pool/shard-writer.js';

export interface EngineOptions {
  dataDir: string;
  /** What a new directory will hold: simulated odds, or real ones (the default). */
  simulated?: boolean;
  clock: Clock;
  /** Undefined means the built-in catalogue. */
  catalogueDir: string | undefined;
  /** Overrides those of the catalogue's books. */
  money?: OperatorSettings;
  /** Number of shard threads of a new data directory; an existing one keeps its number. */
  workers: number;
  durability: Durability;
  retention: Retention;
  queueQuotesMax: number;
  /** How far behind the Free tier's table is, in seconds; 60 by default. */
  delaySeconds?: number;
  log: EngineLog;
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
  /** The role of this process among others; alone by default. */
  node?: NodeFacts;
}

export interface NodeFacts {
  role: 'engine' | 'all';
  /** Name of the process that writes the log; null if there is none. */
  readonly writer: string | null;
  /** Number of live front processes. */
  readonly fronts: number;
}
