// A cached page of rows: when the request is repeated after prices have moved, the rows that moved are overwritten in
// place. The envelope (totals, cursor, lists of books) depends on which rows there are, not on their prices, and is
// made once.
import type { Transient } from '../base/memory/transient.js';
import type { RowComposer } from '../tables/row-composer.js';
import type { OddsTable } from '../tables/table.js';
import { STAMPS, tagOfRows } from './etag.js';
import { type Allocator, COMMA, HEAD, KeptPage, stampRow } from './page.js';

export class RowsPage extends KeptPage {
  readonly #table: OddsTable;
  readonly #slots: Uint32Array;
  readonly #suffix: Buffer;
  readonly #isCurrent: () => boolean;
  /** Offset of each row, and after the last one that of the suffix. */
  readonly #starts: Uint32Array;
  /** The inputs of the tag, together with the suffix. */
  readonly #stamps: Float64Array;
  readonly #suffixTag: string;

  /**
   * @param suffix its text from the closing bracket of the rows on, with the offsets of the times in it, and a tag that
   * is different for each suffix that the same rows could have
   * @param isCurrent whether the table still has these rows, in this order, for the request
   */
  constructor(
    table: OddsTable,
    slots: readonly number[],
    suffix: { text: string; tag: string },
    memory: Allocator,
    isCurrent: () => boolean,
  ) {
    super(NOTHING, true);
    this.#table = table;
    this.#slots = Uint32Array.from(slots);
    this.#suffix = Buffer.from(suffix.text);
    this.#isCurrent = isCurrent;
    this.#starts = new Uint32Array(slots.length + 1);
    this.#stamps = new Float64Array(slots.length * STAMPS);
    this.#suffixTag = suffix.tag;
    this.#layOut(memory);
  }

  override refresh(table: object, memory: Allocator): boolean {
    if (table !== this.#table || !this.#isCurrent()) return false;
    const { updatedPosition, seenMs } = this.#table.columns;
    const { json: rows } = this.#table;
    const slots = this.#slots;
    const stamps = this.#stamps;
    const starts = this.#starts;
    let changed = false;
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i]!;
      if (stamps[i * STAMPS + 1] === updatedPosition[slot] && stamps[i * STAMPS + 2] === seenMs[slot]) continue;
      const row = rowBytes(rows, slot);
      const longer = row.length + 1 - (starts[i + 1]! - starts[i]!);
      // A price with more or fewer digits: everything after it moves.
      if (longer !== 0) this.#shift(i + 1, longer, memory);
      this.bytes.set(row, starts[i]!);
      stampRow(stamps, i, this.#table.columns, slot, this.#table.eventOf(slot).shard);
      changed = true;
    }
    if (changed) this.forgetTag();
    return true;
  }

  protected override makeTag(): string {
    return tagOfRows(this.#stamps, this.#slots.length, this.#suffixTag);
  }

  #layOut(memory: Allocator): void {
    const { json: rows } = this.#table;
    const slots = this.#slots;
    const starts = this.#starts;
    let length = HEAD.length + slots.length + this.#suffix.length;
    for (let i = 0; i < slots.length; i++) length += rows.lengthMax(slots[i]!);
    const bytes = memory(length);
    bytes.set(HEAD, 0);
    let at = HEAD.length;
    for (let i = 0; i < slots.length; i++) {
      starts[i] = at;
      at = rows.copyRow(slots[i]!, bytes, at);
      bytes[at++] = COMMA;
      stampRow(this.#stamps, i, this.#table.columns, slots[i]!, this.#table.eventOf(slots[i]!).shard);
    }
    starts[slots.length] = at;
    // Rows are separated by commas, one fewer than there are rows.
    const suffixAt = slots.length === 0 ? at : at - 1;
    bytes.set(this.#suffix, suffixAt);
    this.bytes = bytes.subarray(0, suffixAt + this.#suffix.length) as Transient;
  }

  /** Moves row number `from`, and everything after it, by this many bytes forward (or back). */
  #shift(from: number, by: number, memory: Allocator): void {
    const starts = this.#starts;
    const old = this.bytes;
    // After the last row there is no comma: only the suffix moves then.
    const at = from === this.#slots.length ? starts[from]! - 1 : starts[from]!;
    // The same memory unless it has become too small or far too large.
    const bytes = memory(old.length + by);
    if (bytes.buffer !== old.buffer) bytes.set(old.subarray(0, starts[from - 1]!), 0);
    bytes.set(old.subarray(at), at + by);
    for (let i = from; i < starts.length; i++) starts[i]! += by;
    // The comma before the part that moved, if there is one.
    if (from < this.#slots.length) bytes[starts[from]! - 1] = COMMA;
    this.bytes = bytes;
  }
}

let row = Buffer.alloc(4_096);

/** The row's JSON, valid until the next call. */
function rowBytes(rows: RowComposer, slot: number): Uint8Array {
  const length = rows.lengthMax(slot);
  if (length > row.length) row = Buffer.alloc(2 * length);
  return row.subarray(0, rows.copyRow(slot, row, 0));
}

const NOTHING = Buffer.alloc(0);
