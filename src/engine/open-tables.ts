// The tables of a process, filled from the stores of its data directory, and what applies the log to them.

import type { Clock } from '../base/model/clock.js';
import type { EngineLog } from '../base/model/log.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import type { DataDirectory } from '../store/data-directory.js';
import type { DelayedStore } from '../store/delayed-store.js';
import { DelayedTable } from '../tables/delayed/delayed-table.js';
import { loadTables } from '../tables/load.js';
import { OpportunityTable } from '../tables/opportunity-table.js';
import { OddsTable } from '../tables/table.js';
import { Follower } from './follower.js';

export interface TablesOptions {
  catalogue: Catalogue;
  directory: DataDirectory;
  delayedStore: DelayedStore;
  /** Another process writes the stores. */
  readOnly: boolean;
  /** The stores may have more of one shard than of another: what is missing is in the log that is followed. */
  follows: boolean;
  clock: Clock;
  /** How far behind the Free tier's table is. */
  delaySeconds: number;
  logSeconds: number;
  log: EngineLog;
  /** Position up to which everything is shown, if that is past the table's. */
  reached(): number;
  /** Source of the deltas, on diagnostics channels. */
  source: object;
}

export interface Tables {
  table: OddsTable;
  opportunities: OpportunityTable;
  delayed: DelayedTable;
  follower: Follower;
}

/** Throws StorageDamaged if a store cannot be read. */
export function openTables(options: TablesOptions): Tables {
  const { catalogue, directory, delayedStore, readOnly, follows, reached, source, ...rest } = options;
  const { envs, createdPosition, fellBack } = directory;
  const table = new OddsTable(catalogue);
  const opportunities = new OpportunityTable();
  const { position, shards } = loadTables(table, opportunities, envs);
  table.position = Math.max(position, createdPosition);
  // Before its first position the directory has nothing that could have been removed.
  table.tombstones.completeFrom = Math.max(table.tombstones.completeFrom, createdPosition);
  const delayed = new DelayedTable({
    ...rest,
    catalogue,
    envs,
    store: delayedStore,
    readOnly,
    keepBook: (book) => catalogue.tierAllows('free', book),
    completeTo: () => (follows && reached() < position ? Math.min(...shards) : Math.max(table.position, reached())),
    createdPosition,
    fellBack,
  });
  const follower = new Follower({ table, opportunities, source }, envs, shards, rest.logSeconds);
  return { table, opportunities, delayed, follower };
}
