// A slab is what one book says of one event, stored under one key: rows that change together lie together.
// Two slabs a key: numbers (rewritten at every poll, 64 bytes a row), here, and the fixed parts (fixed-slab.ts).

import type { Arena } from '../memory/arena.js';
import type { HeldNumbers } from '../model/held-row.js';
import type { BookQuotes } from '../model/state.js';
import { decode, encode } from '../wire/codec.js';

const HEADER_BYTES = 24;
export const ROW_BYTES = 64;

/** Numbers of a row as they lie in a slab. */
export interface RowNumbers {
  no: number;
  american: number;
  decimal: number;
  /** As model/activity.ts packs it. */
  activity: number;
  line: number | null;
  seenMs: number;
  changedUs: number;
  bornUs: number;
  movedUs: number;
}

/** What the book states of the event itself. */
interface Statements {
  x: string | null;
  s: number | null;
  l: boolean | null;
  t: BookQuotes['status'];
  m: number;
  w: boolean;
  g: BookQuotes['state'];
}

/**
 * [f64 polledUs][f64 appliedUs][u32 rows][u32 bytes of statements] rows × 64 bytes, statements as MessagePack; in memory of
 * `arena`.
 */
export function packNumbers(quotes: BookQuotes, numbers: HeldNumbers, arena: Arena): Buffer {
  const statements: Statements = {
    x: quotes.externalId,
    s: quotes.startMs,
    l: quotes.live,
    t: quotes.status,
    m: quotes.statedMs,
    w: quotes.swapped,
    g: quotes.state,
  };
  const tail = encode(statements);
  const bytes = HEADER_BYTES + quotes.rows.size * ROW_BYTES + tail.length;
  const slab = arena.take(bytes);
  const view = new DataView(slab.buffer, slab.byteOffset, bytes);
  view.setFloat64(0, quotes.polledUs, true);
  view.setFloat64(8, quotes.appliedUs, true);
  view.setUint32(16, quotes.rows.size, true);
  view.setUint32(20, tail.length, true);
  let at = HEADER_BYTES;
  for (const row of quotes.rows.values()) {
    view.setUint32(at, row.no, true);
    view.setInt32(at + 4, numbers.activity[row.no]!, true);
    numbers.write(row.no, view, at + 8);
    at += ROW_BYTES;
  }
  tail.copy(slab, at);
  return slab;
}

/** Reads a slab: `row` answers one object, used again by the next call. */
export class NumbersReader {
  readonly count: number;
  readonly polledUs: number;
  readonly appliedUs: number;
  readonly #view: DataView;
  readonly #row: RowNumbers = {
    no: 0,
    american: 0,
    decimal: 0,
    activity: 0,
    line: null,
    seenMs: 0,
    changedUs: 0,
    bornUs: 0,
    movedUs: 0,
  };

  constructor(slab: Uint8Array) {
    this.#view = new DataView(slab.buffer, slab.byteOffset, slab.length);
    this.polledUs = this.#view.getFloat64(0, true);
    this.appliedUs = this.#view.getFloat64(8, true);
    this.count = this.#view.getUint32(16, true);
  }

  /** Rows stand in the order of their fixed parts. Throws RangeError beyond the slab. */
  row(index: number): RowNumbers {
    const row = this.#row;
    const view = this.#view;
    const at = HEADER_BYTES + index * ROW_BYTES;
    const line = view.getFloat64(at + 24, true);
    row.no = view.getUint32(at, true);
    row.activity = view.getInt32(at + 4, true);
    row.american = view.getFloat64(at + 8, true);
    row.decimal = view.getFloat64(at + 16, true);
    row.line = Number.isNaN(line) ? null : line;
    row.seenMs = view.getFloat64(at + 32, true);
    row.changedUs = view.getFloat64(at + 40, true);
    row.bornUs = view.getFloat64(at + 48, true);
    row.movedUs = view.getFloat64(at + 56, true);
    return row;
  }
}

export function readStatements(slab: Uint8Array, quotes: BookQuotes): void {
  const view = new DataView(slab.buffer, slab.byteOffset, slab.length);
  const at = HEADER_BYTES + view.getUint32(16, true) * ROW_BYTES;
  const stated = decode(slab.subarray(at, at + view.getUint32(20, true))) as Statements;
  quotes.externalId = stated.x;
  quotes.startMs = stated.s;
  quotes.live = stated.l;
  quotes.status = stated.t;
  quotes.statedMs = stated.m;
  quotes.swapped = stated.w;
  quotes.state = stated.g;
}
