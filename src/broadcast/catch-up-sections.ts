// The parts of sequences of frames. Of long ones: kinds of items in orders that stay stable while a slow client is led through
// them. Removals and ends are ordered by their number, rows and opportunities by slot, items of keyed channels by the number
// of their change.

import type { NewsWalk } from '../answers/opportunities/views.js';
import type { StreamFilter } from '../tables/filter/stream-filter.js';
import type { Tombstone } from '../tables/tombstones.js';
import { type Changes, isNew, isSentWhole, isStill } from './changes.js';
import {
  type FrameParts,
  ITEM_BYTES,
  lastUpdate,
  leftPieces,
  newsPieces,
  type Piece,
  removedPieces,
  rowPieces,
} from './frame-pieces.js';
import type { ItemWalk } from './keyed-items.js';
import type { NewsWalks } from './news.js';

export interface Taken {
  pieces: Piece[];
  /** Where the following entries begin; null at the end. */
  next: number | null;
}

export interface Section {
  readonly from: number;
  /** Whether something from a place on has been dropped. */
  lost(place: number): boolean;
  /** The entries between two places or, if the second is null, as much as makes a chunk. */
  take(from: number, to: number | null): Taken;
  /** An event without contents. */
  readonly nothing: Piece;
}

/** A short sequence: all of it. */
export function listedSection({ sizes }: FrameParts, pieces: Piece[]): Section {
  return {
    from: 0,
    nothing: lastUpdate(''),
    lost: () => false,
    take(from, to) {
      let next = from;
      for (let bytes = 0; next < pieces.length; next++) {
        bytes += pieces[next]!.bytes;
        if (to === null ? next > from && bytes > sizes.chunkBytes : next >= to) break;
      }
      const isAll = from === 0 && next === pieces.length;
      return { pieces: isAll ? pieces : pieces.slice(from, next), next: next < pieces.length ? next : null };
    },
  };
}

/**
 * @param rows the changed rows that match the filter
 * @param left those that do not any more
 */
export function oddsSections(
  parts: FrameParts,
  filter: StreamFilter,
  changes: Changes,
  { rows, left }: { rows: readonly number[]; left: readonly number[] },
): Section[] {
  const sections: Section[] = [];
  if (changes.removed.length > 0) sections.push(removedSection(parts, filter, changes));
  if (left.length > 0) sections.push(leftSection(parts, filter, changes, left));
  if (rows.length > 0) sections.push(rowsSection(parts, filter, changes, rows));
  return sections;
}

function removedSection(parts: FrameParts, filter: StreamFilter, { after, createdUpTo }: Changes): Section {
  const { tombstones } = parts.table;
  const end = tombstones.end;
  return {
    from: tombstones.numberAfter(after),
    nothing: lastUpdate(''),
    lost: (place) => place < tombstones.first,
    take(from, to) {
      const removed: Tombstone[] = [];
      const stop = Math.min(end, to ?? end);
      let at = from;
      for (let bytes = 0; at < stop && (to !== null || bytes < parts.sizes.chunkBytes); at++) {
        const gone = tombstones.at(at)!;
        if (gone.createdPosition > createdUpTo || !filter.hasTombstone(gone)) continue;
        removed.push(gone);
        bytes += ITEM_BYTES.removed;
      }
      return { pieces: removedPieces(parts, removed), next: at < end ? at : null };
    },
  };
}

/** By slot. What has come back since is in the following changes. */
function leftSection(parts: FrameParts, filter: StreamFilter, { upTo }: Changes, left: readonly number[]): Section {
  const { table, sizes } = parts;
  const slots = [...left].sort((a, b) => a - b);
  return {
    from: 0,
    nothing: lastUpdate(''),
    lost: () => false,
    take(from, to) {
      const most = Math.ceil(sizes.chunkBytes / ITEM_BYTES.removed);
      const stop = Math.min(slots.length, to ?? from + most);
      const gone = slots.slice(from, stop).filter((slot) => isStill(table, slot, upTo) && filter.mayHaveLeft(slot));
      return { pieces: leftPieces(parts, gone), next: stop < slots.length ? stop : null };
    },
  };
}

function rowsSection(
  parts: FrameParts,
  filter: StreamFilter,
  { after, upTo }: Changes,
  rows: readonly number[],
): Section {
  const { table, sizes, rows: writer } = parts;
  const { columns } = table;
  const { book } = columns;
  let from = Number.POSITIVE_INFINITY;
  let end = 0;
  /** For each book, the first and the last row that is sent as an update. */
  const updated = new Map<number, { first: number; last: number }>();
  for (const slot of rows) {
    from = Math.min(from, slot);
    end = Math.max(end, slot + 1);
    if (isNew(table, slot, after)) continue;
    const known = updated.get(book[slot]!);
    if (known === undefined) updated.set(book[slot]!, { first: slot, last: slot });
    else {
      known.first = Math.min(known.first, slot);
      known.last = Math.max(known.last, slot);
    }
  }
  const isMeant = (slot: number): boolean =>
    (columns.updatedPosition[slot]! > after || writer.depths?.changedAfter(slot, after) === true) &&
    isStill(table, slot, upTo) &&
    filter.hasRow(slot) &&
    filter.hasEvent(table.events.at(columns.event[slot]!));
  return {
    from,
    nothing: lastUpdate(''),
    lost: () => false,
    take(begin, to) {
      const slots: number[] = [];
      const stop = Math.min(end, to ?? end);
      let at = begin;
      for (let bytes = 0; at < stop && (to !== null || bytes < sizes.chunkBytes); at++) {
        if (!isMeant(at)) continue;
        slots.push(at);
        if (isSentWhole(table, at, after) || filter.canChange) bytes += table.json.length(at) + writer.depthBytes(at);
        if (!isNew(table, at, after)) bytes += ITEM_BYTES.updated + writer.depthBytes(at);
      }
      const pieces = rowPieces(parts, filter, slots, after, (no) => (updated.get(no)?.last ?? 0) >= at);
      // The rows that a book was to end with may have been removed by now.
      const updatedBooks = new Set(pieces.flatMap((piece) => (piece.type === 'updated' ? [piece.book] : [])));
      for (const [no, { first, last }] of updated)
        if (first < begin && last >= begin && last < at && !updatedBooks.has(table.books.name(no)))
          pieces.push(lastUpdate(table.books.name(no)));
      return { pieces, next: at < end ? at : null };
    },
  };
}

/** @param initial the client joins: the first event of each kind says so */
export function newsSections(parts: FrameParts, { opportunities, items }: NewsWalks, initial: boolean): Section[] {
  const sections = opportunities.map((walk) => opportunitySection(parts, walk, initial));
  return [...sections, ...items.map((walk) => itemSection(parts, walk, initial))];
}

function opportunitySection(parts: FrameParts, walk: NewsWalk, initial: boolean): Section {
  const { chunkBytes } = parts.sizes;
  return {
    from: walk.from,
    nothing: { type: 'detected', kind: walk.kinds[0]!, items: [], initial: false, bytes: 0 },
    lost: (place) => walk.lost(place),
    take(from, to) {
      const { news, next } = walk.take(from, to, chunkBytes);
      const first = initial && from === walk.from;
      const missing = first && parts.encoder.sendsEmptyKinds ? walk.kinds : [];
      const empty = missing.filter((kind) => !news.some((list) => list.kind === kind));
      const opportunities = [...news, ...empty.map((kind) => ({ kind, detected: [], expired: [] }))];
      return { pieces: newsPieces(parts, { opportunities, items: [] }, first), next };
    },
  };
}

function itemSection(parts: FrameParts, { name, from: begin, take }: ItemWalk, initial: boolean): Section {
  return {
    from: begin,
    nothing: { type: 'items', name, items: [], initial: false, bytes: 0 },
    lost: () => false,
    take(from, to) {
      const { ids, gone, next } = take(from, to, parts.sizes.chunkBytes);
      return { pieces: newsPieces(parts, { opportunities: [], items: [{ name, ids, gone }] }, initial), next };
    },
  };
}
