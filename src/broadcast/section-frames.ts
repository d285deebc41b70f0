// Sequences of frames for changes, for active items, and for changes since a snapshot. Each is made of sections, of which
// it stores where its chunks begin; the contents of a chunk are looked up when it is requested. What is short is one
// section, which lists it; what is long is looked up in the tables, so that a client that stops reading in the middle of a
// hundred thousand changes takes the memory of one chunk.

import type { NewsWalk } from '../answers/opportunities/views.js';
import { getOrInsert } from '../base/memory/get-or-insert.js';
import { isActive } from '../base/model/activity.js';
import type { OpportunityKind } from '../base/model/opportunity.js';
import { type KeyedName, keyedWords } from '../base/model/stream-channels.js';
import type { StreamFilter } from '../tables/filter/stream-filter.js';
import type { Changes, OddsTable } from '../tables/table.js';
import type { Tombstone } from '../tables/tombstones.js';
import {
  type ChangeFrames,
  type CutSizes,
  countOf,
  type FramePositions,
  type News,
  type NewsSource,
  type NewsWalks,
  NO_NEWS,
  NO_NEWS_SOURCE,
} from './change-frames.js';
import type { FrameEncoder, FramePosition } from './frame-encoder.js';
import { type Chunk, FrameWriter, type RowWriter } from './frame-writer.js';
import type { ItemWalk } from './keyed-items.js';

interface Taken {
  pieces: Piece[];
  /** Where the following entries begin; null at the end. */
  next: number | null;
}

interface Section {
  readonly from: number;
  /** Whether something from a place on has been dropped. */
  lost(place: number): boolean;
  /** The entries between two places or, if the second is null, as much as makes a chunk. */
  take(from: number, to: number | null): Taken;
  /** An event without contents. */
  readonly nothing: Piece;
}

const WITHIN_SNAPSHOT: FramePosition = { complete: null, before: 0, replay: false };

const writer = new FrameWriter();

class SectionFrames implements ChangeFrames {
  readonly upTo: number;
  readonly #parts: FrameParts;
  readonly #sections: readonly Section[];
  readonly #positions: FramePositions;
  /** The place at which each known chunk begins. */
  readonly #places: number[] = [];
  /** For each known section, its first chunk. */
  readonly #firsts: { section: number; chunk: number }[] = [];
  /** The pieces of the newest known chunk. */
  #newest: readonly Piece[] = [];
  /** Where the search for the next chunk begins; null if there is none. */
  #next: { section: number; place: number } | null;

  constructor(parts: FrameParts, sections: readonly Section[], upTo: number, positions: FramePositions) {
    this.#parts = parts;
    this.#sections = sections;
    this.upTo = upTo;
    this.#positions = positions;
    this.#next = this.#begin(0);
    this.#look();
  }

  get chunks(): number {
    return this.#places.length;
  }

  lost(index: number): boolean {
    const { section: current } = this.#sectionOf(index);
    for (let i = current; i < this.#sections.length; i++) {
      const section = this.#sections[i]!;
      if (section.lost(i === current ? this.#places[index]! : section.from)) return true;
    }
    return false;
  }

  chunk(index: number): Chunk & { rows: number } {
    let pieces = this.#newest;
    if (index < this.#places.length - 1) pieces = this.#again(index);
    // Only the very last event of the sequence says that it is the last: whether any follows must be known now.
    else this.#look();
    const last = index === this.#places.length - 1;
    writer.reset();
    for (const [i, piece] of pieces.entries()) {
      const ends = last && i === pieces.length - 1;
      writePiece(writer, this.#parts, piece, this.upTo, ends ? this.#positions.last : this.#positions.between);
    }
    const { bytes, frames } = writer.chunk();
    return { bytes, frames, rows: 0 };
  }

  /** Finds the next chunk. */
  #look(): void {
    while (this.#next !== null) {
      const { section, place } = this.#next;
      const { pieces, next } = this.#sections[section]!.take(place, null);
      this.#next = next === null ? this.#begin(section + 1) : { section, place: next };
      if (pieces.length === 0) continue;
      if (this.#firsts.at(-1)?.section !== section) this.#firsts.push({ section, chunk: this.#places.length });
      this.#places.push(place);
      this.#newest = pieces;
      return;
    }
  }

  #begin(section: number): { section: number; place: number } | null {
    return section < this.#sections.length ? { section, place: this.#sections[section]!.from } : null;
  }

  /** For a later client: the present contents, possibly none of the earlier ones. */
  #again(index: number): readonly Piece[] {
    const { section } = this.#sectionOf(index);
    const sameSection = this.#sectionOf(index + 1).section === section;
    const from = this.#sections[section]!;
    const { pieces } = from.take(
      this.#places[index]!,
      sameSection ? this.#places[index + 1]! : Number.POSITIVE_INFINITY,
    );
    return pieces.length === 0 ? [from.nothing] : pieces;
  }

  #sectionOf(index: number): { section: number; chunk: number } {
    let at = this.#firsts.length - 1;
    while (at > 0 && this.#firsts[at]!.chunk > index) at--;
    return this.#firsts[at]!;
  }
}

/**
 * The changes for a filter: removals, whole rows, price deltas, suspended rows (book by book), other items. Null if
 * there are none.
 */
export function changesAsFrames(
  parts: FrameParts,
  filter: StreamFilter,
  changes: Changes | null,
  news: NewsSource,
  range: { before: number; upTo: number; replay: boolean },
): ChangeFrames | null {
  const { before, upTo, replay } = range;
  const between = { complete: null, before, replay };
  return framesOf(parts, filter, { changes, news, upTo }, { between, last: { ...between, complete: upTo } });
}

/** The changes since a snapshot that others joined before: a part of it, so nothing in it is complete. */
export function snapshotSuffix(parts: FrameParts, filter: StreamFilter, changes: Changes): ChangeFrames | null {
  const positions = { between: WITHIN_SNAPSHOT, last: WITHIN_SNAPSHOT };
  return framesOf(parts, filter, { changes, news: NO_NEWS_SOURCE, upTo: changes.upTo }, positions);
}

/** The active items other than odds for a joining client, before `snapshot:complete`; null if there are none. */
export function activeAsFrames(parts: FrameParts, source: NewsSource, upTo: number): ChangeFrames | null {
  const positions = { between: WITHIN_SNAPSHOT, last: WITHIN_SNAPSHOT };
  const news = source.all();
  const isLong = countOf(news) > parts.sizes.listed.ids;
  const sections = isLong
    ? newsSections(parts, source.walks(), true)
    : [listedSection(parts, newsPieces(parts, news, true))];
  return sectionFrames(parts, sections, upTo, positions);
}

function framesOf(
  parts: FrameParts,
  filter: StreamFilter,
  { changes, news: source, upTo }: { changes: Changes | null; news: NewsSource; upTo: number },
  positions: FramePositions,
): ChangeFrames | null {
  const { table, sizes } = parts;
  const { listed } = sizes;
  const removed = changes?.removed.filter((gone) => filter.hasTombstone(gone)) ?? [];
  const { event } = table.columns;
  const rows =
    changes?.rows.filter((slot) => filter.hasRow(slot) && filter.hasEvent(table.events.at(event[slot]!))) ?? [];
  const left = changes !== null && filter.canChange ? rowsThatLeft(table, filter, changes) : [];
  const news = source.all();
  if (rows.length > listed.rows || removed.length + left.length + countOf(news) > listed.ids) {
    const sections: Section[] = changes === null ? [] : oddsSections(parts, filter, changes, { rows, left });
    return sectionFrames(parts, [...sections, ...newsSections(parts, source.walks(), false)], upTo, positions);
  }
  const pieces: Piece[] = [];
  if (removed.length > 0) pieces.push(...removedPieces(parts, removed));
  if (left.length > 0) pieces.push(...leftPieces(parts, left));
  if (rows.length > 0) pieces.push(...rowPieces(parts, filter, rows, changes!.after));
  if (news !== NO_NEWS) pieces.push(...newsPieces(parts, news, false));
  return pieces.length === 0 ? null : sectionFrames(parts, [listedSection(parts, pieces)], upTo, positions);
}

/** Null if there is nothing to send. */
function sectionFrames(
  parts: FrameParts,
  sections: readonly Section[],
  upTo: number,
  positions: FramePositions,
): ChangeFrames | null {
  const changeFrames = new SectionFrames(parts, sections, upTo, positions);
  return changeFrames.chunks === 0 ? null : changeFrames;
}

/** Changed rows outside of the filter that the reader may have. */
function rowsThatLeft(table: OddsTable, filter: StreamFilter, { rows, createdUpTo }: Changes): number[] {
  const { event, createdPosition } = table.columns;
  return rows.filter(
    (slot) =>
      createdPosition[slot]! <= createdUpTo &&
      filter.mayHaveLeft(slot) &&
      filter.hasEvent(table.events.at(event[slot]!)),
  );
}

/** A short sequence: all of it. */
function listedSection({ sizes }: FrameParts, pieces: Piece[]): Section {
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

// The sections of what is long are in orders that stay stable while a slow client is led through them: removals and ends
// by their number, rows and opportunities by slot, items of keyed channels by the number of their change.

/**
 * @param rows the changed rows that match the filter
 * @param left those that do not any more
 */
function oddsSections(
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
      const gone = slots.slice(from, stop).filter((slot) => table.isStill(slot, upTo) && filter.mayHaveLeft(slot));
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
    if (table.isNew(slot, after)) continue;
    const known = updated.get(book[slot]!);
    if (known === undefined) updated.set(book[slot]!, { first: slot, last: slot });
    else {
      known.first = Math.min(known.first, slot);
      known.last = Math.max(known.last, slot);
    }
  }
  const isMeant = (slot: number): boolean =>
    (columns.updatedPosition[slot]! > after || writer.depths?.changedAfter(slot, after) === true) &&
    table.isStill(slot, upTo) &&
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
        if (table.isSentWhole(at, after) || filter.canChange) bytes += table.json.length(at) + writer.depthBytes(at);
        if (!table.isNew(at, after)) bytes += ITEM_BYTES.updated + writer.depthBytes(at);
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
function newsSections(parts: FrameParts, { opportunities, items }: NewsWalks, initial: boolean): Section[] {
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

// The pieces of a sequence of frames: one event each, with its contents as slots and ids. Its bytes are made when it is
// written.

/** Estimated maximum size of an item, unless it is looked up. */
const ITEM_BYTES = { removed: 24, updated: 400 } as const;
/** Size of an event beside its items. */
const EVENT_BYTES = 150;

/** `bytes` is the approximate size of its event. */
type Piece = { bytes: number } & (
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
function writePiece(writer: FrameWriter, parts: FrameParts, piece: Piece, upTo: number, at: FramePosition): void {
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

function removedPieces(parts: FrameParts, removed: readonly Tombstone[]): Piece[] {
  const ids = new Map<number, string[]>();
  for (const gone of removed) push(ids, gone.book, gone.id);
  return piecesWithout(parts, ids);
}

/** Rows that are there and do not pass the filter any more. */
function leftPieces(parts: FrameParts, slots: readonly number[]): Piece[] {
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
function rowPieces(
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
function lastUpdate(book: string): Piece {
  return { type: 'updated', items: [], book, partial: false, bytes: EVENT_BYTES };
}

/** `initial`: the first event of a kind says so, and is sent even if it is empty. */
function newsPieces({ sizes, textOf, itemOf }: FrameParts, news: News, initial: boolean): Piece[] {
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
