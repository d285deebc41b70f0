// The rows that a request selected, taken from the table some at a time: as they are then, without those that are gone.
import type { Catalogue } from '../rules/catalogue/catalogue.js';
import type { OddsTable } from '../tables/table.js';
import { type OddsObject, rowObject } from './row-objects.js';

const LINE_BREAK = 0x0a;

export class WholeRows {
  readonly #table: OddsTable;
  readonly #slots: readonly number[];
  /** Position at which they were selected. */
  readonly #position: number;
  readonly #links: { catalogue: Catalogue; state: string | undefined };

  constructor(table: OddsTable, slots: readonly number[], links: { catalogue: Catalogue; state: string | undefined }) {
    this.#table = table;
    this.#slots = slots;
    this.#position = table.position;
    this.#links = links;
  }

  lines(from: number, to: number): Buffer {
    const { json } = this.#table;
    const slots = this.#present(from, to);
    let length = slots.length;
    for (const slot of slots) length += json.lengthMax(slot);
    const lines = Buffer.allocUnsafe(length);
    let end = 0;
    for (const slot of slots) {
      end = json.copyRow(slot, lines, end);
      lines[end++] = LINE_BREAK;
    }
    return lines.subarray(0, end);
  }

  objects(from: number, to: number): OddsObject[] {
    const { catalogue, state } = this.#links;
    return this.#present(from, to).map((slot) => rowObject(this.#table, catalogue, slot, state));
  }

  /** A slot may be another row's by now. */
  #present(from: number, to: number): number[] {
    const { columns } = this.#table;
    return this.#slots
      .slice(from, to)
      .filter((slot) => columns.id.has(slot) && columns.createdPosition[slot]! <= this.#position);
  }
}
