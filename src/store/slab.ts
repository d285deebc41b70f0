// A slab contains one book's rows of one event under one key: rows that change together are stored together. Two slabs
// per key: numbers (rewritten at every poll, 64 bytes a row), here, and the fixed parts (fixed-slab.ts).

import type { Arena } from '../base/memory/arena.js';
import type { ExchangeDetails } from '../base/model/normal-message.js';
import { noNumbers, type RowNumbers } from '../base/model/row.js';
import { AMOUNT_BYTES, depthOfDetails, packAmounts, withAmounts } from '../base/model/row-details.js';
import { ROW_BYTES, readNumbers, type ShardRowNumbers } from '../base/model/shard-row.js';
import type { BookQuotes } from '../base/model/state.js';
import { decode, encode } from '../base/wire/codec.js';

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
    packAmounts(details, view, at);
    at += AMOUNT_BYTES;
  }
  slab.write(depths, at, 'latin1');
  return slab;
}

/** A line for each row, empty if it has none; no lines if no row has one. Joined: it is written for every poll. */
function depthLines({ rows }: BookQuotes): string {
  let any = false;
  const lines: string[] = [];
  for (const { details } of rows.values()) {
    const depth = depthOfDetails(details);
    any ||= depth !== null;
    lines.push(depth ?? '');
  }
  return any ? lines.join('\n') : '';
}

/** Reads a slab: `row` returns one object, reused by the next call. */
export class NumbersReader {
  readonly count: number;
  readonly polledUs: number;
  readonly appliedUs: number;
  readonly #view: DataView;
  /** Where the amounts begin; the end of the slab if it has none. */
  readonly #amountsAt: number;
  readonly #row: RowNumbers = noNumbers();
  /** By row; empty if the slab has none. */
  readonly #depths: readonly string[];

  constructor(slab: Uint8Array) {
    this.#view = new DataView(slab.buffer, slab.byteOffset, slab.length);
    this.polledUs = this.#view.getFloat64(0, true);
    this.appliedUs = this.#view.getFloat64(8, true);
    this.count = this.#view.getUint32(16, true);
    this.#amountsAt = HEADER_BYTES + this.count * ROW_BYTES + this.#view.getUint32(20, true);
    const depthsAt = this.#amountsAt + this.count * AMOUNT_BYTES;
    const text = Buffer.from(slab.buffer, slab.byteOffset, slab.length);
    this.#depths = depthsAt < slab.length ? text.toString('latin1', depthsAt).split('\n') : [];
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
    if (fixed === null || this.#amountsAt >= this.#view.byteLength) return fixed;
    const depth = this.#depths[index] || null;
    return withAmounts(fixed, this.#view, this.#amountsAt + index * AMOUNT_BYTES, depth);
  }
}

export function readStatements(slab: Uint8Array, quotes: BookQuotes): void {
  const view = new DataView(slab.buffer, slab.byteOffset, slab.length);
  const at = HEADER_BYTES + view.getUint32(16, true) * ROW_BYTES;
  takeStatements(quotes, decode(slab.subarray(at, at + view.getUint32(20, true))) as Statements);
}
