// Writes a group's rows: the table's own bytes or, if links for another US state were requested, rows made for it; with
// their openings and their depth if requested.

import { withState } from '../answers/row-objects.js';
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import { DEFAULT_STATE } from '../rules/catalogue/deep-link.js';
import type { Depths } from '../tables/depths.js';
import type { OddsTable } from '../tables/table.js';
import type { FrameWriter } from './frame-writer.js';
import type { OpeningPrices } from './opening-prices.js';

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
      else writer.utf8(this.#restated(slots[i]!));
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

  #restated(slot: number): string {
    const row = JSON.parse(this.#table.json.text(slot)) as Record<string, unknown>;
    return JSON.stringify(withState(row, this.#state, this.#catalogue));
  }
}
