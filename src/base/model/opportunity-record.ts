// An opportunity as detection records it: what identifies it, the rows of its legs, and the numbers that do not follow
// from those rows and their event. Names, prices, links and ages are composed from the rows where it is served
// (src/detection/kinds). As bytes it has some 50 to 100 and, of a move, what its books did.

import { OPPORTUNITY_KINDS, type OpportunityKind } from './opportunity.js';

export const RECORD_FLAG = {
  /** An arbitrage above the credible profit. */
  suspicious: 1,
  /** The second leg lays the selection of the first. */
  lay: 2,
  /** A result returns its stakes. */
  push: 4,
  /** The fair price is the consensus; otherwise that of the reference's book. */
  consensus: 8,
  /**
   * Of middles: no book shows both sides; the model is assumed (also an EV's, of its push), of the whole game in play, of
   * margins, with key numbers.
   */
  oneSided: 16,
  assumed: 32,
  wholeGame: 64,
  spread: 128,
  keyNumbers: 256,
  /** A leg's stake is limited, or in another currency than dollars. */
  limited: 512,
  /** House rules of the legs' books make exceptions. */
  exceptions: 1_024,
  /** A leg's book may charge more than is known. */
  mayCharge: 2_048,
  /** Of middles: every result wins, with the stakes as printed. */
  sure: 4_096,
  /** An exception loses. */
  breaks: 8_192,
  /** Of a back and its lay: their market has three sides. */
  threeSided: 16_384,
  /** The legs' books differ in what becomes of a game that is not played in time. */
  voidDiffers: 32_768,
} as const;

/** Indices in `numbers`, the first two of every kind. Edges are in percent, scores (0-100) of quotes just seen. */
export const NUMBER = { edge: 0, score: 1 } as const;
/** Fair and push probability (0-1), hold of the reference and profit of the line's arbitrage (percent), counts. */
export const EV_NUMBER = { ...NUMBER, p: 2, push: 3, hold: 4, arbProfit: 5, books: 6, opinions: 7 } as const;
/** Owners with an opinion about the line. */
export const LOW_HOLD_NUMBER = { ...NUMBER, owners: 2 } as const;
/** Probabilities (0-1): both win, either side's, a key number; the lines in terms of the counted result. */
export const MIDDLE_NUMBER = { ...NUMBER, p: 2, low: 3, high: 4, fairFirst: 5, fairSecond: 6, keyChance: 7 } as const;
/** Books that moved, and when the last of them did (Unix ms). */
export const MOVE_NUMBER = { ...NUMBER, movers: 2, lastMs: 3 } as const;

export const SIDES = 3;
const NO_TAIL = new Uint8Array(0);

export interface OpportunityRecord {
  kind: OpportunityKind;
  flags: number;
  /** 16 lowercase hex digits. */
  id: string;
  /** Number of the event in the shard. */
  eventNo: number;
  numbers: number[];
  /**
   * Rows of each side, one side after the other: the leg's, then those of books tied with it. An EV has one side, and
   * after it the rows behind the fair price.
   */
  counts: number[];
  rows: number[];
  /** Of a move, MessagePack; else empty. A view of what it was read from. */
  tail: Uint8Array;
}

/** [u8 kind][u8 numbers][u16 rows × 3][u16 flags][u32 tail bytes][u48 event][id], numbers, rows, tail. */
const NUMBERS_AT = 1;
const COUNTS_AT = 2;
const FLAGS_AT = 8;
const TAIL_AT = 10;
const EVENT_AT = 14;
const ID_AT = 20;
const HEAD_BYTES = 28;
const ID_BYTES = 8;
const EVENT_HIGH = 2 ** 32;

/** Writes records one after the other: head first, then its numbers in their order, its rows and its tail. */
export class RecordWriter {
  #bytes = Buffer.allocUnsafeSlow(64 * 1024);
  #view = new DataView(this.#bytes.buffer);
  #end = 0;
  #from = 0;

  /** The records since the last clear(); valid until the next one is written. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#end);
  }

  get end(): number {
    return this.#end;
  }

  clear(): void {
    this.#end = 0;
  }

  /** Begins a record; returns its place. */
  begin(kind: OpportunityKind, flags: number, id: string, eventNo: number): number {
    const from = this.#end;
    this.#reserve(HEAD_BYTES);
    const view = this.#view;
    view.setUint8(from, OPPORTUNITY_KINDS.indexOf(kind));
    view.setUint8(from + NUMBERS_AT, 0);
    for (let side = 0; side < SIDES; side++) view.setUint16(from + COUNTS_AT + 2 * side, 0, true);
    view.setUint16(from + FLAGS_AT, flags, true);
    view.setUint32(from + TAIL_AT, 0, true);
    view.setUint32(from + EVENT_AT, eventNo, true);
    view.setUint16(from + EVENT_AT + 4, eventNo / EVENT_HIGH, true);
    this.#bytes.write(id, from + ID_AT, ID_BYTES, 'hex');
    this.#from = from;
    this.#end = from + HEAD_BYTES;
    return from;
  }

  number(value: number): void {
    this.#reserve(8);
    this.#bytes[this.#from + NUMBERS_AT]!++;
    this.#view.setFloat64(this.#end, value, true);
    this.#end += 8;
  }

  row(side: number, no: number): void {
    this.#reserve(4);
    const at = this.#from + COUNTS_AT + 2 * side;
    this.#view.setUint16(at, this.#view.getUint16(at, true) + 1, true);
    this.#view.setUint32(this.#end, no, true);
    this.#end += 4;
  }

  tail(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#view.setUint32(this.#from + TAIL_AT, bytes.length, true);
    this.#bytes.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(2 * (this.#end + bytes));
    larger.set(this.#bytes.subarray(0, this.#end));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}

/** The id of the record at a place. */
export function idAt(bytes: Uint8Array, at: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex', at + ID_AT, at + ID_AT + ID_BYTES);
}

/** Writes a record that was read; returns its place. */
export function writeRecord(writer: RecordWriter, record: OpportunityRecord): number {
  const { kind, flags, id, eventNo, numbers, counts, rows, tail } = record;
  const place = writer.begin(kind, flags, id, eventNo);
  for (const number of numbers) writer.number(number);
  let at = 0;
  for (const [side, count] of counts.entries())
    for (const end = at + count; at < end; at++) writer.row(side, rows[at]!);
  if (tail.length > 0) writer.tail(tail);
  return place;
}

/** A record of RecordWriter, at its place. */
export function readRecord(bytes: Uint8Array, at: number): OpportunityRecord {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const kind = OPPORTUNITY_KINDS[source[at]!]!;
  const counts: number[] = [];
  let rowCount = 0;
  for (let side = 0; side < SIDES; side++) {
    const count = source.readUInt16LE(at + COUNTS_AT + 2 * side);
    if (count === 0) break;
    counts.push(count);
    rowCount += count;
  }
  let from = at + HEAD_BYTES;
  const numbers: number[] = [];
  for (let i = 0; i < source[at + NUMBERS_AT]!; i++, from += 8) numbers.push(source.readDoubleLE(from));
  const rows: number[] = [];
  for (let i = 0; i < rowCount; i++, from += 4) rows.push(source.readUInt32LE(from));
  const tailBytes = source.readUInt32LE(at + TAIL_AT);
  return {
    kind,
    flags: source.readUInt16LE(at + FLAGS_AT),
    id: source.toString('hex', at + ID_AT, at + ID_AT + ID_BYTES),
    eventNo: source.readUIntLE(at + EVENT_AT, 6),
    numbers,
    counts,
    rows,
    tail: tailBytes === 0 ? NO_TAIL : source.subarray(from, from + tailBytes),
  };
}

/** What identifies a record. */
export function headOf(record: Uint8Array): Pick<OpportunityRecord, 'kind' | 'id' | 'eventNo'> {
  return { kind: OPPORTUNITY_KINDS[record[0]!]!, id: idAt(record, 0), eventNo: eventNoAt(bufferOf(record), 0) };
}

/** Of the record at a place. */
export function clearFlag(bytes: Uint8Array, at: number, flag: number): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  view.setUint16(at + FLAGS_AT, view.getUint16(at + FLAGS_AT, true) & ~flag, true);
}

/** Number of the event of the record at a place. */
export function eventNoAt(bytes: Buffer, at: number): number {
  return bytes.readUInt32LE(at + EVENT_AT) + EVENT_HIGH * bytes.readUInt16LE(at + EVENT_AT + 4);
}

/** The id of the record at a place as eight characters of one byte each: as good a key, made in a tenth of the time. */
export function idBytesAt(bytes: Buffer, at: number): string {
  return bytes.toString('latin1', at + ID_AT, at + ID_AT + ID_BYTES);
}

/** The same of an id in hex digits. */
export function idBytesOf(id: string): string {
  return Buffer.from(id, 'hex').toString('latin1');
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Where the record at a place ends. */
export function recordEnd(bytes: Uint8Array, at: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let rows = 0;
  for (let side = 0; side < SIDES; side++) rows += view.getUint16(at + COUNTS_AT + 2 * side, true);
  return at + HEAD_BYTES + 8 * bytes[at + NUMBERS_AT]! + 4 * rows + view.getUint32(at + TAIL_AT, true);
}

/** Sums of numbers depend on their order in the last places. */
const NOISE = 1e-9;

/** Whether two records say the same; rows after a side's leg, and those behind a fair price, may be in any order. */
export function sameRecord(a: OpportunityRecord, b: OpportunityRecord): boolean {
  if (a.kind !== b.kind || a.flags !== b.flags || a.id !== b.id || a.eventNo !== b.eventNo) return false;
  if (a.numbers.length !== b.numbers.length || a.counts.join() !== b.counts.join()) return false;
  if (!a.numbers.every((number, i) => isNear(number, b.numbers[i]!))) return false;
  let at = 0;
  for (const [side, count] of a.counts.entries()) {
    if (a.rows[at] !== b.rows[at] && (side === 0 || a.kind !== 'ev')) return false;
    const tied = new Set(a.rows.slice(at, at + count));
    for (const end = at + count; at < end; at++) if (!tied.has(b.rows[at]!)) return false;
  }
  return Buffer.compare(a.tail, b.tail) === 0;
}

function isNear(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= NOISE * Math.max(1, Math.abs(a)) || (Number.isNaN(a) && Number.isNaN(b));
}
