// The rows of a shard for the opportunities composed in it: answers to questions, and backtests. Elsewhere they are the
// table's.

import { withPlace } from '../../base/memory/grown.js';
import { chargeOf } from '../../base/model/commission.js';
import type { Rates } from '../../base/model/money.js';
import { ownCommission } from '../../base/model/row-details.js';
import type { EventState } from '../../base/model/state.js';
import type { BookList } from '../../detection/book-list.js';
import type { Leg } from '../../detection/kinds/parts.js';
import type { RowsOfShard, RuledRow } from '../../detection/kinds/recorded-opportunity.js';
import type { MarketIndex } from '../../detection/market-index.js';
import { CELLS } from '../../detection/quote-columns.js';
import type { Catalogue } from '../../rules/catalogue/catalogue.js';
import { rowDeepLink, rowFeedIds } from './delta-builder.js';

export class ShardRows implements RowsOfShard {
  readonly #index: MarketIndex;
  readonly #books: BookList;
  readonly #catalogue: Catalogue;
  readonly #events: () => Iterable<EventState>;

  constructor(
    prices: { index: MarketIndex; books: BookList },
    catalogue: Catalogue,
    events: () => Iterable<EventState>,
  ) {
    this.#index = prices.index;
    this.#books = prices.books;
    this.#catalogue = catalogue;
    this.#events = events;
  }

  get rates(): Rates {
    return this.#books.rates;
  }

  event(no: number, row: number): EventState | undefined {
    if (row >= 0) return this.#index.marketLineOf(row)?.market.event;
    for (const event of this.#events()) if (event.no === no) return event;
    return undefined;
  }

  leg(no: number, lay: boolean): Leg | undefined {
    const cell = this.#index.cellOf(no);
    const event = this.#index.marketLineOf(no)?.market.event;
    if (cell < 0 || event === undefined) return undefined;
    const row = this.#index.row(no);
    const { columns } = this.#index;
    const bookNo = columns.book[Math.floor(cell / CELLS)]!;
    const book = this.#books.name(bookNo);
    const quotes = event.books.get(book)!;
    return {
      row,
      book,
      owner: this.#catalogue.ownerOf(book),
      net: columns.decimal[cell]!,
      commission: chargeOf(ownCommission(row.details), this.#books.commission[bookNo]!),
      rules: this.#books.rules[bookNo]!,
      seenMs: row.seenMs,
      lay,
      deepLink: rowDeepLink(row, quotes, this.#catalogue),
      ids: rowFeedIds(row, quotes),
    };
  }

  ruled(no: number): RuledRow | undefined {
    const cell = this.#index.cellOf(no);
    const marketLine = this.#index.marketLineOf(no);
    if (cell < 0 || marketLine === undefined) return undefined;
    const { shape, houses } = marketLine.market;
    const bookNo = this.#index.columns.book[Math.floor(cell / CELLS)]!;
    return { shape, side: cell % CELLS, x: marketLine.x, house: houses[bookNo]![shape.rules.family] };
  }

  marketOf(no: number): string | null {
    return this.#index.marketLineOf(no)?.market.marketType ?? null;
  }

  bookOf(no: number): string | null {
    const cell = this.#index.cellOf(no);
    return cell < 0 ? null : this.#books.name(this.#index.columns.book[Math.floor(cell / CELLS)]!);
  }

  seenMs(no: number): number {
    const cell = this.#index.cellOf(no);
    return cell < 0 ? Number.NaN : this.#index.columns.seenMs[cell]!;
  }

  /** What is composed here is used at once. */
  updatedPosition(): number {
    return Number.NaN;
  }
}

// Allocates row numbers: always the smallest free one, so that shards with the same rows give the next row the same
// number, whatever their past.

const START_ROWS = 1_024;

export class FreeNumbers {
  /** A binary heap of the numbers that were freed, smallest first. */
  readonly #heap: number[] = [];
  /** This number and all above it are free. */
  #next = 0;

  /** Starts again, with these in use. */
  reset(used: Iterable<number>): void {
    this.#heap.length = 0;
    this.#next = 0;
    // A set of half a million numbers takes twenty times the memory.
    let taken = new Uint8Array(START_ROWS);
    for (const no of used) {
      taken = withPlace(taken, no);
      taken[no] = 1;
      if (no >= this.#next) this.#next = no + 1;
    }
    // In ascending order, which is a heap.
    for (let no = 0; no < this.#next; no++) if (taken[no] === 0) this.#heap.push(no);
  }

  take(): number {
    const heap = this.#heap;
    const smallest = heap[0];
    if (smallest === undefined) return this.#next++;
    const last = heap.pop()!;
    if (heap.length === 0) return smallest;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++;
      if (last <= heap[child]!) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return smallest;
  }

  giveBack(no: number): void {
    const heap = this.#heap;
    let at = heap.push(no) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]! <= no) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = no;
  }
}
