// A course: pieces of a stream that lead a client from one position to another, encoded as its socket takes them.
// What a course tells of is fixed when it is made; the rows' bytes are those of the moment a piece is encoded, and
// whatever changed in between follows in the next course.
import type { OpportunityKind } from '../detect/opportunity.js';
import type { OddsTable } from '../table/table.js';
import type { Changes } from './changes.js';
import { isNews } from './changes.js';
import type { OpportunityNews } from './channels.js';
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
  /** Rows of a snapshot handed to a socket at a time, and in one frame; at most the spec's 1000. */
  snapshotRows: number;
  /** Items of one event at most. */
  items: { removed: number; updated: number; added: number; news: number };
  /** A socket is handed about this much at a time: what a client that stops reading can make us hold. */
  chunkBytes: number;
  /** What one turn of the event loop may hand out of snapshots and of what was missed, to all clients together. */
  turnBytes: number;
}

export const CUT_SIZES: CutSizes = {
  snapshotRows: 500,
  items: { removed: 1_000, updated: 1_000, added: 400, news: 250 },
  chunkBytes: 128 * 1024,
  turnBytes: 2 * 1024 * 1024,
};

/** About what one item takes, for cutting a course into chunks. */
const ITEM_BYTES = { removed: 24, updated: 220, added: 640, news: 1_200 } as const;

/** What is told beside odds. */
export interface News {
  opportunities: readonly OpportunityNews[];
  /** JSON texts. */
  gameStates: readonly string[];
}

export const NO_NEWS: News = { opportunities: [], gameStates: [] };

type Piece =
  | { type: 'removed'; items: readonly string[]; book: string }
  | { type: 'added'; items: readonly number[]; book: string }
  | { type: 'updated'; items: readonly number[]; book: string; partial: boolean }
  | { type: 'detected'; items: readonly string[]; kind: OpportunityKind; initial: boolean }
  | { type: 'expired'; items: readonly string[]; kind: OpportunityKind }
  | { type: 'gamestate'; items: readonly string[] };

export interface CourseParts {
  table: OddsTable;
  rows: RowWriter;
  dress: Dress;
  sizes: CutSizes;
  /** For the time in *:expired, RFC 3339. */
  timestamp: string;
}

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
      if (bytes >= chunkBytes) {
        this.#firsts.push(i);
        bytes = 0;
      }
      bytes += piece.items.length * (piece.type in ITEM_BYTES ? ITEM_BYTES[piece.type as 'added'] : ITEM_BYTES.news);
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
      case 'detected':
        dress.detected(writer, piece.kind, piece.items, piece.initial, standing);
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
}

/** Whether a slot listed as of `position` still holds the row it held then. */
export function isStill(table: OddsTable, slot: number, position: number): boolean {
  return table.columns.id.has(slot) && table.columns.bornUs[slot]! <= position;
}

/** What changed for a filter: removals, whole rows, price deltas (a book at a time), news. Null where nothing did. */
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

/** What a joining client is told is alive beside odds, before `snapshot:complete`; null where nothing is to be told. */
export function aliveCourse(parts: CourseParts, news: News, upTo: number): Course | null {
  const pieces: Piece[] = [];
  newsPieces(pieces, parts, news, true);
  const standing = { complete: null, before: 0, replay: false };
  return pieces.length === 0 ? null : new PieceCourse(parts, pieces, upTo, standing, standing);
}

function oddsPieces(pieces: Piece[], { table, sizes }: CourseParts, filter: StreamFilter, changes: Changes): void {
  const removed = new Map<number, string[]>();
  for (const gone of changes.removed) if (filter.hasTombstone(gone)) push(removed, gone.book, gone.id);
  const added = new Map<number, number[]>();
  const updated = new Map<number, number[]>();
  const { book, event } = table.columns;
  for (const slot of changes.rows) {
    if (!filter.hasRow(slot) || !filter.hasEvent(table.events.at(event[slot]!))) continue;
    push(isNews(table, slot, changes.after) ? added : updated, book[slot]!, slot);
  }
  const name = (no: number) => table.books.name(no);
  for (const [no, ids] of removed)
    for (const items of cut(ids, sizes.items.removed)) pieces.push({ type: 'removed', items, book: name(no) });
  for (const [no, slots] of added)
    for (const items of cut(slots, sizes.items.added)) pieces.push({ type: 'added', items, book: name(no) });
  for (const [no, slots] of updated) {
    const lists = cut(slots, sizes.items.updated);
    for (const [i, items] of lists.entries())
      pieces.push({ type: 'updated', items, book: name(no), partial: i + 1 < lists.length });
  }
}

/** `initial`: one frame a kind, even an empty one, and more where they are many. */
function newsPieces(pieces: Piece[], { sizes }: CourseParts, news: News, initial: boolean): void {
  for (const { kind, detected, expired } of news.opportunities) {
    for (const items of cut(expired, sizes.items.removed)) pieces.push({ type: 'expired', items, kind });
    if (!initial) {
      for (const items of cut(detected, sizes.items.news))
        pieces.push({ type: 'detected', items, kind, initial: false });
      continue;
    }
    pieces.push({ type: 'detected', items: detected.slice(0, INITIAL_ITEMS), kind, initial: true });
    for (const items of cut(detected.slice(INITIAL_ITEMS), sizes.items.news))
      pieces.push({ type: 'detected', items, kind, initial: false });
  }
  for (const items of cut(news.gameStates, sizes.items.news)) pieces.push({ type: 'gamestate', items });
}

/** Opportunities in the one frame of a kind that a WebSocket client gets when it joins. */
const INITIAL_ITEMS = 1_000;

function push<T>(map: Map<number, T[]>, key: number, value: T): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function cut<T>(list: readonly T[], size: number): readonly (readonly T[])[] {
  if (list.length <= size) return list.length === 0 ? [] : [list];
  const parts: T[][] = [];
  for (let at = 0; at < list.length; at += size) parts.push(list.slice(at, at + size));
  return parts;
}
