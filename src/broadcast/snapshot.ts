// A snapshot of a filter's rows, sent in chunks as the socket accepts them. The list of rows is fixed when it is made;
// where a chunk ends, and its bytes, are of the moment it is first requested, and what changed since the snapshot's
// position follows it. Clients that join the same group at about the same time share one snapshot and its latest
// chunks.

import type { StreamFilter } from '../tables/filter/stream-filter.js';
import type { OddsTable } from '../tables/table.js';
import { type ChangeFrames, type CutSizes, StoredChunks } from './change-frames.js';
import type { FrameEncoder } from './frame-encoder.js';
import { type Chunk, FrameWriter, type RowWriter } from './frame-writer.js';
import { packedAlone } from './packed-chunks.js';

/** Openings are requested this many rows ahead of the chunk that will show them. */
const AHEAD_ROWS = 2_000;
/** A compressed chunk has so many times as much in it: up to as many rows as a frame may have. */
const PACKED_TIMES = 2;
/** Additional size of a row with its opening. */
const OPENING_BYTES = 110;

/** A frame's rows. */
interface Part {
  from: number;
  to: number;
  book: string | null;
}

/** Rows up to here, from the end of the previous run, are of one book. */
interface Run {
  to: number;
  book: string | null;
}

const writer = new FrameWriter();

export class Snapshot implements ChangeFrames {
  /** Position of the listed rows: changes after it must follow. */
  readonly upTo: number;
  readonly madeMs: number;
  readonly total: number;
  readonly #table: OddsTable;
  readonly #slots: Uint32Array;
  readonly #rows: RowWriter;
  readonly #encoder: FrameEncoder;
  readonly #cut: Pick<CutSizes, 'snapshotRows' | 'chunkBytes'>;
  readonly #runs: readonly Run[];
  /** The run in which the next chunk begins. */
  #run = 0;
  /** Frames of each chunk that was requested. */
  readonly #chunks: Part[][] = [];
  readonly #stored = new StoredChunks();

  /** @param filter null for a group without odds: one empty chunk if the transport sends those */
  constructor(
    { table, sizes }: { table: OddsTable; sizes: CutSizes },
    filter: StreamFilter | null,
    rows: RowWriter,
    encoder: FrameEncoder,
    nowMs: number,
  ) {
    this.#table = table;
    this.#rows = rows;
    this.#encoder = encoder;
    const { snapshotRows, chunkBytes } = sizes;
    const times = encoder.packing === null ? 1 : PACKED_TIMES;
    this.#cut = { snapshotRows: snapshotRows * times, chunkBytes: chunkBytes * times };
    this.upTo = table.position;
    this.madeMs = nowMs;
    const slots = filter === null ? new Uint32Array(0) : filter.select();
    this.total = slots.length;
    const { slots: inOrder, runs } = encoder.byBook
      ? byBook(table, slots)
      : { slots, runs: [{ to: this.total, book: null }] };
    this.#slots = inOrder;
    this.#runs = runs;
  }

  /** One more than were requested, until the last one was. */
  get chunks(): number {
    return this.#chunks.length + (this.#run < this.#runs.length ? 1 : 0);
  }

  /** Anything removed by the time it is sent is sent as removed afterwards. */
  lost(): boolean {
    return false;
  }

  /** Until the openings of its rows are known, if those are shown. */
  waits(index: number): boolean {
    const { openings } = this.#rows;
    if (openings === null) return false;
    const isNew = index === this.#chunks.length;
    const parts = this.#partsOf(index);
    const to = parts.at(-1)?.to ?? 0;
    return !openings.known(this.#slots, parts[0]?.from ?? 0, to, isNew ? to + AHEAD_ROWS : to, this.upTo);
  }

  chunk(index: number): Chunk & { rows: number } {
    this.#partsOf(index);
    return this.#stored.chunk(index, this.#encode);
  }

  #partsOf(index: number): readonly Part[] {
    if (index === this.#chunks.length) this.#chunks.push(this.#cutNext());
    return this.#chunks[index]!;
  }

  readonly #encode = (index: number): Chunk & { rows: number } => {
    writer.reset();
    let count = 0;
    for (const { from, to, book } of this.#partsOf(index)) {
      const slots: number[] = [];
      for (let i = from; i < to; i++) if (this.#table.isStill(this.#slots[i]!, this.upTo)) slots.push(this.#slots[i]!);
      count += slots.length;
      this.#encoder.snapshot(writer, this.#rows, {
        slots,
        book,
        total: this.total,
        offset: from,
        hasMore: to < this.total,
      });
    }
    const chunk = writer.chunk();
    return { ...(this.#encoder.packing === null ? chunk : packedAlone(chunk)), rows: count };
  };

  /** The frames from the end of the last chunk up to its maximum of rows and bytes; small books share it. */
  #cutNext(): Part[] {
    const { snapshotRows, chunkBytes } = this.#cut;
    const parts: Part[] = [];
    const first = this.#chunks.at(-1)?.at(-1)?.to ?? 0;
    let at = first;
    let bytes = 0;
    for (; this.#run < this.#runs.length; this.#run++) {
      const { to, book } = this.#runs[this.#run]!;
      const from = at;
      for (; at < to; at++) {
        bytes += this.#bytesOf(this.#slots[at]!);
        if (at > first && (at - first === snapshotRows || bytes > chunkBytes)) break;
      }
      // An empty snapshot of all books still has one frame, so that every stream has the same order of events.
      if (at > from || this.total === 0) parts.push({ from, to: at, book });
      if (at < to) break;
    }
    return parts;
  }

  #bytesOf(slot: number): number {
    if (!this.#table.isStill(slot, this.upTo)) return 0;
    const opening = this.#rows.openings === null ? 0 : OPENING_BYTES;
    return this.#table.json.length(slot) + this.#rows.depthBytes(slot) + opening;
  }
}

/** The slots book by book, each book's in serving order. */
function byBook(table: OddsTable, slots: Uint32Array): { slots: Uint32Array; runs: Run[] } {
  const counts = new Map<number, number>();
  for (const slot of slots) {
    const book = table.columns.book[slot]!;
    counts.set(book, (counts.get(book) ?? 0) + 1);
  }
  const runs: Run[] = [];
  const next = new Map<number, number>();
  let at = 0;
  for (const [book, count] of counts) {
    next.set(book, at);
    at += count;
    runs.push({ to: at, book: table.books.name(book) });
  }
  const sorted = new Uint32Array(slots.length);
  for (const slot of slots) {
    const book = table.columns.book[slot]!;
    const to = next.get(book)!;
    sorted[to] = slot;
    next.set(book, to + 1);
  }
  return { slots: sorted, runs };
}
