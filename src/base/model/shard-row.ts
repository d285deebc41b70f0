// A row in a shard's memory: half a million long-lived objects, so they are few and small. A number that is not a small
// integer would be a heap object in each, so these lie side by side in one array, indexed by row number.
import { grown } from '../memory/grown.js';
import { isActive, isPregamePrice, packActivity, packedPrevious, previousPrice } from './activity.js';
import { type Row, RowChange, type RowIdentity, type RowNumbers, type RowOrigin } from './row.js';
import type { RowDetails } from './row-details.js';

const START_ROWS = 1_024;

/** Indices of a row's numbers: one cache line of 64 bytes per row. All but the serial are stored in this order. */
const AMERICAN = 0;
const DECIMAL = 1;
/** NaN if the row has no line. */
const LINE = 2;
const SEEN_MS = 3;
const CHANGED_US = 4;
const CREATED_POSITION = 5;
const UPDATED_POSITION = 6;
const LAST_SEEN_SERIAL = 7;
const NUMBERS = 8;

/** The numbers of all rows of a shard. Those of a removed row stay until its number is reused. */
export class ShardRowNumbers {
  /** NUMBERS per row. */
  values = new Float64Array(START_ROWS * NUMBERS);
  /** Odds ids, which have 19 decimal digits. */
  ids = new BigUint64Array(START_ROWS);
  /** Packed as in activity.ts. */
  activity = new Int32Array(START_ROWS);

  /** Makes room for the row of this number. */
  reserve(no: number): void {
    if (no < this.ids.length) return;
    const rows = Math.max(no + 1, this.ids.length * 2);
    this.values = grown(this.values, rows * NUMBERS);
    this.ids = grown(this.ids, rows);
    this.activity = grown(this.activity, rows);
  }

  /** Writes a row's numbers in the form of a slab, ROW_BYTES long. */
  pack(no: number, view: DataView, at: number): void {
    const { values } = this;
    const first = no * NUMBERS;
    view.setUint32(at, no, true);
    view.setInt32(at + 4, this.activity[no]!, true);
    for (let i = AMERICAN; i < LAST_SEEN_SERIAL; i++) view.setFloat64(at + 8 + i * 8, values[first + i]!, true);
  }
}

/** Bytes of a row's numbers in a slab: [u32 no][i32 activity] and seven f64, in the order of their indices. */
export const ROW_BYTES = 64;

/** Reads what pack() wrote. */
export function readNumbers(view: DataView, at: number, into: RowNumbers): void {
  const line = view.getFloat64(at + 24, true);
  into.no = view.getUint32(at, true);
  into.activity = view.getInt32(at + 4, true);
  into.american = view.getFloat64(at + 8, true);
  into.decimal = view.getFloat64(at + 16, true);
  into.line = Number.isNaN(line) ? null : line;
  into.seenMs = view.getFloat64(at + 32, true);
  into.changedUs = view.getFloat64(at + 40, true);
  into.createdPosition = view.getFloat64(at + 48, true);
  into.updatedPosition = view.getFloat64(at + 56, true);
}

export function rowNumberAt(view: DataView, at: number): number {
  return view.getUint32(at, true);
}

/** Writes what a change at `position` says over what pack() wrote; when it was seen is packSeen()'s. */
export function packChange(
  {
    american,
    decimal,
    line,
    changedUs,
    activity,
  }: Pick<RowNumbers, 'american' | 'decimal' | 'line' | 'changedUs' | 'activity'>,
  position: number,
  view: DataView,
  at: number,
): void {
  view.setInt32(at + 4, activity, true);
  view.setFloat64(at + 8, american, true);
  view.setFloat64(at + 16, decimal, true);
  view.setFloat64(at + 24, line ?? Number.NaN, true);
  view.setFloat64(at + 40, changedUs, true);
  view.setFloat64(at + 56, position, true);
}

export function packSeen(seenMs: number, view: DataView, at: number): void {
  view.setFloat64(at + 32, seenMs, true);
}

export class ShardRow implements Row {
  readonly #numbers: ShardRowNumbers;
  readonly no: number;
  readonly key: string;
  readonly market: string;
  readonly selection: string;
  readonly selectionType: string;
  readonly player: string | null;
  readonly stat: string | null;
  readonly team: RowIdentity['team'];
  readonly alternate: boolean;
  deepLink: string | null;
  externalId: string | null;
  marketId: string | null;
  details: RowDetails;
  change: number = RowChange.none;

  /** A row with its numbers in `columns` at its row number; what was there is overwritten. */
  constructor(
    columns: ShardRowNumbers,
    identity: RowIdentity,
    numbers: Readonly<RowNumbers>,
    origin: RowOrigin,
    details: RowDetails,
  ) {
    const { no } = numbers;
    columns.reserve(no);
    columns.ids[no] = BigInt(identity.id);
    this.#numbers = columns;
    this.no = no;
    this.key = origin.key;
    this.market = identity.market;
    this.selection = identity.selection;
    this.selectionType = identity.selectionType;
    this.player = identity.player;
    this.stat = identity.stat;
    this.team = identity.team;
    this.alternate = identity.alternate;
    this.deepLink = origin.deepLink;
    this.externalId = origin.externalId;
    this.marketId = origin.marketId;
    this.details = details;
    this.american = numbers.american;
    this.decimal = numbers.decimal;
    this.activity = numbers.activity;
    this.line = numbers.line;
    this.seenMs = numbers.seenMs;
    this.changedUs = numbers.changedUs;
    this.createdPosition = numbers.createdPosition;
    this.updatedPosition = numbers.updatedPosition;
    this.lastSeenSerial = 0;
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

  get activity(): number {
    return this.#numbers.activity[this.no]!;
  }

  set activity(value: number) {
    this.#numbers.activity[this.no] = value;
  }

  get active(): boolean {
    return isActive(this.activity);
  }

  set active(value: boolean) {
    this.activity = packActivity(value, packedPrevious(this.activity), this.pregame);
  }

  get previous(): number | null {
    return previousPrice(this.activity);
  }

  set previous(value: number | null) {
    this.activity = packActivity(this.active, value, this.pregame);
  }

  get pregame(): boolean {
    return isPregamePrice(this.activity);
  }

  set pregame(value: boolean) {
    if (value !== this.pregame) this.activity = packActivity(this.active, packedPrevious(this.activity), value);
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
    return this.#numbers.values[this.no * NUMBERS + CREATED_POSITION]!;
  }

  set createdPosition(value: number) {
    this.#numbers.values[this.no * NUMBERS + CREATED_POSITION] = value;
  }

  get updatedPosition(): number {
    return this.#numbers.values[this.no * NUMBERS + UPDATED_POSITION]!;
  }

  set updatedPosition(value: number) {
    this.#numbers.values[this.no * NUMBERS + UPDATED_POSITION] = value;
  }

  get lastSeenSerial(): number {
    return this.#numbers.values[this.no * NUMBERS + LAST_SEEN_SERIAL]!;
  }

  set lastSeenSerial(value: number) {
    this.#numbers.values[this.no * NUMBERS + LAST_SEEN_SERIAL] = value;
  }
}
