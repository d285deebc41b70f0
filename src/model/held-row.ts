// A row as a shard holds it: half a million objects that live long, so they are few and small. A number that is no small
// integer would be an object of its own in each; they lie side by side in one array instead, by the number of the row.
import { isActive, packActivity, previousPrice } from './activity.js';
import type { Row } from './state.js';

const START_ROWS = 1_024;

/** Places of a row's numbers: a cache line of 64 bytes a row. Those but the mark are stored in this order. */
const AMERICAN = 0;
const DECIMAL = 1;
/** NaN where the row has no line. */
const LINE = 2;
const SEEN_MS = 3;
const CHANGED_US = 4;
const BORN_US = 5;
const MOVED_US = 6;
const MARK = 7;
const NUMBERS = 8;

/** Numbers of all rows of a shard. Those of a row that is gone stay until its number is given to another. */
export class HeldNumbers {
  /** NUMBERS a row. */
  values = new Float64Array(START_ROWS * NUMBERS);
  /** Odds ids, which are 19 decimal digits. */
  ids = new BigUint64Array(START_ROWS);
  /** Of each row, as activity.ts packs it. */
  activity = new Int32Array(START_ROWS);

  /** Makes room for the row of that number. */
  reserve(no: number): void {
    if (no < this.ids.length) return;
    const rows = Math.max(no + 1, this.ids.length * 2);
    const values = new Float64Array(rows * NUMBERS);
    values.set(this.values);
    this.values = values;
    const ids = new BigUint64Array(rows);
    ids.set(this.ids);
    this.ids = ids;
    const activity = new Int32Array(rows);
    activity.set(this.activity);
    this.activity = activity;
  }

  /** The seven numbers that are stored: american, decimal, line (NaN for none), seenMs, changedUs, bornUs, movedUs. */
  write(no: number, view: DataView, at: number): void {
    const { values } = this;
    const first = no * NUMBERS;
    for (let i = AMERICAN; i < MARK; i++) view.setFloat64(at + i * 8, values[first + i]!, true);
  }
}

export class HeldRow implements Row {
  readonly #numbers: HeldNumbers;
  readonly no: number;
  readonly key: string;
  readonly market: string;
  readonly selection: string;
  readonly selectionType: string;
  readonly player: string | null;
  readonly stat: string | null;
  readonly team: 'home' | 'away' | null;
  readonly alternate: boolean;
  deepLink: string | null;
  externalId: string | null;
  maxBet: number | null;
  publicBetPct: number | null;
  change: number;

  /** A copy of `row` with its numbers in `numbers`, at its row number: whatever stood there is overwritten. */
  constructor(numbers: HeldNumbers, row: Row) {
    const { no } = row;
    numbers.reserve(no);
    numbers.ids[no] = BigInt(row.id);
    this.#numbers = numbers;
    this.no = no;
    this.key = row.key;
    this.market = row.market;
    this.selection = row.selection;
    this.selectionType = row.selectionType;
    this.player = row.player;
    this.stat = row.stat;
    this.team = row.team;
    this.alternate = row.alternate;
    this.deepLink = row.deepLink;
    this.externalId = row.externalId;
    this.maxBet = row.maxBet;
    this.publicBetPct = row.publicBetPct;
    this.change = row.change;
    this.american = row.american;
    this.decimal = row.decimal;
    numbers.activity[no] = packActivity(row.active, row.previous);
    this.line = row.line;
    this.seenMs = row.seenMs;
    this.changedUs = row.changedUs;
    this.createdPosition = row.createdPosition;
    this.updatedPosition = row.updatedPosition;
    this.lastSeenSerial = row.lastSeenSerial;
  }

  get id(): string {
    return this.#numbers.ids[this.no]!.toString();
  }

  get american(): number {
    return this.#numbers.values[this.no * NUMBERS + AMERICAN]!;
  }

  set american(value: number) {
    this.#numbers.values[this.no * NUMBERS + AMERICAN] = value;
  }

  get decimal(): number {
    return this.#numbers.values[this.no * NUMBERS + DECIMAL]!;
  }

  set decimal(value: number) {
    this.#numbers.values[this.no * NUMBERS + DECIMAL] = value;
  }

  get active(): boolean {
    return isActive(this.#numbers.activity[this.no]!);
  }

  set active(value: boolean) {
    this.#numbers.activity[this.no] = packActivity(value, this.previous);
  }

  get previous(): number | null {
    return previousPrice(this.#numbers.activity[this.no]!);
  }

  set previous(value: number | null) {
    this.#numbers.activity[this.no] = packActivity(this.active, value);
  }

  get line(): number | null {
    const line = this.#numbers.values[this.no * NUMBERS + LINE]!;
    return Number.isNaN(line) ? null : line;
  }

  set line(value: number | null) {
    this.#numbers.values[this.no * NUMBERS + LINE] = value ?? Number.NaN;
  }

  get seenMs(): number {
    return this.#numbers.values[this.no * NUMBERS + SEEN_MS]!;
  }

  set seenMs(value: number) {
    this.#numbers.values[this.no * NUMBERS + SEEN_MS] = value;
  }

  get changedUs(): number {
    return this.#numbers.values[this.no * NUMBERS + CHANGED_US]!;
  }

  set changedUs(value: number) {
    this.#numbers.values[this.no * NUMBERS + CHANGED_US] = value;
  }

  get createdPosition(): number {
    return this.#numbers.values[this.no * NUMBERS + BORN_US]!;
  }

  set createdPosition(value: number) {
    this.#numbers.values[this.no * NUMBERS + BORN_US] = value;
  }

  get updatedPosition(): number {
    return this.#numbers.values[this.no * NUMBERS + MOVED_US]!;
  }

  set updatedPosition(value: number) {
    this.#numbers.values[this.no * NUMBERS + MOVED_US] = value;
  }

  get lastSeenSerial(): number {
    return this.#numbers.values[this.no * NUMBERS + MARK]!;
  }

  set lastSeenSerial(value: number) {
    this.#numbers.values[this.no * NUMBERS + MARK] = value;
  }
}
