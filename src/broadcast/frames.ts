// Frames of the odds channel, written once a group: the same events for SSE and WebSocket, in each one's clothes.
import type { OddsTable } from '../table/table.js';
import type { Changes } from './changes.js';
import { isNews } from './changes.js';
import type { FrameWriter } from './frame-writer.js';
import type { StreamFilter } from './stream-filter.js';

/** Rows in one event at most (the spec's bound for snapshots, kept for all). */
export const ROWS_PER_EVENT = 1_000;

/** How a transport wraps an event. `id` is the position the client's state is complete up to, or null. */
export interface Dress {
  open(writer: FrameWriter, type: string): void;
  close(writer: FrameWriter, position: number | null): void;
}

/** `event:`, `data:` and `id:` lines; the id comes last, which the format allows. */
export const sseDress: Dress = {
  open(writer, type) {
    writer.ascii(`event: ${type}\ndata: `);
  },
  close(writer, position) {
    writer.ascii(position === null ? '\n\n' : `\nid: evt_${position}\n\n`);
  },
};

/**
 * Writes what changed for a filter: removals, then whole rows, then price deltas, a book at a time. Only the last event
 * carries the position: before it the client's state is not complete. Answers false where nothing matched.
 */
export function writeChanges(
  writer: FrameWriter,
  dress: Dress,
  table: OddsTable,
  filter: StreamFilter,
  changes: Changes,
): boolean {
  const gone = new Map<number, string[]>();
  for (const tombstone of changes.removed) if (filter.hasTombstone(tombstone)) push(gone, tombstone.book, tombstone.id);
  const added = new Map<number, number[]>();
  const updated = new Map<number, number[]>();
  const { book, event } = table.columns;
  for (const slot of changes.rows) {
    if (!filter.hasRow(slot) || !filter.hasEvent(table.events.at(event[slot]!))) continue;
    push(isNews(table, slot, changes.after) ? added : updated, book[slot]!, slot);
  }
  let left = pieces(gone) + pieces(added) + pieces(updated);
  if (left === 0) return false;
  const close = (): void => dress.close(writer, --left === 0 ? changes.upTo : null);
  for (const [no, ids] of gone)
    for (let at = 0; at < ids.length; at += ROWS_PER_EVENT) {
      const part = ids.slice(at, at + ROWS_PER_EVENT);
      dress.open(writer, 'odds:removed');
      writer.ascii(`{"ids":["${part.join('","')}"],"count":${part.length},"book":"${table.books.name(no)}"}`);
      close();
    }
  for (const [no, slots] of added)
    for (let at = 0; at < slots.length; at += ROWS_PER_EVENT) {
      const part = slots.slice(at, at + ROWS_PER_EVENT);
      dress.open(writer, 'odds:added');
      writeRows(writer, table, part);
      writer.ascii(`,"count":${part.length},"book":"${table.books.name(no)}"}`);
      close();
    }
  for (const [no, slots] of updated)
    for (let at = 0; at < slots.length; at += ROWS_PER_EVENT) {
      const part = slots.slice(at, at + ROWS_PER_EVENT);
      const partial = at + ROWS_PER_EVENT < slots.length;
      dress.open(writer, 'odds:update');
      writeDeltas(writer, table, part);
      writer.ascii(`,"count":${part.length},"book":"${table.books.name(no)}","partial":${partial}}`);
      close();
    }
  return true;
}

/** `{"odds":[rows]` without the closing brace. */
export function writeRows(writer: FrameWriter, table: OddsTable, slots: readonly number[]): void {
  writer.ascii('{"odds":[');
  for (let i = 0; i < slots.length; i++) {
    if (i > 0) writer.ascii(',');
    writer.row(table.bytes, slots[i]!);
  }
  writer.ascii(']');
}

function writeDeltas(writer: FrameWriter, table: OddsTable, slots: readonly number[]): void {
  writer.ascii('{"odds":[');
  for (let i = 0; i < slots.length; i++) {
    const slot = slots[i]!;
    writer.ascii(`${i > 0 ? ',' : ''}{"id":"${table.columns.id[slot]}",`);
    writer.delta(table.bytes, slot);
    writer.ascii('}');
  }
  writer.ascii(']');
}

function push<T>(map: Map<number, T[]>, key: number, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function pieces(map: ReadonlyMap<number, readonly unknown[]>): number {
  let count = 0;
  for (const list of map.values()) count += Math.ceil(list.length / ROWS_PER_EVENT);
  return count;
}
