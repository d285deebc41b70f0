// Fills a table from the shards' stores at start: rows from their slabs, removals of the last minutes from the logs.
import { encodePrice, encodeProbability } from '../shard/row-json.js';
import type { ShardEnv } from '../store/shard-env.js';
import { cutPosition, readRemovals, readTable } from '../store/shard-reader.js';
import type { RowNumbers, StoredRow } from '../store/slab.js';
import type { TableEvent } from './events.js';
import type { OddsTable } from './table.js';
import type { Tombstone } from './tombstones.js';

export interface Loaded {
  position: number;
  /** Position after which every removal is known. */
  completeFrom: number;
}

export function loadTable(table: OddsTable, envs: readonly ShardEnv[], keepBook?: (book: string) => boolean): Loaded {
  let position = 0;
  let completeFrom = 0;
  for (const [shard, env] of envs.entries()) {
    position = Math.max(position, loadShard(table, env, shard, keepBook));
    completeFrom = Math.max(completeFrom, cutPosition(env));
  }
  const slots = new Uint32Array(table.rowCount);
  for (let slot = 1; slot <= slots.length; slot++) slots[slot - 1] = slot;
  table.recency.rebuild(slots);
  loadTombstones(table, envs);
  table.tombstones.completeFrom = completeFrom;
  table.position = position;
  return { position, completeFrom };
}

function loadShard(
  table: OddsTable,
  env: ShardEnv,
  shard: number,
  keepBook: ((book: string) => boolean) | undefined,
): number {
  const parts = new PartsBuffer();
  const position = readTable(env, {
    event: (event) => {
      table.events.upsert(shard, event, table.order);
    },
    book: (eventNo, book, polledUs, rows, numbers) => {
      const event = table.events.find(shard, eventNo);
      if (event === undefined || keepBook?.(book) === false) return;
      const bookNo = table.books.number(book);
      table.bookPolledMs[bookNo] = Math.max(table.bookPolledMs[bookNo] ?? 0, polledUs / 1000);
      for (const [i, row] of rows.entries()) insertRow(table, shard, event, bookNo, row, numbers[i]!, parts);
    },
  });
  return position;
}

function insertRow(
  table: OddsTable,
  shard: number,
  event: TableEvent,
  book: number,
  fixed: StoredRow,
  numbers: RowNumbers,
  parts: PartsBuffer,
): void {
  const [, id, , market, selection, selectionType, player, stat, team, alternate, , , , , head, rest] = fixed;
  const lengths = parts.fill(head, encodePrice(numbers, event.live), encodeProbability(numbers), rest);
  table.insert(shard, event, book, {
    ...numbers,
    id,
    market,
    selection,
    selectionType,
    player,
    stat,
    team,
    alternate,
    source: parts.buffer,
    at: 0,
    lengths,
  });
}

/** A row's parts one behind the other, in a buffer used again for the next row. */
class PartsBuffer {
  buffer = Buffer.alloc(64 * 1024);

  fill(head: Uint8Array, price: string, probability: string, rest: Uint8Array) {
    const size = head.length + price.length + probability.length + rest.length;
    if (size > this.buffer.length) this.buffer = Buffer.alloc(size * 2);
    this.buffer.set(head, 0);
    // Prices and times are plain ASCII.
    this.buffer.write(price, head.length, 'latin1');
    this.buffer.write(probability, head.length + price.length, 'latin1');
    const priceLength = price.length + probability.length;
    this.buffer.set(rest, head.length + priceLength);
    return { head: head.length, price: priceLength, delta: price.length, rest: rest.length };
  }
}

/** Removals as old as the logs, in the order of positions. */
function loadTombstones(table: OddsTable, envs: readonly ShardEnv[]): void {
  const tombstones: Tombstone[] = [];
  for (const env of envs)
    for (const { position, rows } of readRemovals(env))
      for (const { book, market, ...removal } of rows)
        tombstones.push({
          ...removal,
          position,
          book: table.books.number(book),
          market: table.markets.number(market),
        });
  tombstones.sort((a, b) => a.position - b.position);
  for (const tombstone of tombstones) table.tombstones.push(tombstone);
}
