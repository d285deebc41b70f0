// A snapshot of a filter's rows, sent in chunks as the socket takes them. The list of rows is fixed when it is made; the
// bytes are those of the moment a chunk is encoded, and what changed since the snapshot's position follows it. Clients
// that join the same group at about the same time share one snapshot and its latest chunks.

import type { OddsTable } from '../table/table.js';
import { ChunkRing, type Kept } from './chunk-ring.js';
import { type Course, type CutSizes, isStill } from './course.js';
import type { Dress } from './dress.js';
import { type Chunk, FrameWriter } from './frame-writer.js';
import type { RowWriter } from './row-writer.js';
import type { StreamFilter } from './stream-filter.js';

/** For all snapshots under way. Twenty clients that read side by side are apart by about half of it. */
const RING_BYTES = 8 * 1024 * 1024;

interface Part {
  from: number;
  to: number;
  book: string | null;
}

const writer = new FrameWriter();
const ring = new ChunkRing(RING_BYTES);

export class Snapshot implements Course {
  /** Position whose rows it lists: changes after it must follow. */
  readonly upTo: number;
  readonly madeMs: number;
  readonly total: number;
  readonly #table: OddsTable;
  readonly #slots: Uint32Array;
  readonly #rows: RowWriter;
  readonly #dress: Dress;
  /** Frames of each chunk. */
  readonly #chunks: Part[][];
  readonly #kept: (Kept | null)[] = [];

  /** @param filter null for a group that is told of no odds: one empty chunk where the transport sends those. */
  constructor(
    table: OddsTable,
    filter: StreamFilter | null,
    rows: RowWriter,
    dress: Dress,
    sizes: CutSizes,
    nowMs: number,
  ) {
    this.#table = table;
    this.#rows = rows;
    this.#dress = dress;
    const { snapshotRows } = sizes;
    this.upTo = table.position;
    this.madeMs = nowMs;
    const slots = filter === null ? new Uint32Array(0) : filter.select();
    this.total = slots.length;
    if (dress.byBook) {
      const { slots: sorted, parts } = byBook(table, slots, snapshotRows);
      this.#slots = sorted;
      this.#chunks = pack(parts, snapshotRows);
    } else {
      this.#slots = slots;
      this.#chunks = [];
      // An empty snapshot still has one chunk, so that every stream has the same course.
      for (let from = 0; from === 0 || from < this.total; from += snapshotRows)
        this.#chunks.push([{ from, to: Math.min(from + snapshotRows, this.total), book: null }]);
    }
  }

  get chunks(): number {
    return this.#chunks.length;
  }

  chunk(index: number): Chunk & { rows: number } {
    const kept = this.#kept[index];
    const known = kept == null ? undefined : ring.read(kept);
    if (known !== undefined) return known;
    writer.reset();
    let count = 0;
    for (const { from, to, book } of this.#chunks[index]!) {
      const slots: number[] = [];
      for (let i = from; i < to; i++) if (isStill(this.#table, this.#slots[i]!, this.upTo)) slots.push(this.#slots[i]!);
      count += slots.length;
      this.#dress.snapshot(writer, this.#rows, {
        slots,
        book,
        total: this.total,
        offset: from,
        hasMore: to < this.total,
      });
    }
    const { bytes, frames } = writer.chunk();
    this.#kept[index] = ring.keep({ bytes, frames }, count);
    return { bytes, frames, rows: count };
  }
}

/** The slots book by book, each book's in serving order, and the runs of at most a frame's rows. */
function byBook(table: OddsTable, slots: Uint32Array, rowsMax: number): { slots: Uint32Array; parts: Part[] } {
  const counts = new Map<number, number>();
  for (const slot of slots) {
    const book = table.columns.book[slot]!;
    counts.set(book, (counts.get(book) ?? 0) + 1);
  }
  const parts: Part[] = [];
  const next = new Map<number, number>();
  let at = 0;
  for (const [book, count] of counts) {
    next.set(book, at);
    const end = at + count;
    for (; at < end; at += rowsMax)
      parts.push({ from: at, to: Math.min(at + rowsMax, end), book: table.books.name(book) });
    at = end;
  }
  const sorted = new Uint32Array(slots.length);
  for (const slot of slots) {
    const book = table.columns.book[slot]!;
    const to = next.get(book)!;
    sorted[to] = slot;
    next.set(book, to + 1);
  }
  return { slots: sorted, parts };
}

/** Small books share a chunk. */
function pack(parts: readonly Part[], rowsMax: number): Part[][] {
  const chunks: Part[][] = [];
  let rows = rowsMax;
  for (const part of parts) {
    const size = part.to - part.from;
    if (rows + size > rowsMax) {
      chunks.push([]);
      rows = 0;
    }
    chunks.at(-1)!.push(part);
    rows += size;
  }
  return chunks;
}
