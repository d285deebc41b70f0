// The pieces of a sequence of frames: one event each, with its contents as slots and ids. Its bytes are made when it is
// written.

import { getOrInsert } from '../base/memory/get-or-insert.js';
import { isActive } from '../base/model/activity.js';
import type { OpportunityKind } from '../base/model/opportunity.js';
import { type KeyedName, keyedWords } from '../base/model/stream-channels.js';
import type { StreamFilter } from '../tables/filter/stream-filter.js';
import type { OddsTable } from '../tables/table.js';
import type { Tombstone } from '../tables/tombstones.js';
import type { CutSizes } from './change-frames.js';
import type { FrameEncoder, FramePosition } from './frame-encoder.js';
import type { FrameWriter, RowWriter } from './frame-writer.js';
import type { News } from './news.js';

/** Estimated maximum size of an item, unless it is looked up. */
export const ITEM_BYTES = { removed: 24, updated: 400 } as const;
/** Size of an event beside its items. */
const EVENT_BYTES = 150;

/** `bytes` is the approximate size of its event. */
export type Piece = { bytes: number } & (
  | { type: 'removed'; items: readonly string[]; book: string }
  | { type: 'added'; items: readonly number[]; book: string }
  | { type: 'updated'; items: readonly number[]; book: string; partial: boolean }
  | { type: 'locked'; items: readonly number[]; book: string }
  /** Items are ids, here and below: their texts are made when they are written. */
  | { type: 'detected'; items: readonly string[]; kind: OpportunityKind; initial: boolean }
  | { type: 'expired'; items: readonly string[]; kind: OpportunityKind }
  | { type: 'items'; items: readonly string[]; name: KeyedName; initial: boolean }
  | { type: 'gone'; items: readonly string[]; name: KeyedName }
);

export interface FrameParts {
  table: OddsTable;
  rows: RowWriter;
  encoder: FrameEncoder;
  sizes: CutSizes;
  /** The time in *:expired, RFC 3339. */
  timestamp: string;
  /** An opportunity as it is now, as JSON; undefined if there is nothing to send of it any more. */
  textOf(id: string): string | undefined;
  /** The same for an item of a keyed channel. */
  itemOf(name: KeyedName, id: string): string | undefined;
}

/** Writes a piece of a sequence of frames that leads up to `upTo`. */
export function writePiece(
  writer: FrameWriter,
  parts: FrameParts,
  piece: Piece,
  upTo: number,
  at: FramePosition,
): void {
  const { table, encoder, rows, timestamp } = parts;
  switch (piece.type) {
    case 'removed':
      encoder.removed(writer, piece.items, piece.book, at);
      break;
    case 'added':
      encoder.added(writer, rows, stillPresent(table, piece.items, upTo), piece.book, at);
      break;
    case 'updated':
      encoder.updated(writer, rows, stillPresent(table, piece.items, upTo), piece.book, piece.partial, at);
      break;
    case 'locked': {
      const { activity } = table.columns;
      const suspended = stillPresent(table, piece.items, upTo).filter((slot) => !isActive(activity[slot]!));
      encoder.locked(writer, rows, suspended, piece.book, at);
      break;
    }
    case 'detected':
      encoder.detected(writer, piece.kind, texts(piece.items, parts.textOf), piece.initial, at);
      break;
    case 'expired':
      encoder.expired(writer, piece.kind, piece.items, timestamp, at);
      break;
    case 'items': {
      const { name } = piece;
      const items = texts(piece.items, (id) => parts.itemOf(name, id));
      encoder.items(writer, name, items, piece.initial, at);
      break;
    }
    case 'gone':
      encoder.gone(writer, piece.name, piece.items, at);
      break;
  }
}

/** Removed since, and perhaps another row's slot by now: the following changes contain both. */
function stillPresent(table: OddsTable, slots: readonly number[], upTo: number): readonly number[] {
  return table.position === upTo ? slots : slots.filter((slot) => table.isStill(slot, upTo));
}

/** What has ended since is in the following changes. */
function texts(ids: readonly string[], textOf: (id: string) => string | undefined): string[] {
  return ids.flatMap((id) => textOf(id) ?? []);
}

export function removedPieces(parts: FrameParts, removed: readonly Tombstone[]): Piece[] {
  const ids = new Map<number, string[]>();
  for (const gone of removed) push(ids, gone.book, gone.id);
  return piecesWithout(parts, ids);
}

/** Rows that are there and do not pass the filter any more. */
export function leftPieces(parts: FrameParts, slots: readonly number[]): Piece[] {
  const { book, id } = parts.table.columns;
  const ids = new Map<number, string[]>();
  for (const slot of slots) push(ids, book[slot]!, id.at(slot)!);
  return piecesWithout(parts, ids);
}

/** @param ids by book */
function piecesWithout({ table, sizes }: FrameParts, ids: ReadonlyMap<number, string[]>): Piece[] {
  const pieces: Piece[] = [];
  for (const [no, list] of ids)
    for (const part of cut(list, sizes.items.removed, sizes.chunkBytes, () => ITEM_BYTES.removed))
      pieces.push({ type: 'removed', ...part, book: table.books.name(no) });
  return pieces;
}

/**
 * Whole rows, price deltas and suspended rows, book by book, for a client at `after`.
 * @param filter what the client sees
 * @param more whether updates of a book's rows are still to come after these
 */
export function rowPieces(
  { table, sizes, rows }: FrameParts,
  filter: StreamFilter,
  slots: readonly number[],
  after: number,
  more: (book: number) => boolean = () => false,
): Piece[] {
  const added = new Map<number, number[]>();
  const updated = new Map<number, number[]>();
  const locked = new Map<number, number[]>();
  const { book, activity } = table.columns;
  for (const slot of slots) {
    if (table.isSentWhole(slot, after) || filter.canChange) push(added, book[slot]!, slot);
    if (!table.isNew(slot, after)) push(updated, book[slot]!, slot);
    if (!isActive(activity[slot]!)) push(locked, book[slot]!, slot);
  }
  const { items: most, chunkBytes } = sizes;
  const name = (no: number) => table.books.name(no);
  const pieces: Piece[] = [];
  for (const [no, list] of added)
    for (const part of cut(list, most.added, chunkBytes, (slot) => table.json.length(slot) + rows.depthBytes(slot)))
      pieces.push({ type: 'added', ...part, book: name(no) });
  for (const [no, list] of updated) {
    const parts = cut(list, most.updated, chunkBytes, (slot) => ITEM_BYTES.updated + rows.depthBytes(slot));
    for (const [i, part] of parts.entries())
      pieces.push({ type: 'updated', ...part, book: name(no), partial: i + 1 < parts.length || more(no) });
  }
  for (const [no, list] of locked)
    for (const part of cut(list, most.removed, chunkBytes, () => ITEM_BYTES.removed))
      pieces.push({ type: 'locked', ...part, book: name(no) });
  return pieces;
}

/** States that no more updates of a book follow, and nothing else. */
export function lastUpdate(book: string): Piece {
  return { type: 'updated', items: [], book, partial: false, bytes: EVENT_BYTES };
}

/** `initial`: the first event of a kind says so, and is sent even if it is empty. */
export function newsPieces({ sizes, textOf, itemOf }: FrameParts, news: News, initial: boolean): Piece[] {
  const { items: most, chunkBytes } = sizes;
  const pieces: Piece[] = [];
  for (const { kind, detected, expired } of news.opportunities) {
    for (const part of cut(expired, most.removed, chunkBytes, (id) => id.length))
      pieces.push({ type: 'expired', ...part, kind });
    const parts = cut(detected, most.news, chunkBytes, (id) => textOf(id)?.length ?? 0);
    if (initial && parts.length === 0) parts.push({ items: [], bytes: EVENT_BYTES });
    for (const [i, part] of parts.entries())
      pieces.push({ type: 'detected', ...part, kind, initial: initial && i === 0 });
  }
  for (const { name, ids, gone } of news.items) {
    const { snapshot, removed } = keyedWords(name);
    const parts = cut(ids, most.news, chunkBytes, (id) => itemOf(name, id)?.length ?? 0);
    if (initial && snapshot !== undefined && parts.length === 0) parts.push({ items: [], bytes: EVENT_BYTES });
    for (const part of parts) pieces.push({ type: 'items', ...part, name, initial });
    if (removed !== undefined)
      for (const part of cut(gone, most.removed, chunkBytes, (id) => id.length))
        pieces.push({ type: 'gone', ...part, name });
  }
  return pieces;
}

function push<T>(map: Map<number, T[]>, key: number, value: T): void {
  getOrInsert(map, key, () => []).push(value);
}

interface Part<T> {
  items: readonly T[];
  bytes: number;
}

/** In parts of at most `most` items and, if there is more than one, `bytesMax` bytes. */
function cut<T>(list: readonly T[], most: number, bytesMax: number, sizeOf: (item: T) => number): Part<T>[] {
  const parts: Part<T>[] = [];
  let from = 0;
  let bytes = EVENT_BYTES;
  for (const [i, item] of list.entries()) {
    const size = sizeOf(item) + 1;
    if (i > from && (i - from === most || bytes + size > bytesMax)) {
      parts.push({ items: list.slice(from, i), bytes });
      from = i;
      bytes = EVENT_BYTES;
    }
    bytes += size;
  }
  if (from < list.length) parts.push({ items: from === 0 ? list : list.slice(from), bytes });
  return parts;
}
