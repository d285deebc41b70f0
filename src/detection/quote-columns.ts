// Prices of one book at one line, side by side in typed arrays: a column is a book (its main or its alternate rows) at
// a line, with a cell for each of up to three sides. Blocks of columns are allocated to lines and freed when they grow.
import { grown } from '../base/memory/grown.js';

/** Cells of a column: the maximum number of sides of a market. */
export const CELLS = 3;

/** Bits of what was computed of a column's prices and is still valid. */
export const KNOWN = {
  fair: 1,
  centre: 2,
  /** Whether they are an opinion; the next bit says so. */
  opinion: 4,
  isOpinion: 8,
} as const;

const START_COLUMNS = 1_024;
/** Columns of the smallest block. */
export const BLOCK_MIN = 4;

export class QuoteColumns {
  /** By column: number of the book in its shard, -1 if the column is free. */
  book = new Int32Array(START_COLUMNS).fill(-1);
  alternate = new Uint8Array(START_COLUMNS);
  /** Bits of KNOWN; 0: everything must be computed again. */
  known = new Uint8Array(START_COLUMNS);
  /** Expected result by this book's prices at this line; NaN if they are incomplete. */
  centre = new Float64Array(START_COLUMNS);
  /** By cell: decimal price after the book's commission, 0 if there is none to bet. */
  decimal = new Float64Array(START_COLUMNS * CELLS);
  /** What the book makes of a tie in a winner of the game (index in HOUSE_TIES); 0 elsewhere. */
  tie = new Uint8Array(START_COLUMNS);
  /** 1: a price of the book at this line is none, as a third side must be missing. */
  lacking = new Uint8Array(START_COLUMNS);
  /** 1: the stake that can be had at the price is known, and too small for an opinion. */
  shallow = new Uint8Array(START_COLUMNS * CELLS);
  /** last_seen_at (Unix ms). */
  seenMs = new Float64Array(START_COLUMNS * CELLS);
  /** A price below it changed nothing when its line was last evaluated, and changes nothing while it stays below; 0: any may. */
  irrelevantBelow = new Float64Array(START_COLUMNS * CELLS);
  /** Number of the row in its shard, -1 if there is none. */
  row = new Int32Array(START_COLUMNS * CELLS).fill(-1);
  /**
   * By rank in a line: at cell `(start + i) * CELLS + side` the column, relative to the line's first, with its i-th
   * best price of the side. Valid for as many ranks and sides as the line states.
   */
  ordered = new Uint16Array(START_COLUMNS * CELLS);
  /** The same for the consensus' opinions by ascending probability. */
  ranked = new Uint16Array(START_COLUMNS * CELLS);
  /** The book's own devigged probabilities; the first is NaN if its market is incomplete. */
  fair = new Float64Array(START_COLUMNS * CELLS);
  #used = 0;
  /** Free blocks by the logarithm of their size. */
  readonly #free: number[][] = [];

  /** First column of a free block of `size` columns (a power of two, at least 4). */
  allocate(size: number): number {
    const free = this.#free[Math.log2(size)]?.pop();
    if (free !== undefined) return free;
    const start = this.#used;
    this.#used += size;
    if (this.#used > this.book.length) this.#grow(Math.max(this.book.length * 2, this.#used));
    return start;
  }

  release(start: number, size: number): void {
    for (let column = start; column < start + size; column++) this.clear(column);
    const kind = Math.log2(size);
    this.#free[kind] ??= [];
    this.#free[kind].push(start);
  }

  clear(column: number): void {
    this.book[column] = -1;
    this.known[column] = 0;
    this.lacking[column] = 0;
    this.tie[column] = 0;
    for (let cell = column * CELLS; cell < (column + 1) * CELLS; cell++) {
      this.decimal[cell] = 0;
      this.shallow[cell] = 0;
      this.irrelevantBelow[cell] = 0;
      this.row[cell] = -1;
    }
  }

  copy(from: number, to: number): void {
    this.book[to] = this.book[from]!;
    this.alternate[to] = this.alternate[from]!;
    this.known[to] = this.known[from]!;
    this.centre[to] = this.centre[from]!;
    this.lacking[to] = this.lacking[from]!;
    this.tie[to] = this.tie[from]!;
    for (let i = 0; i < CELLS; i++) {
      this.decimal[to * CELLS + i] = this.decimal[from * CELLS + i]!;
      this.shallow[to * CELLS + i] = this.shallow[from * CELLS + i]!;
      this.seenMs[to * CELLS + i] = this.seenMs[from * CELLS + i]!;
      this.irrelevantBelow[to * CELLS + i] = this.irrelevantBelow[from * CELLS + i]!;
      this.row[to * CELLS + i] = this.row[from * CELLS + i]!;
      this.fair[to * CELLS + i] = this.fair[from * CELLS + i]!;
      this.ordered[to * CELLS + i] = this.ordered[from * CELLS + i]!;
      this.ranked[to * CELLS + i] = this.ranked[from * CELLS + i]!;
    }
  }

  #grow(columns: number): void {
    const cells = columns * CELLS;
    this.book = grown(this.book, columns, -1);
    this.alternate = grown(this.alternate, columns);
    this.known = grown(this.known, columns);
    this.centre = grown(this.centre, columns);
    this.lacking = grown(this.lacking, columns);
    this.tie = grown(this.tie, columns);
    this.decimal = grown(this.decimal, cells);
    this.shallow = grown(this.shallow, cells);
    this.seenMs = grown(this.seenMs, cells);
    this.irrelevantBelow = grown(this.irrelevantBelow, cells);
    this.row = grown(this.row, cells, -1);
    this.fair = grown(this.fair, cells);
    this.ordered = grown(this.ordered, cells);
    this.ranked = grown(this.ranked, cells);
  }
}
