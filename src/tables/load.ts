// Fills the tables from the shards' stores at the start: rows and opportunities from their slabs, recent removals.

import { Interner } from '../base/memory/detached-text.js';
import { getOrInsert } from '../base/memory/get-or-insert.js';
import { LIMITS } from '../base/model/limits.js';
import { depthOfDetails, ownCommission, withoutDepth } from '../base/model/row-details.js';
import { StorageDamaged } from '../base/model/storage-error.js';
import { openRecord, type RowsOfShard } from '../detection/kinds/recorded-opportunity.js';
import type { Opportunity } from '../log/delta/opportunity.js';
import { dataFileOf } from '../store/data-file.js';
import {
  type LaterOpportunities,
  readEnds,
  readUniverses,
  type StoredEnd,
  type StoredInUniverse,
} from '../store/opportunity-store.js';
import type { ShardEnv } from '../store/shard-env.js';
import {
  cutPosition,
  estimateRows,
  readLogTail,
  readRemovals,
  readTable,
  type SlabVisitor,
} from '../store/shard-reader.js';
import type { TableEvent } from './events.js';
import { RecordedRows } from './recorded-rows.js';
import type { OddsTable } from './table.js';
import type { Tombstone } from './tombstones.js';
import type { OpportunityTable } from './universe-opportunities.js';

export interface Loaded {
  position: number;
  /** For each shard, the position at which it was read. */
  shards: number[];
  /** Likewise its opportunities. */
  opportunities: LaterOpportunities[];
  /** Position after which every removal is known. */
  completeFrom: number;
}

/** Throws StorageDamaged if a shard's store cannot be read. */
export function loadTable(table: OddsTable, envs: readonly ShardEnv[], keepBook?: (book: string) => boolean): Loaded {
  const loaded: ReturnType<typeof loadShard>[] = [];
  let completeFrom = 0;
  for (const [shard, env] of envs.entries()) {
    // Also refuses a store of another version, before it is misread.
    completeFrom = Math.max(completeFrom, cutPosition(env));
    loaded.push(loadShard(table, env, shard, keepBook));
  }
  const shards = loaded.map(({ position }) => position);
  const position = Math.max(0, ...shards);
  const slots = new Uint32Array(table.rowCount);
  for (let slot = 1; slot <= slots.length; slot++) slots[slot - 1] = slot;
  table.recency.rebuild(slots);
  loadTombstones(table, envs);
  table.tombstones.completeFrom = completeFrom;
  // When they changed is not stored: clients that were offline then are sent all of them.
  table.depths.restate(position);
  table.position = position;
  return { position, shards, opportunities: loaded.map(({ opportunities }) => opportunities), completeFrom };
}

/** Also the opportunities. */
export function loadTables(table: OddsTable, opportunities: OpportunityTable, envs: readonly ShardEnv[]): Loaded {
  const loaded = loadTable(table, envs);
  const ends = new Map<string, StoredEnd[]>();
  for (const [shard, env] of envs.entries())
    try {
      const active = loaded.opportunities[shard]!.listed();
      loadOpportunities(opportunities, env, shard, loaded.shards[shard]!, active, new RecordedRows(table, shard));
      for (const end of readEnds(env)) getOrInsert(ends, end.universe, (): StoredEnd[] => []).push(end);
    } catch (error) {
      throw new StorageDamaged(dataFileOf(env.path), error);
    }
  for (const [universe, past] of ends) opportunities.of(universe).restoreEnds(past);
  return loaded;
}

function loadOpportunities(
  opportunities: OpportunityTable,
  env: ShardEnv,
  shard: number,
  position: number,
  stored: Iterable<StoredInUniverse>,
  rows: RowsOfShard,
): void {
  const active = new Map<string, Opportunity[]>();
  for (const { universe, record, detectedUs, updatedPosition } of stored) {
    const opportunity = openRecord(rows, record, 0, detectedUs, updatedPosition);
    if (opportunity !== undefined) getOrInsert(active, universe, (): Opportunity[] => []).push(opportunity);
  }
  for (const [universe, from] of readUniverses(env))
    opportunities.of(universe).restore(shard, position, from, active.get(universe) ?? []);
}

/**
 * The rows of one shard; their order of changes is not rebuilt. Returns the position at which it was read, and its
 * opportunities as of it, to be listed in the same turn of the event loop.
 */
export function loadShard(
  table: OddsTable,
  env: ShardEnv,
  shard: number,
  keepBook: ((book: string) => boolean) | undefined,
): { position: number; opportunities: LaterOpportunities } {
  if (keepBook === undefined) table.reserve(estimateRows(env));
  try {
    const { numbers, opportunities } = readLogTail(env);
    return { position: readTable(env, loader(table, shard, keepBook), numbers), opportunities };
  } catch (error) {
    throw new StorageDamaged(dataFileOf(env.path), error);
  }
}

/** Adds each row to the table. */
function loader(table: OddsTable, shard: number, keepBook: ((book: string) => boolean) | undefined): SlabVisitor {
  const interner = new Interner(LIMITS.sharedTexts.max);
  let event: TableEvent | undefined;
  let bookNo = -1;
  let wanted = false;
  return {
    intern: (text) => interner.intern(text),
    event: (one) => void table.events.upsert(shard, one, table.order),
    book: (eventNo, book, polledUs) => {
      const found = table.events.find(shard, eventNo);
      wanted = found !== undefined && keepBook?.(book) !== false;
      if (!wanted) return;
      event = found;
      const { books, bookPolledMs } = table;
      bookNo = books.number(book);
      bookPolledMs[bookNo] = Math.max(bookPolledMs[bookNo] ?? 0, polledUs / 1000);
    },
    row: (fixed, numbers) => {
      if (!wanted) return;
      const { link, details, ids } = fixed;
      // The reader reuses its object for the next row.
      numbers.commission = ownCommission(details);
      const rest = { link, details: withoutDepth(details), ids };
      const slot = table.insert(shard, event!, bookNo, fixed, numbers, rest);
      const depth = depthOfDetails(details);
      if (depth !== null) table.depths.set(slot, depth, numbers.updatedPosition);
    },
  };
}

/** Removals as far back as the logs, in the order of positions. */
function loadTombstones(table: OddsTable, envs: readonly ShardEnv[]): void {
  const tombstones: Tombstone[] = [];
  for (const env of envs)
    for (const { position, rows } of readRemovals(env))
      for (const { book, market, bornUs: createdPosition, ...removal } of rows)
        tombstones.push({
          ...removal,
          createdPosition,
          position,
          book: table.books.number(book),
          market,
        });
  tombstones.sort((a, b) => a.position - b.position);
  for (const tombstone of tombstones) table.tombstones.push(tombstone);
}
