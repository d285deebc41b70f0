// A course: pieces of a stream that lead a client from one position to another, encoded as its socket takes them.
// What a course tells of is fixed when it is made; the rows' bytes are those of the moment a piece is encoded, and
// whatever changed in between follows in the next course.

import { isActive } from '../model/activity.js';
import type { OpportunityKind } from '../model/opportunity.js';
import type { OpportunityNews } from '../opportunities/stream-source.js';
import type { OddsTable } from '../table/table.js';
import type { Changes } from './changes.js';
import { isNews } from './changes.js';
import { KeptChunks } from './chunk-ring.js';
import type { Dress, Standing } from './dress.js';
import { type Chunk, FrameWriter } from './frame-writer.js';
import type { RowWriter } from './row-writer.js';
import type { StreamFilter } from './stream-filter.js';

export interface Course {
  readonly chunks: number;
  /** Valid until the next chunk of any course is asked for; `rows` counts whole rows of a snapshot. */
  chunk(index: number): Chunk & { rows: number };
  /** Position the client is complete up to at the end. */
  readonly upTo: number;
}

/** How a stream is cut. */
export interface CutSizes {
  /** Rows of a snapshot handed to a socket at a time, and in one frame, at most; the spec's limit is 1000. */
  snapshotRows: number;
  /** Items of one event at most. */
  items: { removed: number; updated: number; added: number; news: number };
  /** Of one event, and of what a socket is handed at a time, at most: all that a client that stops reading makes us hold. */
  chunkBytes: number;
  /** What one turn of the event loop may hand out of snapshots and of what was missed, to all clients together. */
  turnBytes: number;
}

export const CUT_SIZES: CutSizes = {
  snapshotRows: 500,
  items: { removed: 1_000, updated: 1_000, added: 400, news: 250 },
  chunkBytes: 48 * 1024,
  turnBytes: 2 * 1024 * 1024,
};

/** What one item takes at most, where that is not looked up. */
const ITEM_BYTES = { removed: 24, updated: 400 } as const;
/** What an event takes beside its items. */
const EVENT_BYTES = 150;

/** What is told beside odds. */
export interface News {
  opportunities: readonly OpportunityNews[];
  /** JSON texts. */
  gameStates: readonly string[];
}

export const NO_NEWS: News = { opportunities: [], gameStates: [] };

/** `bytes` is about what its event takes. */
type Piece = { bytes: number } & (
  | { type: 'removed'; items: readonly string[]; book: string }
  | { type: 'added'; items: readonly number[]; book: string }
  | { type: 'updated'; items: readonly number[]; book: string; partial: boolean }
  | { type: 'locked'; items: readonly number[]; book: string }
  /** Items are ids: their texts are made when they are written. */
  | { type: 'detected'; items: readonly string[]; kind: OpportunityKind; initial: boolean }
  | { type: 'expired'; items: readonly string[]; kind: OpportunityKind }
  | { type: 'gamestate'; items: readonly string[] }
);

export interface CourseParts {
  table: OddsTable;
  rows: RowWriter;
  dress: Dress;
  sizes: CutSizes;
  /** For the time in *:expired, RFC 3339. */
  timestamp: string;
  /** An opportunity as it stands now, as JSON; undefined where there is nothing to be told of it any more. */
  textOf(id: string): string | undefined;
}

const WITHIN_SNAPSHOT: Standing = { complete: null, before: 0, replay: false };

const writer = new FrameWriter();

class PieceCourse implements Course {
  readonly upTo: number;
  readonly #parts: CourseParts;
  readonly #pieces: readonly Piece[];
  readonly #firsts: number[] = [];
  readonly #standing: { between: Standing; last: Standing };

  constructor(parts: CourseParts, pieces: readonly Piece[], upTo: number, between: Standing, last: Standing) {
    this.#parts = parts;
    this.#pieces = pieces;
    this.upTo = upTo;
    this.#standing = { between, last };
    const { chunkBytes } = parts.sizes;
    let bytes = chunkBytes;
    for (const [i, piece] of pieces.entries()) {
      if (bytes + piece.bytes > chunkBytes) {
        this.#firsts.push(i);
        bytes = 0;
      }
      bytes += piece.bytes;
    }
  }

  get chunks(): number {
    return this.#firsts.length;
  }

  chunk(index: number): Chunk & { rows: number } {
    writer.reset();
    const end = this.#firsts[index + 1] ?? this.#pieces.length;
    for (let i = this.#firsts[index]!; i < end; i++)
      this.#write(this.#pieces[i]!, i === this.#pieces.length - 1 ? this.#standing.last : this.#standing.between);
    const { bytes, frames } = writer.chunk();
    return { bytes, frames, rows: 0 };
  }

  #write(piece: Piece, standing: Standing): void {
    const { dress, rows, timestamp } = this.#parts;
    switch (piece.type) {
      case 'removed':
        dress.removed(writer, piece.items, piece.book, standing);
        break;
      case 'added':
        dress.added(writer, rows, this.#alive(piece.items), piece.book, standing);
        break;
      case 'updated':
        dress.updated(writer, rows, this.#alive(piece.items), piece.book, piece.partial, standing);
        break;
      case 'locked':
        dress.locked(writer, rows, this.#suspended(piece.items), piece.book, standing);
        break;
      case 'detected':
        dress.detected(writer, piece.kind, this.#texts(piece.items), piece.initial, standing);
        break;
      case 'expired':
        dress.expired(writer, piece.kind, piece.items, timestamp, standing);
        break;
      case 'gamestate':
        dress.gameStates(writer, piece.items, standing);
        break;
    }
  }

  /** Gone since, and perhaps another row's slot by now: the changes that follow tell of both. */
  #alive(slots: readonly number[]): readonly number[] {
    const { table } = this.#parts;
    if (table.position === this.upTo) return slots;
    return slots.filter((slot) => isStill(table, slot, this.upTo));
  }

  /** What has ended since is told by the changes that follow. */
  #texts(ids: readonly string[]): string[] {
    return ids.flatMap((id) => this.#parts.textOf(id) ?? []);
  }

  #suspended(slots: readonly number[]): readonly number[] {
    const { activity } = this.#parts.table.columns;
    return this.#alive(slots).filter((slot) => !isActive(activity[slot]!));
  }
}

/** Whether a slot listed as of `position` still holds the row it held then. */
export function isStill(table: OddsTable, slot: number, position: number): boolean {
  return table.columns.id.has(slot) && table.columns.bornUs[slot]! <= position;
}

/** What changed for a filter: removals, whole rows, price deltas, suspended rows (a book at a time), news. Null where nothing did. */
export function changeCourse(
  parts: CourseParts,
  filter: StreamFilter,
  changes: Changes | null,
  news: News,
  range: { before: number; upTo: number; replay: boolean },
): Course | null {
  const pieces: Piece[] = [];
  if (changes !== null) oddsPieces(pieces, parts, filter, changes);
  newsPieces(pieces, parts, news, false);
  if (pieces.length === 0) return null;
  const { before, upTo, replay } = range;
  const between = { complete: null, before, replay };
  return new PieceCourse(parts, pieces, upTo, between, { ...between, complete: upTo });
}

/** A course that many are led through one after the other. */
export class KeptCourse implements Course {
  readonly upTo: number;
  readonly chunks: number;
  readonly #kept = new KeptChunks();
  readonly #make: (index: number) => Chunk & { rows: number };

  constructor(course: Course) {
    this.upTo = course.upTo;
    this.chunks = course.chunks;
    this.#make = (index) => course.chunk(index);
  }

  chunk(index: number): Chunk & { rows: number } {
    return this.#kept.chunk(index, this.#make);
  }
}

/** What changed since a snapshot was made that others joined before: a part of it, so nothing in it is complete. */
export function sinceCourse(parts: CourseParts, filter: StreamFilter, changes: Changes): Course | null {
  const pieces: Piece[] = [];
  oddsPieces(pieces, parts, filter, changes);
  return pieces.length === 0 ? null : new PieceCourse(parts, pieces, changes.upTo, WITHIN_SNAPSHOT, WITHIN_SNAPSHOT);
}

/** What a joining client is told is alive beside odds, before `snapshot:complete`; null where nothing is to be told. */
export function aliveCourse(parts: CourseParts, news: News, upTo: number): Course | null {
  const pieces: Piece[] = [];
  newsPieces(pieces, parts, news, true);
  return pieces.length === 0 ? null : new PieceCourse(parts, pieces, upTo, WITHIN_SNAPSHOT, WITHIN_SNAPSHOT);
}

function oddsPieces(pieces: Piece[], { table, sizes }: CourseParts, filter: StreamFilter, changes: Changes): void {
  const removed = new Map<number, string[]>();
  for (const gone of changes.removed) if (filter.hasTombstone(gone)) push(removed, gone.book, gone.id);
  const added = new Map<number, number[]>();
  const updated = new Map<number, number[]>();
  const locked = new Map<number, number[]>();
  const { book, event, activity } = table.columns;
  for (const slot of changes.rows) {
    if (!filter.hasRow(slot) || !filter.hasEvent(table.events.at(event[slot]!))) continue;
    push(isNews(table, slot, changes.after) ? added : updated, book[slot]!, slot);
    if (!isActive(activity[slot]!)) push(locked, book[slot]!, slot);
  }
  const { items: most, chunkBytes } = sizes;
  const name = (no: number) => table.books.name(no);
  for (const [no, ids] of removed)
    for (const part of cut(ids, most.removed, chunkBytes, () => ITEM_BYTES.removed))
      pieces.push({ type: 'removed', ...part, book: name(no) });
  for (const [no, slots] of added)
    for (const part of cut(slots, most.added, chunkBytes, (slot) => table.bytes.length(slot)))
      pieces.push({ type: 'added', ...part, book: name(no) });
  for (const [no, slots] of updated) {
    const parts = cut(slots, most.updated, chunkBytes, () => ITEM_BYTES.updated);
    for (const [i, part] of parts.entries())
      pieces.push({ type: 'updated', ...part, book: name(no), partial: i + 1 < parts.length });
  }
  for (const [no, slots] of locked)
    for (const part of cut(slots, most.removed, chunkBytes, () => ITEM_BYTES.removed))
      pieces.push({ type: 'locked', ...part, book: name(no) });
}

/** `initial`: the first event of a kind says so, and is there even where it is empty. */
function newsPieces(pieces: Piece[], { sizes, textOf }: CourseParts, news: News, initial: boolean): void {
  const { items: most, chunkBytes } = sizes;
  const lengthOf = (text: string) => text.length;
  for (const { kind, detected, expired } of news.opportunities) {
    for (const part of cut(expired, most.removed, chunkBytes, lengthOf))
      pieces.push({ type: 'expired', ...part, kind });
    const parts = cut(detected, most.news, chunkBytes, (id) => textOf(id)?.length ?? 0);
    if (initial && parts.length === 0) parts.push({ items: [], bytes: EVENT_BYTES });
    for (const [i, part] of parts.entries())
      pieces.push({ type: 'detected', ...part, kind, initial: initial && i === 0 });
  }
  for (const part of cut(news.gameStates, most.news, chunkBytes, lengthOf)) pieces.push({ type: 'gamestate', ...part });
}

function push<T>(map: Map<number, T[]>, key: number, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

interface Part<T> {
  items: readonly T[];
  bytes: number;
}

/** In parts of at most `most` items and, where they are more than one, `bytesMax` bytes. */
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
