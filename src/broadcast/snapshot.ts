// A snapshot of a filter's rows, sent in chunks as the socket takes them. The list of rows is fixed when it is made; the
// bytes are those of the moment a chunk is encoded, and what changed since the snapshot's position follows it. Clients
// that join the same group at about the same time share one snapshot and its latest chunks.
import type { OddsTable } from '../table/table.js';
import { FrameWriter } from './frame-writer.js';
import { type Dress, writeRows } from './frames.js';
import type { StreamFilter } from './stream-filter.js';

export const CHUNK_ROWS = 500;
/** Chunks kept for other readers of the same snapshot. */
const CHUNKS_KEPT = 8;

export class Snapshot {
  /** Position whose rows it lists: changes after it must follow. */
  readonly position: number;
  readonly madeMs: number;
  readonly total: number;
  readonly #table: OddsTable;
  readonly #slots: Uint32Array;
  readonly #dress: Dress;
  readonly #kept = new Map<number, { bytes: Buffer; rows: number }>();
  readonly #writer = new FrameWriter();

  constructor(table: OddsTable, filter: StreamFilter, dress: Dress, nowMs: number) {
    this.#table = table;
    this.#dress = dress;
    this.position = table.position;
    this.madeMs = nowMs;
    this.#slots = filter.select();
    this.total = this.#slots.length;
  }

  /** An empty snapshot still has one chunk, so that every stream has the same course. */
  get chunks(): number {
    return Math.max(1, Math.ceil(this.total / CHUNK_ROWS));
  }

  chunk(index: number): { bytes: Buffer; rows: number } {
    const kept = this.#kept.get(index);
    if (kept !== undefined) return kept;
    const from = index * CHUNK_ROWS;
    const { bornUs, id } = this.#table.columns;
    const slots: number[] = [];
    // Gone since, and perhaps another row's slot by now: the changes that follow tell of both.
    for (const slot of this.#slots.subarray(from, from + CHUNK_ROWS))
      if (id[slot] !== '' && bornUs[slot]! <= this.position) slots.push(slot);
    this.#writer.reset();
    this.#dress.open(this.#writer, 'snapshot');
    writeRows(this.#writer, this.#table, slots);
    const hasMore = index + 1 < this.chunks;
    this.#writer.ascii(`,"count":${slots.length},"total":${this.total},"offset":${from},"has_more":${hasMore}}`);
    this.#dress.close(this.#writer, null);
    const chunk = { bytes: Buffer.from(this.#writer.view()), rows: slots.length };
    this.#kept.set(index, chunk);
    if (this.#kept.size > CHUNKS_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    return chunk;
  }
}
