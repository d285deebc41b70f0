// A page of history: changes of one event's rows within one day, column by column, row after row. Times are stored
// once, as the changes of a batch share theirs; prices are stored as differences from the previous price.

import { americanFromDecimal, decimalFromAmerican } from '../../base/model/price.js';

// Numbers in few bytes: the encoding of history's pages.

const START_BYTES = 4_096;
const SEVEN_BITS = 128;
const DOUBLE_BYTES = 8;

/** A growing, reusable buffer: the result of written() is valid until the next begin(). */
class ByteWriter {
  #bytes = Buffer.allocUnsafeSlow(START_BYTES);
  #at = 0;

  begin(): void {
    this.#at = 0;
  }

  written(): Buffer {
    return this.#bytes.subarray(0, this.#at);
  }

  /** An integer from 0 below 2^53, seven bits per byte, lowest first. */
  unsigned(value: number): void {
    this.#reserve(8);
    let rest = value;
    while (rest >= SEVEN_BITS) {
      this.#bytes[this.#at++] = (rest % SEVEN_BITS) | SEVEN_BITS;
      rest = Math.floor(rest / SEVEN_BITS);
    }
    this.#bytes[this.#at++] = rest;
  }

  double(value: number): void {
    this.#reserve(DOUBLE_BYTES);
    this.#at = this.#bytes.writeDoubleLE(value, this.#at);
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    const more = Buffer.allocUnsafeSlow(this.#bytes.length * 2);
    more.set(this.#bytes);
    this.#bytes = more;
  }
}

/** Reads what a ByteWriter wrote, in the same order. */
class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  unsigned(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.#at++]!;
    if (byte < SEVEN_BITS) return byte;
    let value = byte - SEVEN_BITS;
    let scale = SEVEN_BITS;
    do {
      if (this.#at >= bytes.length) throw new RangeError('a number is cut short');
      byte = bytes[this.#at++]!;
      value += (byte & (SEVEN_BITS - 1)) * scale;
      scale *= SEVEN_BITS;
    } while (byte >= SEVEN_BITS);
    return value;
  }

  double(): number {
    this.#at += DOUBLE_BYTES;
    return this.#view.getFloat64(this.#at - DOUBLE_BYTES, true);
  }

  /** Skips this many integers. */
  skip(count: number): void {
    const bytes = this.#bytes;
    for (let left = count; left > 0; this.#at++) {
      if (this.#at >= bytes.length) throw new RangeError('a number is cut short');
      if (bytes[this.#at]! < SEVEN_BITS) left--;
    }
  }

  skipDoubles(count: number): void {
    this.#at += count * DOUBLE_BYTES;
  }
}

/** Zigzag encoding: signed integers as unsigned ones, small ones staying small. */
function zigzag(value: number): number {
  return value < 0 ? -2 * value - 1 : 2 * value;
}

function unzigzag(value: number): number {
  return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
}

/** A change's flags. A model's prices are indicative, too. Of a row that was removed nothing but the time is known. */
export const FLAG = { live: 1, inactive: 2, indicative: 4, model: 8, removed: 16 } as const;

/** Receives one change; `line` is NaN if the row has none. */
export type ChangeVisitor = (
  row: number,
  atUs: number,
  american: number,
  decimal: number,
  line: number,
  flags: number,
) => void;

const DAY_US = 86_400e6;
/** A page with this many changes is full. */
const PAGE_CHANGES = 512;

/** Changes of one event, row by row in order of time. */
export class Page {
  /** Ascending: the distinct times (Unix µs). */
  readonly times: number[] = [];
  /** For each change: its row's index in the event, the index of its time in `times`, and its values. */
  readonly rows: number[] = [];
  readonly time: number[] = [];
  readonly american: number[] = [];
  readonly decimal: number[] = [];
  readonly line: number[] = [];
  readonly flags: number[] = [];

  get count(): number {
    return this.rows.length;
  }

  get firstUs(): number {
    return this.times[0]!;
  }

  get lastUs(): number {
    return this.times.at(-1)!;
  }

  /**
   * Whether a change of that time (Unix µs) belongs on it: always if it is of the last batch, else if the page is not
   * full and of the same day.
   */
  takes(atUs: number): boolean {
    return atUs === this.lastUs || (this.count < PAGE_CHANGES && dayOf(this.firstUs) === dayOf(atUs));
  }

  /** @param atUs not before any other of the page */
  add(row: number, atUs: number, american: number, decimal: number, line: number, flags: number): void {
    if (this.times.length === 0 || this.lastUs !== atUs) this.times.push(atUs);
    this.rows.push(row);
    this.time.push(this.times.length - 1);
    this.american.push(american);
    this.decimal.push(decimal);
    this.line.push(line);
    this.flags.push(flags);
  }

  /** With `wanted` (by row, 0 is no) only those of the wanted rows. */
  visit(visitor: ChangeVisitor, wanted?: Uint8Array): void {
    for (let i = 0; i < this.count; i++) {
      const row = this.rows[i]!;
      if (wanted !== undefined && wanted[row] !== 1) continue;
      visitor(row, this.times[this.time[i]!]!, this.american[i]!, this.decimal[i]!, this.line[i]!, this.flags[i]!);
    }
  }
}

/** The first instant of the next day (Unix µs). */
export function endOfDayUs(us: number): number {
  return (dayOf(us) + 1) * DAY_US;
}

function dayOf(us: number): number {
  return Math.floor(us / DAY_US);
}

/** Of a page with removals, which earlier releases would take for prices, and of any other. */
const WITH_REMOVALS = 2;
const VERSION = 1;
/** How a change's price is encoded; above these two bits is the difference. */
const KIND = {
  /** Integer American odds; flags and line are unchanged. */
  american: 0,
  /** Integer American odds, then flags and line. */
  restated: 1,
  /** Decimal odds with at most three decimals, then flags and line. */
  decimal: 2,
  /** Both as doubles, then flags and line. */
  exact: 3,
} as const;
/** Beside the first three flags, two bits: how the line is encoded; above them the other flags. */
const LINE = { same: 0, quarters: 1, none: 2, exact: 3 } as const;
const LINE_SHIFT = 8;
const LINES = 4;
const FURTHER_FLAGS = LINE_SHIFT * LINES;
const THOUSANDTHS = 1_000;

const writer = new ByteWriter();

/** The encoded page, valid until the next is encoded. */
export function encodePage(page: Page): Buffer {
  const order = byRow(page.rows);
  writer.begin();
  writer.unsigned(page.flags.some((flags) => flags >= FLAG.removed) ? WITH_REMOVALS : VERSION);
  writer.unsigned(page.count);
  writer.unsigned(page.times.length);
  let before = 0;
  for (const time of page.times) {
    writer.unsigned(time - before);
    before = time;
  }
  writeDirectory(page.rows, order);
  writeTimes(page, order);
  writePrices(page, order);
  return writer.written();
}

/** Indices of the changes of these rows: row after row, each in its given order. */
export function byRow(rows: ArrayLike<number>): Uint32Array {
  let most = 0;
  for (let i = 0; i < rows.length; i++) if (rows[i]! > most) most = rows[i]!;
  const starts = new Uint32Array(most + 2);
  for (let i = 0; i < rows.length; i++) starts[rows[i]! + 1]!++;
  for (let row = 1; row < starts.length; row++) starts[row]! += starts[row - 1]!;
  const order = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) order[starts[rows[i]!]!++] = i;
  return order;
}

/** The number of rows, and for each the difference of its index from the previous one, and its number of changes. */
function writeDirectory(rows: readonly number[], order: Uint32Array): void {
  let distinct = 0;
  for (let i = 0; i < order.length; i++) if (i === 0 || rows[order[i]!] !== rows[order[i - 1]!]) distinct++;
  writer.unsigned(distinct);
  let last = 0;
  for (let i = 0; i < order.length; ) {
    const row = rows[order[i]!]!;
    const from = i;
    while (i < order.length && rows[order[i]!] === row) i++;
    writer.unsigned(row - last);
    writer.unsigned(i - from);
    last = row;
  }
}

function writeTimes({ rows, time }: Page, order: Uint32Array): void {
  for (let i = 0; i < order.length; i++) {
    const at = order[i]!;
    const before = order[i - 1];
    const goesOn = before !== undefined && rows[before] === rows[at];
    writer.unsigned(goesOn ? time[at]! - time[before]! : time[at]!);
  }
}

function writePrices({ rows, american, decimal, line, flags }: Page, order: Uint32Array): void {
  let row = -1;
  let price = 0;
  let thousandths = 0;
  let lineBefore = Number.NaN;
  let flagsBefore = 0;
  for (const at of order) {
    if (rows[at] !== row) {
      row = rows[at]!;
      price = 0;
      thousandths = 0;
      lineBefore = Number.NaN;
      flagsBefore = 0;
    }
    if (flags[at]! >= FLAG.removed) {
      // Its price and line stand as they were, for the change after it.
      writer.unsigned(KIND.restated);
      writeRest(flags[at]!, lineBefore, lineBefore);
      flagsBefore = flags[at]!;
      continue;
    }
    const same = flags[at] === flagsBefore && Object.is(line[at], lineBefore);
    const axis = axisOf(american[at]!);
    const inThousandths = Math.round(decimal[at]! * THOUSANDTHS);
    if (Number.isInteger(axis) && decimalFromAmerican(american[at]!) === decimal[at]) {
      writer.unsigned(zigzag(axis - price) * 4 + (same ? KIND.american : KIND.restated));
      if (!same) writeRest(flags[at]!, line[at]!, lineBefore);
      price = axis;
    } else if (
      inThousandths / THOUSANDTHS === decimal[at] &&
      americanFromDecimal(decimal[at]!) === american[at] &&
      Number.isInteger(axis)
    ) {
      writer.unsigned(zigzag(inThousandths - thousandths) * 4 + KIND.decimal);
      writeRest(flags[at]!, line[at]!, lineBefore);
      thousandths = inThousandths;
    } else {
      writer.unsigned(KIND.exact);
      writer.double(american[at]!);
      writer.double(decimal[at]!);
      writeRest(flags[at]!, line[at]!, lineBefore);
    }
    lineBefore = line[at]!;
    flagsBefore = flags[at]!;
  }
}

function writeRest(stated: number, line: number, before: number): void {
  const flags = (stated % FLAG.model) + Math.floor(stated / FLAG.model) * FURTHER_FLAGS;
  if (Object.is(line, before)) writer.unsigned(flags + LINE_SHIFT * LINE.same);
  else if (Number.isNaN(line)) writer.unsigned(flags + LINE_SHIFT * LINE.none);
  else if (Number.isInteger(line * 4) && !Object.is(line, -0) && Math.abs(line) < 1e9) {
    writer.unsigned(flags + LINE_SHIFT * LINE.quarters);
    writer.unsigned(zigzag(line * 4));
  } else {
    writer.unsigned(flags + LINE_SHIFT * LINE.exact);
    writer.double(line);
  }
}

/** American odds without the gap between -100 and 100, so that a step across it is short. */
function axisOf(american: number): number {
  return american >= 100 ? american - 100 : american + 100;
}

function americanOf(axis: number): number {
  return axis >= 0 ? axis + 100 : axis - 100;
}

/**
 * Visits every change, row after row; with `wanted` (by row, 0 is no) only those of the wanted rows. Throws if the
 * bytes are not from encodePage.
 */
export function decodePage(bytes: Uint8Array, visitor: ChangeVisitor, wanted?: Uint8Array): void {
  const reader = new ByteReader(bytes);
  const version = reader.unsigned();
  if (version !== VERSION && version !== WITH_REMOVALS)
    throw new Error(`a page of history of version ${version}; this program reads up to ${WITH_REMOVALS}`);
  const count = reader.unsigned();
  const times: number[] = new Array(reader.unsigned());
  for (let i = 0, at = 0; i < times.length; i++) {
    at += reader.unsigned();
    times[i] = at;
  }
  const distinct = reader.unsigned();
  const rows = new Uint32Array(distinct);
  const ends = new Uint32Array(distinct);
  for (let i = 0, row = 0, end = 0; i < distinct; i++) {
    row += reader.unsigned();
    end += reader.unsigned();
    rows[i] = row;
    ends[i] = end;
  }
  const time = new Uint32Array(count);
  for (let i = 0, at = 0; i < distinct; i++) {
    if (wanted !== undefined && wanted[rows[i]!] !== 1) {
      reader.skip(ends[i]! - at);
      at = ends[i]!;
    } else for (let place = 0; at < ends[i]!; at++) time[at] = place += reader.unsigned();
  }
  const step: Price = { price: 0, thousandths: 0, american: 0, decimal: 0, line: Number.NaN, flags: 0 };
  for (let i = 0, at = 0; i < distinct; i++) {
    const row = rows[i]!;
    const end = ends[i]!;
    if (wanted !== undefined && wanted[row] !== 1) {
      for (; at < end; at++) skipPrice(reader);
      continue;
    }
    step.price = 0;
    step.thousandths = 0;
    step.line = Number.NaN;
    step.flags = 0;
    for (; at < end; at++) {
      readPrice(reader, step);
      visitor(row, times[time[at]!]!, step.american, step.decimal, step.line, step.flags);
    }
  }
}

interface Price {
  price: number;
  thousandths: number;
  american: number;
  decimal: number;
  line: number;
  flags: number;
}

function readPrice(reader: ByteReader, step: Price): void {
  const code = reader.unsigned();
  const kind = code % 4;
  if (kind <= KIND.restated) {
    step.price += unzigzag(Math.floor(code / 4));
    step.american = americanOf(step.price);
    step.decimal = decimalFromAmerican(step.american);
  } else if (kind === KIND.decimal) {
    step.thousandths += unzigzag(Math.floor(code / 4));
    step.decimal = step.thousandths / THOUSANDTHS;
    step.american = americanFromDecimal(step.decimal);
  } else {
    step.american = reader.double();
    step.decimal = reader.double();
  }
  if (kind === KIND.american) return;
  const rest = reader.unsigned();
  step.flags = (rest % LINE_SHIFT) + Math.floor(rest / FURTHER_FLAGS) * FLAG.model;
  const line = Math.floor(rest / LINE_SHIFT) % LINES;
  if (line === LINE.none) step.line = Number.NaN;
  else if (line === LINE.quarters) step.line = unzigzag(reader.unsigned()) / 4;
  else if (line === LINE.exact) step.line = reader.double();
}

function skipPrice(reader: ByteReader): void {
  const kind = reader.unsigned() % 4;
  if (kind === KIND.american) return;
  if (kind === KIND.exact) reader.skipDoubles(2);
  const line = Math.floor(reader.unsigned() / LINE_SHIFT) % LINES;
  if (line === LINE.quarters) reader.skip(1);
  else if (line === LINE.exact) reader.skipDoubles(1);
}

/** The decoded page, to be appended to. */
export function readPage(bytes: Uint8Array): Page {
  const changes: [row: number, atUs: number, american: number, decimal: number, line: number, flags: number][] = [];
  decodePage(bytes, (...change) => changes.push(change));
  changes.sort((a, b) => a[1] - b[1]);
  const page = new Page();
  for (const change of changes) page.add(...change);
  return page;
}
