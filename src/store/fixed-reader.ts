// Reads the table's part of fixed slabs one after the other, where they lie. The slabs of an event have most texts in
// common, at the same places: a text that is the one of the slab before is not made again.
import type { ExchangeDetails } from '../model/normal-message.js';
import { readDetails } from '../model/row-details.js';
import { decode } from '../wire/codec.js';
import { ItemReader } from '../wire/item-reader.js';
import { CELLS, type ExchangePart, type FixedRow, FLAG, HEADER_BYTES, tableEnd } from './fixed-slab.js';

const START_BYTES = 4_096;

/** A text of the last slab, by its place there. */
interface KeptText {
  /** Where its bytes stand among those kept. */
  from: number;
  length: number;
  text: string;
  /** The copy that rows share, once it was asked for. */
  shared: string | undefined;
}

export class FixedReader {
  readonly #intern: (text: string) => string;
  readonly #items = new ItemReader();
  readonly #texts: KeptText[] = [];
  #textCount = 0;
  /** Bytes of the texts, which outlive the slab they came in. */
  #kept = Buffer.alloc(START_BYTES);
  #spare = Buffer.alloc(START_BYTES);
  readonly #ids: string[] = [];
  readonly #row = {} as FixedRow;
  readonly #cells: (number | null)[] = new Array<null>(CELLS).fill(null);

  constructor(intern: (text: string) => string) {
    this.#intern = intern;
  }

  /**
   * `visit` gets one reused object a row. Returns how many rows there are. Throws RangeError where the slab is damaged; the
   * reader is of no use then.
   */
  read(slab: Buffer, visit: (row: FixedRow, index: number) => void): number {
    const end = tableEnd(slab);
    const items = this.#items;
    items.begin(slab, HEADER_BYTES, end);
    const parts = items.array();
    const rows = this.#readIds(slab);
    this.#readTexts(slab);
    if (items.array() !== rows * CELLS) throw new RangeError('a fixed slab has rows without their cells');
    const cellsAt = items.at;
    const exchange = parts > 3 ? this.#readExchange(slab, rows, end) : null;
    items.begin(slab, cellsAt, end);
    const [row, cells] = [this.#row, this.#cells];
    for (let i = 0; i < rows; i++) {
      for (let cell = 0; cell < CELLS; cell++) cells[cell] = items.numberOrNull();
      const flags = cells[7]!;
      row.no = cells[0]!;
      row.id = this.#ids[i]!;
      row.market = this.#shared(cells[1]!)!;
      row.selection = this.#shared(cells[2]!)!;
      row.selectionType = this.#shared(cells[3]!)!;
      row.player = this.#shared(cells[4]!);
      row.stat = this.#shared(cells[5]!);
      row.link = cells[6] === 0 ? null : this.#textAt(cells[6]!).text;
      row.team = flags & FLAG.home ? 'home' : flags & FLAG.away ? 'away' : null;
      row.alternate = (flags & FLAG.alternate) !== 0;
      row.details = readDetails(cells, 8, exchange?.[i] ?? null);
      visit(row, i);
    }
    if (exchange === null && items.at !== end) throw new RangeError('a fixed slab has more than its rows');
    return rows;
  }

  #readIds(slab: Buffer): number {
    const rows = this.#items.array();
    for (let i = 0; i < rows; i++) {
      const length = this.#items.textLength();
      const from = this.#items.at;
      this.#items.skip(length);
      this.#ids[i] = slab.toString('latin1', from, from + length);
    }
    return rows;
  }

  #readTexts(slab: Buffer): void {
    const items = this.#items;
    const count = items.array();
    if (this.#spare.length < slab.length) this.#spare = Buffer.alloc(slab.length * 2);
    const [before, bytes] = [this.#kept, this.#spare];
    let to = 0;
    for (let place = 0; place < count; place++) {
      const length = items.textLength();
      const from = items.at;
      items.skip(length);
      for (let i = 0; i < length; i++) bytes[to + i] = slab[from + i]!;
      const known = place < this.#textCount ? this.#texts[place]! : undefined;
      if (known === undefined || known.length !== length || !same(before, known.from, bytes, to, length))
        this.#texts[place] = { from: to, length, text: slab.toString('utf8', from, from + length), shared: undefined };
      else known.from = to;
      to += length;
    }
    this.#textCount = count;
    this.#kept = bytes;
    this.#spare = before;
  }

  #readExchange(slab: Buffer, rows: number, end: number): (ExchangeDetails | null)[] {
    for (let cell = 0; cell < rows * CELLS; cell++) this.#items.numberOrNull();
    return decode(slab.subarray(this.#items.at, end)) as ExchangePart;
  }

  #textAt(cell: number): KeptText {
    if (cell > this.#textCount) throw new RangeError(`a fixed slab names text ${cell} of ${this.#textCount}`);
    return this.#texts[cell - 1]!;
  }

  /** Interned when first asked for: links that one row alone has would only crowd out what rows share. */
  #shared(cell: number): string | null {
    if (cell === 0) return null;
    const known = this.#textAt(cell);
    known.shared ??= this.#intern(known.text);
    return known.shared;
  }
}

function same(a: Buffer, aFrom: number, b: Buffer, bFrom: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (a[aFrom + i] !== b[bFrom + i]) return false;
  return true;
}
