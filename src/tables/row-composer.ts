// The rows' JSON, composed from the table's columns where it is served: of a row only the numbers of two pieces are kept,
// which other rows share.

import { BytePool } from '../base/memory/byte-pool.js';
import { grown } from '../base/memory/grown.js';
import {
  INDICATIVE,
  isActive,
  isIndicative,
  isPregamePrice,
  packActivity,
  previousPrice,
} from '../base/model/activity.js';
import { ID_LENGTH } from '../base/model/id-column.js';
import { noNumbers } from '../base/model/row.js';
import {
  type BookHead,
  encodeBookHead,
  encodeEventHead,
  encodeEventRest,
  encodeOutcomeHead,
  encodeOwnRest,
  encodePrice,
  encodeSeen,
  HEAD_OPEN,
  type PricedRow,
  priceText,
  SEEN_LENGTH,
} from '../base/model/row-json.js';
import { formatUs } from '../base/model/time.js';
import { type Columns, type RowColumns, readPrice, readRest, readRow } from './columns.js';
import type { TableEvent } from './events.js';
import type { Registry } from './registry.js';

// Writes the price part of rows as bytes, equal to encodePrice's text: formatted once per price, without a string per
// row.

interface PriceBytes {
  readonly american: number;
  readonly decimal: number;
  readonly odds: Buffer;
  readonly probability: Buffer;
}

/** The price part between line and previous price: whether it is live, since when, whether it can be bet, its kind. */
interface Middle {
  readonly bytes: Buffer;
  /** Offset of the time's microseconds in it. */
  readonly microAt: number;
  readonly secondAt: number;
  /** The microseconds written there. */
  second: number;
  micro: number;
}

/** A power of two. */
const PRICES_CACHED = 4_096;
const MICRO_DIGITS = 6;
const SECOND_CHARACTERS = 19;
const ZERO = 48;
const NULL = Buffer.from('null');
const SOME_TIME_US = 1_700_000_000_000_000;
const SAMPLE: PricedRow = { ...noNumbers(), alternate: false, american: 100, decimal: 2, changedUs: SOME_TIME_US };
/** Bits of a middle's index. */
const MIDDLE = { live: 1, active: 2, alternate: 4, pregame: 8, indicative: 16 } as const;
const MIDDLES = 32;

/** Of a number in JSON at most. */
const NUMBER_CHARACTERS = 25;
/** Of the price part at most, including the probability. */
export const PRICE_LENGTH_MAX =
  Math.max(...Array.from({ length: MIDDLES }, (_, bits) => middleOf(bits).bytes.length)) +
  priceText(SAMPLE).odds.length +
  priceText(SAMPLE).probability.length +
  6 * NUMBER_CHARACTERS;

class PriceWriter {
  readonly #prices: (PriceBytes | undefined)[] = new Array(PRICES_CACHED).fill(undefined);
  readonly #middles = Array.from({ length: MIDDLES }, (_, bits) => middleOf(bits));
  readonly #middleLengths = this.#middles.map(({ bytes }) => bytes.length);

  /** Length of the price part, including the probability. */
  length(row: Readonly<PricedRow>, live: boolean): number {
    const { odds, probability } = this.#priceOf(row);
    const middle = this.#middleLengths[middleNo(row, live)]!;
    const { line } = row;
    return odds.length + textLength(line) + middle + textLength(previousPrice(row.activity)) + probability.length;
  }

  /** Writes the price part without the probability, as in a stream delta, and returns its end offset. */
  writeDelta(row: Readonly<PricedRow>, live: boolean, target: Uint8Array, at: number): number {
    return this.#write(this.#priceOf(row), row, live, target, at);
  }

  /** Writes the whole price part and returns its end offset. */
  write(row: Readonly<PricedRow>, live: boolean, target: Uint8Array, at: number): number {
    const price = this.#priceOf(row);
    return copyShort(price.probability, target, this.#write(price, row, live, target, at));
  }

  #write({ odds }: PriceBytes, row: Readonly<PricedRow>, live: boolean, target: Uint8Array, at: number): number {
    target.set(odds, at);
    let end = writeNumber(row.line, target, at + odds.length);
    const middle = this.#middles[middleNo(row, live)]!;
    setTime(middle, row.changedUs);
    target.set(middle.bytes, end);
    end += middle.bytes.length;
    return writeNumber(previousPrice(row.activity), target, end);
  }

  #priceOf(row: Readonly<PricedRow>): PriceBytes {
    const { american, decimal } = row;
    const place = (american * 8 + decimal * 1_000) & (PRICES_CACHED - 1);
    const known = this.#prices[place];
    if (known !== undefined && known.american === american && known.decimal === decimal) return known;
    const { odds, probability } = priceText(row);
    const made = { american, decimal, odds: Buffer.from(odds), probability: Buffer.from(probability) };
    this.#prices[place] = made;
    return made;
  }
}

function middleNo({ activity, alternate }: Readonly<PricedRow>, live: boolean): number {
  return (
    (live ? MIDDLE.live : 0) +
    (isActive(activity) ? MIDDLE.active : 0) +
    (alternate ? MIDDLE.alternate : 0) +
    (isPregamePrice(activity) ? MIDDLE.pregame : 0) +
    (isIndicative(activity) ? MIDDLE.indicative : 0)
  );
}

/** Cut out of a complete price part, so that its text is defined in one place. */
function middleOf(bits: number): Middle {
  const nothing = String(null).length;
  const has = (bit: number) => (bits & bit) !== 0;
  const activity = packActivity(has(MIDDLE.active), has(MIDDLE.indicative) ? INDICATIVE : null, has(MIDDLE.pregame));
  const text = encodePrice({ ...SAMPLE, alternate: has(MIDDLE.alternate), activity }, has(MIDDLE.live));
  const middle = text.slice(priceText(SAMPLE).odds.length + nothing, -nothing);
  const time = formatUs(SOME_TIME_US);
  const secondAt = middle.indexOf(time);
  const microAt = secondAt + time.indexOf('.') + 1;
  return { bytes: Buffer.from(middle), secondAt, microAt, second: SOME_TIME_US / 1e6, micro: 0 };
}

function setTime(middle: Middle, us: number): void {
  const second = Math.floor(us / 1e6);
  let micro = us - second * 1e6;
  if (second !== middle.second) {
    middle.second = second;
    middle.bytes.write(formatUs(second * 1e6).slice(0, SECOND_CHARACTERS), middle.secondAt, 'latin1');
  }
  if (micro === middle.micro) return;
  middle.micro = micro;
  for (let at = middle.microAt + MICRO_DIGITS - 1; at >= middle.microAt; at--) {
    const rest = Math.floor(micro / 10);
    middle.bytes[at] = ZERO + micro - rest * 10;
    micro = rest;
  }
}

/** Some fifty bytes, for which calling a copy function costs more. Returns the end offset. */
function copyShort(source: Uint8Array, target: Uint8Array, at: number): number {
  for (let i = 0; i < source.length; i++) target[at + i] = source[i]!;
  return at + source.length;
}

function textLength(value: number | null): number {
  return String(value).length;
}

function writeNumber(value: number | null, target: Uint8Array, at: number): number {
  if (value === null) return copyShort(NULL, target, at);
  const text = String(value);
  for (let i = 0; i < text.length; i++) target[at + i] = text.charCodeAt(i);
  return at + text.length;
}

const NONE = 0;
const SEEN_CACHED = 64;
const NOTHING: Buffer = Buffer.alloc(0);

/** The source of a row's JSON: the table. */
export interface RowSource extends RowColumns {
  readonly books: Registry;
  eventOf(slot: number): TableEvent;
  bookHead(book: string): BookHead;
}

/** The `seen` part of a time, followed by the rest of an event. */
interface Seen {
  ms: number;
  rest: Buffer;
  bytes: Buffer;
}

export class RowComposer {
  readonly #table: RowSource;
  readonly #pool = new BytePool();
  readonly #prices = new PriceWriter();
  /** By slot: the head from the event on; NONE until the row is needed. */
  #head = new Uint32Array(0);
  /** By slot: the rest from the link on; NONE until the row is needed, and after it was restated. */
  #rest = new Uint32Array(0);
  /** By book: the beginning of its rows, in which the id is written over. */
  readonly #bookHeads: Buffer[] = [];
  /** Slots whose pieces were made last: a head, and by book a rest. */
  #lastHead = NONE;
  readonly #lastRests: number[] = [];
  #event: TableEvent | undefined;
  #eventHead = '';
  #eventRest = NOTHING;
  #eventRestOf = { startMs: Number.NaN, status: '' };
  /** By time: the books of an event were polled at only a few times. */
  readonly #seen: Seen[] = Array.from({ length: SEEN_CACHED }, () => ({
    ms: Number.NaN,
    rest: NOTHING,
    bytes: NOTHING,
  }));
  #scratch = Buffer.alloc(4_096);

  constructor(table: RowSource) {
    this.#table = table;
  }

  /** In use for shared pieces. */
  get bytes(): number {
    return this.#pool.bytes;
  }

  /** Bytes that copyRow() writes at most: to know how many it does costs as much as to write them. */
  lengthMax(slot: number): number {
    this.#eventOf(slot);
    const pieces = this.#bookHead(slot).length + this.#pool.length(this.#headOf(slot)) + this.#eventRest.length;
    return pieces + PRICE_LENGTH_MAX + SEEN_LENGTH + this.#pool.length(this.#restOf(slot));
  }

  /** Length of the whole row's JSON. */
  length(slot: number): number {
    const { columns: c } = this.#table;
    const event = this.#eventOf(slot);
    const row = readPrice(c, slot);
    return (
      this.#bookHead(slot).length +
      this.#pool.length(this.#headOf(slot)) +
      this.#prices.length(row, event.live) +
      SEEN_LENGTH +
      this.#eventRest.length +
      this.#pool.length(this.#restOf(slot))
    );
  }

  /** Copies the whole row's JSON to `target` and returns its end offset. */
  copyRow(slot: number, target: Buffer, at: number): number {
    const event = this.#eventOf(slot);
    const row = readPrice(this.#table.columns, slot);
    let end = this.#copyHead(slot, target, at);
    end = this.#prices.write(row, event.live, target, end);
    const seen = this.#seenOf(slot);
    target.set(seen, end);
    return this.#pool.copy(this.#restOf(slot), target, end + seen.length);
  }

  /** Copies the body of the row's stream delta (from "odds_american" to "odds_changed_at"), and returns its end offset. */
  copyDelta(slot: number, target: Buffer, at: number): number {
    return this.#prices.writeDelta(readPrice(this.#table.columns, slot), this.#table.eventOf(slot).live, target, at);
  }

  text(slot: number): string {
    const bytes = Buffer.allocUnsafe(this.length(slot));
    return bytes.toString('utf8', 0, this.copyRow(slot, bytes, 0));
  }

  /** A new row, whose columns are set. */
  add(slot: number): void {
    if (slot < this.#rest.length) return;
    const { capacity } = this.#table.columns;
    this.#head = grown(this.#head, capacity);
    this.#rest = grown(this.#rest, capacity);
  }

  /** Its link or its details changed. */
  restated(slot: number): void {
    this.#pool.giveBack(this.#rest[slot]!);
    this.#rest[slot] = NONE;
  }

  remove(slot: number): void {
    this.#pool.giveBack(this.#head[slot]!);
    this.#head[slot] = NONE;
    this.restated(slot);
  }

  /** The event's own pieces are valid until the next call. */
  #eventOf(slot: number): TableEvent {
    const event = this.#table.eventOf(slot);
    if (event !== this.#event) {
      this.#event = event;
      this.#eventHead = '';
      this.#eventRestOf.status = '';
    }
    const of = this.#eventRestOf;
    if (of.status !== event.status || of.startMs !== event.startMs) {
      of.status = event.status;
      of.startMs = event.startMs;
      this.#eventRest = Buffer.from(encodeEventRest(event));
    }
    return event;
  }

  #bookHead(slot: number): Buffer {
    const { columns, books } = this.#table;
    const no = columns.book[slot]!;
    let head = this.#bookHeads[no];
    if (head === undefined) {
      const id = books.name(no);
      head = Buffer.from(`${HEAD_OPEN}${'0'.repeat(ID_LENGTH)}"${encodeBookHead(this.#table.bookHead(id))}`);
      this.#bookHeads[no] = head;
    }
    return head;
  }

  #headOf(slot: number): number {
    const known = this.#head[slot]!;
    if (known !== NONE) return known;
    // In serving order the books' rows of one selection follow each other.
    const last = this.#lastHead;
    const no =
      this.#head[last] !== NONE && sameOutcome(this.#table.columns, slot, last)
        ? this.#pool.again(this.#head[last]!)
        : this.#take(this.#headText(slot));
    this.#head[slot] = no;
    this.#lastHead = slot;
    return no;
  }

  #headText(slot: number): string {
    const event = this.#eventOf(slot);
    if (this.#eventHead === '') this.#eventHead = encodeEventHead(event);
    return encodeOutcomeHead(readRow(this.#table, slot), event, this.#eventHead);
  }

  #restOf(slot: number): number {
    const known = this.#rest[slot]!;
    if (known !== NONE) return known;
    const { columns } = this.#table;
    // Most rows have nothing but a link, which all rows of a book and event may share.
    const book = columns.book[slot]!;
    const last = this.#lastRests[book] ?? NONE;
    const no =
      this.#rest[last] !== NONE && sameRest(columns, slot, last)
        ? this.#pool.again(this.#rest[last]!)
        : this.#take(restText(columns, slot));
    this.#rest[slot] = no;
    this.#lastRests[book] = slot;
    return no;
  }

  #seenOf(slot: number): Buffer {
    const ms = this.#table.columns.seenMs[slot]!;
    const seen = this.#seen[Math.floor(ms) % SEEN_CACHED]!;
    if (seen.ms !== ms || seen.rest !== this.#eventRest) {
      const length = SEEN_LENGTH + this.#eventRest.length;
      if (seen.bytes.length !== length) seen.bytes = Buffer.alloc(length);
      seen.bytes.write(encodeSeen(ms), 0, 'latin1');
      seen.bytes.set(this.#eventRest, SEEN_LENGTH);
      seen.ms = ms;
      seen.rest = this.#eventRest;
    }
    return seen.bytes;
  }

  #copyHead(slot: number, target: Buffer, at: number): number {
    const head = this.#bookHead(slot);
    target.set(head, at);
    this.#table.columns.id.write(slot, target, at + HEAD_OPEN.length);
    return this.#pool.copy(this.#headOf(slot), target, at + head.length);
  }

  #take(text: string): number {
    if (text.length * 3 > this.#scratch.length) this.#scratch = Buffer.alloc(text.length * 4);
    return this.#pool.take(this.#scratch, 0, this.#scratch.write(text));
  }
}

function sameOutcome(c: Columns, a: number, b: number): boolean {
  return (
    c.event[a] === c.event[b] &&
    c.market[a] === c.market[b] &&
    c.flags[a] === c.flags[b] &&
    c.selection.same(a, b) &&
    c.selectionType.same(a, b) &&
    c.player.same(a, b) &&
    c.stat.same(a, b) &&
    c.team.same(a, b)
  );
}

function sameRest({ link, details, eventId, marketId, selectionId }: Columns, a: number, b: number): boolean {
  const sameIds = eventId.same(a, b) && marketId.same(a, b) && selectionId.same(a, b);
  return sameIds && link.same(a, b) && details.get(a) === details.get(b);
}

function restText(columns: Columns, slot: number): string {
  const { link, details, ids } = readRest(columns, slot);
  return encodeOwnRest(details, link, ids);
}
