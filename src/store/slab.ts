// A slab contains one book's rows of one event under one key: rows that change together are stored together. Two slabs
// per key: numbers (64 bytes a row), here, and the fixed parts (fixed-slab.ts). That of numbers may be some seconds
// behind the log: whoever reads it brings it up to the last commit.

import type { Arena } from '../base/memory/arena.js';
import type { ExchangeDetails } from '../base/model/normal-message.js';
import { noNumbers, type RowNumbers } from '../base/model/row.js';
import { AMOUNT_BYTES, depthOfDetails, packAmounts, withAmounts } from '../base/model/row-details.js';
import {
  packChange,
  packSeen,
  ROW_BYTES,
  readNumbers,
  rowNumberAt,
  type ShardRowNumbers,
} from '../base/model/shard-row.js';
import type { BookQuotes } from '../base/model/state.js';
import { decode, encode } from '../base/wire/codec.js';
import type { LaterBook, LaterNumbers, LaterRow } from './later-numbers.js';

const HEADER_BYTES = 24;

/** The book's statements about the event itself; the names are those in the store. */
interface Statements {
  /** Its external id. */
  x: string | null;
  /** Start, Unix ms. */
  s: number | null;
  l: boolean | null;
  /** Status. */
  t: BookQuotes['status'];
  /** Unix ms at which liveness and status were stated. */
  m: number;
  /** Home and away are swapped. */
  w: boolean;
  /** Game state. */
  g: BookQuotes['state'];
}

function statementsOf(quotes: BookQuotes): Statements {
  const { externalId, startMs, live, status, statedMs, swapped, state } = quotes;
  return { x: externalId, s: startMs, l: live, t: status, m: statedMs, w: swapped, g: state };
}

function takeStatements(quotes: BookQuotes, { x, s, l, t, m, w, g }: Statements): void {
  quotes.externalId = x;
  quotes.startMs = s;
  quotes.live = l;
  quotes.status = t;
  quotes.statedMs = m;
  quotes.swapped = w;
  quotes.state = g;
}

/**
 * [f64 polledUs][f64 appliedUs][u32 rows][u32 bytes of statements] rows × 64 bytes, statements as MessagePack; of an
 * exchange rows × 24 bytes of amounts more, and then their depths, if there are any, as lines of text. In memory of
 * `arena`.
 */
export function packNumbers(quotes: BookQuotes, numbers: ShardRowNumbers, arena: Arena): Buffer {
  const tail = encode(statementsOf(quotes));
  let amounts = false;
  for (const { details } of quotes.rows.values()) amounts ||= details.exchange !== null;
  const depths = amounts ? depthLines(quotes) : '';
  const amountBytes = amounts ? quotes.rows.size * AMOUNT_BYTES : 0;
  const bytes = HEADER_BYTES + quotes.rows.size * ROW_BYTES + tail.length + amountBytes + depths.length;
  const slab = arena.take(bytes);
  const view = new DataView(slab.buffer, slab.byteOffset, bytes);
  view.setFloat64(0, quotes.polledUs, true);
  view.setFloat64(8, quotes.appliedUs, true);
  view.setUint32(16, quotes.rows.size, true);
  view.setUint32(20, tail.length, true);
  let at = HEADER_BYTES;
  for (const row of quotes.rows.values()) {
    numbers.pack(row.no, view, at);
    at += ROW_BYTES;
  }
  tail.copy(slab, at);
  if (!amounts) return slab;
  at += tail.length;
  for (const { details } of quotes.rows.values()) {
    packAmounts(details.exchange, view, at);
    at += AMOUNT_BYTES;
  }
  slab.write(depths, at, 'latin1');
  return slab;
}

function depthLines({ rows }: BookQuotes): string {
  const lines: string[] = [];
  for (const { details } of rows.values()) lines.push(depthOfDetails(details) ?? '');
  return joined(lines);
}

/** A line for each row, empty if it has no depth; none if no row has one. */
function joined(lines: readonly string[]): string {
  return lines.some((line) => line !== '') ? lines.join('\n') : '';
}

/** The slab as of the last commit: itself, or a copy with what the log has of its book since. */
export function broughtUp(slab: Buffer, later: LaterNumbers, eventNo: number, name: string): Buffer {
  const book = later.book(eventNo, name);
  if (book === undefined) return slab;
  const { view, count, tailAt, amountsAt, depthsAt } = partsOf(slab);
  const rows = Array.from({ length: count }, (_, i) => later.row(rowNumberAt(view, HEADER_BYTES + i * ROW_BYTES)));
  const head = Buffer.from(slab.subarray(0, tailAt));
  bringNumbers(head, book, rows);
  const tail = broughtUpStatements(slab.subarray(tailAt, amountsAt), book);
  head.writeUInt32LE(tail.length, 20);
  if (amountsAt >= slab.length) return Buffer.concat([head, tail]);
  const amounts = Buffer.from(slab.subarray(amountsAt, depthsAt));
  const amountsView = new DataView(amounts.buffer, amounts.byteOffset, amounts.length);
  const depths = depthsIn(slab, depthsAt);
  const lines: string[] = [];
  for (const [i, row] of rows.entries()) {
    if (row?.exchange !== undefined) packAmounts(row.exchange, amountsView, i * AMOUNT_BYTES);
    lines.push((row?.depth === undefined ? depths[i] : row.depth) ?? '');
  }
  return Buffer.concat([head, tail, amounts, Buffer.from(joined(lines), 'latin1')]);
}

function bringNumbers(head: Buffer, book: LaterBook, rows: readonly (LaterRow | undefined)[]): void {
  const view = new DataView(head.buffer, head.byteOffset, head.length);
  if (book.polledUs > 0) {
    view.setFloat64(0, book.polledUs, true);
    view.setFloat64(8, book.appliedUs, true);
  }
  for (const [i, row] of rows.entries()) {
    const at = HEADER_BYTES + i * ROW_BYTES;
    if (row?.delta !== undefined) {
      const [, , american, decimal, line, , changedUs, activity] = row.delta;
      packChange({ american, decimal, line, changedUs, activity }, row.position, view, at);
    }
    // All rows of a book are touched after those that changed.
    if (book.seenUs > 0 && book.seenUs >= (row?.seenUs ?? 0)) packSeen(book.seenMs, view, at);
    else if (row !== undefined && row.seenUs > 0) packSeen(row.seenMs, view, at);
  }
}

function broughtUpStatements(tail: Uint8Array, { statement, statedMs }: LaterBook): Uint8Array {
  if (statement === undefined && statedMs === undefined) return tail;
  let statements = decode(tail) as Statements;
  if (statement !== undefined) {
    const [, , , x, s, l, t, m, w, g] = statement;
    statements = { x, s, l, t, m, w, g };
  }
  return encode({ ...statements, m: statedMs ?? statements.m });
}

function partsOf(slab: Uint8Array): {
  view: DataView;
  count: number;
  tailAt: number;
  /** The end of the slab if it has no amounts. */
  amountsAt: number;
  depthsAt: number;
} {
  const view = new DataView(slab.buffer, slab.byteOffset, slab.length);
  const count = view.getUint32(16, true);
  const tailAt = HEADER_BYTES + count * ROW_BYTES;
  const amountsAt = tailAt + view.getUint32(20, true);
  return { view, count, tailAt, amountsAt, depthsAt: amountsAt + count * AMOUNT_BYTES };
}

/** By row; empty if the slab has none. */
function depthsIn(slab: Uint8Array, depthsAt: number): readonly string[] {
  if (depthsAt >= slab.length) return [];
  return Buffer.from(slab.buffer, slab.byteOffset, slab.length).toString('latin1', depthsAt).split('\n');
}

/** Reads a slab: `row` returns one object, reused by the next call. */
export class NumbersReader {
  readonly count: number;
  readonly polledUs: number;
  readonly appliedUs: number;
  readonly #view: DataView;
  readonly #amountsAt: number;
  readonly #row: RowNumbers = noNumbers();
  readonly #depths: readonly string[];

  constructor(slab: Uint8Array) {
    const { view, count, amountsAt, depthsAt } = partsOf(slab);
    this.#view = view;
    this.polledUs = view.getFloat64(0, true);
    this.appliedUs = view.getFloat64(8, true);
    this.count = count;
    this.#amountsAt = amountsAt;
    this.#depths = depthsIn(slab, depthsAt);
  }

  /** Those of releases before exchanges do not. */
  get hasAmounts(): boolean {
    return this.#amountsAt < this.#view.byteLength;
  }

  /** Rows are in the order of their fixed parts. Throws RangeError beyond the slab. */
  row(index: number): RowNumbers {
    readNumbers(this.#view, HEADER_BYTES + index * ROW_BYTES, this.#row);
    return this.#row;
  }

  /**
   * A row's exchange data, given what its fixed part has: that of releases before amounts had a place here is current.
   */
  exchange(index: number, fixed: ExchangeDetails | null): ExchangeDetails | null {
    if (fixed === null || !this.hasAmounts) return fixed;
    const depth = this.#depths[index] || null;
    return withAmounts(fixed, this.#view, this.#amountsAt + index * AMOUNT_BYTES, depth);
  }
}

export function readStatements(slab: Uint8Array, quotes: BookQuotes): void {
  const view = new DataView(slab.buffer, slab.byteOffset, slab.length);
  const at = HEADER_BYTES + view.getUint32(16, true) * ROW_BYTES;
  takeStatements(quotes, decode(slab.subarray(at, at + view.getUint32(20, true))) as Statements);
}
