// A growing buffer for frames: text, rows' bytes, numbers. One is reused for every tick.

import { rowText } from '../answers/row-objects.js';
import { ID_LENGTH, type IdColumn } from '../base/model/id-column.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import { DEFAULT_STATE } from '../rules/catalogue/deep-link.js';
import type { Depths } from '../tables/depths.js';
import { PRICE_LENGTH_MAX, type RowComposer } from '../tables/row-composer.js';
import type { OddsTable } from '../tables/table.js';
import type { OpeningPrices } from './opening-prices.js';

const START_BYTES = 256 * 1024;
/** After one huge tick the buffer shrinks back to a normal size. */
const KEEP_BYTES = 8 * 1024 * 1024;

/** Frames for a socket: all of them in one buffer, and each separately if the transport sends messages. */
export interface Chunk {
  readonly bytes: Buffer;
  /** Views of `bytes`; empty if the transport is one flow of bytes (SSE). */
  readonly frames: readonly Buffer[];
  /** A piece of a compressed stream. */
  readonly packed?: true | undefined;
  /** Number of bytes that were encoded and compressed for it just now. */
  readonly made?: number | undefined;
}

export class FrameWriter {
  #buffer = Buffer.allocUnsafeSlow(START_BYTES);
  #length = 0;
  readonly #ends: number[] = [];

  get length(): number {
    return this.#length;
  }

  /** Plain ASCII (protocol text, numbers, ids). */
  ascii(text: string): void {
    this.#reserve(text.length);
    this.#length += this.#buffer.write(text, this.#length, 'latin1');
  }

  utf8(text: string): void {
    this.#reserve(text.length * 3);
    this.#length += this.#buffer.write(text, this.#length);
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  id(ids: IdColumn, slot: number): void {
    this.#reserve(ID_LENGTH);
    this.#length = ids.write(slot, this.#buffer, this.#length);
  }

  row(json: RowComposer, slot: number): void {
    this.#reserve(json.lengthMax(slot));
    this.#length = json.copyRow(slot, this.#buffer, this.#length);
  }

  /** Removes the last bytes. */
  dropLast(bytes: number): void {
    this.#length -= bytes;
  }

  delta(json: RowComposer, slot: number): void {
    this.#reserve(PRICE_LENGTH_MAX);
    this.#length = json.copyDelta(slot, this.#buffer, this.#length);
  }

  /** Removes what was written after `length` and returns it as text. */
  takeBack(length: number): string {
    const text = this.#buffer.toString('utf8', length, this.#length);
    this.#length = length;
    return text;
  }

  /** A message ends here. */
  endFrame(): void {
    this.#ends.push(this.#length);
  }

  /** What was written so far; valid until the next write. */
  chunk(): Chunk {
    return chunkOf(this.#buffer.subarray(0, this.#length), this.#ends);
  }

  /** A copy that lasts. */
  copy(): Chunk {
    return chunkOf(Buffer.from(this.#buffer.subarray(0, this.#length)), this.#ends);
  }

  reset(): void {
    this.#length = 0;
    this.#ends.length = 0;
    if (this.#buffer.length > KEEP_BYTES) this.#buffer = Buffer.allocUnsafeSlow(START_BYTES);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, this.#length + more));
    this.#buffer.copy(grown, 0, 0, this.#length);
    this.#buffer = grown;
  }
}

function chunkOf(bytes: Buffer, ends: readonly number[]): Chunk {
  if (ends.length === 1) return { bytes, frames: [bytes] };
  return { bytes, frames: ends.map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1]!, end)) };
}

// Writes a group's rows: the table's own bytes or, if links for another US state were requested, rows made for it; with
// their openings and their depth if requested.

export class RowWriter {
  readonly #table: OddsTable;
  readonly #catalogue: Catalogue;
  readonly #state: string;
  /** Null if rows are shown without. */
  readonly openings: OpeningPrices | null;
  /** Null if rows and their changes are shown without. */
  readonly depths: Depths | null;

  /** @param state US state of deep links, lower case. */
  constructor(
    table: OddsTable,
    catalogue: Catalogue,
    state: string,
    { openings = null, depth = false }: { openings?: OpeningPrices | null; depth?: boolean } = {},
  ) {
    this.#table = table;
    this.#catalogue = catalogue;
    this.#state = state;
    this.openings = openings;
    this.depths = depth ? table.depths : null;
  }

  /** By how much its depth makes a row, or a change of it, longer. */
  depthBytes(slot: number): number {
    return this.depths?.get(slot)?.length ?? 0;
  }

  /** `[row,row]`: whole Odds objects. */
  rows(writer: FrameWriter, slots: readonly number[]): void {
    const plain = this.#state === DEFAULT_STATE;
    writer.ascii('[');
    for (let i = 0; i < slots.length; i++) {
      if (i > 0) writer.ascii(',');
      if (plain) writer.row(this.#table.json, slots[i]!);
      else writer.utf8(rowText(this.#table, this.#catalogue, slots[i]!, this.#state));
      const depth = this.depths?.get(slots[i]!) ?? null;
      if (this.openings === null && depth === null) continue;
      // In place of the row's closing brace.
      writer.dropLast(1);
      if (this.openings !== null) writer.ascii(`,"opening":${this.openings.text(slots[i]!)}`);
      if (depth !== null) writer.ascii(`,"depth":${depth}`);
      writer.ascii('}');
    }
    writer.ascii(']');
  }

  /** `[delta,delta]`: OddsDelta objects. */
  deltas(writer: FrameWriter, slots: readonly number[]): void {
    const { json, columns } = this.#table;
    writer.ascii('[');
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i]!;
      writer.ascii(i > 0 ? ',{"id":"' : '{"id":"');
      writer.id(columns.id, slot);
      writer.ascii('",');
      writer.delta(json, slot);
      const depth = this.depths?.get(slot);
      if (depth !== undefined) writer.ascii(`,"depth":${depth}`);
      writer.ascii('}');
    }
    writer.ascii(']');
  }

  /** `["id","id"]`: ids of rows. */
  ids(writer: FrameWriter, slots: readonly number[]): void {
    writer.ascii('[');
    for (let i = 0; i < slots.length; i++) {
      writer.ascii(i > 0 ? ',"' : '"');
      writer.id(this.#table.columns.id, slots[i]!);
      writer.ascii('"');
    }
    writer.ascii(']');
  }
}
